"""`TallySketch`: a tally of bounded size that is updated with batches of rows and merged.

Scores are counted in cells: all floats whose order-preserving 64 bits agree but for the last
`shift` ones. Of two cells one contains the other, or they are disjoint, so that sketches can be
merged. With shift 0 a cell is one score: nothing is lost until the cells exceed the resolution;
then neighbors with few rows share a larger cell.
"""

import hashlib
import io
import json
import zipfile
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Codes, Counts, Floats, Words
from rocwise.data.tally import MOST_CASES, Tally
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.labels import mask_of_batch
from rocwise.inputs.options import given_options, named_columns_given
from rocwise.inputs.rows import DIRECTIONS, Direction, Missing, without_missing
from rocwise.inputs.scores import score_column
from rocwise.inputs.vectors import as_vector, named_columns
from rocwise.kernels import merge_curves, sort_by_class
from rocwise.kernels.ranks import exact_sum
from rocwise.results import Origin

SIGN = np.uint64(1 << 63)
BITS = 64
VERSION = 1  # of the bytes
CHECKSUM = 16
KINDS = {"lowest": "f8", "highest": "f8", "shifts": "u1", "pos": "i8", "neg": "i8"}
LARGEST_LABEL = 10**300
SETTINGS = ("resolution", "direction", "pos_label", "neg_label", "n_dropped")


class TallySketch:
    """Tally of bounded size, for streams: it can be updated, merged and stored.

    With at most `resolution` distinct scores it is exact. With more, neighboring scores are
    counted together, and `error_bound` bounds the error of the AUC.

    Parameters
    ----------
    resolution : int, default 4096
        Cells at most; each takes 33 bytes.
    pos_label : optional
        The label of the positive class, where labels are not 0/1, -1/1 or booleans.
    direction : {"higher", "lower"}
        Which scores mean positive.

    Examples
    --------
    >>> import rocwise as rw
    >>> monday, tuesday = rw.TallySketch(), rw.TallySketch()
    >>> monday.update([0, 1, 1], [0.2, 0.7, 0.4])
    >>> tuesday.update([0, 0], [0.4, 0.1])
    >>> week = rw.TallySketch.from_bytes(monday.to_bytes()).merge(tuesday)
    >>> week
    TallySketch: 2 positives, 3 negatives in 4 cells of at most 4,096; AUC exact
    >>> rw.auc(week).value
    0.9166666666666666
    """

    def __init__(
        self, resolution: int = 4096, *, pos_label: Any = None, direction: Direction = "higher"
    ) -> None:
        self.resolution: int = checks.whole(resolution, "resolution", at_least=2, at_most=2**26)
        checks.one_of(direction, "direction", DIRECTIONS)
        self.direction: Direction = direction
        self.pos_label: Any = _checked_label(pos_label, "pos_label")
        self.neg_label: Any = None
        self.n_dropped: int = 0
        self.cells: ScoreCells = cells_of(np.empty(0), *np.empty((2, 0), np.int64))

    def update(
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        label: str | None = None,
        score: str | None = None,
        missing: Missing = "raise",
    ) -> None:
        """Count further rows; one class may be absent.

        Parameters
        ----------
        y_true : array-like, DataFrame or path
            Labels, as in `tally`; or the data frame or file with `label` and `score`.
        y_score : array-like, optional
            Scores.
        label, score : str, optional
            Names of the columns of labels and of scores.
        missing : {"raise", "drop"}
            What to do with rows whose label or score is missing.
        """
        given = given_options("update", {"label": label, "score": score})
        if named_columns_given("update", y_true, y_score, given):
            found = named_columns(y_true, [given["label"], given["score"]])
            y_true, y_score = found[given["label"]], found[given["score"]]
        columns = {"y_true": as_vector(y_true, "y_true"), "y_score": as_vector(y_score, "y_score")}
        columns, n_dropped = without_missing(columns, missing)
        mask, other = mask_of_batch(columns["y_true"], self.pos_label, "y_true")
        self._same_negatives(other)
        column = score_column(
            columns["y_score"], "y_score", direction=self.direction, origin=Origin()
        )
        if column.meanings is not None or column.origin.categories:
            raise InputError("`y_score` must contain numbers that float64 represents exactly.")
        scores, tp, fp = merge_curves(*sort_by_class(mask, column.oriented.astype(np.float64)))
        pos, neg = (np.diff(counts, prepend=0)[::-1] for counts in (tp, fp))
        more = cells_of(np.array(scores[::-1], np.float64), pos, neg)
        self.cells = within(joined_cells(self.cells, more), self.resolution)
        self.neg_label = other if other is not None else self.neg_label
        self.n_dropped += n_dropped

    def _same_negatives(self, other: Any) -> None:
        if other is not None and self.neg_label is not None and other != self.neg_label:
            raise InputError(
                "`y_true` must have two classes; besides the positive one there are "
                f"{listed([self.neg_label, other])}."
            )

    def merge(self, other: "TallySketch") -> "TallySketch":
        """A new sketch of the rows of both, of the smaller resolution of the two.

        Parameters
        ----------
        other : TallySketch
            With the same `pos_label` and `direction`.

        Returns
        -------
        TallySketch
        """
        if not isinstance(other, TallySketch):
            raise InputError(f"`other` must be a TallySketch; got {type(other).__name__}.")
        for name in ("direction", "pos_label"):
            own, its = getattr(self, name), getattr(other, name)
            if own != its or type(own) is not type(its):
                raise InputError(
                    f"sketches of one `{name}` can be merged; these have {shown(own)} and "
                    f"{shown(its)}."
                )
        self._same_negatives(other.neg_label)
        both = TallySketch(
            min(self.resolution, other.resolution),
            pos_label=self.pos_label,
            direction=self.direction,
        )
        both.neg_label = self.neg_label if self.neg_label is not None else other.neg_label
        both.n_dropped = self.n_dropped + other.n_dropped
        both.cells = within(joined_cells(self.cells, other.cells), both.resolution)
        return both

    @property
    def n_pos(self) -> int:
        """Positives so far."""
        return int(self.cells.pos.sum())

    @property
    def n_neg(self) -> int:
        """Negatives so far."""
        return int(self.cells.neg.sum())

    @property
    def error_bound(self) -> float:
        """Largest possible error of the AUC; 0 as long as no cell has two scores."""
        several = self.cells.lowest < self.cells.highest
        mixed = exact_sum(self.cells.pos[several], self.cells.neg[several])
        return float(np.nextafter(mixed / (2 * self.n_pos * self.n_neg), 1.0)) if mixed else 0.0

    def tally(self) -> Tally:
        """The tally of all cells, each named by its least positive score; needs both classes."""
        for count, name in ((self.n_pos, "positive"), (self.n_neg, "negative")):
            if not count:
                raise InputError(f"the sketch has no {name} example yet, so ROC is undefined.")
        origin = Origin(
            direction=self.direction, n_dropped=self.n_dropped, error_bound=self.error_bound
        )
        lowest = self.cells.lowest[::-1]
        scores = 0 - lowest if self.direction == "lower" else lowest.copy()
        pos, neg = self.cells.pos[::-1].copy(), self.cells.neg[::-1].copy()
        return Tally.from_counts(scores, pos, neg, origin=replace(origin, name="score"))

    def to_bytes(self) -> bytes:
        """The sketch as bytes, the same on every machine, with a checksum; no pickle."""
        settings = {"version": VERSION} | {name: getattr(self, name) for name in SETTINGS}
        text = json.dumps(settings, sort_keys=True)
        cells = {name: getattr(self.cells, name).astype(f"<{kind}") for name, kind in KINDS.items()}
        file = io.BytesIO()
        np.savez(file, settings=np.array(text), **cells)
        return file.getvalue() + _checksum(file.getvalue())

    @classmethod
    def from_bytes(cls, data: bytes) -> "TallySketch":
        """The sketch of `to_bytes`; damaged bytes raise an error.

        Parameters
        ----------
        data : bytes
            All of them.

        Returns
        -------
        TallySketch
        """
        cells, settings = unpacked(data)
        try:
            sketch = cls(
                settings["resolution"],
                pos_label=settings["pos_label"],
                direction=settings["direction"],
            )
            sketch.neg_label = _checked_label(settings["neg_label"], "neg_label")
            sketch.n_dropped = checks.whole(
                settings["n_dropped"], "n_dropped", at_least=0, at_most=MOST_CASES
            )
        except (KeyError, InputError) as problem:
            raise InputError(f"not a serialized TallySketch: no metadata: {problem}") from None
        if cells.number > sketch.resolution:
            raise InputError("not a serialized TallySketch: it has more cells than its resolution.")
        sketch.cells = cells
        return sketch

    def __repr__(self) -> str:
        bound = self.error_bound
        exact = f"AUC exact to ± {printing.bound(bound)}" if bound else "AUC exact"
        notes = replace(Origin(), direction=self.direction, n_dropped=self.n_dropped).remarks()
        sizes, number = printing.classes(self.n_pos, self.n_neg), self.cells.number
        head = f"TallySketch: {sizes} in {number:,} cells of at most {self.resolution:,}"
        return "; ".join([head, exact, *notes])


class ScoreCells(NamedTuple):
    """Cells in rising order."""

    lowest: Floats  # minimum and maximum of the scores in each cell
    highest: Floats
    shifts: Codes  # number of the last bits that may differ within each
    pos: Counts  # positives and negatives in each
    neg: Counts

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.lowest)


def cells_of(scores: Floats, pos: Counts, neg: Counts) -> ScoreCells:
    """Of distinct scores in rising order, one cell each."""
    return ScoreCells(scores, scores, np.zeros(len(scores), np.uint8), pos, neg)


def joined_cells(one: ScoreCells, other: ScoreCells) -> ScoreCells:
    """The cells of both; cells inside a larger cell of the other are added to it."""
    if not one.number or not other.number:
        return one if one.number else other
    pairs = ((getattr(one, name), getattr(other, name)) for name in KINDS)
    columns = [np.concatenate(pair) for pair in pairs]
    starts, ends = _reaches(columns[0], columns[2])
    order = np.lexsort((BITS - columns[2].astype(np.int64), starts))
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    first = np.flatnonzero(np.concatenate([[True], starts[1:] > ends[:-1]]))
    return _merged([column[order] for column in columns], first)


def within(cells: ScoreCells, room: int) -> ScoreCells:
    """At most `room` cells: neighbors with few rows share one."""
    total = int(cells.pos.sum() + cells.neg.sum())
    most = max(1, total // room)
    while cells.number > room:
        step = 4 if cells.number > 8 * room else 1  # coarser steps for many cells
        cells = _shared(cells, most, step)
        most += most // 2 + 1
    return cells


def _shared(cells: ScoreCells, most: int, step: int) -> ScoreCells:
    """Merge cells into larger ones of at most `most` rows, the smallest such first."""
    for shift in range(step, BITS + 1, step):
        if cells.number < 2:
            break
        starts, _ = _reaches(cells.lowest, np.full(cells.number, shift, np.uint8))
        new = np.concatenate([[True], starts[1:] != starts[:-1]])
        first = np.flatnonzero(new)
        rows = np.add.reduceat(cells.pos + cells.neg, first)
        sizes = np.diff(np.append(first, cells.number))
        joins = (sizes > 1) & (rows <= most)
        if not joins.any():
            continue
        member = np.repeat(joins, sizes)
        starts_cell = new | ~member
        cells = _merged(list(cells), np.flatnonzero(starts_cell), shift)
    return cells


def _merged(columns: list[Array], first: Array, shift: int | None = None) -> ScoreCells:
    """Cells that begin at `first`; those of several take the largest shift, or the one given."""
    lowest, highest, shifts, pos, neg = columns
    several = np.diff(np.append(first, len(lowest))) > 1
    wide = np.maximum.reduceat(shifts, first)
    if shift is not None:
        wide = np.where(several, np.uint8(shift), wide).astype(np.uint8)
    return ScoreCells(
        np.minimum.reduceat(lowest, first),
        np.maximum.reduceat(highest, first),
        wide,
        np.add.reduceat(pos, first),
        np.add.reduceat(neg, first),
    )


def _reaches(scores: Floats, shifts: Codes) -> tuple[Words, Words]:
    """The first and the last key of the cells with these shifts around scores."""
    bits = np.ascontiguousarray(scores, np.float64).view(np.uint64)
    keys = np.where(bits & SIGN, ~bits, bits | SIGN)  # integers in the order of the floats
    below = np.minimum(shifts, BITS - 1).astype(np.uint64)
    inner = (np.uint64(1) << below) - np.uint64(1)
    inner[shifts == BITS] = np.uint64(2**64 - 1)
    return keys & ~inner, keys | inner


def unpacked(data: Any) -> tuple[ScoreCells, dict[str, Any]]:
    """Cells and settings from bytes; damaged ones raise an error."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(
            f"a TallySketch is read from bytes, as `to_bytes` gave them; got {type(data).__name__}."
        )
    body, checksum = bytes(data)[:-CHECKSUM], bytes(data)[-CHECKSUM:]
    if checksum != _checksum(body):
        raise InputError("not a serialized TallySketch, or damaged bytes.")
    try:
        _check_not_packed(body)
        with np.load(io.BytesIO(body), allow_pickle=False) as found:
            settings = dict(json.loads(str(found["settings"])))
            cells = ScoreCells(*(np.array(found[name], kind) for name, kind in KINDS.items()))
    except Exception:  # archives and numpy raise errors of many kinds
        raise InputError("not a serialized TallySketch.") from None
    if settings.get("version") != VERSION:
        raise InputError(
            f"these bytes are of version {settings.get('version')} of TallySketch, and this "
            f"rocwise reads version {VERSION}. Read them with the rocwise that wrote them."
        )
    if not _are_usable(cells):
        raise InputError("not a serialized TallySketch: it has cells that no scores give.")
    return cells, settings


def _check_not_packed(body: bytes) -> None:
    """Raise an error for members that `to_bytes` did not write: unpacked, they may be large."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        if sum(member.file_size for member in archive.infolist()) > len(body):
            raise InputError("not a serialized TallySketch.")


def _checked_label(label: Any, argument: str) -> Any:
    """A label that JSON can hold."""
    label = label.item() if isinstance(label, np.generic) else label
    plain = label is None or isinstance(label, (str, int, float, bool))
    if not plain or label != label or (isinstance(label, int) and abs(label) > LARGEST_LABEL):
        raise InputError(f"`{argument}` must be text or a number; got {shown(label)}.")
    return label


def _are_usable(cells: ScoreCells) -> bool:
    """Whether cells are disjoint and in order, and counts are not negative."""
    shapes = {column.shape for column in cells}
    if len(shapes) > 1 or cells.lowest.ndim != 1:
        return False
    if not cells.number:
        return True
    right = (
        bool(np.all(cells.lowest <= cells.highest))  # not so for nan
        and bool(np.all(cells.shifts <= 64))
        and bool(np.all(np.minimum(cells.pos, cells.neg) >= 0))
        and all(float(counts.sum(dtype=np.float64)) <= MOST_CASES for counts in cells[-2:])
        and bool(np.all(cells.highest[:-1] < cells.lowest[1:]))
    )
    starts, ends = _reaches(cells.lowest, cells.shifts)
    last, _ = _reaches(cells.highest, cells.shifts)
    return right and bool(np.all(starts == last)) and bool(np.all(starts[1:] > ends[:-1]))


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=CHECKSUM).digest()
