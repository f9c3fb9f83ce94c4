"""Tables by column, which need no frame library: `columns` has them, `texts` writes them."""

from rocwise.tables.columns import (
    ReadOnlyDict,
    Table,
    TextTables,
    joined,
    joined_in_turn,
    with_thresholds_as_text,
)
from rocwise.tables.texts import NumberTexts, rounded

__all__ = [
    "NumberTexts",
    "ReadOnlyDict",
    "Table",
    "TextTables",
    "joined",
    "joined_in_turn",
    "rounded",
    "with_thresholds_as_text",
]
