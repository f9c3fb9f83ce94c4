"""The command line: parse, call the library, print, save or plot; no statistics here.

`dispatch` has the table of commands and turns errors into exit codes, `commands/` a module for each
command, `options`, `data` and `output` what is common to them.
"""

from rocwise.cli.dispatch import main

__all__ = ["main"]
