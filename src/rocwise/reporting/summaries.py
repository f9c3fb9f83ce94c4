"""What the page says in words and tables about models of other tasks: values and differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocwise.results import json_safe

PAIR = ("a", "b", "difference", "low", "high", "p")


def summary(
    quantity: str,
    values: Mapping[str, tuple[float, Any]],
    comparison: dict[str, Any] | None,
    *,
    lower_is_better: bool = False,
    **facts: Any,
) -> dict[str, Any]:
    """The quantity with an interval for each model, and the differences.

    >>> summary("VUS", {"a": (0.5, None)}, None, n=9)["models"]
    [{'name': 'a', 'value': 0.5, 'low': None, 'high': None, 'method': None}]
    """
    return {
        "quantity": quantity,
        "better": "lower" if lower_is_better else "higher",
        "models": [_model(name, *value) for name, value in values.items()],
        "comparison": comparison,
        **json_safe(facts),
    }


def _model(name: str, value: float, interval: Any) -> dict[str, Any]:
    low, high = (None, None) if interval is None else interval
    method = None if interval is None else interval.method
    return {"name": name, "value": float(value), "low": low, "high": high, "method": method}


def differences(answer: Any) -> dict[str, Any]:
    """The answer of a comparison of two models or more; p values of several are adjusted."""
    if answer.pairwise is None:
        low, high = (None, None) if answer.interval is None else answer.interval
        rows = [(*answer.estimates, answer.difference, low, high, answer.p_value)]
        joint = None
    else:
        table = {name: json_safe(list(column)) for name, column in answer.pairwise.items()}
        keys = ("first", "second", "difference", "low", "high", "p_adjusted")
        rows = list(zip(*(table[key] for key in keys), strict=True))
        joint = {"p": float(answer.p_value)}
    return {
        "method": answer.method,
        "adjusted": "Holm" if joint else None,
        "joint": joint,
        "rows": [dict(zip(PAIR, json_safe(list(row)), strict=True)) for row in rows],
    }
