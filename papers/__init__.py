"""The papers behind rocwise, run again: one folder for each, and `index.md` that sums up."""
