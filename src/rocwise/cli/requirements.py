"""Requirements on results (`--require "auc_low >= 0.8"`): pipelines stop at a model below them."""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rocwise.cli.dispatch import UnmetRequirementError
from rocwise.errors import InputError, listed, nearest

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
FORM = re.compile(rf"\s*([^<>=]+?)\s*(>=|<=|>|<)\s*({NUMBER})\s*")


class Requirement(NamedTuple):
    """A metric, a comparison and a number."""

    text: str
    metric: str
    comparison: str
    bound: float

    def outcomes(self, name: str, result: Any) -> Iterator[dict[str, Any]]:
        """For a result, or each of several by group: the value, and whether it is as required."""
        if hasattr(result, "results"):
            for group, each in result.items():
                title = f"{name}, {result._title(group)}"
                if group in result.defined:
                    yield from self.outcomes(title, each)
                else:
                    yield self._outcome(title, None)
            return
        metrics = result.metrics()
        value = metrics.get(self.metric)
        if value is None:
            near = nearest(self.metric, metrics)
            raise InputError(
                f"--require {self.text!r}: {name} has no metric {self.metric!r}"
                + (
                    f"; did you mean {near!r}?"
                    if near
                    else f"; it has {listed(metrics) or 'none'}."
                )
            )
        yield self._outcome(name, value)

    def _outcome(self, name: str, value: float | None) -> dict[str, Any]:
        met = value is not None and COMPARISONS[self.comparison](value, self.bound)
        return {"requirement": self.text, "result": name, "value": value, "met": met}


def requirements_of(texts: Sequence[str]) -> list[Requirement]:
    """What was typed, checked."""
    return [_parsed(text) for text in texts]


def _parsed(text: str) -> Requirement:
    found = FORM.fullmatch(text)
    if found is None:
        raise InputError(
            f"--require must be a metric, one of {listed(COMPARISONS)}, and a number, such as "
            f"'auc_low >= 0.8'; got {text!r}."
        )
    return Requirement(text, found[1], found[2], float(found[3]))


def outcomes_of(
    requirements: Sequence[Requirement], results: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The outcome of every requirement for every result."""
    return [
        outcome
        for requirement in requirements
        for name, result in results.items()
        for outcome in requirement.outcomes(name, result)
    ]


def check_met(outcomes: Sequence[Mapping[str, Any]]) -> None:
    """Raise an error that names the first value that is not as required."""
    unmet = [each for each in outcomes if not each["met"]]
    if not unmet:
        return
    first, others = unmet[0], len(unmet) - 1
    value = "undefined" if first["value"] is None else f"{first['value']:.6g}"
    more = f" (and {others} more)" if others else ""
    raise UnmetRequirementError(
        f"requirement {first['requirement']!r} is not met by {first['result']}: {value}{more}"
    )
