"""Plot specifications of results, one module a topic; `registry.MODULES` lists them.

A function marked with `plot_of` turns a result into plain data (`spec.PlotSpec`). Nothing is
computed here: what a plot shows is a field or a method of the result.
"""
