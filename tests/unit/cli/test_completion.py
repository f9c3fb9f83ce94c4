"""Completion in shells: every command and option, the choices of an option, else files."""

import shutil
import subprocess

import pytest

from rocwise.cli import main
from rocwise.cli.completion import SHELLS, script
from rocwise.cli.dispatch import COMMANDS, load
from rocwise.cli.options import parser_of
from rocwise.errors import InputError

OPTIONS = {name: {*parser_of(name, load(name))._option_string_actions} for name in COMMANDS}


def completed(*words, shell="bash"):
    """What bash offers in place of the last word."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    typed = " ".join(f"'{word}'" for word in words)
    code = f"{script('bash')}\nCOMP_WORDS=({typed}) COMP_CWORD={len(words) - 1}\n_rocwise\n"
    code += 'printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run([shell, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_commands():
    assert completed("rocwise", "") == set(COMMANDS)
    assert completed("rocwise", "th") == {"threshold", "thresholds"}
    assert completed("rocwise", "help", "th") == {"threshold", "thresholds"}
    assert completed("rocwise", "--c") == {"--completion"}
    assert completed("rocwise", "--completion", "") == set(SHELLS)


@pytest.mark.parametrize("name", ["auc", "threshold", "report", "power"])
def test_options_of_a_command(name):
    assert completed("rocwise", name, "x.csv", "--") == {o for o in OPTIONS[name] if o[:2] == "--"}
    assert completed("rocwise", name, "x.csv", "") == set()  # files, by `-o default`


def test_choices_of_an_option():
    assert completed("rocwise", "auc", "--direction", "") == {"higher", "lower"}
    assert completed("rocwise", "report", "x.csv", "--task", "o") == {"ordinal"}
    assert completed("rocwise", "auc", "x.csv", "--label", "") == set()
    assert completed("rocwise", "auc", "x.csv", "--method", "b") == {"bca", "bootstrap"}
    assert completed("rocwise", "threshold", "x.csv", "--rule", "y") == {"youden"}


@pytest.mark.parametrize("shell", SHELLS)
def test_all_shells_complete_all_options(shell, capsys):
    assert main(["--completion", shell]) == 0
    text = capsys.readouterr().out
    for name, words in OPTIONS.items():
        for word in words:
            shown = f" -l {word[2:]} " if word.startswith("--") else f" -s {word[1:]} "
            lines = [line for line in text.splitlines() if name in line]
            assert any((shown if shell == "fish" else word) in line for line in lines), word
    if (program := shutil.which(shell)) is not None:
        subprocess.run([program, "-n"], input=text, text=True, check=True)


def test_other_shells_are_invalid():
    with pytest.raises(InputError, match="must be one of bash, zsh, fish; got 'tcsh'"):
        script("tcsh")
