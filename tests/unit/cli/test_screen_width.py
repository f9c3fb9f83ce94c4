"""Help and results fit a screen of 80 columns: of every command, and of every example it shows."""

import shlex

import numpy as np
import pytest

from rocwise.cli import dispatch as command_list
from rocwise.cli import terminal
from rocwise.cli.options import parser_of
from rocwise.cli.terminal import display_width
from rocwise.datasets import marked_lesions, reader_study
from unit.cli.command_runs import write_csv

SCREEN = 80
ROWS = 120
FOR_PROGRAMS = ("--json", "--csv")  # not for the screen
COLUMN_OPTIONS = ("--score", "--versus", "--prediction")
STOPS_BY_ITSELF = [name for name in command_list.COMMANDS if name not in ("studio", "demo")]


def widest(text):
    return max(text.splitlines(), key=display_width, default="")


def examples_of(name):
    """The examples as one would type them, without the pipes around them."""
    lines = command_list.load(name).EXAMPLES.replace("\\\n", " ").splitlines()
    typed = [line.rpartition(" | ")[2].partition(" > ")[0].partition("#")[0] for line in lines]
    return [line.strip().removeprefix("rocwise ") for line in typed]


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", command_list.COMMANDS)
def test_help_fits(run, monkeypatch, name, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    outcome = run(name, "--help")
    assert outcome.code == 0
    line = widest(outcome.out)
    assert display_width(line) <= min(columns, terminal.WIDEST_HELP), line


@pytest.mark.parametrize("name", command_list.COMMANDS)
def test_examples_of_the_help_can_be_typed(run, name):
    shown = run(name, "--help").out.partition("examples:\n")[2]
    examples = [shlex.split(each, comments=True) for each in shown.replace("\\\n", "").splitlines()]
    plain = command_list.load(name).EXAMPLES.replace("\\\n", "").splitlines()
    assert examples == [shlex.split(each, comments=True) for each in plain]


def test_a_usage_names_required_options():
    usage = parser_of("at", command_list.load("at")).usage
    assert usage is not None
    assert " ".join(usage.split()) == (
        "rocwise at FILE --label COLUMN --score COLUMN "
        "(--threshold | --sensitivity | --specificity | --fpr | --alarms) [options]"
    )
    assert parser_of("studio", command_list.load("studio")).usage == (
        "rocwise studio [FILE] [options]"
    )


def values_after(words, option):
    return [words[k + 1] for k, word in enumerate(words[:-1]) if word == option]


def write_reader_study(folder, words):
    """The files of examples of reader studies."""
    one_modality = {"separation": (1.2,), "ai": 1.6} if "--ai" in words else {}
    study, marked = reader_study(4, 15, 15, **one_modality), marked_lesions(2, 15, 15)
    rows = study.columns | {"reader": np.where(study.reader == "AI", "CAD", study.reader)}
    files = {"study": rows, "marks": marked.marks, "cases": marked.cases}
    for name, columns in files.items():
        write_csv(folder / f"{name}.csv", list(columns), *columns.values())
    truth = dict(zip(study.case, study.y_true, strict=True))
    lines = ["BEGIN DATA:", *(f"-1,{case},0,{label}" for case, label in truth.items())]
    cells = zip(study.reader, study.case, study.modality, study.y_score, strict=True)
    lines += [",".join(map(str, row)) for row in cells]
    (folder / "study.imrmc").write_text("\n".join(lines))


def write_data(folder, name, words):
    """A table with the columns of an example."""
    rng = np.random.default_rng(3)
    task = next(iter(values_after(words, "--task")), name)
    forecasts = task in ("rec", "regression")
    many = task in ("multiclass", "ordinal")
    place = rng.integers(0, 3 if many else 2, ROWS)
    label = next(iter(values_after(words, "--label") + values_after(words, "--target")), "y")
    classes = np.array(["0", "1", "2"], dtype=object)
    for option, given in (("--classes", slice(3)), ("--order", slice(3)), ("--pos-label", 1)):
        if option in words:
            after = words[words.index(option) + 1 :]
            classes[given] = after[given] if isinstance(given, slice) else after[0]
    truth = place + rng.random(ROWS) if forecasts else classes[place]
    columns: dict[str, np.ndarray] = {
        label: truth,
        "patient": np.arange(ROWS) // 2,
        "fold": np.arange(ROWS) % 5,
    }
    columns |= {"sex": np.arange(ROWS) % 2, "country": np.arange(ROWS) % 3}
    for option in COLUMN_OPTIONS:
        for k, column in enumerate(values_after(words, option)):
            there = (place == k) if task == "multiclass" else place / place.max()
            columns[column] = 0.6 * rng.random(ROWS) + 0.4 * there
    return write_csv(folder / "table.csv", list(columns), *columns.values())


def write_cohort(folder):
    """A file of follow-up with the columns of the examples."""
    rng = np.random.default_rng(2)
    risk = rng.random(ROWS).round(3)
    days = np.ceil(rng.exponential(900 * (1.2 - risk)))
    event = rng.random(ROWS) < 0.7
    columns = {
        "days": days,
        "t": days,
        "died": event * 1,
        "status": event * rng.integers(1, 3, ROWS),
    }
    columns |= {"a": risk, "b": rng.random(ROWS), "risk": risk}
    write_csv(folder / "cohort.csv", list(columns), *columns.values())


@pytest.mark.parametrize(
    "example", [each for name in STOPS_BY_ITSELF for each in examples_of(name)]
)
def test_results_fit(run, tmp_path, monkeypatch, example):
    monkeypatch.chdir(tmp_path)
    name, *words = [word for word in shlex.split(example) if word not in FOR_PROGRAMS]
    if "--plot" in words:  # a plot is not on the screen
        at = words.index("--plot")
        del words[at : at + 2]
    if "--case" in words or words[0].endswith(".imrmc"):
        write_reader_study(tmp_path, words)
    elif name == "survival" or "cohort.csv" in words:
        write_cohort(tmp_path)
    else:
        path = write_data(tmp_path, name, words)
        words = [
            str(path.name) if word == "-" or word.endswith((".csv", ".parquet")) else word
            for word in words
        ]
    parser = parser_of(name, command_list.load(name))
    if "--resamples" in parser._option_string_actions and "--task" not in words:
        words += ["--resamples", "100"]
    outcome = run(name, *words)
    assert outcome.code == 0, outcome.err
    line = widest(outcome.out)
    assert display_width(line) <= SCREEN, line
