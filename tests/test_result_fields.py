"""Every field of every public result is described in the reference."""

import dataclasses
import importlib.util
import inspect
import re
import sys
from pathlib import Path

import pytest
from fields import ALL, add_fields, described_in, entries_for, public_fields

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def classes() -> list[type]:
    path = ROOT / "docs" / "extensions" / "reference_pages.py"
    spec = importlib.util.spec_from_file_location("reference_pages", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reference_pages"] = module
    spec.loader.exec_module(module)
    values = [each.value for each in module.public_names() if each.kind == "class"]
    return [value for value in values if dataclasses.is_dataclass(value)]


def docstring(result_class: type) -> list[str]:
    return (inspect.getdoc(result_class) or "").splitlines()


def test_every_field_has_words(classes: list[type]) -> None:
    assert len(classes) > 80
    missing = {}
    for each in classes:
        lines = docstring(each)
        described = described_in(lines) | described_in(
            ["Attributes", "--", *entries_for(each, lines)]
        )
        if left := [name for name in public_fields(each) if name not in described]:
            missing[each.__name__] = left
    assert not missing, f"describe these under Attributes, or in docs/extensions: {missing}"


def test_types_of_fields_are_words(classes: list[type]) -> None:
    entries = [line for each in classes for line in entries_for(each, docstring(each))[::2]]
    types = {entry.partition(" : ")[2] for entry in entries}
    assert {"float", "ndarray of float", "ndarray of int", "str or None"} <= types
    assert not [one for one in types if re.search(r"<|numpy|typing|^$|object", one)]


def test_no_words_are_left_over(classes: list[type]) -> None:
    known = {name for each in classes for name in public_fields(each)}
    known |= {
        f"{base.__name__}.{name}"
        for each in classes
        for base in each.__mro__
        for name in public_fields(each)
    }
    assert not ALL.keys() - known


def test_fields_are_added_to_the_docstring_of_the_class(classes: list[type]) -> None:
    (trained,) = [each for each in classes if each.__name__ == "TrainedNetwork"]
    lines = docstring(trained)
    own = described_in(lines)
    add_fields(None, "class", "", trained, None, lines)  # type: ignore[arg-type]
    assert own < described_in(lines)
    assert lines.count("Attributes") == 1
