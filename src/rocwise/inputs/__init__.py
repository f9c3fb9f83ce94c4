"""The only door for data: arrays, tensors, frames and files become a Tally or Pairs here.

`vectors` reads one column of anything, `labels` finds the positives, `scores` makes floats that
sort; `rocwise.engines` fetches columns from frames and files.
"""

from rocwise.inputs.several_classes import class_rows, model_rows
from rocwise.inputs.two_classes import pair, pair_frame, tally, tally_frame

__all__ = ["class_rows", "model_rows", "pair", "pair_frame", "tally", "tally_frame"]
