"""Runs pages in empty folders and keeps what they draw: figures, or files where there are none.

`python pictures_of_pages.py jobs.json` does a list of `[page, folder]`; each folder gets the
pictures and a `pictures.json` that says after which block of the page each belongs, how wide it is
and what it shows.
"""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
import traceback
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from page_examples import run_page

LIST = "pictures.json"
KINDS = (".svg", ".png")  # of files, the better one first
POINTS_PER_INCH = 72
PIXELS_PER_POINT = 1.8  # letters of 8 points are as large as the text of the page
WIDEST = 736  # pixels: the column of text
LONGEST_DESCRIPTION = 240


@dataclass(frozen=True)
class Drawn:
    """One picture: the block of the page that drew it, its file, width in pixels, and words."""

    block: int
    file: str
    width: int
    words: str


@dataclass
class Collector:
    """Keeps the pictures of one page while it runs, in a folder."""

    folder: Path
    drawn: list[Drawn] = field(default_factory=list)
    _known: set[Any] = field(default_factory=set)

    def __call__(self, block: int) -> None:
        """Keep what is new since the last block, and close it."""
        figures = open_figures()
        for figure in figures:
            data = svg_of(figure)
            if data not in self._known:
                self._known.add(data)
                self._keep(block, ".svg", data, described(figure))
        files = self._new_files()
        close_all()
        if not figures:
            for path in files:
                self._keep(block, path.suffix, path.read_bytes(), f"The picture {path.name}")

    def _new_files(self) -> list[Path]:
        """New files in the current folder, one for each name."""
        found = [path for kind in KINDS for path in sorted(Path.cwd().glob(f"*{kind}"))]
        new: dict[str, Path] = {}
        for path in found:
            state = (path.name, path.stat().st_mtime_ns)
            if state not in self._known:
                self._known.add(state)
                new.setdefault(path.stem, path)
        return list(new.values())

    def _keep(self, block: int, kind: str, data: bytes, words: str) -> None:
        name = f"{len(self.drawn) + 1:02d}{kind}"
        (self.folder / name).write_bytes(data)
        width = svg_width(data) if kind == ".svg" else 0
        pixels = min(WIDEST, round(width * PIXELS_PER_POINT)) if width else WIDEST
        self.drawn.append(Drawn(block, name, pixels, words))


def open_figures() -> list[Any]:
    """Figures on which something was drawn, in the order in which they were made."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    return [figure for figure in figures if has_content(figure)]


def has_content(figure: Any) -> bool:
    """Whether something was drawn on the axes, which empty subplots have not."""
    return any(ax.has_data() or ax.texts for ax in figure.axes)


def svg_of(figure: Any) -> bytes:
    """The figure with letters as outlines: the same on every screen, and the same bytes."""
    import matplotlib

    target = io.BytesIO()
    settings = {"svg.fonttype": "path", "svg.hashsalt": "rocwise"}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page was checked by the tests, with its own settings
        figure.savefig(target, format="svg", metadata={"Date": None})
    return target.getvalue()


def svg_width(data: bytes) -> float:
    """Width in points, as the file says."""
    found = re.search(rb'<svg[^>]*?\bwidth="([\d.]+)', data)
    return float(found[1]) if found else 0.0


def described(figure: Any) -> str:
    """What a picture shows, in its own words: titles, axes, and legend."""
    parts = []
    for ax in figure.axes:
        legend = ax.get_legend()
        names = [text.get_text() for text in legend.get_texts()] if legend else []
        across, up = ax.get_xlabel(), ax.get_ylabel()
        axes = f"{up} against {across}" if up and across else up or across
        rows = [text.get_text() for text in ax.get_yticklabels()] if not up else []
        words = [ax.get_title("left") or ax.get_title(), axes, "; ".join(names)]
        words.append("rows " + ", ".join(rows) if any(rows) and len(rows) < 9 else "")
        parts.append(": ".join(word for word in words if word))
    text = " ".join(". ".join(part for part in parts if part).split())
    text = text.replace("$", "").replace("\\mathregular", "")
    return text if len(text) <= LONGEST_DESCRIPTION else text[: LONGEST_DESCRIPTION - 3] + "..."


def draw_page(page: Path, folder: Path) -> None:
    """Run a page in an empty folder and fill `folder`; its list is written last, if all is well."""
    folder.mkdir(parents=True, exist_ok=True)
    collector = Collector(folder)
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        try:
            run_page(page, collector)
        finally:
            os.chdir(before)
            close_all()
    listed = [asdict(each) for each in collector.drawn]
    (folder / LIST).write_text(json.dumps(listed, indent=1), encoding="utf-8")


def close_all() -> None:
    """No figure of one page is left for the next."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


def main() -> int:
    """Do every job; what fails is told, and the others are done."""
    os.environ.setdefault("MPLBACKEND", "agg")
    failures = 0
    for page, folder in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                draw_page(Path(page), Path(folder))
        except Exception:
            failures += 1
            print(f"{page}:\n{traceback.format_exc(limit=-2)}", file=sys.stderr)
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
