"""Tables and the last word of a paper's page, and the index of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from studies.kept_counts import mark_of, read_records, with_table

from papers.shared.cells import Finished
from papers.shared.paper import FOLDER, NAMES, Finding, Paper, Records, paper


def markdown(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; numbers are written by the caller."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def write_page(one: Paper, records: Records) -> Finding:
    """Fill the marks of the page with what was counted."""
    page = one.folder / "README.md"
    text = page.read_text(encoding="utf-8")
    tables = {**one.tables(records, one.expected), "cost": cost(one)}
    finding = one.finding(records, one.expected)
    tables["verdict"] = f"**{finding.verdict.capitalize()}.** {finding.sentence}"
    for name, table in tables.items():
        mark = mark_of(name)
        if not mark.search(text):
            raise ValueError(f"{page} has no marks for the table {name!r}")
        text = with_table(text, mark, table)
    page.write_text(text, encoding="utf-8")
    return finding


def cost(one: Paper) -> str:
    """What was run, how long it took, and what could not be."""
    finished = read_records(one.folder / "finished.csv", Finished)
    counted = [cell for cell in finished if not cell.absent]
    lines = [
        f"`make paper NAME={one.name}`: {len(counted)} cells, "
        f"{sum(cell.seconds for cell in counted) / 60:.1f} minutes of one core."
    ]
    lines += [f"- Not run: {cell.absent}" for cell in finished if cell.absent]
    return "\n".join(lines)


def write_index(findings: dict[str, Finding], page: Path = FOLDER / "index.md") -> None:
    """One line for each paper that has been run."""
    rows = [
        (f"[{one.name}]({one.name}/README.md)", one.citation, finding.verdict, finding.sentence)
        for name in NAMES
        if (finding := findings.get(name)) and (one := paper(name))
    ]
    text = page.read_text(encoding="utf-8")
    table = markdown(("paper", "", "verdict", "in one sentence"), rows)
    page.write_text(with_table(text, mark_of("papers"), table), encoding="utf-8")
