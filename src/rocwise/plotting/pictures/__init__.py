"""One function for every class of results, which makes its picture; a module for each topic.

They choose layers, axes and words, and compute nothing: numbers come from fields and methods of
the result. `picture_list` says which module draws which class. Modules share their frames:
`roc.roc_square`, `inference.forest`, `thresholds.threshold_steps`.
"""
