"""The option ``--plot``: curves of every model in one picture."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocwise.cli import terminal

if TYPE_CHECKING:
    from rocwise.binary.areas.empirical import Auc
    from rocwise.primitives.pairs import Pairs


def check_picture_path(path: str | None) -> None:
    """Refuse a path before the work is done, not after."""
    if path is not None:
        from rocwise.plotting.saving import checked_path

        checked_path(path)


def save_curves(pairs: Pairs, path: str, areas: Mapping[str, Auc] | None = None) -> None:
    """ROC curves of all models, with intervals in the legend where areas are given."""
    from rocwise.binary.curves.empirical import roc
    from rocwise.errors import DirectionWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirectionWarning)  # it was said with the answer
        curves = {name: roc(pairs.tally(name)) for name in pairs.names}
    save_picture(curves, path, **({"auc": areas} if areas else {}))


def save_picture(results: Mapping[str, object], path: str, **options: Any) -> None:
    """Results by name in one picture; says where it is."""
    from rocwise.plotting import save

    save(results, path, **options)
    terminal.note(f"wrote {path}")
