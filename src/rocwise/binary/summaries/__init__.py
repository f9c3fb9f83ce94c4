"""The table of a paper: several models on the same cases, each in one row.

`model_tables` asks what `auc`, `threshold`, `at` and `compare` answer, and puts it side by side.
"""
