"""Plots on matplotlib axes, the one place that imports matplotlib, and only when drawing.

Others may use `axes.draw`, `axes.draw_figure` and `axes.import_matplotlib`.
"""
