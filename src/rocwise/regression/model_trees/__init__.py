"""Trees with linear models at their nodes, grown and pruned like M5'.

Others use `growing.grow`, which answers with its root, a `growing.Node`.

Quinlan (1992), Learning with continuous classes; Wang and Witten (1997), Inducing model trees for
continuous classes.
"""
