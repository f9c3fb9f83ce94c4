"""The helper that needs programs and the script that installs them use one table."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from requirements_of_machine import TABLE, needs, programs

SCRIPT = TABLE.with_name("system_packages.sh")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The script and a table with one program that is there and two that are not."""
    shutil.copy(SCRIPT, tmp_path)
    path = tmp_path / "system_packages.txt"
    path.write_text(
        "# name | commands | packages | need | purpose\n"
        "shell | no-such-shell sh | dash | needed | running scripts\n"
        "browser | no-such-browser | a-browser its-driver | needed | looking at pages\n"
        "toy | no-such-toy | a-toy | optional | playing\n"
        "crane | no-such-crane | a-crane | by hand | lifting\n"
    )
    return path


def test_the_real_table_is_well_formed() -> None:
    for program in programs().values():
        assert program.commands
        assert program.packages
        assert program.need in {"needed", "optional", "by hand"}
        assert program.purpose


def test_missing_program_skips_with_a_remedy(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install a-browser its-driver"):
        needs("browser", table)


def test_missing_program_fails_under_ci(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="browser is missing"):
        needs("browser", table)
    with pytest.raises(pytest.skip.Exception):
        needs("toy", table)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_script_names_what_is_missing_and_goes_on(table: Path) -> None:
    done = subprocess.run(
        ["sh", str(table.with_name(SCRIPT.name))],
        env=os.environ | {"ROCWISE_SYSTEM_PACKAGES": "no"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "browser (needed) is missing: looking at pages. "
        "On Debian or Ubuntu: apt-get install a-browser its-driver",
        "toy (optional) is missing: playing. On Debian or Ubuntu: apt-get install a-toy",
        "crane (by hand) is missing: lifting. On Debian or Ubuntu: apt-get install a-crane",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_what_comes_by_hand_is_never_installed(table: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, does in (("id", "echo 0"), ("apt-get", f'echo "$@" >> {tmp_path}/requested')):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    subprocess.run(
        ["sh", str(table.with_name(SCRIPT.name))],
        env=os.environ
        | {"PATH": f"{tools}:{os.environ['PATH']}", "ROCWISE_SYSTEM_PACKAGES": "yes"},
        capture_output=True,
        check=True,
    )
    requested = (tmp_path / "requested").read_text()
    assert "a-toy" in requested
    assert "a-crane" not in requested
