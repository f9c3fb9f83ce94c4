"""The page that ships is the one that the sources build, and its own tests pass."""

import filecmp
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import rocwise
from requirements_of_machine import needs

FRONTEND = Path(__file__).parents[2] / "frontend"
SHIPPED = Path(rocwise.__file__).parent / "reporting" / "assets"
LOCK = FRONTEND / "node_modules" / ".package-lock.json"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=FRONTEND, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture(scope="module")
def packages() -> None:
    """What the lockfile names, installed when that changed."""
    npm = needs("node")
    wanted = (FRONTEND / "package-lock.json").stat().st_mtime
    if LOCK.is_file() and LOCK.stat().st_mtime >= wanted:
        return
    done = run(npm, "ci")
    if done.returncode != 0:
        pytest.skip(f"the packages of frontend/ cannot be installed: {done.stderr[-300:]}")
    os.utime(LOCK)


@pytest.mark.usefixtures("packages")
def test_shipped_bundle_is_that_of_the_sources(tmp_path: Path) -> None:
    done = run("node", "build.mjs", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(path.name for path in SHIPPED.iterdir())
    _, differing, errors = filecmp.cmpfiles(tmp_path, SHIPPED, names, shallow=False)
    assert not differing + errors, "run `make page`"


def test_shipped_bundle_was_built_from_these_sources() -> None:
    """Without Node, by the checksums that the build leaves: of all sources, and of each file."""
    written = (SHIPPED / "checksums.txt").read_text(encoding="utf-8").split()
    known = dict(zip(written[1::2], written[::2], strict=True))
    names = [path.relative_to(FRONTEND).as_posix() for path in (FRONTEND / "src").rglob("*.*")]
    total = hashlib.sha256()
    for name in sorted([*names, "build.mjs", "package-lock.json"]):
        total.update(name.encode() + b"\0" + (FRONTEND / name).read_bytes() + b"\0")
    assert known.pop("frontend") == total.hexdigest(), "run `make page`"
    shipped = {path.name for path in SHIPPED.iterdir()} - {"checksums.txt"}
    assert set(known) == shipped
    for name, checksum in known.items():
        assert hashlib.sha256((SHIPPED / name).read_bytes()).hexdigest() == checksum, name


@pytest.mark.usefixtures("packages")
def test_types_of_the_sources() -> None:
    done = run("npx", "--no-install", "tsc", "--noEmit")
    assert done.returncode == 0, done.stdout


@pytest.mark.usefixtures("packages")
def test_unit_tests_of_the_sources() -> None:
    done = run("npx", "--no-install", "vitest", "run")
    assert done.returncode == 0, done.stdout[-3000:]


def test_bundle_is_within_its_budget() -> None:
    assert (SHIPPED / "page.js").stat().st_size <= 160_000
    script = (SHIPPED / "page.js").read_text(encoding="utf-8")
    assert "</script" not in script
    assert "http://" not in script.replace("http://www.w3.org/", "")
    assert "https://" not in script


def test_nothing_needs_node_at_run_time() -> None:
    assert shutil.which("node") is None or (SHIPPED / "page.css").is_file()
    notices = (SHIPPED / "THIRD_PARTY_NOTICES.txt").read_text(encoding="utf-8")
    assert all(name in notices for name in ("preact", "@preact/signals", "d3-scale"))
