"""Exit codes and sentences, whatever goes wrong."""

import os
import subprocess
import sys

import pytest

import rocwise
from rocwise import kernels
from rocwise.cli import dispatch as command_list
from rocwise.cli.commands import auc, roc
from rocwise.errors import InputError, missing_package
from rocwise.kernels.threads import thread_limit
from unit.cli.command_runs import members


def failing_with(problem):
    def fail(options):
        raise problem

    return fail


def roc_words(scores):
    return ["roc", str(scores.path), "--label", "ill", "--score", "a"]


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_is_the_overview(run, word):
    assert run(word) == (0, command_list.overview() + "\n", "")


def test_no_command_fails_with_the_overview(run):
    assert run() == (2, "", command_list.overview() + "\n")


def test_version_names_the_kernels(run):
    expected = f"rocwise {rocwise.__version__}, kernels: {kernels.ACTIVE}\n"
    assert run("--version") == (0, expected, "")
    assert kernels.ACTIVE in {"compiled", "numpy"}


def test_unknown_command(run):
    outcome = run("acu", "x.csv")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: there is no command 'acu'; did you mean 'auc'?")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--label", "y"], "the following arguments are required: FILE, --score"),
        (["x.csv", "--label", "y", "--score", "p", "--level", "x"], "invalid float value: 'x'"),
        (["x.csv", "--label", "y", "--score", "p", "--nonsense"], "unrecognized arguments"),
        (["x.csv", "--lab", "y", "--score", "p"], "required: --label"),
    ],
    ids=["missing", "not a number", "unknown", "abbreviated"],
)
def test_bad_usage_is_one_sentence(run, words, sentence):
    code, out, err = run("auc", *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("problem", "code", "sentence"),
    [
        (InputError("`missing` is wrong."), 2, "error: --missing is wrong.\n"),
        (ValueError("`missing` is odd."), 2, "error: `missing` is odd.\n"),
        (PermissionError(13, "Permission denied", "x.svg"), 1, "error: x.svg: permission denied\n"),
        (OSError("odd"), 1, "error: odd\n"),
        (OSError(28, "No space left on device"), 1, "error: no space left on device\n"),
        (MemoryError(), 1, "error: out of memory.\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (SystemExit(3), 3, ""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_known_problems(run, scores, monkeypatch, problem, code, sentence):
    monkeypatch.setattr(roc, "compute", failing_with(problem))
    assert run(*roc_words(scores)) == (code, "", sentence)


def test_missing_package_names_the_remedy(run, scores, monkeypatch):
    problem = missing_package("duckdb", "files", "reading")
    monkeypatch.setattr(roc, "compute", failing_with(problem))
    code, _, err = run(*roc_words(scores))
    assert code == 1
    assert "pip install 'rocwise[files]'" in err


def test_a_mistake_of_ours_is_not_hidden(run, scores, monkeypatch):
    monkeypatch.setattr(roc, "compute", failing_with(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        run(*roc_words(scores))


def test_a_name_that_the_terminal_cannot_show(scores):
    text = scores.path.read_text(encoding="utf-8").replace("ill,a,b", "ill,模型,b")
    scores.path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "rocwise", "auc", str(scores.path)]
    done = subprocess.run(
        [*command, "--label", "ill", "--score", "模型"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "??" in done.stdout


def test_json_survives_an_ascii_terminal(run, scores):
    outcome = run("auc", scores.path, "--label", "ill", "--score", "a", "--json")
    assert outcome.out.isascii()
    assert members(outcome.out)["kind"] == "Auc"


def test_threads_are_limited_while_the_command_runs(run, scores, monkeypatch):
    seen: list[int] = []
    compute = auc.compute

    def watched(options):
        seen.append(thread_limit())
        return compute(options)

    monkeypatch.setattr(auc, "compute", watched)
    words = ["auc", scores.path, "--label", "ill", "--score", "a"]
    assert run(*words, "--threads", 7).code == 0
    with rocwise.threads(5):
        assert run(*words).code == 0
    assert seen == [7, 5]


def test_invalid_numbers_of_threads_raise(run, scores):
    code, out, err = run("auc", scores.path, "--label", "ill", "--score", "a", "--threads", 0)
    assert (code, out) == (2, "")
    assert err == "error: --threads must be an integer of at least 1; got 0.\n"


@pytest.mark.parametrize("name", command_list.COMMANDS)
def test_commands_with_a_seed_take_threads(run, name):
    help_text = run(name, "--help").out
    assert ("--seed" in help_text) == ("--threads" in help_text)
