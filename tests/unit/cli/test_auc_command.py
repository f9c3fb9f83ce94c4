"""``rocwise auc``."""

import re

import pytest
from sklearn.metrics import roc_auc_score

import rocwise as rw
from unit.cli.command_runs import members

BOTH = ("--label", "ill", "--score", "a", "--score", "b")
ONE = BOTH[:4]


def test_table_agrees_with_the_library(run, scores):
    code, out, err = run("auc", scores.path, *BOTH)
    assert (code, err) == (0, "")
    heading, blank, header, *rows = out.splitlines()
    n_pos = int(scores.ill.sum())
    assert heading == f"{scores.path}: {n_pos} positives, {300 - n_pos} negatives"
    assert blank == ""
    assert re.split("  +", header) == ["model", "AUC", "95% CI", "SE", "interval by"]
    for row, name, score in zip(rows, "ab", (scores.a, scores.b), strict=True):
        area = rw.auc(scores.ill, score)
        assert re.split("  +", row) == [
            name,
            f"{area.value:.3f}",
            f"{area.interval.low:.3f} to {area.interval.high:.3f}",
            f"{area.standard_error:.4f}",
            "Wilson (effective n)",
        ]


def test_json_has_every_digit(run, scores):
    document = members(run("auc", scores.path, *ONE, "--json").out)
    assert document["value"] == pytest.approx(roc_auc_score(scores.ill, scores.a), abs=1e-12)
    area = rw.auc(scores.ill, scores.a)
    assert document["interval"] == area.interval.to_dict()
    assert (document["kind"], document["origin"]["name"]) == ("Auc", "a")


def test_seed_repeats_a_bootstrap(run, scores):
    words = ("auc", scores.path, *ONE, "--method", "bootstrap", "--resamples", "50", "--json")
    first = run(*words, "--seed", "1")
    assert first.code == 0
    assert run(*words, "--seed", "1") == first
    other = members(run(*words, "--seed", "2").out)
    assert other["interval"]["low"] != members(first.out)["interval"]["low"]


@pytest.mark.parametrize(
    ("words", "options", "kind"),
    [
        (["--max-fpr", "0.2"], {"max_fpr": 0.2}, "partial area over FPR 0 to 0.2."),
        (
            ["--max-fpr", "0.2", "--standardize"],
            {"max_fpr": 0.2, "standardize": True},
            "standardized partial area over FPR 0 to 0.2.",
        ),
        (["--fpr-range", "0.1", "0.3"], {"fpr_range": (0.1, 0.3)}, "over FPR 0.1 to 0.3."),
        (["--tpr-range", "0.8", "1"], {"tpr_range": (0.8, 1)}, "over TPR 0.8 to 1."),
    ],
    ids=["max-fpr", "standardize", "fpr-range", "tpr-range"],
)
def test_parts(run, scores, words, options, kind):
    area = rw.auc(scores.ill, scores.a, **options)
    assert members(run("auc", scores.path, *ONE, *words, "--json").out)["value"] == area.value
    out = run("auc", scores.path, *ONE, *words).out
    assert out.rstrip().endswith(kind)
    digits = 3 if "standardize" in options else 4
    assert f" {area.value:.{digits}f} " in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--level", "95"], "--level must lie strictly between 0 and 1; got 95.0."),
        (["--max-fpr", "2"], "--max-fpr must lie"),
        (["--method", "guess"], "--method must be one of 'auto', 'delong'"),
        (["--max-fpr", "0.1", "--tpr-range", "0", "1"], "not allowed with argument --max-fpr"),
        (["--method", "bootstrap", "--resamples", "0"], "--resamples must be an integer"),
    ],
    ids=["level", "max-fpr", "method", "two parts", "resamples"],
)
def test_errors(run, scores, words, sentence):
    code, out, err = run("auc", scores.path, *ONE, *words)
    assert (code, out) == (2, "")
    assert sentence in err


def test_the_warning_about_the_direction_names_the_model(run, table_of):
    rows = [f"{int(k > 8)},{k},{-k}" for k in range(18)]
    path = table_of("y,up,down", *rows)
    code, _, err = run("auc", path, "--label", "y", "--score", "up", "--score", "down")
    assert code == 0
    assert err.startswith("warning: down: The AUC is below 0.5")
    assert "pass --direction lower if" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("words", "curves"), [([], True), (["--max-fpr", "0.2"], False)])
def test_plot(run, scores, tmp_path, words, curves):
    pytest.importorskip("matplotlib")
    target = tmp_path / "areas.svg"
    code, out, err = run("auc", scores.path, *BOTH, *words, "--plot", target)
    assert (code, err) == (0, f"wrote {target}\n")
    assert "AUC" in out
    svg = target.read_text(encoding="utf-8")
    assert ("True positive rate" in svg) == curves
    low = rw.auc(scores.ill, scores.a, **({} if curves else {"max_fpr": 0.2})).interval.low
    assert f"{low:.3f}" in svg


def test_all_methods_are_compared(run, scores):
    out = run("auc", scores.path, *BOTH, "--all-methods", "--resamples", 200, "--seed", 1).out
    table = rw.auc_intervals(scores.ill, scores.a, n_resamples=200, rng=1)
    assert table.advice in " ".join(out.split())
    for method, low, high in zip(table.method, table.low, table.high, strict=True):
        assert re.search(rf"^{method} +0\.\d+ +{low:.3f} +{high:.3f} ", out, re.MULTILINE)


def test_groups_by_several_columns(run, tmp_path):
    groups = [f"{g},2026-01-0{day}" for day in (1, 2) for g in "uv"]
    rows = [f"{k % 2},{k % 7},{k % 5},{groups[k // 2 % 4]}" for k in range(80)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["y,a,b,g,day", *rows]) + "\n")
    words = ("--label", "y", "--score", "a", "--by", "g", "--by", "day")
    found = rw.auc(path, label="y", score="a", by=["g", "day"])
    out = run("auc", path, *words).out
    assert "g, day" in out
    assert out.count("u, 2026-01-0") == out.count("v, 2026-01-0") == 2
    results = members(run("auc", path, *words, "--json").out)["results"]
    assert [each["value"] for each in results.values()] == [float(each) for each in found.values()]
    csv = run("auc", path, *words, "--csv").out
    assert csv.startswith("model,g,day,value,")
    pytest.importorskip("matplotlib")
    for more in ((), ("--score", "b")):
        plot = tmp_path / f"p{len(more)}.svg"
        outcome = run("auc", path, *words, *more, "--plot", plot)
        assert outcome.code == 0, outcome.err
        assert plot.exists()
