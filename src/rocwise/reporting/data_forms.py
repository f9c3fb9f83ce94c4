"""Whatever a report was asked about, in the form that its questions take."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

import rocwise as rw
from rocwise.inputs.coercion import PairOptions, as_pairs


class BinaryData(NamedTuple):
    """Models by name; `pairs` where all were scored on the same cases."""

    tallies: dict[str, rw.Tally]
    pairs: rw.Pairs | None

    def digest(self) -> str:
        """The first twelve digits of a checksum of the data, to tell reports apart."""
        parts: list[Any] = [] if self.pairs is None else [self.pairs.mask]
        for name, tally in self.tallies.items():
            own = (tally.scores, tally.pos, tally.neg)
            parts += [name, *(own if self.pairs is None else [self.pairs.scores(name)])]
        return digest_of(*parts)


def digest_of(*parts: Any) -> str:
    """The first twelve digits of the SHA-256 of arrays and names.

    >>> digest_of([1, 2]) == digest_of([2, 1])
    False
    """
    total = hashlib.sha256()
    for part in parts:
        values = list(part.values()) if isinstance(part, Mapping) else part
        array = np.asarray(values)
        total.update(repr(array.tolist()).encode() if array.dtype == object else array.tobytes())
    return total.hexdigest()[:12]


def binary_data(data: Any, scores: Any, given: PairOptions) -> BinaryData:
    """Pairs, a tally, tallies by name; or labels and scores; or a frame or path with columns.

    >>> import rocwise as rw
    >>> tally = rw.tally([0, 1, 1], [1, 2, 3])
    >>> list(binary_data({"new": tally, "old": tally}, None, {}).tallies)
    ['new', 'old']
    """
    described = any(value is not None for value in given.values())
    if isinstance(data, rw.Tally) and scores is None and not described:
        return BinaryData({data.origin.name or "model": data}, None)
    if isinstance(data, Mapping) and scores is None and not described:
        return BinaryData(_by_name(data), None)
    if isinstance(scores, str):
        scores = [scores]
    elif "label" not in given and getattr(scores, "ndim", 2) == 1:
        scores = {"model": scores}
    pairs = as_pairs("report", data, scores, given)
    return BinaryData({name: pairs.tally(name) for name in pairs.names}, pairs)


def _by_name(data: Mapping[Any, Any]) -> dict[str, rw.Tally]:
    wrong = [name for name, tally in data.items() if not isinstance(tally, rw.Tally)]
    if wrong or not data:
        came = f"{wrong[0]!r} is none" if wrong else "it is empty"
        raise rw.InputError(
            f"`data` as a dict must hold tallies by the names of the models, but {came}. Labels "
            "and scores are given as report(y_true, path, scores={...})."
        )
    return {str(name): tally for name, tally in data.items()}
