"""Areas of several classes: how well a table of scores, one column per class, ranks them.

`class_areas` holds the area of every class against every other one, of which `averages`
(Hand-Till, one-vs-rest, one-vs-one) are weighted sums, with their `bootstrap`;
`model_comparisons` compares models by such an average on the same rows; `one_vs_rest` draws each
class against the rest; `hypervolumes` asks whether one case of each class is labelled right as a
whole. Others may use `AVERAGES` and `Average`, the names of the averages.
"""
