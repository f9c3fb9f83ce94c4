"""The option ``--plot``: the answers, or the curves of every model, in one picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocwise.cli.output import terminal
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc
    from rocwise.cli.runner import Picture
    from rocwise.data.pairs import Pairs


def check_plot_options(options: Namespace) -> None:
    """Refuse what cannot be drawn before the work is done, not after."""
    if options.plot is None:
        given = {
            "--plot-title": options.plot_title,
            "--plot-width": options.plot_width,
            "--clinical": getattr(options, "clinical", False) or None,
        }
        for option, value in given.items():
            if value is not None:
                raise InputError(f"{option} is about the picture; add --plot PATH.")
    else:
        from importlib.util import find_spec

        from rocwise.plotting import checked_path

        checked_path(options.plot)
        if find_spec("matplotlib") is None:
            from rocwise.errors import missing_package

            raise missing_package("matplotlib", "plot", "--plot")


def curves_of(pairs: Pairs, areas: Mapping[str, Auc] | None = None) -> Picture:
    """ROC curves of all models, with intervals in the legend where areas are given."""
    import rocwise as rw

    with terminal.said_already(rw.errors.DirectionWarning):  # with the answer
        curves = {name: rw.roc(pairs.tally(name)) for name in pairs.names}
    return curves, {"auc": areas} if areas else {}


def save_picture(results: object, options: Namespace, **how: Any) -> None:
    """A result, or results by name, in one picture; says where it is."""
    from rocwise.plotting import save

    if options.plot_title is not None:
        if how.get("beside"):  # each panel has its own title
            raise InputError("--plot-title is for one picture; these are beside each other.")
        how["title"] = options.plot_title
    if getattr(options, "clinical", False):
        how["axis"] = _clinical(results)
    save(results, options.plot, width=options.plot_width or "column", **how)
    terminal.note(f"wrote {options.plot}")


def _clinical(results: object) -> str:
    """The clinical words for axes, where these have rates."""
    from rocwise.plotting import options_of

    drawn = results.values() if isinstance(results, Mapping) else (results,)
    if not any("axis" in options_of(each) for each in drawn):
        raise InputError(
            "--clinical is about rates at the axes; this picture has none; leave it out."
        )
    return "clinical"
