"""The references of a page: the sources of the methods that its numbers rest on."""

from collections.abc import Mapping, Sequence
from typing import Any

from rocwise.references import OF_BANDS, OF_SECTIONS, keys_of_methods, texts_of


def references(body: dict[str, Any]) -> list[str]:
    """Those that the numbers of two classes rest on."""
    methods = [model["auc"]["method"] for model in body["models"]]
    keys = ["rocwise", *sources_of_methods(methods, body["comparison"])]
    clustered = body["cases"]["clusters"] is not None
    keys += ["efron1993"] if clustered else ["wilson1927", "mercaldo2007", "simel1991"]
    keys += ["kish1965"] if body["cases"]["weighted"] and not clustered else []
    kinds = body["settings"]["band_kinds"]
    drawn = [kind for kind in kinds if any(kind in model["bands"] for model in body["models"])]
    keys += [key for kind in drawn for key in OF_BANDS[kind]]
    keys += ["youden1950", "drummond2006", "friedel2006"]
    for part in body["sections"]:
        tables = [each["columns"].get("method", []) for each in part["tables"]]
        keys += OF_SECTIONS.get(part["id"], ())
        keys += keys_of_methods([part["text"], *(name for column in tables for name in column)])
    return texts_of(keys)


def sources_of_methods(
    methods: Sequence[str | None], comparison: Mapping[str, Any] | None
) -> list[str]:
    """Keys of the sources of the intervals of models and of the test that compares them."""
    used = [method for method in methods if method]
    used += ["DeLong"] if any("effective" in method for method in used) else []
    if comparison:
        used += [comparison["method"], *(["Holm"] if comparison["adjusted"] else [])]
    return keys_of_methods(used)
