"""Pairs: several models' scores on the same rows, the data of paired comparisons.

One tally per model is not enough: the variance of a difference depends on the joint ranks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Codes, Floats, Integers, Mask, Places
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.errors import InputError, listed, shown, spelled_out
from rocwise.immutable import Immutable, cached_property
from rocwise.results import Origin, read_only


class Pairs(Immutable):
    """Scores of several models on the same rows, oriented so that higher means positive.

    Built by `rocwise.pair`.

    Attributes
    ----------
    names : tuple of str
        Names of the models, in order.
    mask : ndarray of uint8
        1 for a positive row, 0 for a negative one.
    groups : ndarray of int or None
        Cluster number of each row (patients with several lesions, users with several visits).
    weights : ndarray of float or None
        Weight of each row.

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]})
    >>> pairs.names, pairs.tally("b").scores.tolist()
    (('a', 'b'), [4.0, 3.0, 2.0, 1.0])
    """

    mask: Mask
    names: tuple[str, ...]
    groups: Places | None
    weights: Floats | None
    origin: Origin
    _columns: dict[str, ScoreColumn]
    _tallies: dict[str, Tally]

    def __init__(
        self,
        mask: Codes,
        columns: Mapping[str, ScoreColumn],
        *,
        groups: Places | None = None,
        weights: Floats | None = None,
        origin: Origin | None = None,
    ) -> None:
        metadata = origin or Origin()
        n_rows = None if weights is None else len(mask)
        n_clusters = None
        if groups is not None:
            n_clusters = (
                len(np.unique(groups)) if metadata.n_clusters is None else metadata.n_clusters
            )
        if (metadata.n_rows, metadata.n_clusters) != (n_rows, n_clusters):
            metadata = replace(metadata, n_rows=n_rows, n_clusters=n_clusters)
        self._set(
            mask=read_only(mask),
            names=tuple(columns),
            groups=None if groups is None else read_only(groups),
            weights=None if weights is None else read_only(weights),
            origin=metadata,
            _columns={
                name: column.of(read_only(column.oriented)) for name, column in columns.items()
            },
            _tallies={},
        )

    @cached_property
    def n_pos(self) -> int:
        """Number of positive rows."""
        return int(np.count_nonzero(self.mask))

    @cached_property
    def n_neg(self) -> int:
        """Number of negative rows."""
        return len(self.mask) - self.n_pos

    @cached_property
    def class_rows(self) -> tuple[Places, Places]:
        """The positive rows, and the negative ones."""
        is_positive = self.mask.view(np.bool_)
        return np.flatnonzero(is_positive), np.flatnonzero(~is_positive)

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.weights is not None

    @property
    def clustered(self) -> bool:
        """Whether rows form clusters that are not independent inside."""
        return self.groups is not None

    def __len__(self) -> int:
        return len(self.mask)

    def scores(self, name: str) -> Array:
        """Scores of one model in row order, oriented so that higher means positive."""
        if not isinstance(name, str) or name not in self._columns:
            raise InputError(f"`name` must be one of {listed(self.names)}; got {shown(name)}.")
        return self._columns[name].oriented

    def tally(self, name: str) -> Tally:
        """The tally of one model."""
        self.scores(name)
        if name not in self._tallies:
            self._tallies[name] = Tally.from_rows(
                self.mask, self._columns[name], self.weights, clusters=self.groups
            )
        return self._tallies[name]

    @cached_property
    def placements(self) -> Integers:
        """Twice the placement of every row within the other class, one row per model.

        For a positive: 2 * (negatives below) + (negatives tied); for a negative:
        2 * (positives below) + (positives tied).
        """
        placed = [kernels.placements(self.mask, self.scores(name)) for name in self.names]
        return read_only(np.stack(placed))

    def select(self, names: Sequence[str]) -> "Pairs":
        """The same rows with some of the models."""
        names = checks.members(names, "names", "names of models")
        if not names:
            raise InputError("`names` is empty; name at least one model.")
        for name in names:
            if not isinstance(name, str) or name not in self._columns:
                raise InputError(
                    f"`names` must be some of {listed(self.names)}; got {shown(name)}."
                )
        return self._with(columns={name: self._columns[name] for name in names})

    def renamed(self, names: Mapping[str, str]) -> "Pairs":
        """The same rows with other names for some of the models: `{old: new}`.

        Examples
        --------
        >>> import rocwise as rw
        >>> pairs = rw.pair([0, 1], {"a": [1, 2], "b": [2, 1]})
        >>> pairs.renamed({"b": "new model"}).names
        ('a', 'new model')
        """
        if not isinstance(names, Mapping):
            raise InputError(f"`names` must be a dict {{old: new}}; got {shown(names)}.")
        for old, new in names.items():
            self.scores(old)
            if not isinstance(new, str) or not new:
                raise InputError(f"`names` must lead to names; {old!r} leads to {shown(new)}.")
        columns = {
            names.get(name, name): replace(
                column, origin=replace(column.origin, name=names.get(name, column.origin.name))
            )
            for name, column in self._columns.items()
        }
        if len(columns) < len(self._columns):
            raise InputError("`names` gives one name to two models; each needs its own.")
        return self._with(columns=columns)

    def rows(self, places: Places) -> "Pairs":
        """Some of the rows, with all models."""
        return Pairs(
            np.ascontiguousarray(self.mask[places]),
            {
                name: column.of(np.ascontiguousarray(column.oriented[places]))
                for name, column in self._columns.items()
            },
            groups=None if self.groups is None else self.groups[places],
            weights=None if self.weights is None else self.weights[places],
            origin=replace(self.origin, n_clusters=None),  # recounted
        )

    def __repr__(self) -> str:
        sizes = printing.classes(self.n_pos, self.n_neg)
        head = f"Pairs of {', '.join(self.names)}: {sizes}"
        return spelled_out("; ".join([head, *self.origin.remarks()]))
