"""Tables and the last word of a paper's page, and the index of all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from studies.simulation import Finished, markdown, read_records

from papers.shared.claims import Finding
from papers.shared.paper import FOLDER, NAMES, Paper, Records, paper

INDEX = {  # pages, and where each paper is from there
    FOLDER / "index.md": "{}/README.md",
    FOLDER.parent / "docs" / "papers" / "index.md": "{}.md",
}


def mark_of(name: str) -> re.Pattern[str]:
    """The text between the marks of a table in a page."""
    return re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)


def with_table(text: str, mark: re.Pattern[str], table: str) -> str:
    """The page with a new table."""
    return mark.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text)


def write_page(one: Paper, records: Records) -> None:
    """Fill the marks of the page with what was counted."""
    of_paper, finding = one.results(records)
    verdict = f"**{finding.verdict.capitalize()}.** {finding.sentence}"
    tables = {**of_paper, "cost": cost(one), "verdict": verdict}
    page = one.folder / "README.md"
    text = page.read_text(encoding="utf-8")
    missing = [name for name in tables if not mark_of(name).search(text)]
    if missing:
        raise ValueError(f"the page of {one.name} has no marks for {', '.join(missing)}")
    for name, table in tables.items():
        text = with_table(text, mark_of(name), table)
    page.write_text(text, encoding="utf-8")


def cost(one: Paper) -> str:
    """What was run, how long it took, and what could not be."""
    finished = read_records(one.folder / "finished.csv", Finished)
    counted = [cell for cell in finished if not cell.absent]
    lines = [
        f"`make paper NAME={one.name}`: {len(counted)} cells, "
        f"{minutes_of(one):.1f} minutes of one core."
    ]
    lines += [f"- Not run: {cell.absent}" for cell in finished if cell.absent]
    return "\n".join(lines)


def write_index(findings: dict[str, Finding]) -> None:
    """One line for each paper that has been run, beside the papers and in the documentation."""
    for page, address in INDEX.items():
        rows = [
            (f"[{name}]({address.format(name)})", one.citation, finding.verdict, finding.sentence)
            for name in NAMES
            if (finding := findings.get(name)) and (one := paper(name))
        ]
        text = page.read_text(encoding="utf-8")
        table = markdown(("paper", "", "verdict", "in one sentence"), rows)
        text = with_table(text, mark_of("papers"), table)
        text = with_table(text, mark_of("cost"), all_costs(list(findings)))
        page.write_text(text, encoding="utf-8")


def all_costs(names: Sequence[str]) -> str:
    """What counting all papers from nothing took."""
    minutes = {name: minutes_of(paper(name)) for name in names}
    longest = sorted(minutes, key=lambda name: -minutes[name])[:3]
    told = ", ".join(f"{name} {minutes[name]:.0f}" for name in longest)
    return f"All of them took {sum(minutes.values()):.0f} minutes of one core (most: {told})."


def minutes_of(one: Paper) -> float:
    """Of one core, over all cells that were counted."""
    finished = read_records(one.folder / "finished.csv", Finished)
    return sum(cell.seconds for cell in finished if not cell.absent) / 60
