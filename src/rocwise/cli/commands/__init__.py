"""One file per command, each with `DESCRIPTION`, `EXAMPLES`, `add_options` and `run`.

A new command is a new file here and a line in `rocwise.cli.command_list`. Numpy and the library are
imported inside `run`.
"""
