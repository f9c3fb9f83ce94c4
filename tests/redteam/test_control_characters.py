"""Names of columns with control characters are escaped in terminals and plots."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest

import rocwise as rw
from rocwise.cli import main
from rocwise.cli.dispatch import COMMANDS
from rocwise.plotting import save

EVIL = "a\x1b]0;owned\x07\x1b[31m\x00\x9b2J\u202e\x0b<&>\"'"
SECOND = "b\x1b[2J\x08"
RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 60)
A, B = Y + RNG.normal(size=60), Y + RNG.normal(size=60)
UNIT = 1 / (1 + np.exp(-A))
TWO = ["--score", EVIL, "--score", SECOND]
WORDS = {
    "rec": ["--target", "t", "--prediction", EVIL, "--prediction", SECOND, "--resamples", "200"],
    "multiclass": ["--label", "c", "--score", EVIL, "--score", SECOND, "--score", "t"],
    "ordinal": ["--label", "c", *TWO],
    "abstain": ["--label", "y", *TWO, "--cost-fp", "1", "--cost-fn", "2", "--cost-abstain", "0.2"],
    "reliable": ["--label", "y", *TWO, "--positive", "0.6", "--negative", "0.6"],
    "costs": ["--label", "y", *TWO, "--resamples", "100"],
    "threshold": ["--label", "y", *TWO, "--rule", "youden"],
    "at": ["--label", "y", *TWO, "--threshold", "0.5"],
    "calibration": ["--label", "y", "--score", EVIL],
    "smooth": ["--label", "y", "--score", EVIL],
    "band": ["--label", "y", *TWO, "--resamples", "200"],
    "survival": ["--time", "days", "--event", "y", *TWO, "--times", "1"],
    "readers": ["--label", "ill", "--score", EVIL, "--case", "case", "--reader", "reader"],
    "froc": [
        *("--cases", "cases.csv", "--case", "case", "--score", EVIL),
        *("--lesion", "ill", "--lesions", "ill", "--resamples", "200"),
    ],
}
WITHOUT_FILE = {"bounds", "power", "demo", "studio"}
CALLS = [
    (command, as_json)
    for command in sorted(set(COMMANDS) - WITHOUT_FILE)
    for as_json in (False, True)
    if not (as_json and command == "report")  # which is a page
]
CONTROL = {chr(k) for k in (*range(32), *range(127, 160))} - {"\n"} | {"\u202e"}


def csv_cell(text):
    return '"' + text.replace('"', '""') + '"'


@pytest.fixture
def table(tmp_path):
    columns = {"y": Y, EVIL: UNIT, SECOND: B, "t": B + 1, "c": RNG.permutation(np.arange(60) % 3)}
    case, reader = np.arange(60) % 30, np.arange(60) // 30
    columns |= {"days": np.exp(1 - A), "case": case, "reader": reader, "ill": case % 2}
    cases = "case,ill\n" + "".join(f"{k},{k % 2}\n" for k in range(30))
    (tmp_path / "cases.csv").write_text(cases)
    header = ",".join(map(csv_cell, columns))
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path = tmp_path / "s.csv"
    path.write_text("\n".join([header, *rows, ""]), newline="")
    return path


@pytest.mark.parametrize(("command", "as_json"), CALLS)
def test_commands(table, tmp_path, capsys, monkeypatch, command, as_json):
    monkeypatch.chdir(tmp_path)  # a report is written there
    plot = tmp_path / "p.svg"
    words = [command, str(table), *WORDS.get(command, ["--label", "y", *TWO])]
    drawn = command != "report" and not as_json  # the same plot either way
    words += ["--plot", str(plot)] if drawn else []
    code = main([*words, "--json"] if as_json else words)
    out, err = capsys.readouterr()
    assert code == 0, err
    assert not CONTROL & set(out + err)
    if as_json:
        json.loads(out)
    assert plot.exists() == drawn
    if drawn:
        root = ElementTree.parse(plot).getroot()
        assert root.tag.endswith("svg")


@pytest.mark.parametrize("name", [EVIL, "\ud800", "\ufffe", "\x00", "a\nb", "\u2028"])
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_plots_of_any_name(tmp_path, name, kind):
    path = tmp_path / f"p.{kind}"
    save({name: rw.roc(Y, A), "b": rw.roc(Y, B)}, path, title=f"{name}!")
    if kind == "svg":
        text = "".join(ElementTree.parse(path).getroot().itertext())
        assert not CONTROL & set(text)


def test_results_in_print():
    for result in (
        rw.compare(Y, {EVIL: A, SECOND: B}),
        rw.auc(rw.pair(Y, {EVIL: A, SECOND: B})),
        rw.pair(Y, {EVIL: A, SECOND: B}),
        rw.auc(Y, A, by=np.where(B > 0, EVIL, SECOND)),
    ):
        assert not CONTROL & set(repr(result))


def test_errors_in_print():
    with pytest.raises(rw.InputError) as caught:
        rw.pair(Y, {EVIL: A, SECOND: np.array([EVIL] * 60)})
    assert not CONTROL & set(str(caught.value))
