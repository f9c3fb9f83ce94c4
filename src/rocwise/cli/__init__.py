"""The command line: parse, ask the library, print or save; no statistics here.

`command_list` lists the commands, `commands/` has one file for each, `dispatch` starts them and
turns what went wrong into one sentence and an exit code, `runner` prints and draws what they found.
Numpy is imported by the command that runs, so that help comes at once.
"""

from rocwise.cli.dispatch import main

__all__ = ["main"]
