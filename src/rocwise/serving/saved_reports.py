"""The report that is saved: the studio's payload and the state that the page is in."""

import copy
import math
import sys
from collections.abc import Mapping
from typing import Any, get_args

from rocwise.reporting.html import page_of
from rocwise.reporting.methods import references
from rocwise.reporting.pages import Language
from rocwise.reporting.payload import MEASURES, section, table

COLORS = 5  # of the page's palette
NUMBERS: dict[str, tuple[float, float]] = {
    "prevalence": (0, 1),
    "cost_ratio": (0, math.inf),
    "abstain_cost": (-1e-300, math.inf),
}


def saved_page(payload: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    """One self-contained page that opens where the studio is now."""
    made = copy.deepcopy(dict(payload)) | {"mode": "report"}
    for name in ("warnings", "id"):
        made.pop(name, None)
    if view.get("language") in get_args(Language):
        made["language"] = view["language"]
    made["state"] = made["state"] | checked_state(view.get("state"), made)
    if made["task"] != "binary":
        return page_of(made)
    given = view.get("pins")
    pins = [pin for pin in given if isinstance(pin, dict)] if isinstance(given, list) else []
    if pins:
        made["sections"] = [pinned(pins), *made["sections"]]
    made["methods"] = made["methods"] | {"references": references(made)}
    return page_of(made)


def checked_state(given: Any, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Those parts of a state that the page can start with; the rest is left as it was."""
    if not isinstance(given, Mapping):
        return {}
    kept: dict[str, Any] = {}
    if given.get("theme") in ("auto", "light", "dark"):
        kept["theme"] = given["theme"]
    if payload["task"] != "binary":
        return kept
    names = {model["name"] for model in payload["models"]}
    if isinstance(given.get("model"), str) and given["model"] in names:
        kept["model"] = given["model"]
    if isinstance(thresholds := given.get("thresholds"), Mapping):
        kept["thresholds"] = {
            name: value
            for name, value in thresholds.items()
            if name in names and (value is None or _is_number(value))
        }
    for name, (low, high) in NUMBERS.items():
        value = given.get(name, math.nan)
        if _is_number(value) and low < value < high:
            kept[name] = value
    if given.get("band") in ("", *payload["settings"]["band_kinds"]):
        kept["band"] = given["band"]
    if isinstance(hidden := given.get("hidden"), list):
        kept["hidden"] = [name for name in hidden if isinstance(name, str) and name in names]
    if isinstance(colors := given.get("colors"), Mapping):
        kept["colors"] = {
            name: slot
            for name, slot in colors.items()
            if name in names and type(slot) is int and 0 <= slot < COLORS
        }
    return kept


def _is_number(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) <= sys.float_info.max  # a whole number may be larger than floats


def pinned(pins: list[dict[str, Any]]) -> dict[str, Any]:
    """The points that were pinned, as a table."""
    names = ("pin", "model", "threshold", "tp", "fp", "fn", "tn", *MEASURES)

    def cell(value: Any) -> Any:
        return value if value is None or _is_number(value) else str(value)[:200]

    columns = {name: [cell(pin.get(name)) for pin in pins] for name in names}
    return section("pinned-points", title="Pinned operating points", tables=[table(columns)])
