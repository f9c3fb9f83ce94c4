"""Simulation studies of rocwise, with its public names only; see README.md in this folder."""
