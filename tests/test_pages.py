"""Every example on every page runs, with the output of the page."""

from pathlib import Path

import pytest
from page_examples import run_page
from pictures_of_pages import close_all, open_figures
from sybil.example import SybilFailure

ROOT = Path(__file__).parents[1]
WRITTEN = [page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts]
REPRODUCED = sorted((ROOT / "papers").glob("*/README.md"))  # docs/papers includes them
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(WRITTEN), *REPRODUCED]
# Pages that only explain or list others; the gallery comes from a list, drawn in unit/plotting.
WITHOUT_EXAMPLES = {
    "CONTRIBUTING.md",
    "changelog.md",
    "dependencies.md",
    "gallery.md",
    "other-packages.md",
    "references.md",
}
# Pages about what cannot be drawn (files, processes, tables) or that show a screen instead.
WITHOUT_PLOTS = {
    "choose.md",
    "data.md",
    "large-data.md",
    "mimetic-models.md",
    "report.md",
    "speed.md",
    "studio.md",
    "tables.md",
}


def saved_plots(folder: Path) -> list[Path]:
    return [path for kind in ("*.svg", "*.png") for path in folder.glob(kind)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    drawn = []

    def count(block: int) -> None:
        drawn.extend([block] * len(open_figures()))
        close_all()

    n_examples = run_page(page, count)
    explains_only = page.name in {*WITHOUT_EXAMPLES, "index.md"} or page.parent.name == "papers"
    assert n_examples > 0 or explains_only, "a page without an example that runs"
    teaches = page.parent.name in {"tutorials", "guide"} and page.name != "index.md"
    if teaches and page.name not in WITHOUT_PLOTS:
        assert drawn or saved_plots(tmp_path), "its code should draw what it speaks of"


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
