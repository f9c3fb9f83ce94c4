"""Operating points of several classes: which rule calls rows at the least expected cost.

The question and its answers: `problems` (scores and losses), `weights` (`class_weights` and the
choice of a method), `results`, `rule_costs` (what a rule costs on new rows), `cost_uncertainty`
(costs known only roughly), `time_limits`.
The methods, by the names that `class_weights` takes: exact are `sweep` (up to three classes) and
the 0/1 programme of `linear_programmes` ("milp", "lp"); one weight at a time go `passes` and
"sequential", two at a time `pair_moves`, on columns of costs `cost_columns`; smooth or random are
`soft_costs` ("soft") and `genetic`. They share `line_search` (the best weight of one class) and
`weight_cells` (weights that realise given calls).
Another family of rules: `class_trees` (`metaclass`), a threshold at every split of the classes.
Others may use `ClassWeights`, `MetaClass`, `class_weights`, `metaclass` and `class_cost`.
"""
