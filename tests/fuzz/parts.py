"""The parts of the fuzzer by name: modules with `cases(seed, share)`, `run(case)` and `GOOD`."""

from fuzz import walker

PARTS = {"signatures": walker}
