"""The demo from the outside: its numbers, its files, and the lines it invites to type."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import rocwise as rw

pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")

PROGRAMS = Path(sys.executable).parent
pytestmark = pytest.mark.xdist_group("breast-cancer")


class Demo(NamedTuple):
    folder: Path
    out: str
    labels: np.ndarray
    logistic: np.ndarray
    tree: np.ndarray


def shell(command: str, folder: Path) -> str:
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=os.environ | {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.replace("wrote roc.svg\n", "")) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("demo")
    out = shell("rocwise demo", folder)
    path = folder / "rocwise-demo" / "scores.csv"
    return Demo(folder, out, *np.loadtxt(path, delimiter=",", skiprows=1, unpack=True))


def recipe(demo: Demo, title: str) -> str:
    """The indented lines below a title."""
    found = re.search(rf"^{title}\n((?:  .*\n)+)", demo.out, re.MULTILINE)
    assert found is not None
    return "\n".join(line[2:] for line in found[1].splitlines())


def test_fits_an_ordinary_terminal(demo: Demo) -> None:
    assert max(map(len, demo.out.splitlines())) <= 80


def test_areas(demo: Demo) -> None:
    from sklearn.metrics import roc_auc_score

    for name in ("logistic", "tree"):
        area = roc_auc_score(demo.labels, getattr(demo, name))
        assert re.search(rf"^{name} +{area:.3f}  0\.\d+ to [01]\.\d+ ", demo.out, re.MULTILINE)


def test_comparison(demo: Demo) -> None:
    pairs = rw.pair(demo.labels, {"logistic": demo.logistic, "tree": demo.tree})
    assert str(rw.compare(pairs)) in " ".join(demo.out.split())


def test_thresholds_recount_and_are_the_best(demo: Demo) -> None:
    pattern = (
        r"^(largest Youden|cost ratio FN : FP of 10).*  score >= (\S+) +(\d+) +(\d+) +(\d+) +(\d+) "
    )
    rows = re.findall(pattern, demo.out, re.MULTILINE)
    assert [aim for aim, *_ in rows] == ["largest Youden", "cost ratio FN : FP of 10"]
    values = []
    for _, threshold, *counts in rows:
        called = demo.logistic >= float(threshold)
        tp, fp = int(called[demo.labels == 1].sum()), int(called[demo.labels == 0].sum())
        assert [int(count) for count in counts] == [tp, fp, 212 - tp, 357 - fp]
        values.append((tp / 212 - fp / 357, fp + 10 * (212 - tp)))
    cuts = [demo.logistic >= score for score in np.unique(demo.logistic)]
    every = [(cut[demo.labels == 1].sum(), cut[demo.labels == 0].sum()) for cut in cuts]
    assert values[0][0] == pytest.approx(max(tp / 212 - fp / 357 for tp, fp in every))
    assert values[1][1] == min(fp + 10 * (212 - tp) for tp, fp in every)


def test_same_scores_every_time(demo: Demo) -> None:
    from rocwise.datasets import breast_cancer_scores

    cases = breast_cancer_scores()
    np.testing.assert_array_equal(demo.labels, cases.y_true)
    np.testing.assert_array_equal(demo.logistic, cases.scores["logistic"])
    np.testing.assert_array_equal(demo.tree, cases.scores["tree"])


def test_plots(demo: Demo) -> None:
    folder = demo.folder / "rocwise-demo"
    for name in ("roc", "thresholds"):
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    svg = (folder / "roc.svg").read_text(encoding="utf-8")
    assert "logistic" in svg
    assert "tree" in svg
    assert "Sensitivity" in (folder / "thresholds.svg").read_text(encoding="utf-8")


def test_python_lines_run_and_agree(demo: Demo, tmp_path: Path) -> None:
    script = tmp_path / "recipe.py"
    script.write_text(recipe(demo, "The same in Python"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=demo.folder,
        env=os.environ | {"MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    comparison, area, cheapest, window = done.stdout.splitlines()
    assert comparison in " ".join(demo.out.split())
    value, low, high = re.findall(r"\d\.\d{3}", area)
    assert re.search(rf"^logistic +{value}  {low} to {high} ", demo.out, re.MULTILINE)
    threshold = re.search(r"positive when score >= (\S+):", cheapest)
    assert threshold is not None
    assert re.search(rf"cost ratio .*score >= {re.escape(threshold[1])} ", demo.out)
    assert window in " ".join(demo.out.split())


def test_shell_lines_run_and_agree(demo: Demo) -> None:
    printed = shell(f"set -e\n{recipe(demo, 'The same in a shell')}", demo.folder)
    for name in ("logistic", "tree"):
        row = re.search(rf"^{name} +0\.\d+ .*$", demo.out, re.MULTILINE)
        assert row is not None
        assert row[0] in printed
    difference = re.search(r"difference (\S+) \(95% CI (\S+)", demo.out)
    assert difference is not None
    assert f"difference {difference[1]} (95% CI {difference[2]} to " in " ".join(printed.split())
    cheapest = re.search(r"cost ratio .*score >= (\S+) ", demo.out)
    assert cheapest is not None
    assert f"logistic: positive when score >= {cheapest[1]}: " in printed
    window = re.search(
        r"^positive if score >= \S+, negative if score <= \S+,", demo.out, re.MULTILINE
    )
    assert window is not None
    assert f"logistic: {window[0]}" in printed
    assert (demo.folder / "roc.svg").exists()
