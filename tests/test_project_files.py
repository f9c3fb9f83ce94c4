"""The files around the code agree with it."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from long_files import LONG_FILES, turn
from rocwise.about import VERSION

ROOT = Path(__file__).parents[1]


def test_citation_is_complete_and_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert all("name" in author or "family-names" in author for author in citation["authors"])
    assert citation["version"] == VERSION


def test_changelog_lists_changed_numbers_in_every_release() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.split(r"^## \[", text, flags=re.MULTILINE)[1:]
    assert releases
    for release in releases:
        assert "### Numbers that changed" in release, release.splitlines()[0]


def test_files_that_come_first_are_there() -> None:
    assert [name for name in LONG_FILES if not (ROOT / name).is_file()] == []
    first, other = (f"{name}::test" for name in (LONG_FILES[0], "tests/test_release.py"))
    assert sorted([other, f"{LONG_FILES[1]}::test[a::b]", first], key=turn)[::2] == [first, other]


def test_hooks_run_the_same_tools_as_make() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (repository,) = hooks["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        tool = Path(hook["entry"].split()[0]).name
        assert f"$(BIN)/{tool}" in makefile


def test_every_layer_is_described_to_contributors() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    modules = {name for layer in layers for name in re.findall(r"\w+", layer)} - {
        "about",
        "__main__",
    }
    described = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert {name for name in modules if f"`{name}`" not in described} == set()


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").glob("*.sh")), ids=lambda p: p.name)
def test_scripts_are_valid_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)


def find_python(python: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(ROOT / "scripts" / "find_python.sh")],
        env=os.environ | {"PYTHON": python},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_suitable_python_is_found() -> None:
    assert find_python(sys.executable).stdout.strip() == sys.executable


def test_without_a_suitable_python_the_message_has_the_remedy() -> None:
    done = find_python("no-such-python")
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr


def test_the_long_description_needs_no_other_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: dict[str, str] = {}
    monkeypatch.setattr("setuptools.setup", given.update)
    monkeypatch.setattr("setuptools.Extension", lambda name, **_: name)
    runpy.run_path(str(ROOT / "setup.py"))
    words = given["long_description"]
    assert words.startswith("# rocwise")
    assert "rw.threshold(" in words
    assert "![" not in words
    assert not [target for target in re.findall(r"\]\(([^)]*)\)", words) if "://" not in target]


def test_every_table_of_the_studies_is_shown() -> None:
    tables = {path.stem for path in (ROOT / "docs" / "validation" / "tables").glob("*.csv")}
    texts = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    shown = re.findall(r"^```\{(?:chart|numbers)\} (.+)$", "\n".join(texts), flags=re.MULTILINE)
    assert {name.replace(" ", "-") for name in shown} == tables
