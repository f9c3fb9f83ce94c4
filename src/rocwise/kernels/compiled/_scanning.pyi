from typing import Any

import numpy as np
from numpy.typing import NDArray

def first_nan(scores: NDArray[np.floating]) -> int: ...
def match_labels(
    labels: NDArray[Any], negative: object, positive: object
) -> tuple[NDArray[np.uint8], int, int]: ...
def text_codes(objects: NDArray[np.object_]) -> tuple[NDArray[np.int64], list[str]] | None: ...
