"""One module per command, with `DESCRIPTION`, `EXAMPLES`, `add_options` and `compute`.

`compute(options)` returns an `Output`, which `rocwise.cli.output` prints and plots; a command that
prints by itself has `run(options)` instead. `rocwise.cli.dispatch` has the table of commands.
"""
