"""Formulas named by number in comments can be looked up in docs/development/formulas.md."""

import functools
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "development" / "formulas.md"
OWN = {PAGE, Path(__file__)}
KINDS = {".py", ".pyx", ".pyi", ".pxd", ".md"}
FOLDERS = ("src", "studies", "tests", "docs")
GENERATED = {"_build", "generated", "__pycache__"}
# F2.1 is unambiguous; 5.9 and B12 might be anything unless alone in parentheses
NUMBER = r"(?:F[1-8]\.[1-9]\d?|[A-E][1-9]\d?|[1-6]\.[1-9]\d?)"
BETWEEN = r"(?:, | to | and |-)"
IN_PARENTHESES = re.compile(rf"\(({NUMBER}(?:{BETWEEN}{NUMBER})*)(?:[,;] [^()]*)?\)")
OF_ITS_OWN = re.compile(rf"\bF[1-8]\.[1-9]\d?(?:{BETWEEN}F[1-8]\.[1-9]\d?)*\b")
EXAMPLE = re.compile(r"^ *>>>.*(?:\n *\S.*)*", re.MULTILINE)
ENTRY = re.compile(rf"^\| ({NUMBER}) \| ", re.MULTILINE)


def numbers_in(text: str) -> set[str]:
    """The numbers that a text refers to; a range counts for all between its ends."""
    text = " ".join(re.sub(r"^ *#+ ?", "", EXAMPLE.sub("", text), flags=re.MULTILINE).split())
    text = re.sub(rf"\(({NUMBER})\) to \(({NUMBER})\)", r"(\1 to \2)", text)
    lists = [found.group(1) for found in IN_PARENTHESES.finditer(text)]
    lists += [found.group() for found in OF_ITS_OWN.finditer(text)]
    return {number for listed in lists for number in _spelled_out(listed)}


def _spelled_out(listed: str) -> Iterator[str]:
    for part in re.split(", | and ", listed):
        first, _, last = part.replace(" to ", "-").partition("-")
        head, start = re.fullmatch(r"(.*?)(\d+)", first).groups()
        stop = last.removeprefix(head) if last else start
        assert int(stop) >= int(start), f"{part} is no range of numbers"
        yield from (f"{head}{place}" for place in range(int(start), int(stop) + 1))


def words_of(path: Path) -> Iterator[str]:
    """Comments, those of neighbouring lines as one, and docstrings; all of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield text
        return
    yield "\n".join(re.findall(r"(?m)^ *#.*", text))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or token.string.startswith(('"""', 'r"""')):
            yield token.string


@functools.cache
def referred_to(folder: str) -> dict[str, str]:
    """Each number with one of the files that refer to it."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in KINDS or path in OWN or GENERATED & set(path.parts):
            continue
        for words in words_of(path):
            found |= dict.fromkeys(numbers_in(words), str(path.relative_to(ROOT)))
    return found


def entries() -> list[str]:
    return ENTRY.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_number_referred_to_is_on_the_page(folder: str) -> None:
    missing = {n: where for n, where in referred_to(folder).items() if n not in entries()}
    assert not missing, f"put these into {PAGE.name}, or name their paper: {missing}"


def test_every_number_on_the_page_is_referred_to_and_there_once() -> None:
    assert len(set(entries())) == len(entries()) > 100
    unused = set(entries()) - set().union(*map(referred_to, FOLDERS))
    assert not unused, f"nothing refers to these any more: {sorted(unused)}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two areas (F2.1, Bamber 1975) and F3.8.", {"F2.1", "F3.8"}),
        ("Bounds (3.5, 3.9 to 3.11)", {"3.5", "3.9", "3.10", "3.11"}),
        ("by (5.6) to (5.8); all (F5.1-F5.3)", {"5.6", "5.7", "5.8", "F5.1", "F5.2", "F5.3"}),
        ("# weights (B4,\n    # B5); and\n    # (A23)", {"B4", "B5", "A23"}),
        ("(0.5), all (1.0), (2.75x), version 1.4, (1.140883978), [2.5, 7.5], B12, F401", set()),
        ("Where they meet\n\n    >>> point\n    (1.1, 1.1)\n\n    (4.2)", {"4.2"}),
    ],
)
def test_what_counts_as_a_number(text: str, expected: set[str]) -> None:
    assert numbers_in(text) == expected
