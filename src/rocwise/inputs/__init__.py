"""The only place that cleans data: arrays, tensors, frames and files become what analyses work on.

`rocwise.engines` fetches columns from frames and files, as rows or as counts of equal rows;
`vectors` reads one column of anything, `rows` finds what is missing, `labels` the positives,
`scores` makes floats that sort, and `clean_rows` joins these. Analyses begin with a function of
`coercion`; what lies above them, such as the command line, uses the names listed in the stub.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
