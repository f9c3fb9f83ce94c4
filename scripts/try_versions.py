"""Tests a wheel with the oldest packages that pyproject.toml allows, or with the newest there are.

python scripts/try_versions.py oldest|newest [--wheel FILE] [--keep FOLDER] [options of pytest]

The Python that runs this is the Python that is tested. It makes a virtual environment, installs
the wheel (built from this tree unless one is named) with every extra but Spark, and the data
frames of the test group, and runs scripts/test_installed.py there.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = ("plot", "files", "excel", "word", "models", "studio")
FRAMES = ("pandas", "polars", "pyarrow")
TOOLS = ("pytest", "hypothesis", "httpx2", "httpx")  # the last for old versions of Starlette


def lower_bounds(root: Path = ROOT) -> dict[str, str]:
    """The oldest version of every package that a user may have with rocwise."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    needed = list(project["dependencies"])
    for extra in EXTRAS:
        needed += project["optional-dependencies"][extra]
    bounds = dict(map(split, needed))
    tested = dict(map(split, filter(bounded, settings["dependency-groups"]["test"])))
    return bounds | {name: tested[name] for name in FRAMES}


def bounded(requirement: object) -> bool:
    """Whether a line of a group is a package with a lower bound."""
    return isinstance(requirement, str) and ">=" in requirement


def split(requirement: str) -> tuple[str, str]:
    """Name and lower bound.

    >>> split("numpy>=2.0")
    ('numpy', '2.0')
    """
    match = re.fullmatch(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)", requirement)
    if match is None:
        raise ValueError(f"{requirement} has no lower bound alone")
    return match[1], match[2]


def requirements(which: str) -> list[str]:
    """What pip installs: the bounds themselves, or the same names and their newest."""
    bounds = lower_bounds()
    if which == "newest":
        return [*bounds, *TOOLS]
    return [*(f"{name}=={version}" for name, version in bounds.items()), *TOOLS]


def python_in(folder: Path) -> Path:
    """The Python of a virtual environment."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def run(command: Iterable[object]) -> None:
    """Run a command; its failure is ours."""
    subprocess.run(list(map(str, command)), check=True, cwd=ROOT)


def built(folder: Path) -> Path:
    """A wheel of this tree, with build tools of its own."""
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, ROOT])
    (wheel,) = folder.glob("rocwise-*.whl")
    return wheel


def main() -> None:
    """Install and test."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("which", choices=("oldest", "newest"))
    parser.add_argument("--wheel", type=Path, help="a wheel that is built already")
    parser.add_argument("--keep", type=Path, help="make the environment here and leave it")
    options, more = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        wheel = (options.wheel or built(Path(temporary))).resolve()
        home = options.keep or Path(temporary) / "environment"
        venv.create(home, with_pip=True)
        python = python_in(home)
        needed = [wheel, *requirements(options.which)]
        run([python, "-m", "pip", "install", "-q", "--only-binary=:all:", *needed])
        run([python, ROOT / "scripts" / "test_installed.py", "--kernels", "compiled", *more])


if __name__ == "__main__":
    main()
