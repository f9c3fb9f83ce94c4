"""Sphinx settings. Everything is local: the build and the built pages use no network."""

import sys
from importlib import metadata
from pathlib import Path

import numpydoc.xref
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "extensions"))
from reference_pages import public_names, write_reference_pages

project = "rocwise"
author = "The rocwise developers"
copyright = author
release = metadata.version("rocwise")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "charts",
    "drawn",
    "fields",
    "links",
    "mathematics",
    "own_members",
]
myst_enable_extensions = ["colon_fence", "dollarmath"]
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_js_files = ["copy.js"]
html_search_scorer = str(Path(__file__).parent / "extensions" / "search_scorer.js")
exclude_patterns = ["_build"]
nitpicky = False
myst_heading_anchors = 3

autosummary_generate = False  # the pages come from reference_pages.py
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc's parameter lists say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = True  # result classes are links
numpydoc_xref_aliases = {each.name: each.path for each in public_names() if each.kind == "class"}
numpydoc_xref_ignore = "all"
numpydoc.xref.DEFAULT_LINKS.clear()  # they need the indexes of other sites

html_theme = "furo"
html_title = f"rocwise {release}"
html_copy_source = False
html_show_sphinx = False


def setup(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "reference" / "generated"
    app.connect("builder-inited", lambda _: write_reference_pages(folder))
