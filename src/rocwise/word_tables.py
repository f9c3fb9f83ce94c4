"""Tables as documents of Word."""

import io
from collections.abc import Sequence
from typing import Any

from rocwise.errors import missing_package, spelled_out

RULES = {0: ("top", "bottom"), -1: ("bottom",)}  # of the header and of the last row
POINTS = 9
MOST_UPRIGHT = 6  # columns of a table on an upright page


def document(
    cells: Sequence[Sequence[str]], numbers: Sequence[bool], caption: str | None, notes: list[str]
) -> bytes:
    """A document with one table of columns of text, their titles first."""
    try:
        import docx
        from docx.enum.section import WD_ORIENT
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.shared import Pt
    except ImportError:
        raise missing_package("python-docx", "word", "a table for Word") from None
    page = docx.Document()
    if len(cells) > MOST_UPRIGHT:
        (section,) = page.sections
        section.orientation = WD_ORIENT.LANDSCAPE
        section.page_width, section.page_height = section.page_height, section.page_width
    if caption is not None:
        page.add_paragraph(spelled_out(caption), style="Caption")
    table = page.add_table(rows=len(cells[0]), cols=len(cells))
    for own, column, right in zip(table.columns, cells, numbers, strict=True):
        for cell, text in zip(own.cells, column, strict=True):
            (paragraph,) = cell.paragraphs
            run = paragraph.add_run(spelled_out(text))
            run.font.size = Pt(POINTS)
            if right:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    for row, sides in RULES.items():
        for cell in table.rows[row].cells:
            _draw_rules(cell, sides)
    for note in notes:
        page.add_paragraph().add_run(spelled_out(note)).font.size = Pt(POINTS)
    written = io.BytesIO()
    page.save(written)
    return written.getvalue()


def _draw_rules(cell: Any, sides: tuple[str, ...]) -> None:
    """Lines above and below a cell, which python-docx has no function for."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    borders = OxmlElement("w:tcBorders")
    for side in sides:
        line = OxmlElement(f"w:{side}")
        for name, value in {"val": "single", "sz": "8", "space": "0"}.items():
            line.set(qn(f"w:{name}"), value)
        borders.append(line)
    cell._tc.get_or_add_tcPr().append(borders)
