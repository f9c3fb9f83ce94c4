"""Benchmarks: rocwise and its peers on the same data, in turn, in one run."""
