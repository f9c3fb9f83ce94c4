"""From a payload to one page that needs nothing else: no network, no other file."""

import html
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Unpack, get_args

import numpy as np

import rocwise as rw
from rocwise import checks
from rocwise.about import VERSION
from rocwise.atomic_write import atomic_write
from rocwise.costs import check_costly_errors, checked_costs
from rocwise.errors import shown
from rocwise.inputs.coercion import PairOptions, options_shown
from rocwise.reporting.data_forms import BinaryData, OtherData, Task, data_of
from rocwise.reporting.html import page_of
from rocwise.reporting.methods import references
from rocwise.reporting.other_tasks import other_payload
from rocwise.reporting.payload import Settings, binary_payload
from rocwise.reporting.reader_studies import is_comparison, reader_payload, study_of

SCHEMA = 2  # of the payload: grows when a member changes its name or its meaning
ENDINGS = (".html", ".htm")
LARGEST = 10**9  # cases in a step, points of a curve: more than any page has
Language = Literal["en", "de", "fr", "es", "zh"]
BandKind = Literal[
    "simultaneous",
    "pointwise",
    "fixed-width",
    "joint-regions",
    "working-hotelling",
    "pointwise-binormal",
    "future",
]
BANDS: tuple[BandKind, ...] = ("simultaneous", "pointwise")


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A page: its `payload` (what `README.md` of this folder describes), and where it lies."""

    payload: dict[str, Any]
    path: Path | None = None

    @property
    def page(self) -> str:
        """The page as text."""
        return page_of(self.payload)

    def to_dict(self) -> dict[str, Any]:
        """The payload."""
        return self.payload

    def save(self, path: str | PathLike[str]) -> "Report":
        """Write the page; a report with its path."""
        target = checked_target(path)
        atomic_write(target, self.page)
        return Report(self.payload, target)

    def _repr_html_(self) -> str:
        """The page inside a notebook, in a frame of its own that can reach nothing else."""
        page = html.escape(self.page, quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" '
            'style="width:100%;height:900px;border:1px solid #ccc" title="rocwise"></iframe>'
        )

    def __repr__(self) -> str:
        where = "" if self.path is None else f", written to {self.path}"
        return f"report of {len(self.page.encode()) / 1000:.0f} kB{where}"


@options_shown(PairOptions)
def report(
    data: Any = None,
    scores: Any = None,
    *,
    path: str | PathLike[str] | None = "report.html",
    task: Task | Literal["readers"] = "binary",
    title: str | None = None,
    level: float = 0.95,
    method: str = "auto",
    costs: rw.Costs | None = None,
    prevalence: float | None = None,
    bands: Sequence[BandKind] = BANDS,
    n_resamples: int = 400,
    rng: Any = 0,
    min_cell: int = 1,
    max_knots: int | None = 2000,
    language: Language | None = None,
    classes: Any = None,
    order: Any = None,
    case: Any = None,
    reader: Any = None,
    modality: Any = None,
    ai: Any = None,
    difference: float | None = None,
    time: Any = None,
    event: Any = None,
    entry: Any = None,
    cause: Any = None,
    censored: Any = None,
    times: Any = None,
    **given: Unpack[PairOptions],
) -> Report:
    """Write a self-contained HTML report.

    Parameters
    ----------
    data : array-like, Pairs, Tally, dict of str to Tally, FollowUp, DataFrame or path
        Labels, with `scores`; or pairs, a tally, or tallies by name; or a data frame or the path of
        a file, with `label` and `scores`.
    scores : dict of str to array-like, or list of str, optional
        Scores of each model, by its name; or the names of their columns.
    path : str, path or None, default "report.html"
        File to write, with the ending .html or .htm; None writes none.
    task : {"binary", "multiclass", "ordinal", "regression", "readers", "survival"}
        Kind of outcome, by default "binary". Scores of several classes have one column per class;
        those of a regression are predictions. For "readers" `data` has one row for each reading, or
        is the result of `readers.compare` or `froc`. For "survival" it is a `FollowUp`, or has
        `time` and `event`.
    title : str, optional
        Heading of the page.
    level : float, default 0.95
        Confidence level.
    method : str, default "auto"
        Interval method of all models, as in `auc`, `multiclass.auc` or `ordinal.auc`.
    costs : Costs, optional
        Initial costs of the page, which its reader can change.
    prevalence : float, optional
        Initial prevalence of the page.
    bands : sequence of str, default ("simultaneous", "pointwise")
        Kinds of confidence bands, as in `band`.
    n_resamples : int, default 400
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, default 0
        Seed or random generator.
    min_cell : int, default 1
        Smallest number of cases, or of clusters with `groups`, of both classes together, in each
        step of a curve on the page, for confidential data; analyses that need single scores are
        then left out. The lowest score is shown.
    max_knots : int or None, default 2000
        Largest number of points of each curve on the page, at most 500 with clusters; None for all.
    language : {"en", "de", "fr", "es", "zh"}, optional
        Language of the page; by default that of the browser.
    classes : sequence, optional
        For several classes: labels in the order of the columns.
    order : sequence, optional
        For ordered classes: labels from the lowest up.
    case, reader, modality : str or array-like, optional
        For a reader study: columns of case, reader and modality, as in `readers.compare`.
    ai : str, optional
        For a reader study: the reader that is a standalone model.
    difference : float, optional
        For a reader study: difference that the next study is to detect, for a table of its sizes.
    time, event, entry : str or array-like, optional
        For censored outcomes: names of the columns of times, of events and of times of entry, or
        their values.
    cause, censored : scalar, optional
        For censored outcomes: the code of the event of interest, and that of censored rows.
    times : float or array-like, optional
        For censored outcomes: horizons of the page; by default up to 9 event times.

    Returns
    -------
    Report
        Page with `payload` (its numbers) and `path`; displayed inline by notebooks.

    See Also
    --------
    studio : Interactive report in the browser.
    summary : Table of AUCs, operating points and p values of several models.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, a, b = [0, 0, 1, 0, 1, 1], [1, 3, 2, 4, 5, 6], [2, 1, 3, 5, 4, 6]
    >>> page = rw.report(y, {"a": a, "b": b}, path="report.html", n_resamples=50)
    >>> [row["difference"] for row in page.payload["comparison"]["rows"]]
    [0.0]
    """
    target = None if path is None else checked_target(path)
    title = None if title is None else checks.text(title, "title")
    if costs is not None:
        check_costly_errors(checked_costs(costs), "report")
    most = {"at_least": 2, "at_most": LARGEST}
    settings = Settings(
        band_kinds=_checked_kinds(bands),
        level=checks.level(level),
        method=method,
        seed=checks.seed(rng),
        n_resamples=checks.draws(n_resamples, rng),
        min_cell=checks.whole(min_cell, "min_cell", at_most=LARGEST),
        max_knots=None if max_knots is None else checks.whole(max_knots, "max_knots", **most),
        prevalence=None if prevalence is None else checks.prevalence(prevalence),
        costs=costs,
    )
    if language is not None:
        checks.one_of(language, "language", get_args(Language))
    cells = {"case": case, "reader": reader, "modality": modality, "ai": ai}
    cells["difference"] = difference
    if task == "readers" or is_comparison(data):
        labels = {"classes": classes, "order": order}
        del cells["difference"]
        study = study_of(data, scores, {**given, **labels, **cells}, settings)
        _check_unused(settings, "readers")
        made = Report(
            _head("readers", title) | reader_payload(study, difference) | {"language": language}
        )
        return made if target is None else made.save(target)
    for name, value in cells.items():
        if value is not None:
            raise rw.InputError(f"`{name}` belongs to task='readers'; got task={task!r}.")
    labels = {"classes": classes, "order": order, "time": time, "event": event}
    labels |= {"entry": entry, "cause": cause, "censored": censored, "times": times}
    found = data_of(task, data, scores, given, labels)
    if isinstance(found, OtherData):
        _check_unused(settings, task)
    made = Report(payload_of(found, settings, title) | {"language": language})
    return made if target is None else made.save(target)


def _check_unused(settings: Settings, task: str) -> None:
    """An error for options that belong to curves of two classes."""
    usual = Settings(band_kinds=BANDS)
    for name in ("band_kinds", "n_resamples", "min_cell", "max_knots", "prevalence", "costs"):
        if getattr(settings, name) != getattr(usual, name):
            argument = name.replace("band_kinds", "bands")
            raise rw.InputError(f"`{argument}` is not used by a report with task={task!r}.")


def payload_of(
    found: BinaryData | OtherData, settings: Settings, title: str | None = None
) -> dict[str, Any]:
    """The whole payload of models, whatever their task is."""
    if isinstance(found, BinaryData):
        return _head("binary", title) | _of_two_classes(found, settings)
    return _head(found.task, title) | other_payload(found, settings)


def _head(task: str, title: str | None) -> dict[str, Any]:
    return {
        "kind": "Report",
        "schema": SCHEMA,
        "rocwise": VERSION,
        "mode": "report",
        "task": task,
        "title": title,
        "created": date.today().isoformat(),
        "versions": {"Python": platform.python_version(), "numpy": np.__version__},
        "language": None,
    }


def _of_two_classes(found: BinaryData, settings: Settings) -> dict[str, Any]:
    if settings.min_cell > 1 and any(tally.weighted for tally in found.tallies.values()):
        raise rw.InputError("`min_cell` counts cases, which weights do not; leave one of them out.")
    body = binary_payload(found.tallies, found.pairs, settings)
    methods = {"references": references(body)}
    return {"methods": methods} | body


def _checked_kinds(bands: Sequence[str]) -> tuple[str, ...]:
    kinds = (bands,) if isinstance(bands, str) else tuple(checks.members(bands, "bands", "kinds"))
    for kind in kinds:
        checks.one_of(kind, "bands", get_args(BandKind))
    return tuple(dict.fromkeys(kinds))


def checked_target(path: str | PathLike[str]) -> Path:
    """The path, if a page can be written there; no file of data has its ending."""
    if not isinstance(path, (str, PathLike)) or not str(path) or "\0" in str(path):
        raise rw.InputError(f"`path` must be the name of a file; got {shown(path)}.")
    target = Path(path)
    if target.is_dir():
        raise rw.InputError(f"`path` is a folder: {str(target)!r}. Name a file, as report.html.")
    if not target.parent.is_dir():
        raise rw.InputError(f"`path` is in a folder that does not exist: {str(target.parent)!r}.")
    if target.exists() and not target.is_file():
        return target  # a pipe or device
    for name in (target, Path(os.path.realpath(target))):  # a link is followed
        if name.suffix.lower() not in ENDINGS:
            raise rw.InputError(f"`path` must end in .html or .htm; got {str(name)!r}.")
    return target
