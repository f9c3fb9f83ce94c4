"""The parts of the fuzzer by name: modules with `cases(seed, share)`, `run(case)` and `GOOD`."""

from fuzz import commands, files, frames, walker

PARTS = {"frames": frames, "files": files, "commands": commands, "signatures": walker}
