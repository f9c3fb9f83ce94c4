"""The command line: parse, ask the library, print or save; no statistics here.

`catalogue` lists the commands, `commands/` has one file for each, `running` starts them and turns
what went wrong into one sentence and an exit code. Numpy is imported by the command that runs, so
that help comes at once.
"""

from rocwise.cli.dispatch import main

__all__ = ["main"]
