"""The payload and the page: contents and errors."""

import json
import re
import warnings
from typing import Any

import numpy as np
import pytest

import rocwise as rw
from rocwise.reporting.html import embedded_json
from rocwise.reporting.payload import histogram, table

HOSTILE = "</script><img src=x onerror=alert(1)><!-- \u2028"
RNG = np.random.default_rng(2)
Y = np.arange(90) % 3 == 0
A, B = RNG.normal(size=90) + 1.5 * Y, RNG.normal(size=90) + 0.5 * Y
C = RNG.normal(size=90)
FAST = {"n_resamples": 30, "path": None}


def payload(*args, **options):
    fast = {"path": None} if "task" in options else FAST
    return rw.report(*args, **fast | options).payload


def data_in(page):
    found = re.search(r'<script type="application/json" id="rocwise-data">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


def test_all_forms_of_data_make_the_same_page(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"y": Y.astype(int), "a": A, "b": B})
    frame.to_csv(tmp_path / "s.csv", index=False)
    forms = [
        payload(rw.pair(Y, {"a": A, "b": B})),
        payload(Y, scores={"a": A, "b": B}),
        payload(frame, label="y", scores=["a", "b"]),
        payload(tmp_path / "s.csv", label="y", scores=["a", "b"]),
    ]
    for each in forms[1:]:
        assert each["models"] == forms[0]["models"]
        assert each["comparison"] == forms[0]["comparison"]


def test_one_model_has_no_comparison():
    for made in (payload(rw.tally(Y, A)), payload(Y, scores=A), payload(Y, scores={"a": A})):
        assert made["comparison"] is None
        assert len(made["models"]) == 1
        assert made["models"][0]["auc"]["value"] == rw.auc(Y, A).value


def test_pairs_are_those_of_compare():
    pairs = rw.pair(Y, {"a": A, "b": B, "c": C})
    result = rw.compare(pairs)
    made = payload(pairs)["comparison"]
    assert [row["difference"] for row in made["rows"]] == list(result.pairwise["difference"])
    assert [row["p"] for row in made["rows"]] == list(result.pairwise["p_adjusted"])
    assert [row["low"] for row in made["rows"]] == list(result.pairwise["low_adjusted"])
    assert made["joint"]["p"] == result.p_value
    assert (made["adjusted"], made["simultaneous"]) == ("Holm", True)


def test_all_models_have_the_interval_of_one_method():
    scores = {"a": A, "b": B, "separated": Y}
    methods = {model["auc"]["method"] for model in payload(Y, scores=scores)["models"]}
    assert methods == {"Wilson (effective n)"}
    cited = payload(Y, scores=scores)["methods"]["references"]
    assert [each.split(" ")[0] for each in cited[:9]] == [
        *(
            "The",
            "DeLong",
            "Wilson",
            "Birnbaum",
            "Brunner",
            "Krishnamoorthy",
            "Satterthwaite",
            "Holm",
            "Mercaldo",
        )
    ]
    assert f"rocwise: ROC analysis in Python. Version {rw.__version__}" in cited[0]
    assert len(set(cited)) == len(cited)
    made = payload(Y, scores={"a": A, "b": B}, method="logit")["models"]
    assert made[1]["auc"]["low"] == rw.auc(Y, B, method="logit").interval.low
    with pytest.raises(rw.InputError, match="`method` must be one of"):
        payload(Y, scores=A, method="none")
    with pytest.raises(rw.InputError, match="task 'regression' has none"):
        payload(Y, scores=A, task="regression", method="delong")


def test_limits_of_several_models_on_different_cases_hold_for_all_pairs():
    tallies = [rw.tally(Y[:n], A[:n]) for n in (60, 75, 90)]
    made = payload({str(len(each.scores)): each for each in tallies})["comparison"]
    alone = rw.compare(*tallies[:2], level=1 - 0.05 / 3)
    assert made["simultaneous"]
    assert (made["rows"][0]["low"], made["rows"][0]["high"]) == tuple(alone.interval)


def test_models_on_different_cases_are_compared_unpaired():
    one, other = rw.tally(Y, A), rw.tally(Y[:60], B[:60])
    made = payload({"one": one, "other": other})
    assert {"code": "different-cases"} in made["notes"]
    assert made["comparison"]["rows"][0]["p"] == rw.compare(one, other).p_value


def test_notes_contain_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.RocwiseWarning)
        codes = {note["code"] for note in payload(Y[:30], scores={"m": A[:30] < 1})["notes"]}
    assert {"few-positives", "few-negatives", "below-half", "ties"} <= codes
    missing = A.copy()
    missing[3] = np.nan
    notes = payload(Y, scores={"m": missing}, missing="drop")["notes"]
    assert {"code": "dropped", "n": 1} in notes
    with pytest.warns(rw.errors.MisuseWarning, match="19 clusters"):  # by `at`
        notes = payload(Y, scores={"m": A}, groups=np.arange(90) % 19)["notes"]
    assert {"code": "few-clusters", "n": 19} in notes
    notes = payload(Y, scores={"m": A}, groups=np.arange(90) % 20)["notes"]
    assert "few-clusters" not in {note["code"] for note in notes}
    groups = np.arange(90) // 2
    notes = payload(Y, scores={"m": A, "n": B}, groups=groups)["notes"]
    assert {"code": "clusters", "n": 45} in notes


def test_weights_leave_out_what_does_not_take_them():
    made = payload(Y, scores={"m": A}, sample_weight=np.linspace(1, 2, 90))
    assert made["cases"]["weighted"]
    assert {"code": "weighted"} in made["notes"]
    assert all("weight" in each["why"] for each in made["omitted"] if "band" in each["section"])
    with pytest.raises(rw.InputError, match="min_cell"):
        payload(Y, scores={"m": A}, sample_weight=np.ones(90) * 2, min_cell=5)


@pytest.mark.parametrize(
    ("y", "score"),
    [
        ([0, 1], [0, 1]),
        ([0, 0, 0, 1], [1, 2, 3, 4]),
        ([0, 1, 0, 1], [1, 1, 1, 1]),
        ([0, 1, 0, 1], [0.0, np.inf, 0.5, 1.0]),
        ([0, 1, 1, 1, 1], [-np.inf, 0, 0, 0, 0]),
    ],
    ids=["two cases", "one positive", "all tied", "infinite", "minus infinite"],
)
@pytest.mark.filterwarnings("ignore::rocwise.RocwiseWarning")
def test_extremes_make_a_page(y, score):
    made = rw.report(y, scores={"m": score}, **FAST)
    assert data_in(made.page) == json.loads(json.dumps(made.payload))
    area = made.payload["models"][0]["auc"]
    assert 0 <= area["low"] <= area["value"] <= area["high"] <= 1


def test_names_cannot_leave_the_data():
    made = rw.report(Y, scores={HOSTILE: A}, title=HOSTILE, **FAST)
    page = made.page
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert data_in(page)["models"][0]["name"] == HOSTILE
    assert json.loads(embedded_json({"x": HOSTILE})) == {"x": HOSTILE}


def test_the_page_asks_for_nothing():
    page = rw.report(Y, scores={"m": A}, **FAST).page
    head = page[: page.index("<style>")]
    assert "default-src 'none'" in head
    assert not re.search(r"<(link|iframe|img|script)[^>]*\b(src|href)=", page)
    assert not re.search(r"url\((?!#)", page[page.index("<style>") : page.index("</style>")])


def test_methods_are_those_of_the_design_with_their_sources():
    weights, groups = np.linspace(1, 2, 90), np.arange(90) // 3
    for options, cited, uncited in (
        ({}, ("Mercaldo", "Simel", "Macskassy"), ("Kish", "Obuchowski")),
        ({"sample_weight": weights}, ("Mercaldo", "Kish"), ("Obuchowski",)),
        ({"groups": groups}, ("Obuchowski", "Efron"), ("Mercaldo", "Simel")),
    ):
        made = payload(Y, scores={"m": A, "n": B}, **options)
        sources = " ".join(made["methods"]["references"])
        assert all(name in sources for name in cited)
        assert not any(name in sources for name in uncited)
    assert made["cases"]["clusters"] == 30
    assert made["versions"]["numpy"] == np.__version__


@pytest.mark.parametrize("kind", ["working-hotelling", "future"])
def test_bands_have_the_resamples_and_the_sources_of_the_library(kind):
    made = payload(Y, scores={"m": A}, bands=[kind])
    expected = rw.band(Y, A, kind=kind, n_resamples=30, rng=0)
    band = made["models"][0]["bands"][kind]
    assert band["area"] == pytest.approx(expected.area)
    assert (band["n_resamples"], band["seed"]) == (expected.n_resamples, expected.seed)
    assert {*expected.to_dict()["references"]} <= {*made["methods"]["references"]}


def test_reasons_for_what_is_omitted_have_no_python_in_them():
    reasons = [each["why"] for each in payload(Y, scores={"m": A})["omitted"]]
    assert any("needs scores from 0 to 1" in why for why in reasons)
    assert not any("`" in why or "Pass " in why for why in reasons)


def test_min_cell_holds_everywhere():
    made = payload(Y, scores={"m": A, "tied": A.round()}, min_cell=7)
    for model in made["models"]:
        steps = np.array(model["knots"]["tp"]) + np.array(model["knots"]["fp"])
        assert np.all(steps[1:] >= 7)
        bars = np.array(model["histogram"]["pos"]) + np.array(model["histogram"]["neg"])
        assert np.all((bars == 0) | (bars >= 7))
        assert bars.sum() == 90  # no bar that the sum would disclose is left out
        assert len(model["path"]["x"]) <= len(steps)
    assert made["settings"]["min_cell"] == 7


def test_min_cell_keeps_clusters_and_leaves_out_single_scores():
    groups = np.arange(90) // 3
    effect = RNG.normal(size=30)[groups]
    scores = 1 / (1 + np.exp(-A - 2 * effect))
    options = {"scores": {"m": scores}, "groups": groups, "n_resamples": 200}
    whole, merged = (payload(Y, **options, min_cell=k) for k in (1, 2))
    areas = [made["models"][0]["bands"]["simultaneous"]["area"] for made in (whole, merged)]
    independent = rw.band(rw.tally(Y, scores), n_resamples=200, rng=0).area
    assert abs(areas[1] - areas[0]) < abs(areas[1] - independent) / 2
    assert whole["models"][0]["auc"] == merged["models"][0]["auc"]
    assert {"code": "min-cell", "n": 2} in merged["notes"]
    assert {"code": "clusters", "n": 30} in merged["notes"]
    (curve,) = merged["sections"]
    assert (curve["id"], curve["tables"]) == ("precision-recall", [])
    precision = rw.precision_recall(rw.tally(Y, scores)).average_precision
    labels = [layer.get("label") for layer in curve["plots"][0]["layers"]]
    assert f"m, AP {precision:.2f}" in labels
    left_out = {each["section"] for each in merged["omitted"]}
    assert left_out == {"smooth-roc", "confident-segment", "decision-curve", "calibration"}


@pytest.mark.parametrize("task", ["multiclass", "ordinal", "regression"])
@pytest.mark.parametrize(
    "option",
    [
        *({"min_cell": 20}, {"max_knots": 5}, {"bands": ()}, {"n_resamples": 30}),
        *({"prevalence": 0.2}, {"costs": rw.Costs(1, 2)}),
    ],
    ids=lambda option: next(iter(option)),
)
def test_options_of_two_classes_raise_for_other_tasks(task, option):
    y = np.arange(90) % 3
    predicted = RNG.random((90, 3)) if task == "multiclass" else A + y
    with pytest.raises(rw.InputError, match=f"`{next(iter(option))}` is not used .* task='{task}'"):
        payload(y, scores={"m": predicted}, task=task, **option)


def test_nothing_in_the_page_confirms_a_guess_of_the_rows():
    """Two tables whose steps are the same make the same page, whatever their single scores are."""
    moved = np.where(np.argsort(np.argsort(A)) == 40, A + 1e-9, A)
    one, other = (rw.report(Y, scores={"m": each}, min_cell=10, **FAST) for each in (A, moved))
    assert one.page == other.page


def test_ties_are_noted_where_they_matter():
    few, many = np.round(A, 1), A > 1
    codes = [
        [note["code"] for note in payload(Y, scores={"m": each})["notes"]] for each in (few, many)
    ]
    assert "ties" not in codes[0]
    assert "ties" in codes[1]


def test_bands_show_no_more_than_the_curve():
    """They are the curve, moved: with `min_cell` that of the merged steps."""
    made = payload(Y, scores={"m": A}, min_cell=7, bands=("fixed-width",))
    model = made["models"][0]
    merged = rw.Tally.from_counts(
        -np.arange(len(model["knots"]["tp"]) - 1.0),
        model["knots"]["tp"][1:],
        model["knots"]["fp"][1:],
    )
    band = rw.band(merged, kind="fixed-width", n_resamples=30, rng=0)
    assert model["bands"]["fixed-width"]["area"] == pytest.approx(band.area, abs=1e-12)


def test_few_points_of_many_cases():
    rng = np.random.default_rng(0)
    y = np.arange(30_000) % 2
    made = payload(y, scores={"m": rng.normal(size=30_000) + y}, bands=(), max_knots=500)
    assert len(made["models"][0]["knots"]["tp"]) <= 501
    assert made["models"][0]["bands"] == {}
    whole = payload(y, scores={"m": rng.normal(size=30_000) + y}, bands=(), max_knots=None)
    assert len(whole["models"][0]["knots"]["tp"]) == 30_001


def test_models_of_clusters_have_fewer_points_each_with_limits():
    rng = np.random.default_rng(0)
    y, groups = np.arange(3000) % 2, np.arange(3000) // 4
    (model,) = payload(y, scores={"m": rng.normal(size=3000) + y}, groups=groups, bands=())[
        "models"
    ]
    assert len(model["knots"]["tp"]) <= 501
    assert {len(ends) for limits in model["limits"].values() for ends in limits} == {
        len(model["knots"]["tp"])
    }


def test_histogram_counts_every_case():
    for scores in (A, A.round(), A * 1e-300, A * 1e200, np.zeros(90)):
        bars = histogram(rw.tally(Y, scores))
        assert sum(bars["pos"]) == Y.sum()
        assert sum(bars["neg"]) == (~Y).sum()
        assert len(bars["edges"]) == len(bars["pos"]) + 1


@pytest.mark.parametrize(
    "scores",
    [
        [0, 1e-310, 2e-310, 3e-310],
        [-1.5e308, -1e308, 1e308, 1.5e308],
        [1, 1 + 2e-16, 1 + 4e-16, 1 + 6e-16],
        [1e300] * 4,
        [-np.inf, 0, 1, np.inf],
    ],
)
def test_scores_at_the_edge_of_floats_make_a_page(scores):
    made = rw.report([0, 1, 0, 1], scores={"m": scores}, **FAST)
    bars = data_in(made.page)["models"][0]["histogram"]
    if bars is None:
        assert "histogram" in [each["section"] for each in made.payload["omitted"]]
    else:
        assert np.all(np.diff(bars["edges"]) > 0)


def test_halves_of_signs_do_not_spoil_the_file(tmp_path):
    """As in names of files that are no UTF-8."""
    path = tmp_path / "report.html"
    rw.report(Y, scores={"m\udc80": A}, title="t\udc80", **FAST | {"path": path})
    page = path.read_text(encoding="utf-8")
    assert "<title>t\ufffd</title>" in page
    assert data_in(page)["models"][0]["name"] == "m\udc80"


def test_names_that_read_identically_raise():
    tally = rw.tally(Y, A)
    with pytest.raises(rw.InputError, match="two models whose name reads '1': 1 and '1'"):
        rw.report({1: tally, "1": tally})
    grades = np.arange(90) % 3
    with pytest.raises(rw.InputError, match="`scores` has two models"):
        rw.report(grades, scores={1: A, "1": B}, task="ordinal")


def test_long_tables_report_omitted_rows():
    assert table({"x": range(200)}, "all")["title"] == "all"
    cut = table({"x": range(1234)}, "some")
    assert (cut["title"], len(cut["columns"]["x"])) == ("some (first 200 of 1,234 rows)", 200)


def test_start_is_what_was_requested():
    costs = rw.Costs(fp=2, fn=10, abstain=1)
    start = payload(Y, scores={"m": A}, costs=costs, prevalence=0.02)["state"]
    assert (start["prevalence"], start["cost_ratio"], start["abstain_cost"]) == (0.02, 5, 0.5)


def test_written_where_it_was_requested(tmp_path):
    path = tmp_path / "a report.html"
    made = rw.report(Y, scores={"m": A}, **FAST | {"path": path})
    assert made.path == path
    assert path.read_text(encoding="utf-8") == made.page
    assert "written to" in repr(made)
    assert "sandbox=" in made._repr_html_()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"path": "no/such/folder.html"}, "`path` is in a folder that does not exist"),
        ({"path": "."}, "`path` is a folder"),
        ({"min_cell": 0}, "`min_cell`"),
        ({"max_knots": 1}, "`max_knots`"),
        ({"level": 2}, "`level`"),
        ({"prevalence": 1.0}, "`prevalence`"),
        ({"task": "triage"}, "`task`"),
        ({"language": "it"}, "`language`"),
        ({"bands": ("wavy",)}, "`bands`"),
        ({"costs": (1, 2)}, "`costs`"),
        ({"scores": {}}, "scores"),
    ],
)
def test_errors_name_the_argument(options, words):
    requested: dict[str, Any] = {"scores": {"m": A}} | options
    with pytest.raises(rw.InputError, match=re.escape(words)):
        rw.report(Y, **requested)


def test_a_dict_of_something_else_raises():
    with pytest.raises(rw.InputError, match=r"report\(y_true, "):
        rw.report({"a": A})
    with pytest.raises(rw.InputError, match="task='ordinal'"):
        rw.report(Y, task="ordinal")


@pytest.mark.parametrize("task", ["multiclass", "ordinal", "regression"])
def test_other_tasks_have_sections_with_plots(task):
    y = np.arange(90) % 3
    scores: dict[str, Any] = {"a": A + y, "b": B + y}
    if task == "multiclass":
        scores = {name: RNG.random((90, 3)) + np.eye(3)[y] for name in scores}
    made = payload(y, scores=scores, task=task)
    assert made["task"] == task
    assert len(made["sections"]) >= 3
    assert all(part["plots"] for part in made["sections"])
    json.dumps(made, allow_nan=False)
    one = payload(y, scores={"a": scores["a"]}, task=task)
    assert "comparison" not in {part["id"] for part in one["sections"]}
    assert one["summary"]["comparison"] is None


def test_numbers_of_other_tasks_are_those_of_the_library():
    y = np.arange(90) % 3
    scores = {"a": A + y, "b": B + y, "c": C + y}
    ordinal = payload(y, scores=scores, task="ordinal")["summary"]
    area = rw.ordinal.auc(y, scores["b"])
    assert ordinal["quantity"] == "VUS"
    assert ordinal["models"][1]["value"] == area.value
    assert (ordinal["models"][1]["low"], ordinal["models"][1]["high"]) == tuple(area.interval)
    table = rw.ordinal.compare(y, scores, rng=0).pairwise
    assert [row["p"] for row in ordinal["comparison"]["rows"]] == list(table["p_adjusted"])
    assert (ordinal["n"], ordinal["classes"], ordinal["chance"]) == (90, ["0", "1", "2"], 1 / 6)
    forecasts = payload(y, scores={"a": A + y, "b": B + y}, task="regression")["summary"]
    assert forecasts["better"] == "lower"
    assert forecasts["models"][0]["value"] == rw.regression.rec(y, A + y).aoc
    test = rw.regression.compare(y, {"a": A + y, "b": B + y}, rng=0)
    assert forecasts["comparison"]["rows"][0]["p"] == test.p_value


def test_rows_without_values_are_noted():
    y = np.arange(90) % 3
    gap = np.where(np.arange(90) == 4, np.nan, A + y)
    made = payload(y, scores={"a": gap}, task="ordinal", missing="drop")
    assert made["summary"]["n"] == 89
    assert made["notes"] == [{"code": "dropped", "n": 1}]


def test_sections_come_in_their_order_in_the_colours_of_the_models():
    chances = {"logit": B, "chance": 1 / (1 + np.exp(-A))}
    made = payload(Y, scores=chances)
    names = ["smooth-roc", "confident-segment", "precision-recall", "decision-curve", "calibration"]
    assert [part["id"] for part in made["sections"]] == names
    # "logit" is no probability: the other one keeps the colour that it has everywhere
    assert {each["model"] for each in made["omitted"] if each["section"] == "calibration"} == {
        "logit"
    }
    layers = made["sections"][-1]["plots"][0]["layers"]
    assert {layer["slot"] for layer in layers if layer.get("role") != "reference"} == {1}


def test_columns_of_several_models_find_their_classes(tmp_path):
    y = np.array(["low", "mid", "high"])[np.arange(90) % 3]
    columns = {
        f"{model}_{label}": RNG.random(90).round(4) + (y == label)
        for model in ("net", "tree")
        for label in ("low", "mid", "high")
    }
    rows = zip(y.tolist(), *(column.tolist() for column in columns.values()), strict=True)
    text = "\n".join(",".join(map(str, row)) for row in rows)
    (tmp_path / "c.csv").write_text(f"kind,{','.join(columns)}\n{text}\n")
    made = payload(tmp_path / "c.csv", task="multiclass", label="kind", scores=list(columns))
    table = np.column_stack([columns[f"tree_{label}"] for label in ("high", "low", "mid")])
    expected = rw.multiclass.auc(y, table, classes=["high", "low", "mid"]).value
    found = {model["name"]: model["value"] for model in made["summary"]["models"]}
    assert list(found) == ["net", "tree"]
    assert found["tree"] == pytest.approx(expected, abs=1e-12)


def test_a_file_of_another_task(tmp_path):
    rows = "\n".join(f"{k % 3},{k},{90 - k}" for k in range(90))
    (tmp_path / "g.csv").write_text(f"grade,a,b\n{rows}\n")
    made = payload(tmp_path / "g.csv", task="ordinal", label="grade", scores=["a", "b"])
    assert "comparison" in {part["id"] for part in made["sections"]}
