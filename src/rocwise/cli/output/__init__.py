"""How answers are written: text for a screen, JSON, tables, Python."""
