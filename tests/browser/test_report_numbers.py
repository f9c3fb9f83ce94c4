"""What the page shows agrees with the library: counts, costs, predictive values, tests."""

import csv
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import rocwise as rw

from .conftest import Made, downloaded, fill, frame_of, three_models, value


def recount(made: Made, name: str, threshold: float) -> dict[str, int]:
    called, positive = made.scores[name] >= threshold, made.y == 1
    return {
        "tp": int(np.sum(called & positive)),
        "fp": int(np.sum(called & ~positive)),
        "fn": int(np.sum(~called & positive)),
        "tn": int(np.sum(~called & ~positive)),
    }


def shown_counts(page: Any) -> dict[str, int]:
    return {name: int(value(page, name)) for name in ("tp", "fp", "fn", "tn")}


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


@pytest.mark.parametrize("name", ["gbm", "rule"])
def test_counts_at_random_knots_are_those_of_the_rows(open_page: Any, big: Made, name: str) -> None:
    page = open_page(big.path)
    page.get_by_test_id("model-select").select_option(name)
    point = page.get_by_test_id("operating-point")
    last = int(point.get_attribute("aria-valuemax"))
    box = frame_of(page)
    draws = np.random.default_rng(5).random((25, 2))
    seen = set()
    for across, up in draws:
        x, y = box["x"] + across * box["width"], box["y"] + up * box["height"]
        page.mouse.click(x, y)
        point.press("ArrowRight" if up < 0.5 else "ArrowLeft")
        threshold = float(page.get_by_test_id("threshold").get_attribute("data-value"))
        counts = shown_counts(page)
        assert counts == recount(big, name, threshold)
        assert counts["tp"] + counts["fn"] == (big.y == 1).sum()
        assert counts["fp"] + counts["tn"] == (big.y == 0).sum()
        for cell, count in counts.items():
            assert number(page.get_by_test_id(cell).inner_text()) == count
        seen.add(threshold)
    assert len(seen) > min(10, last // 2)


def test_thresholds_of_all_knots_recount(open_page: Any, big: Made) -> None:
    """Not only those that were clicked: every knot in the page."""
    page = open_page(big.path)
    models = page.evaluate("JSON.parse(document.getElementById('rocwise-data').textContent).models")
    for model in models:
        knots = model["knots"]
        thresholds = np.array([math.inf if t is None else float(t) for t in knots["threshold"]])
        ranked = np.sort(big.scores[model["name"]])
        positives = np.sort(big.scores[model["name"]][big.y == 1])
        called = len(ranked) - np.searchsorted(ranked, thresholds, side="left")
        hits = len(positives) - np.searchsorted(positives, thresholds, side="left")
        assert np.array_equal(np.cumsum(knots["tp"]), hits)
        assert np.array_equal(np.cumsum(knots["tp"]) + np.cumsum(knots["fp"]), called)


def test_tooltip_agrees_with_python(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    box = frame_of(page)
    curve = rw.roc(big.pairs.tally("logreg"))
    for place in np.linspace(0.03, 0.97, 20):
        k = int(place * (len(curve.fpr) - 1))
        unit = box["width"] / 1.03
        x = box["x"] + (curve.fpr[k] + 0.015) * unit
        y = box["y"] + box["height"] - (curve.tpr[k] + 0.015) * unit
        page.mouse.move(x, y)
        tip = page.get_by_test_id("tooltip")
        name, threshold = tip.get_attribute("data-model"), tip.get_attribute("data-threshold")
        truth = recount(big, name, float(threshold))
        sensitivity = truth["tp"] / (truth["tp"] + truth["fn"])
        specificity = truth["tn"] / (truth["tn"] + truth["fp"])
        assert_allclose(float(tip.get_attribute("data-sensitivity")), sensitivity, rtol=1e-12)
        assert_allclose(float(tip.get_attribute("data-specificity")), specificity, rtol=1e-12)
        text = tip.inner_text()
        assert f"{sensitivity:.3f}" in text
        assert f"{specificity:.3f}" in text


SETTINGS = [
    *[(0.098, 1.0), (0.02, 1.0), (0.02, 50.0), (0.3, 3.0), (0.5, 1.0)],
    *[(0.9, 0.2), (0.098, 10.0), (0.001, 200.0), (0.2, 0.5), (0.7, 7.0)],
]


def test_least_cost_is_the_brute_force_minimum(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    tally = big.pairs.tally("gbm")
    fpr = np.concatenate([[0], tally.fp / tally.n_neg])
    tpr = np.concatenate([[0], tally.tp / tally.n_pos])
    for prevalence, ratio in SETTINGS:
        fill(page, "prevalence", prevalence)
        fill(page, "cost-ratio", ratio)
        page.get_by_test_id("least-cost").click()
        costs = prevalence * ratio * (1 - tpr) + (1 - prevalence) * fpr
        assert abs(value(page, "expected-cost") - costs.min()) < 1e-9
        library = rw.threshold(tally, costs=rw.Costs(fp=1, fn=ratio), prevalence=prevalence)
        assert abs(value(page, "expected-cost") - library.expected_cost) < 1e-9


def test_iso_cost_line_touches_the_curve(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    for prevalence, ratio in SETTINGS[:6]:
        fill(page, "prevalence", prevalence)
        fill(page, "cost-ratio", ratio)
        page.get_by_test_id("least-cost").click()
        line = page.get_by_test_id("iso-cost")
        x1, y1, x2, y2 = (float(line.get_attribute(each)) for each in ("x1", "y1", "x2", "y2"))
        slope = (1 - prevalence) / (prevalence * ratio)
        assert abs((y1 - y2) - slope * (x2 - x1)) < 1
        above = page.evaluate(
            """([x1, y1, x2, y2]) => {
              const curve = document.querySelector('[data-testid=roc-plot] path.selected');
              const points = curve.getAttribute('d').slice(1).split('L')
                .map((each) => each.split(',').map(Number));
              const norm = Math.hypot(x2 - x1, y2 - y1);
              return Math.max(...points.map(([x, y]) =>
                ((y - y1) * (x2 - x1) - (x - x1) * (y2 - y1)) / norm * -1));
            }""",
            [x1, y1, x2, y2],
        )
        assert above < 1


def test_prevalence_moves_predictive_values_only(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    path = "document.querySelector('[data-testid=roc-plot] path.selected').getAttribute('d')"
    before = value(page, "sensitivity"), value(page, "specificity"), page.evaluate(path)
    start = value(page, "prevalence")
    assert_allclose(start, big.y.mean(), rtol=1e-12)
    sens, spec = before[:2]
    for prevalence in (0.01, 0.35, 0.8):
        fill(page, "prevalence", prevalence)
        hits, alarms = prevalence * sens, (1 - prevalence) * (1 - spec)
        passed, missed = (1 - prevalence) * spec, prevalence * (1 - sens)
        assert_allclose(value(page, "ppv"), hits / (hits + alarms), rtol=1e-12)
        assert_allclose(value(page, "npv"), passed / (passed + missed), rtol=1e-12)
        after = value(page, "sensitivity"), value(page, "specificity"), page.evaluate(path)
        assert after == before
    page.get_by_test_id("reset").click()
    assert value(page, "prevalence") == start
    fill(page, "prevalence", 0.6)
    page.reload()
    assert value(page, "prevalence") == start
    page.get_by_test_id("reset").click()
    assert value(page, "prevalence") == start


def test_per_thousand_sums_to_a_thousand(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    cells = page.locator("[data-testid=per-1000] [data-value]")
    for prevalence in (0.098, 0.001, 0.333, 0.9):
        fill(page, "prevalence", prevalence)
        assert cells.count() == 4
        assert sum(number(text) for text in cells.all_inner_texts()) == 1000


def test_paired_table_is_that_of_compare(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    table = rw.compare(big.pairs).pairwise
    for k in range(3):
        row = page.locator(f"tr[data-a='{table['first'][k]}'][data-b='{table['second'][k]}']")
        names = {"difference": "difference"}
        names |= {name: f"{name}_adjusted" for name in ("low", "high", "p")}
        for testid, column in names.items():
            shown = float(row.get_by_test_id(testid).get_attribute("data-value"))
            assert shown == table[column][k]
        assert row.get_by_test_id("p").inner_text() == "< 0.001"
        assert row.get_by_test_id("difference").inner_text() == f"{table['difference'][k]:.3f}"


def test_swapping_a_pair_flips_the_sign_only(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    before = page.locator("tr[data-a=gbm][data-b=logreg]")
    values = {t: value(before, t) for t in ("difference", "low", "high", "p")}
    before.get_by_test_id("swap").click()
    after = page.locator("tr[data-a=logreg][data-b=gbm]")
    assert value(after, "difference") == -values["difference"]
    assert (value(after, "low"), value(after, "high")) == (-values["high"], -values["low"])
    assert value(after, "p") == values["p"]


def test_targets_and_youden_are_the_points_of_the_library(open_page: Any, tmp_path: Path) -> None:
    y, scores = three_models(500)
    rw.report(y, scores, path=tmp_path / "page.html", n_resamples=30)
    page = open_page(tmp_path / "page.html")
    for name in ("gbm", "rule"):
        page.get_by_test_id("model-select").select_option(name)
        tally = rw.tally(y, scores[name])
        for rate in ("sensitivity", "specificity"):
            for typed, fraction in (("90", 0.9), ("75%", 0.75), ("0,5", 0.5), ("1", 1.0)):
                page.get_by_test_id(f"target-{rate}").fill(typed)
                found = rw.at(tally, **{rate: fraction}, interpolate=False, n_resamples=2)
                assert shown_counts(page)["tp"] == found.tp[0]
                assert shown_counts(page)["fp"] == found.fp[0]
        page.get_by_test_id("youden").click()
        best = rw.threshold(tally, rule="youden")
        assert page.get_by_test_id("threshold").inner_text() == best.threshold_text


def test_fractions_are_parsed_or_marked_invalid(open_page: Any, small: Made) -> None:
    page = open_page(small.path)
    field = page.get_by_test_id("prevalence")
    for typed, fraction in (("10", 0.1), ("10%", 0.1), ("0.1", 0.1), ("0,25", 0.25), ("2%", 0.02)):
        field.fill(typed)
        assert value(page, "prevalence") == pytest.approx(fraction)
        assert field.get_attribute("aria-invalid") == "false"
    for typed in ("1", "0", "200", "ten", "-5%"):
        field.fill(typed)
        assert field.get_attribute("aria-invalid") == "true"
        assert "from 0.01% to 99.99%" in page.locator("#prevalence-hint").inner_text()
        assert field.input_value() == typed
        assert value(page, "prevalence") == 0.02
    page.get_by_test_id("target-sensitivity").fill("many")
    assert page.get_by_test_id("target-sensitivity").get_attribute("aria-invalid") == "true"
    page.get_by_test_id("reset").click()
    assert field.get_attribute("aria-invalid") == "false"
    assert len(field.input_value()) <= 5


def test_abstention_is_that_of_abstain(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    tally = big.pairs.tally("gbm")
    for ratio, abstaining in ((5.0, 0.2), (20.0, 0.5), (1.0, 0.1)):
        fill(page, "cost-ratio", ratio)
        fill(page, "abstain-cost", abstaining)
        costs = rw.Costs(fp=1, fn=ratio, abstain=abstaining)
        window = rw.abstain(tally, costs=costs)
        assert_allclose(value(page, "window"), window.expected_cost, rtol=1e-9)
        rate = float(page.get_by_test_id("window").get_attribute("data-rate"))
        assert_allclose(rate, window.abstention_rate, rtol=1e-9)


def test_areas_and_intervals_are_those_of_auc(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    for name in big.scores:
        area = rw.auc(big.pairs.tally(name))
        row = page.locator(f"[data-testid=models-table] tr[data-model={name}]")
        assert value(row, "auc") == area.value
        limits = row.locator("[data-low]")
        assert float(limits.get_attribute("data-low")) == area.interval.low
        assert float(limits.get_attribute("data-high")) == area.interval.high


DESIGNS = {
    "independent": (),
    "weights": ("sample_weight",),
    "clusters": ("groups",),
    "weights in clusters": ("sample_weight", "groups"),
}
MEASURES = ("sensitivity", "specificity", "ppv", "npv", "lr_positive", "lr_negative")


@pytest.mark.parametrize("design", DESIGNS)
def test_measures_at_every_threshold_are_those_of_at(
    open_page: Any, tmp_path: Path, design: str
) -> None:
    """Values and limits of all knots, empty cells among them, at two prevalences."""
    rng = np.random.default_rng(4)
    clusters = rng.integers(0, 30, 240)
    y = (rng.random(240) < 0.4).astype(int)
    effect = rng.normal(size=30)[clusters]
    scores = {"a": y + effect + rng.normal(size=240), "b": np.round(2 * y + effect)}
    known = {"sample_weight": rng.integers(1, 50, 240) / 10, "groups": clusters}
    pairs = rw.pair(y, scores, **{name: known[name] for name in DESIGNS[design]})
    rw.report(pairs, path=tmp_path / "page.html", n_resamples=30)
    page = open_page(tmp_path / "page.html")
    methods = page.get_by_test_id("methods").locator("p").first.inner_text()
    weighted = f"240 rows with a sum of weights of {known['sample_weight'].sum():g}"
    assert (weighted in methods) == ("sample_weight" in DESIGNS[design])
    resampled = "2,000 bootstrap resamples of clusters (seed 0)" in methods
    assert resampled == ("30 clusters" in methods) == ("groups" in DESIGNS[design])
    for prevalence in (None, 0.07):
        if prevalence is not None:
            fill(page, "prevalence", prevalence)
        rows = list(csv.DictReader(io.StringIO(downloaded(page, "download-csv").decode())))
        for name in scores:
            own = [row for row in rows if row["model"] == name]
            at = {"threshold": [float(row["threshold"]) for row in own], "rng": 0}
            table = rw.at(pairs.tally(name), prevalence=prevalence, **at)
            for column in (
                f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")
            ):
                shown = [float(row[column] or "nan") for row in own]
                known_by = np.ma.filled(table.columns[column].astype(float), np.nan)
                assert_allclose(shown, known_by, rtol=1e-5, atol=1e-9, err_msg=column)
    page.locator("details.data-table summary").first.click()
    points = page.locator("details.data-table table").first
    assert points.locator("tbody td").first.inner_text() == "∞"
    assert "Infinity" not in points.inner_text()
    for name in MEASURES:
        cell = page.locator("tr", has=page.get_by_test_id(name.replace("_", "-"))).first
        limits = cell.locator("[data-low]")
        table = rw.at(pairs.tally("b"), threshold=value(page, "threshold"), prevalence=0.07, rng=0)
        low, high = table.columns[f"{name}_low"][0], table.columns[f"{name}_high"][0]
        assert float(limits.get_attribute("data-low")) == pytest.approx(low, rel=1e-5)
        assert float(limits.get_attribute("data-high")) == pytest.approx(high, rel=1e-5)
        if not name.startswith("lr"):
            assert limits.inner_text() == f"{low:.3f}–{high:.3f}"


def test_models_are_tested_against_one_half(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    for name in big.scores:
        row = page.locator(f"[data-testid=models-table] tr[data-model={name}]")
        assert value(row, "p-chance") == rw.test_auc(big.pairs.tally(name)).p_value


def test_the_verdict_and_the_table_have_one_family_of_comparisons(
    open_page: Any, tmp_path: Path
) -> None:
    y, scores = three_models(400)
    scores["gbm"] = scores["logreg"] + 0.001 * scores["gbm"]
    pairs = rw.pair(y, scores)
    rw.report(pairs, path=tmp_path / "page.html", n_resamples=30)
    page = open_page(tmp_path / "page.html")
    table = rw.compare(pairs).pairwise
    row = list(zip(table["first"], table["second"], strict=True)).index(("gbm", "logreg"))
    difference, low, high, p = (
        table[name][row] for name in ("difference", "low_adjusted", "high_adjusted", "p_adjusted")
    )
    dash = "\N{NO-BREAK SPACE}…\N{NO-BREAK SPACE}" if low < 0 else "–"
    detail = f"95% CI {low:.3f}{dash}{high:.3f}, p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{p:.3f}"
    assert 0.001 < p < 0.999
    words = page.get_by_test_id("verdict").inner_text()
    assert f"{detail}, adjusted for 3 comparisons" in words.replace("−", "-")
    assert f"by {difference:.3f} (" in words
    summary = rw.summary(pairs)
    assert summary.columns["p_adjusted"][summary.names.index("logreg")] == p


def test_models_on_different_cases_have_their_own_counts(open_page: Any, tmp_path: Path) -> None:
    y, scores = three_models(400)
    parts = {"first": slice(0, 150), "second": slice(100, 400)}
    tallies = {name: rw.tally(y[part], scores["gbm"][part]) for name, part in parts.items()}
    rw.report(tallies, path=tmp_path / "page.html", n_resamples=30)
    page = open_page(tmp_path / "page.html")
    for words in (page.locator(".subtitle").inner_text(), page.locator("#methods").inner_text()):
        for name, tally in tallies.items():
            n_pos, n_neg = int(tally.n_pos), int(tally.n_neg)
            sample = f"{n_pos + n_neg} cases ({n_pos} positive, {n_neg} negative)"
            assert f"{name}: {sample}" in words
