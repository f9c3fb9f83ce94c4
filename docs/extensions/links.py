"""Sphinx extension: links between the pages, the reference and the gallery, and notebooks.

- Code in a sentence or a table that names a public function leads to its page in the reference.
- A page ends with the functions that its examples use; the page of a function ends with the pages
  that use it, and with its plot in the gallery.
- Tutorials, quickstart and gallery can be downloaded as Jupyter notebooks.
"""

import json
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from drawn import HEADING, LIST
from gallery import expanded
from gallery_list import CHAPTERS
from mdit_py_plugins.anchors.index import slugify
from page_examples import BLOCK, blocks_of
from reference_pages import public_names
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

CALL = re.compile(r"\b(?:rw|rocwise)\.((?:\w+\.)*\w+)")
IMPORT = re.compile(r"from (rocwise[\w.]*) import ([\w, ]+)")
CODE = re.compile(r"(?:rw|rocwise)\.((?:\w+\.)*\w+)(?:\(.*\))?(?:\.\w+(?:\(.*\))?)?", re.DOTALL)
MARKUP = re.compile(r"\{[\w:]+\}`([^`<]*?)(?: <[^`]*>)?`|\[([^\]]*)\]\([^)]*\)")
WITH_FUNCTIONS = ("guide/", "tutorials/", "coming-from/", "quickstart", "faq", "reporting")
NOTEBOOKS = ("tutorials/", "quickstart", "gallery")
NOTEBOOK_FOLDER = "_build/notebooks"
REFERENCE = "reference/generated/"


@cache
def functions() -> dict[str, str]:
    """Pages of public functions and classes, by their names after `rocwise.`."""
    return {each.path.partition(".")[2]: each.page for each in public_names()}


def named_in(text: str) -> list[str]:
    """Public names that a page uses in code, but for its tables, in alphabetical order."""
    code = "\n".join(block[0] for block in BLOCK.finditer(text) if "python" in block[0][:12])
    code += "\n".join(line for line in BLOCK.sub("", text).split("\n") if line[:1] != "|")
    found = set(CALL.findall(code))
    for module, names in IMPORT.findall(code):
        inside = f"{module}.".partition(".")[2]
        found |= {inside + name.strip() for name in names.split(",")}
    return sorted(found & functions().keys(), key=str.lower)


def read_pages(app: Sphinx) -> None:
    """Find the names that each page uses, and write the notebooks."""
    app.named_in = {}  # type: ignore[attr-defined]
    folder = Path(app.srcdir) / NOTEBOOK_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(app.project.discover(app.config.exclude_patterns)):
        page = Path(app.srcdir) / f"{name}.md"
        if page.exists() and name.startswith((*WITH_FUNCTIONS, *NOTEBOOKS)):
            text = expanded(page.read_text(encoding="utf-8"))
            app.named_in[name] = named_in(text)  # type: ignore[attr-defined]
            if is_notebook(name):
                path = folder / f"{name.replace('/', '-')}.ipynb"
                path.write_text(json.dumps(notebook_of(text), indent=1), encoding="utf-8")


def is_notebook(name: str) -> bool:
    """Whether a page can be downloaded as a notebook."""
    return name.startswith(NOTEBOOKS) and not name.endswith("index")


def add_links(app: Sphinx, name: str, source: list[str]) -> None:
    """Add the lists of links to the text of a page, and the link of its notebook."""
    used = app.named_in.get(name, [])  # type: ignore[attr-defined]
    if name.startswith(REFERENCE):
        source[0] += uses_of(app, name.removeprefix(REFERENCE))
    elif used and name.startswith(WITH_FUNCTIONS):
        listed = ", ".join(f"{{py:obj}}`rw.{each} <rocwise.{each}>`" for each in used)
        source[0] += f"\n\n**API reference:** {listed}\n"
    if name == "gallery":
        before, mark, after = source[0].partition("All examples")
        source[0] = before + thumbnails(app) + mark + after
    if is_notebook(name):
        path = f"/{NOTEBOOK_FOLDER}/{name.replace('/', '-')}.ipynb"
        title, _, rest = source[0].partition("\n")
        source[0] = f"{title}\n\n{{download}}`Download as a notebook <{path}>`\n{rest}"


def uses_of(app: Sphinx, page: str) -> str:
    """Plot of a function, and the pages that use it, as reStructuredText."""
    name = next((name for name, own in functions().items() if own == page), "")
    pages: dict[str, list[str]] = app.named_in  # type: ignore[attr-defined]
    users = [f":doc:`/{each}`" for each, names in pages.items() if name in names]
    kinds = [kind for chapter in CHAPTERS for kind in chapter.kinds]
    title = next((kind.title for kind in kinds if CALL.findall(kind.code)[:1] == [name]), "")
    lines = []
    if title:
        target = f"../../gallery.html#{slugify(title)}"
        users.append(f"`Gallery: {title} <{target}>`__")
        if picture := gallery_pictures(app).get(title):
            lines += ["", f".. image:: {picture}", f"   :alt: {title}", "   :width: 340px"]
            lines += ["   :class: plot", f"   :target: {target}"]
    if users:
        lines += ["", ".. rubric:: User guide and examples", "", " · ".join(users)]
    return "\n".join([*lines, ""])


def gallery_pictures(app: Sphinx) -> dict[str, str]:
    """The first plot below each title of the gallery."""
    folder = app.drawn_folders.get("gallery")  # type: ignore[attr-defined]
    if folder is None or not (folder / LIST).exists():
        return {}
    text = (folder / "page.md").read_text(encoding="utf-8")
    ends = [block.start() for block in blocks_of(text)]
    found: dict[str, str] = {}
    for each in json.loads((folder / LIST).read_text(encoding="utf-8")):
        title = HEADING.findall(text[: ends[each["block"]]])[-1]
        found.setdefault(title, f"/{folder.relative_to(app.srcdir).as_posix()}/{each['file']}")
    return found


def thumbnails(app: Sphinx) -> str:
    """All plots of the gallery, small, as links to their examples."""
    shown = [
        f'```{{figure}} {path}\n:alt: {title}\n:target: "#{slugify(title)}"\n\n{title}\n```\n'
        for title, path in gallery_pictures(app).items()
    ]
    return f"````{{container}} thumbnails\n{''.join(shown)}````\n\n" if shown else ""


class LinkCode(SphinxTransform):
    """Makes code that is a call of a public function a link."""

    default_priority = 400

    def apply(self, **_: object) -> None:
        """Replace the code by a reference around it."""
        if self.env.docname.startswith(REFERENCE):
            return
        for code in list(self.document.findall(nodes.literal)):
            found = CODE.fullmatch(code.astext())
            inside = isinstance(code.parent, pending_xref | nodes.reference | nodes.title)
            if found and found[1] in functions() and not inside:
                link = pending_xref("", code.deepcopy(), refdomain="py", reftype="obj")
                link.update_all_atts(
                    {"reftarget": f"rocwise.{found[1]}", "refdoc": self.env.docname}
                )
                code.replace_self(link)


def notebook_of(text: str) -> dict[str, object]:
    """A page as a notebook: text without links, and the code of its examples without outputs."""
    cells, end = [], 0
    for block in BLOCK.finditer(text):
        if block[0].startswith("```python"):
            cells += [text_cell(text[end : block.start()]), code_cell(block[0])]
            end = block.end()
    cells.append(text_cell(text[end:]))
    written = [{**cell, "id": f"cell-{k}"} for k, cell in enumerate(cells) if cell["source"]]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": written,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def text_cell(text: str) -> dict[str, object]:
    """Text without the links of these pages."""
    source = MARKUP.sub(lambda link: link[1] or link[2] or "", text).strip()
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code_cell(block: str) -> dict[str, object]:
    """Code; where it shows an error, the cells below are run all the same."""
    tags = {"tags": ["raises-exception"]} if "\nTraceback (most" in block else {}
    cell = {"cell_type": "code", "metadata": tags, "source": code_of(block)}
    return cell | {"outputs": [], "execution_count": None}


def code_of(block: str) -> str:
    """The lines that are typed."""
    lines = block.splitlines()[1:-1]
    if any(line.startswith(">>>") for line in lines):
        lines = [line[4:] for line in lines if line.startswith((">>>", "..."))]
    return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Come after the plots are drawn and placed."""
    app.connect("builder-inited", read_pages)
    app.connect("source-read", add_links, priority=600)
    app.add_transform(LinkCode)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
