"""The option ``--plot``: the answers, or the curves of every model, in one picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocwise.cli import terminal

if TYPE_CHECKING:
    from rocwise.binary.areas.empirical import Auc
    from rocwise.cli.runner import Picture
    from rocwise.primitives.pairs import Pairs


def check_picture_path(path: str | None) -> None:
    """Refuse what cannot be drawn before the work is done, not after."""
    if path is not None:
        from importlib.util import find_spec

        from rocwise.plotting import checked_path

        checked_path(path)
        if find_spec("matplotlib") is None:
            from rocwise.errors import missing_package

            raise missing_package("matplotlib", "plot", "--plot")


def curves_of(pairs: Pairs, areas: Mapping[str, Auc] | None = None) -> Picture:
    """ROC curves of all models, with intervals in the legend where areas are given."""
    import rocwise as rw

    with terminal.said_already(rw.errors.DirectionWarning):  # with the answer
        curves = {name: rw.roc(pairs.tally(name)) for name in pairs.names}
    return curves, {"auc": areas} if areas else {}


def save_picture(results: object, path: str, **options: Any) -> None:
    """A result, or results by name, in one picture; says where it is."""
    from rocwise.plotting import save

    save(results, path, **options)
    terminal.note(f"wrote {path}")
