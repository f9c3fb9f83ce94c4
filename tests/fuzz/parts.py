"""The parts of the fuzzer by name: modules with `cases(seed, fraction)`, `run(case)` and `GOOD`."""

from fuzz import commands, files, frames, walker

PARTS = {"frames": frames, "files": files, "commands": commands, "signatures": walker}
