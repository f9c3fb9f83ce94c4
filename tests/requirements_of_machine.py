"""What some tests need of the machine: programs that pip cannot install.

`path = needs("chromium")` gives the program's path. Where it is missing the test is skipped with
a line with what to install; under `CI=true` it fails instead, so that nothing goes unchecked.
"""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

TABLE = Path(__file__).parents[1] / "scripts" / "system_packages.txt"


class Program(NamedTuple):
    name: str
    commands: list[str]
    packages: str
    need: str
    purpose: str


def programs(table: Path = TABLE) -> dict[str, Program]:
    """The rows of `scripts/system_packages.txt` by name."""
    found = {}
    for line in table.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, commands, packages, need, purpose = (cell.strip() for cell in line.split("|"))
            found[name] = Program(name, commands.split(), packages, need, purpose)
    return found


def needs(name: str, table: Path = TABLE) -> str:
    """The path of a program, or a visible skip (a failure under `CI=true` if it is needed)."""
    known = programs(table)
    if name not in known:
        raise KeyError(f"{name!r} has no line in {table.name}; it lists {sorted(known)}.")
    program = known[name]
    for command in program.commands:
        path = shutil.which(command)
        if path is not None:
            return path
    message = f"{name} is missing; on Debian or Ubuntu: apt-get install {program.packages}"
    if os.environ.get("CI") == "true" and program.need == "needed":
        pytest.fail(message)
    pytest.skip(message)
