"""Every command in the list exists and explains itself."""

import shlex
from pathlib import Path

import pytest

import rocwise.cli.commands
from rocwise.cli import dispatch as command_list
from rocwise.cli.options import parser_of


def test_the_list_and_the_folder_agree():
    folder = Path(rocwise.cli.commands.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == set(command_list.COMMANDS)


@pytest.mark.parametrize("name", command_list.COMMANDS)
def test_examples_of_a_command_can_be_parsed(name):
    command = command_list.load(name)
    parser = parser_of(name, command)
    lines = command.EXAMPLES.replace("\\\n", " ").splitlines()
    assert lines
    for line in lines:
        example = line.rpartition("|")[2].partition(" >")[0]
        program, called, *words = shlex.split(example, comments=True)
        assert (program, called) == ("rocwise", name)
        parser.parse_args(words)


def test_overview_fits_a_small_terminal():
    lines = command_list.overview().splitlines()
    assert max(map(len, lines)) <= 79
    for name, summary in command_list.COMMANDS.items():
        assert any(name in line and summary in line for line in lines)


def test_far_misses_get_no_suggestion():
    assert "did you mean" not in command_list.unknown("xyzzy")
    assert "did you mean 'thresholds'" in command_list.unknown("tresholds")


def test_the_page_on_the_command_line_lists_every_command():
    page = Path(__file__).parents[3] / "docs" / "guide" / "command-line.md"
    text = page.read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("| `")]
    listed = {name for line in table for name in line.split("|")[1].replace("`", "").split(", ")}
    assert {name.strip() for name in listed} == set(command_list.COMMANDS)
