"""Sphinx extension: `{chart}` and `{numbers}` show a table of `validation/tables`; `{fold}` folds.

    ```{chart} bands summary
    :level: 90
    :across: Cases in the smaller class
    :up: Coverage, %
    ```

draws `validation/tables/bands-summary.csv`, one panel for each of its rows: a bar from the lowest
to the highest number of a cell (`93 to 97`, `93 / 95 / 97`, or two standard errors around
`0.93 ± 0.01`), a dot at the middle one. What lies on the wrong side of the level has another
color; `wrong` is that side. The table itself follows, folded, with its file to download;
`{numbers}` shows the folded table alone.
"""

import csv
import hashlib
import io
import math
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from drawn import is_drawn
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = "_build/drawn/charts"
TABLES = "validation/tables"
NOT_DRAWN = {"mean width", "mean area", "bands", "average"}
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
RIGHT_COLOR, WRONG_COLOR, LEVEL_COLOR = "#0072B2", "#D55E00", "#666666"
WIDTH, HEIGHT = 7.0, 1.35  # inches: of all panels together, and of one
COLUMN = 736  # pixels: the width of the text
MOST_TICKS = 8
Span = tuple[float, float | None, float]


def table_of(path: Path) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table."""
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, [[cell.replace("`", "") for cell in row] for row in rows]


def span_of(cell: str) -> Span | None:
    """Lowest, middle and highest number of a cell; none of a cell without numbers.

    >>> span_of("93 / 95 / 97"), span_of("93.5 to 97"), span_of("–")
    ((93.0, 95.0, 97.0), (93.5, None, 97.0), None)
    >>> span_of("0.93 ± 0.01")
    (0.91, 0.93, 0.95)
    """
    found = [float(number.replace(",", "")) for number in NUMBER.findall(cell)]
    if not found:
        return None
    if "±" in cell:
        middle, error = found[:2]
        return round(middle - 2 * error, 6), middle, round(middle + 2 * error, 6)
    if len(found) == 2:
        return found[0], None, found[1]
    return min(found), found[len(found) // 2], max(found)


def panels_across(n_panels: int) -> int:
    """Three or four in a row, whichever leaves fewer places empty."""
    return min(n_panels, 3 if -n_panels % 3 < -n_panels % 4 else 4)


def short(name: str) -> str:
    """A heading as the words of a tick.

    >>> short("n = 2,500"), short("10,000"), short("0.75")
    ('2.5k', '10k', '0.75')
    """
    name = name.removeprefix("n = ")
    return f"{float(name.replace(',', '')) / 1000:g}k" if "," in name else name


def drawn_table(
    header: list[str], rows: list[list[str]], *, level: float, wrong: str, across: str, up: str
) -> bytes:
    """The chart as SVG."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    places = [k for k, name in enumerate(header) if k and name not in NOT_DRAWN]
    ticks = range(0, len(places), 1 + len(places) // (MOST_TICKS + 1))
    n_across = panels_across(len(rows))
    n_down = math.ceil(len(rows) / n_across)
    settings = {"svg.fonttype": "path", "svg.hashsalt": "rocwise", "font.size": 7.5}
    target = io.BytesIO()
    with rc_context(settings):
        size = (WIDTH * n_across / max(n_across, 3), HEIGHT * n_down + 0.35)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(n_down, n_across, sharex=True, sharey=True, squeeze=False)
        for ax in grid.flat[len(rows) :]:
            ax.set_axis_off()
        for ax, row in zip(grid.flat, rows, strict=False):
            _draw_row(ax, row, places, level, wrong)
            title = f"n = {row[0]}" if header[0] == "n" else textwrap.fill(row[0], 88 // n_across)
            ax.set_title(title, fontsize=7.5, loc="left")
            width = max(4, 80 // (n_across * len(ticks)))  # letters of a tick, in lines
            labels = [
                textwrap.fill(short(header[places[k]]), width, break_long_words=False)
                for k in ticks
            ]
            ax.set_xticks(ticks, labels)
            ax.tick_params(labelbottom=True, labelsize=6.5, length=2)
        figure.supxlabel(across, fontsize=7.5)
        figure.supylabel(up, fontsize=7.5)
        figure.savefig(target, format="svg", metadata={"Date": None})
    return target.getvalue()


def _draw_row(ax: Any, row: list[str], places: list[int], level: float, wrong: str) -> None:
    ax.axhline(level, color=LEVEL_COLOR, linewidth=0.7, dashes=(4, 3), zorder=1)
    for x, k in enumerate(places):
        span = span_of(row[k])
        if span is None:
            continue
        low, middle, high = span
        below, above = (low, min(high, level)), (max(low, level), high)
        bad, good = (below, above) if wrong == "below" else (above, below)
        for (start, stop), color in ((good, RIGHT_COLOR), (bad, WRONG_COLOR)):
            if stop >= start:
                ax.plot([x, x], [start, stop], color=color, linewidth=3.2, solid_capstyle="butt")
        if middle is not None:
            ax.plot([x], [middle], "o", color="white", markeredgecolor="black", markersize=2.8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", linewidth=0.4, color="#dddddd")
    ax.set_axisbelow(True)
    ax.margins(x=0.08)


class Numbers(SphinxDirective):
    """A table of `validation/tables`, folded, with a link to its file."""

    required_arguments = 1
    final_argument_whitespace = True

    @property
    def table(self) -> Path:
        """The file with the name in the argument."""
        name = self.arguments[0].replace(" ", "-")
        path = Path(self.env.srcdir) / TABLES / f"{name}.csv"
        if not path.exists():
            raise self.error(f"there is no table {path.name}")
        self.env.note_dependency(str(path))
        return path

    def run(self) -> list[nodes.Node]:
        file = f"/{TABLES}/{self.table.name}"
        text = f"```{{csv-table}}\n:file: {file}\n:header-rows: 1\n```\n\n"
        text += f"{{download}}`{self.table.name} <{file}>`\n"
        node = fold(title="Table")
        node += self.parse_text_to_nodes(text)
        return [node]


class Chart(Numbers):
    """A chart of a table, and the table below it."""

    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "level": float,
        "wrong": lambda side: directives.choice(side, ("below", "above")),
        "across": directives.unchanged,
        "up": directives.unchanged,
        "rows": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        numbers = super().run()
        if not is_drawn(self.config.drawn_pages, self.env.docname):
            return numbers
        header, rows = table_of(self.table)
        if "rows" in self.options:
            wanted = [name.strip() for name in self.options["rows"].split(";")]
            rows = [row for row in rows if row[0] in wanted]
        settings = {
            "level": self.options.get("level", 95.0),
            "wrong": self.options.get("wrong", "below"),
            "across": self.options.get("across", ""),
            "up": self.options.get("up", ""),
        }
        path = self._kept(header, rows, settings)
        n_across = panels_across(len(rows))
        picture = nodes.image(
            uri="/" + path.relative_to(self.env.srcdir).as_posix(),
            alt=f"{settings['up']} by {settings['across']}: {', '.join(row[0] for row in rows)}",
            width=f"{round(COLUMN * n_across / max(n_across, 3))}px",
        )
        return [nodes.container("", picture, classes=["drawn"]), *numbers]

    def _kept(self, header: list[str], rows: list[list[str]], settings: dict[str, Any]) -> Path:
        """The file of the chart, drawn unless the same one is there."""
        code = Path(__file__).read_text(encoding="utf-8")
        key = hashlib.sha256(repr((header, rows, settings, code)).encode()).hexdigest()[:16]
        path = Path(self.env.srcdir) / FOLDER / f"{key}.svg"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(drawn_table(header, rows, **settings))
        return path


class fold(nodes.General, nodes.Element):  # noqa: N801 - as docutils names its nodes
    """What is shown when its title is clicked."""


class Fold(SphinxDirective):
    """Text behind a title."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        node = fold(title=self.arguments[0])
        node += self.parse_content_to_nodes(allow_section_headings=True)
        return [node]


def visit_fold(self: Any, node: fold) -> None:
    title = self.encode(node["title"])
    self.body.append(f'<details class="fold"><summary>{title}</summary>\n')


def depart_fold(self: Any, _: fold) -> None:
    self.body.append("</details>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """Make both known."""
    app.add_directive("chart", Chart)
    app.add_directive("numbers", Numbers)
    app.add_directive("fold", Fold)
    app.add_node(fold, html=(visit_fold, depart_fold))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
