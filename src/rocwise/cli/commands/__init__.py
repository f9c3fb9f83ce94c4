"""One file per command, each with `DESCRIPTION`, `EXAMPLES`, `add_options` and `run`.

A new command is a new file here and a line in `rocwise.cli.catalogue`. Numpy and the library are
imported inside `run`. Since a command has a tally or pairs in hand, it asks the analysis itself
(`rocwise.binary.areas.auc`): `rocwise.auc` is the same function behind a door for arrays and
frames, and that door loads every other analysis too.
"""
