"""One file per command, each with `DESCRIPTION`, `EXAMPLES`, `add_options` and `run`.

A new command is a new file here and a line in `rocwise.cli.command_list`. Most commands have
`ask(options)` too, which answers with `rocwise.cli.runner.Answers`; `run` leaves the rest to the
runner. Numpy and the library, by its public names, are imported inside `ask`. What two commands
share lies above, in `cli` or in `cli.reports`.
"""
