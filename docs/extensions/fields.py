"""Sphinx extension: every result class lists its fields, in words of its own or of the list."""

import dataclasses
import re
from collections.abc import Callable
from contextlib import suppress
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote

import numpy as np
from field_words import WORDS
from further_field_words import FURTHER
from sphinx.application import Sphinx

ALL = WORDS | FURTHER
HEADING = "Attributes"
DOI = re.compile(r"\bdoi:(10\.\S+[^\s.,])")
DESCRIBED = re.compile(r"^([\w, ]+?)(?: :.*)?$")


def public_fields(result_class: type) -> list[str]:
    """The fields that a user reads."""
    return [f.name for f in dataclasses.fields(result_class) if not f.name.startswith("_")]


def words_for(result_class: type, name: str) -> str | None:
    """What a field means: as this class says, or one that it derives from, or all do."""
    own = (ALL.get(f"{base.__name__}.{name}") for base in result_class.__mro__)
    return next((words for words in own if words), ALL.get(name))


def section_of(lines: list[str], heading: str = HEADING) -> range | None:
    """Where the attributes, or the options of a constructor, are described in a docstring."""
    for start, line in enumerate(lines[:-1]):
        if line.strip() == heading and set(lines[start + 1].strip()) == {"-"}:
            stop = start + 2
            while stop < len(lines):
                following = lines[stop + 1].strip() if stop + 1 < len(lines) else ""
                if lines[stop].strip() and following and set(following) == {"-"}:
                    break
                stop += 1
            return range(start + 2, stop)
    return None


def described_in(lines: list[str]) -> set[str]:
    """The names that a docstring describes itself."""
    sections = (section_of(lines, heading) for heading in (HEADING, "Parameters"))
    found = (DESCRIBED.match(lines[k]) for section in sections for k in section or ())
    return {name.strip() for each in found if each for name in each[1].split(",")}


def spelled(annotation: Any) -> str:
    """A type as docstrings name it."""
    if isinstance(annotation, str):
        text = annotation.replace("|", "or")
    elif isinstance(annotation, TypeVar):
        text = "result"
    elif (origin := get_origin(annotation)) is None:
        text = "None" if annotation is NoneType else getattr(annotation, "__name__", "object")
    elif (parts := get_args(annotation)) and origin is np.ndarray:
        (kind,) = get_args(parts[1])
        name = getattr(kind, "__name__", "").rstrip("_0123456789").removesuffix("ing")
        text = {"Any": "ndarray", "": "ndarray", "intp": "ndarray of int"}.get(
            name, f"ndarray of {name}"
        )
    elif origin is Literal:
        text = f"{{{', '.join(map(repr, parts))}}}"
    elif origin in (Union, UnionType):
        text = " or ".join(map(spelled, parts))
    elif origin is Callable:
        text = "callable"
    elif origin is tuple and parts[-1] is Ellipsis:
        text = f"tuple of {spelled(parts[0])}"
    else:
        text = f"{origin.__name__.lower()} of {', '.join(map(spelled, parts))}"
    return re.sub(r"_(?!\w)", r"\\_", text)  # an underscore at the end would be read as a link


def entries_for(result_class: type, lines: list[str]) -> list[str]:
    """The fields that a docstring leaves out, as lines of that section."""
    types = {field.name: field.type for field in dataclasses.fields(result_class)}
    with suppress(NameError):  # a name that is imported for type checkers only
        types |= get_type_hints(result_class)
    known = described_in(lines)
    new = [name for name in public_fields(result_class) if name not in known]
    new.sort(key=lambda name: name == "origin")  # the least interesting comes last
    found = ((name, words_for(result_class, name)) for name in new)
    return [
        line
        for name, words in found
        if words
        for line in (f"{name} : {spelled(types[name])}", f"    {words}")
    ]


def link_of_doi(found: re.Match[str]) -> str:
    """A DOI as a link."""
    return f"`{found[0]} <https://doi.org/{quote(found[1])}>`__"


def add_fields(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Complete the docstring of a result class, before it is laid out, and link each DOI."""
    del app, name, options
    lines[:] = [DOI.sub(link_of_doi, line) for line in lines]
    if what != "class" or not dataclasses.is_dataclass(value):
        return
    entries = entries_for(value, lines)
    if not entries:
        return
    section = section_of(lines)
    if section is None:
        lines += ["", HEADING, "-" * len(HEADING), *entries, ""]
    else:
        end = section.stop
        while end > section.start and not lines[end - 1].strip():
            end -= 1
        lines[end:end] = entries


def setup(app: Sphinx) -> dict[str, bool]:
    """Come before numpydoc."""
    app.connect("autodoc-process-docstring", add_fields, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
