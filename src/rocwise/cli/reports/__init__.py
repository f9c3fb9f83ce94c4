"""Answers as text: tables and paragraphs that one command prints, or several.

Each module takes results of the library and makes lines for the screen of them; none asks
anything new. What every report needs lies above, in `cli.text_tables` and `cli.terminal`.
"""
