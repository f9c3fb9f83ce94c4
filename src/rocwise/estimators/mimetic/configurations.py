"""The 22 ways to mimic a model, by name: a scheme, a threshold method, a type of invented data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocwise.binary.thresholds.unlabelled import UnlabelledMethod
from rocwise.errors import InputError, shown

METHODS: dict[str, UnlabelledMethod] = {"Dir": "direct", "Ord": "rank", "ROC": "nroc"}
WITHOUT_THRESHOLD, WHEN_APPLYING, WHEN_LABELLING, WHEN_GENERATING = range(4)
SCHEMES = {
    WITHOUT_THRESHOLD: "costs ignored",
    WHEN_APPLYING: "threshold when applying the tree",
    WHEN_LABELLING: "threshold when labelling the invented rows",
    WHEN_GENERATING: "class shares by the costs",
}
DATA_TYPES = {
    "a": "class shares of the training rows",
    "b": "half of each class",
    "c": "classes as they come",
    "d": "class shares by the costs",
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """What one name stands for; `method` is None where no threshold is estimated."""

    name: str
    scheme: int
    method: UnlabelledMethod | None
    data_type: str

    @property
    def prunes(self) -> bool:
        """Whether the tree is pruned: not where its probabilities set the threshold."""
        return self.scheme != WHEN_APPLYING


def _all() -> dict[str, Configuration]:
    found = [Configuration(f"Mim0{data}", 0, None, data) for data in "abc"]
    for scheme in (WHEN_APPLYING, WHEN_LABELLING):
        found += [
            Configuration(f"Mim{scheme}{short}{data}", scheme, method, data)
            for short, method in METHODS.items()
            for data in "abc"
        ]
    found.append(Configuration("Mim3", WHEN_GENERATING, None, "d"))
    return {each.name: each for each in found}


CONFIGURATIONS = _all()


def configuration_named(name: Any) -> Configuration:
    """The configuration of that name.

    >>> configuration_named("Mim2Ordb")
    Configuration(name='Mim2Ordb', scheme=2, method='rank', data_type='b')
    """
    if not isinstance(name, str) or name not in CONFIGURATIONS:
        raise InputError(
            "`configuration` must be Mim0a to Mim0c, Mim1 or Mim2 followed by Dir, Ord or ROC and "
            f"by a, b or c (as in 'Mim2Ordb'), or Mim3; got {shown(name)}."
        )
    return CONFIGURATIONS[name]
