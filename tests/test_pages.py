"""Every example on every page runs, and does what the page says."""

from pathlib import Path

import pytest
from sybil.example import SybilFailure

from page_examples import run_page

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Pages that only explain or list others.
WITHOUT_EXAMPLES = {"CONTRIBUTING.md", "changelog.md", "dependencies.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    n_examples = run_page(page)
    explains_only = page.name in WITHOUT_EXAMPLES or page.name == "index.md"
    assert n_examples > 0 or explains_only, "a page without an example that runs"


GOOD = """
```python
>>> a = 1
>>> a + 1
2

```
```{code-block} text
:caption: table.csv

x,y
1,2
```
```python
assert a == 1
```
```console
$ cat table.csv
x,y
1,2
$ echo one; echo two
one
...
```
"""
BAD = {
    "output": "```python\n>>> 1\n2\n\n```\n",
    "assertion": "```python\nassert 1 == 2\n```\n",
    "command": "```console\n$ echo no\nyes\n```\n",
    "missing command": "```console\nyes\n```\n",
    "warning": "```python\nimport warnings\nwarnings.warn('careful')\n```\n",
}


def test_all_kinds_of_blocks_are_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(GOOD)
    assert run_page(page) == 5


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_a_page_can_fail(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises((SybilFailure, AssertionError, UserWarning)):
        run_page(page)
