"""Sphinx extension: formulas become MathML while the pages are built, and browsers set it.

docutils translates the notation; nothing is fetched, no script runs, and no font is needed.
"""

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def mathml_of(node: nodes.Element, *, block: bool = False) -> str:
    """The formula of a node; one that cannot be translated is a warning, which ends a build."""
    try:
        return latex2mathml.tex2mathml(node.astext(), as_block=block)
    except MathError as error:
        LOGGER.warning("the formula %r cannot be set: %s", node.astext(), error, location=node)
        return ""


def visit_inline(self: object, node: nodes.Element) -> None:
    """Write a formula within a line."""
    self.body.append(mathml_of(node))  # type: ignore[attr-defined]
    raise nodes.SkipNode


def visit_block(self: object, node: nodes.Element) -> None:
    """Write a formula on a line of its own."""
    formula = mathml_of(node, block=True)
    self.body.append(f'<div class="math">{formula}</div>')  # type: ignore[attr-defined]
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Make it known as `html_math_renderer = "mathml"`."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
