"""ROC analysis: how good a model is, whether A beats B, and where to set the threshold.

Sort once, ask everything: `tally` counts positives and negatives at every distinct score, and
every other function is a question asked of that tally, or directly of `y_true, y_score`.
Names are loaded when first used, so `import rocwise` costs little more than `import numpy`.
"""

from typing import TYPE_CHECKING, Any

from rocwise import about

if TYPE_CHECKING:
    from rocwise.errors import (
        DirectionWarning,
        InputError,
        MissingPackageError,
        MisuseWarning,
        RocwiseWarning,
        SmallSampleWarning,
    )
    from rocwise.inputs import pair, pair_frame, tally, tally_frame
    from rocwise.methods import Costs
    from rocwise.pairs import Pairs
    from rocwise.questions import (
        auc,
        auc_variance,
        det,
        hull,
        precision_recall,
        roc,
        step_area,
        thresholds,
    )
    from rocwise.results import Interval
    from rocwise.tallies import Tally

__version__ = about.VERSION

_HOMES = {
    "errors": (
        "DirectionWarning",
        "InputError",
        "MissingPackageError",
        "MisuseWarning",
        "RocwiseWarning",
        "SmallSampleWarning",
    ),
    "inputs": ("pair", "pair_frame", "tally", "tally_frame"),
    "methods": ("Costs",),
    "pairs": ("Pairs",),
    "questions": (
        "auc",
        "auc_variance",
        "det",
        "hull",
        "precision_recall",
        "roc",
        "step_area",
        "thresholds",
    ),
    "results": ("Interval",),
    "tallies": ("Tally",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Costs",
    "DirectionWarning",
    "InputError",
    "Interval",
    "MissingPackageError",
    "MisuseWarning",
    "Pairs",
    "RocwiseWarning",
    "SmallSampleWarning",
    "Tally",
    "__version__",
    "auc",
    "auc_variance",
    "det",
    "hull",
    "pair",
    "pair_frame",
    "precision_recall",
    "roc",
    "step_area",
    "tally",
    "tally_frame",
    "thresholds",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rocwise' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"rocwise.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
