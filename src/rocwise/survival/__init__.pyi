"""Public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from rocwise.data.follow_ups import FollowUp as FollowUp
from rocwise.inputs.follow_ups import follow_up as follow_up

from .areas import auc as auc
from .comparisons import compare as compare
from .concordance_indices import concordance as concordance
from .curves import at as at
from .curves import roc as roc
from .predicted_risks import brier as brier
from .predicted_risks import calibration as calibration

__all__: list[str]
