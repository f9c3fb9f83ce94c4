"""The page as a page: offline, small, quick, for the keyboard, for phones, for print, for files."""

import csv
import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import rocwise as rw
from rocwise.datasets import reader_study

from . import pace
from .conftest import (
    HOSTILE,
    Made,
    downloaded,
    fill,
    frame_of,
    grave,
    snap,
    value,
    wait_until_ready,
)
from .pace import by_processor, moved


def test_opens_offline_and_asks_for_nothing(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    requested = [url for url in page.requests if not url.startswith(("data:", "blob:"))]
    assert requested == [big.path.as_uri()]
    policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "http" not in policy


def test_is_small_and_shown_fast(browser: Any, big: Made) -> None:
    """In time of the processor until all charts stand, which holds on a busy machine, too."""
    assert big.path.stat().st_size <= 300_000
    context = browser.new_context(offline=True)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(big.path.as_uri())
    wait_until_ready(page)
    metrics = session.send("Performance.getMetrics")["metrics"]
    spent = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
    context.close()
    assert spent <= 1.0


def test_a_move_of_the_point_is_little_work(open_page: Any, big: Made) -> None:
    """In time of the processor, so that it holds on a busy machine, too."""
    page = open_page(big.path)
    work = by_processor(page)
    assert work.median <= pace.FRAME
    assert work.slow <= pace.SLOW
    assert page.evaluate("performance.memory.usedJSHeapSize") <= 40e6


def test_dragging_moves_what_depends_on_the_point(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    before = value(page, "threshold"), value(page, "tp"), value(page, "expected-cost")
    moved(page)
    after = value(page, "threshold"), value(page, "tp"), value(page, "expected-cost")
    assert all(a != b for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_the_plot_is_square_and_fits(open_page: Any, big: Made, width: int) -> None:
    page = open_page(big.path, width=width)
    box = frame_of(page)
    assert box["width"] / box["height"] == pytest.approx(1, abs=0.005)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    point, svg = page.get_by_test_id("operating-point"), page.get_by_test_id("roc-plot")
    for key in ("Home", "End"):
        point.press(key)
        dot, whole = point.locator(".dot").bounding_box(), svg.bounding_box()
        assert dot["x"] >= whole["x"]
        assert dot["y"] >= whole["y"]
        assert dot["x"] + dot["width"] <= whole["x"] + whole["width"]
    snap(page, f"width-{width}")


def test_keyboard(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    point = page.get_by_test_id("operating-point")
    for _ in range(40):
        page.keyboard.press("Tab")
        if point.evaluate("(e) => e === document.activeElement"):
            break
    else:
        raise AssertionError("Tab does not reach the point")
    ring = point.locator(".focus-ring").evaluate("(e) => getComputedStyle(e).stroke")
    assert ring not in ("none", "rgba(0, 0, 0, 0)")
    seen = [point.get_attribute("aria-valuetext")]
    place = int(point.get_attribute("aria-valuenow"))
    steps = {"ArrowRight": 1, "ArrowUp": 1, "ArrowLeft": -1, "PageUp": 10, "PageDown": -10}
    for key, step in steps.items():
        page.keyboard.press(key)
        place += step
        assert int(point.get_attribute("aria-valuenow")) == place
        seen.append(point.get_attribute("aria-valuetext"))
    page.keyboard.press("Home")
    assert point.get_attribute("aria-valuetext").startswith("threshold ∞, sensitivity 0.000")
    assert page.get_by_test_id("threshold").get_attribute("data-value") == "Infinity"
    page.keyboard.press("End")
    assert "sensitivity 1.000, specificity 0.000" in point.get_attribute("aria-valuetext")
    assert len(set(seen)) >= 4
    assert all(re.match(r"threshold .+, sensitivity .+, specificity .+", text) for text in seen)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(open_page: Any, big: Made, scheme: str) -> None:
    page = open_page(big.path, color_scheme=scheme)
    assert not grave(page)
    snap(page, f"theme-{scheme}")


CONTRASTS = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const ground = (e) => { for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05); };
  const drawn = '[data-testid=roc-plot] .curve, .reference, .iso-cost';
  const lines = [...document.querySelectorAll(drawn)]
    .map((e) => contrast(parse(getComputedStyle(e).stroke), ground(e.closest('.card'))));
  const texts = [...document.querySelectorAll('p, th, td, h1, h2, h3, label, button, summary, li')]
    .filter((e) => e.innerText && e.checkVisibility())
    .map((e) => contrast(parse(getComputedStyle(e).color), ground(e)));
  const ticks = [...document.querySelectorAll('[data-testid=roc-plot] text')]
    .map((e) => contrast(parse(getComputedStyle(e).fill), ground(e.closest('.card'))));
  return [Math.min(...lines), Math.min(...texts, ...ticks)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrasts_of_lines_and_text(open_page: Any, big: Made, scheme: str) -> None:
    page = open_page(big.path, color_scheme=scheme)
    lines, texts = page.evaluate(CONTRASTS)
    assert lines >= 3
    assert texts >= 4.5
    page.get_by_test_id("theme").click()  # dark, whatever the system setting is
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    lines, texts = page.evaluate(CONTRASTS)
    assert lines >= 3
    assert texts >= 4.5


VERSIONS = re.compile(r"\d+(\.\d+){2,}|doi:\S+")


def test_german_numbers(open_page: Any, big: Made) -> None:
    page = open_page(big.path, locale="de-DE", color_scheme="dark")
    assert page.evaluate("document.documentElement.lang") == "de"
    text = VERSIONS.sub("", page.locator("body").inner_text())
    assert not re.findall(r"\d+\.\d{1,2}\b|\d+\.\d{4,}|\b0\.\d+", text)
    assert re.fullmatch(r"0,0\d*", page.get_by_test_id("prevalence").input_value())
    assert re.search(r"AUC 0,\d{3} \(0,\d{3}–0,\d{3}\)", text)
    snap(page, "german-dark")


LANGUAGES = {
    "de": ("ordnet am besten", "prävalenz", "durchgeführt"),
    "fr": ("classe le mieux", "prévalence", "a été faite avec"),
    "es": ("ordena mejor", "prevalencia", "se hizo con"),
    "zh": ("排序最好", "患病率", "分析由 rocwise"),
}
ENGLISH = re.compile(r"\b(the|and|with|of|is|are|was|by)\b")


def untranslated(page: Any) -> list[str]:
    """Words of the library in plots that frontend/src/text/terms.ts lacks."""
    found: list[str] = page.locator("figure [lang=en]").all_inner_texts()
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages(open_page: Any, big: Made, language: str) -> None:
    """Verdict, notes, methods, captions and axes: all in the reader's language."""
    page = open_page(big.path)
    page.get_by_test_id("language").select_option(language)
    assert page.evaluate("document.documentElement.lang") == language
    verdict, subtitle, methods = LANGUAGES[language]
    assert verdict in page.get_by_test_id("verdict").inner_text()
    assert subtitle in page.locator(".subtitle").inner_text().lower()
    assert methods in page.get_by_test_id("methods").locator("p").first.inner_text()
    assert untranslated(page) == []
    page.evaluate("document.querySelectorAll('[lang=en], select').forEach(e => e.remove())")
    text = page.locator("body").inner_text()
    assert not ENGLISH.findall(text), ENGLISH.search(text)
    assert not ENGLISH.findall(" ".join(page.locator("svg text").all_text_contents()))
    if language == "zh":
        page = open_page(big.path, locale="zh-CN")
        snap(page, "chinese")


CUT = """() => [...document.querySelectorAll('select')].flatMap((select) => {
  const style = getComputedStyle(select);
  const ruler = document.createElement('canvas').getContext('2d');
  ruler.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const wide = (text) => ruler.measureText(text).width > select.clientWidth - padding - 16;
  return [...select.options].map((option) => option.text).filter(wide);
})"""


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_texts_of_lists_are_not_cut(open_page: Any, big: Made, language: str) -> None:
    page = open_page(big.path)
    page.get_by_test_id("language").select_option(language)
    assert page.evaluate(CUT) == []


def test_names_of_lines_and_boxes_are_in_the_saved_plot(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    plot = downloaded(page, "download-svg").decode()
    for words in ("equal cost", "95% CI"):
        assert words in plot
    page.get_by_text("Logarithmic axis").click()
    assert "equal cost" not in downloaded(page, "download-svg").decode()


def test_bars_are_counted_by_bin(open_page: Any, small: Made) -> None:
    page = open_page(small.path)
    card = page.get_by_test_id("scores")
    card.locator("summary").click()
    head = card.locator("thead").inner_text()
    assert "positives in this bin" in head
    model = page.get_by_test_id("model-select").input_value()
    scores, positive = small.scores[model], small.y == 1
    with page.expect_download() as waiting:
        card.get_by_role("button", name="scores.csv").click()
    rows = list(csv.reader(io.StringIO(Path(waiting.value.path()).read_text())))[1:]
    for low, high, pos, _ in rows[:-1]:
        assert int(pos) == np.sum(positive & (scores >= float(low)) & (scores < float(high)))


def test_classes_of_the_histogram_differ_without_color(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    chart = page.get_by_test_id("histogram").first
    fills = [
        chart.locator(f"{kind}.{name}").evaluate("e => getComputedStyle(e).fill")
        for kind in ("path", "rect")
        for name in ("negatives", "positives")
    ]
    assert [fill == "none" for fill in fills] == [False, True, False, True]
    legend, frame = chart.locator(".legend").bounding_box(), chart.locator("path.negatives")
    assert legend["y"] + legend["height"] <= frame.bounding_box()["y"] + 1


def test_sections_come_in_their_order(open_page: Any, big: Made) -> None:
    page = open_page(big.path, width=390)
    order = [
        *("verdict", "models-table", "pairs-table", "roc-plot", "tp", "prevalence", "histogram"),
        *("cost-curve", "abstention-map", "smooth-roc", "confident-segment", "precision-recall"),
        *("decision-curve", "calibration", "methods", "download-json"),
    ]
    tops = [page.get_by_test_id(name).first.bounding_box()["y"] for name in order]
    assert tops == sorted(tops)
    places = page.evaluate(
        """names => { const all = [...document.querySelectorAll('[data-testid]')];
          return names.map(name => all.findIndex(each => each.dataset.testid === name)); }""",
        order,
    )
    assert places == sorted(places)
    assert page.get_by_test_id("histogram").count() == 3


def test_models_are_hidden_and_recoloured_everywhere(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    curve = page.locator("[data-testid=roc-plot] path[data-model=gbm]")
    blue = curve.evaluate("e => getComputedStyle(e).stroke")
    row = page.locator("[data-testid=model-row][data-model=gbm]")
    row.get_by_test_id("model-color").click()
    orange = curve.evaluate("e => getComputedStyle(e).stroke")
    assert orange != blue
    legend = page.get_by_test_id("precision-recall").locator("li", has_text="gbm").locator("line")
    assert legend.evaluate("e => getComputedStyle(e).stroke") == orange
    row.get_by_test_id("model-visible").click()
    assert curve.count() == 0
    assert "gbm" not in page.get_by_test_id("verdict").inner_text()
    assert "gbm" not in page.get_by_test_id("precision-recall").inner_text()
    assert page.get_by_test_id("hidden-models").inner_text() == "Hidden: gbm."
    assert page.get_by_test_id("model-select").input_value() == "logreg"
    assert page.locator("[data-testid=pairs-table] tbody tr").count() == 1
    page.locator("[data-testid=model-row][data-model=rule]").get_by_test_id("model-visible").click()
    last = page.locator("[data-testid=model-row][data-model=logreg]").get_by_test_id(
        "model-visible"
    )
    assert last.is_disabled()
    row.get_by_test_id("model-visible").click()
    assert curve.count() == 1


def test_tables_are_saved_with_all_rows_and_a_decimal_point(open_page: Any, big: Made) -> None:
    page = open_page(big.path, locale="de-DE")
    card = page.get_by_test_id("precision-recall")
    card.locator("summary").click()
    with page.expect_download() as waiting:
        card.get_by_role("button", name="precision-recall.csv").click()
    rows = list(csv.reader(io.StringIO(Path(waiting.value.path()).read_text())))
    assert len(rows) > 100
    assert all(0 <= float(row[1]) <= 1 for row in rows[1:])


def test_downloads(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    for name in ("gbm", "rule"):
        page.get_by_test_id("model-select").select_option(name)
        plot = downloaded(page, "download-svg").decode()
        assert "var(" not in plot
        ElementTree.fromstring(plot)
        png = downloaded(page, "download-png")
        width = int.from_bytes(png[16:20], "big")
        assert width >= 2 * page.get_by_test_id("roc-plot").bounding_box()["width"]
        rows = list(csv.DictReader(io.StringIO(downloaded(page, "download-csv").decode())))
        curve = ["model", "threshold", "fpr", "tpr", "tp", "fp", "fn", "tn"]
        assert list(rows[0])[:9] == [*curve, "sensitivity"]
        own = [row for row in rows if row["model"] == name]
        for row in own[:: max(1, len(own) // 40)]:
            called = big.scores[name] >= float(row["threshold"])
            assert int(row["tp"]) == np.sum(called & (big.y == 1))
            assert int(row["fp"]) == np.sum(called & (big.y == 0))
        fpr, tpr = (np.array([float(row[key]) for row in own]) for key in ("fpr", "tpr"))
        assert_allclose(np.trapezoid(tpr, fpr), rw.auc(big.pairs.tally(name)).value, atol=2e-5)


def colors_in(image: bytes) -> dict[str, int]:
    """How many pixels of a screenshot have each of the models' colours."""
    from PIL import Image

    wanted = {"c0": (0, 114, 178), "c1": (213, 94, 0), "c2": (0, 158, 115)}
    pixels = np.asarray(Image.open(io.BytesIO(image)).convert("RGB")).reshape(-1, 3)
    return {name: int(np.all(pixels == color, axis=1).sum()) for name, color in wanted.items()}


def test_saved_plot_is_standalone_with_its_colours(
    open_page: Any, browser: Any, big: Made, tmp_path: Path
) -> None:
    page = open_page(big.path)
    plot = downloaded(page, "download-svg")
    (tmp_path / "roc.svg").write_bytes(plot)
    holder = tmp_path / "alone.html"
    holder.write_text('<body style="margin:0"><img src="roc.svg">')
    context = browser.new_context(viewport={"width": 600, "height": 600})
    alone = context.new_page()
    alone.goto(holder.as_uri())
    alone.wait_for_timeout(200)
    assert all(count > 100 for count in colors_in(alone.screenshot()).values())
    context.close()


def test_print(open_page: Any, big: Made, tmp_path: Path) -> None:
    page = open_page(big.path)
    page.get_by_test_id("abstention-3d").click()
    page.emulate_media(media="print")
    for testid in ("model-select", "prevalence", "least-cost", "download-svg", "theme"):
        assert not page.get_by_test_id(testid).is_visible()
    assert not page.get_by_test_id("abstention-surface").is_visible()
    assert page.get_by_test_id("abstention-map").is_visible()
    sentence = page.get_by_test_id("settings-sentence")
    assert sentence.is_visible()
    assert "gbm" in sentence.inner_text()
    for selector in ("svg.chart", "table", "figure"):
        styles = page.locator(selector).evaluate_all(
            "(all) => all.map((e) => getComputedStyle(e).breakInside)"
        )
        assert set(styles) == {"avoid"}
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    (tmp_path / "report.pdf").write_bytes(pdf)
    assert 3 <= pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") <= 14


def test_hostile_names_are_text(open_page: Any, small: Made) -> None:
    page = open_page(small.path)
    assert HOSTILE in page.get_by_test_id("verdict").inner_text()
    assert page.evaluate("document.title") == HOSTILE
    assert page.locator("img").count() == 0
    options = page.get_by_test_id("model-select").locator("option")
    assert options.first.evaluate("(option) => option.value") == HOSTILE
    snap(page, "hostile")


def test_map_and_surface_need_no_webgl(browser: Any, open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    page.get_by_test_id("abstention-3d").click()
    drawn = page.get_by_test_id("abstention-surface").evaluate(
        """(canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          const seen = new Set();
          for (let k = 0; k < data.length; k += 40) seen.add(`${data[k]},${data[k + 1]}`);
          return seen.size;
        }"""
    )
    assert drawn > 50
    snap(page, "surface")
    page.get_by_test_id("abstention-3d").click()
    assert page.get_by_test_id("abstention-map").is_visible()
    for kind in ("rate", "lower", "upper", "difference"):
        page.get_by_test_id(f"map-{kind}").click()
        assert page.get_by_test_id("abstention-map").locator("image").count() == 2
    page.get_by_test_id("abstention-map").scroll_into_view_if_needed()
    snap(page, "difference", full=False)


def test_logarithmic_axis(open_page: Any, big: Made) -> None:
    page = open_page(big.path)
    page.get_by_label("Logarithmic axis").check()
    assert page.get_by_test_id("iso-cost").count() == 0
    frame_of(page)
    snap(page, "logarithmic", full=False)


def test_settings_can_be_the_start(open_page: Any, tmp_path: Path) -> None:
    y, score = [0, 0, 1, 0, 1, 0, 1, 1] * 20, [1, 2, 3, 4, 5, 6, 7, 8] * 20
    path = tmp_path / "start.html"
    costs = rw.Costs(fp=2, fn=10, abstain=1)
    rw.report(y, path=path, scores={"m": score}, prevalence=0.2, costs=costs, language="fr")
    page = open_page(path)
    assert value(page, "prevalence") == 0.2
    assert value(page, "cost-ratio") == 5
    assert value(page, "abstain-cost") == 0.5
    assert page.evaluate("document.documentElement.lang") == "fr"
    fill(page, "prevalence", 0.4)
    page.get_by_test_id("reset").click()
    assert value(page, "prevalence") == 0.5  # that of the data


@pytest.mark.parametrize("task", ["multiclass", "ordinal", "regression", "readers"])
def test_other_tasks(open_page: Any, tmp_path: Path, task: str) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 240)
    scores: dict[str, Any] = {
        name: y + scale * rng.normal(size=240) for name, scale in (("a", 1.0), ("b", 2.0))
    }
    if task == "multiclass":
        scores = {name: rng.random((240, 3)) + 0.5 * np.eye(3)[y] for name in scores}
    path = tmp_path / f"{task}.html"
    if task == "readers":
        study = reader_study()
        cells = {name: getattr(study, name) for name in ("case", "reader", "modality")}
        made = rw.report(rw.readers.compare(study.y_true, study.y_score, **cells), path=path)
    else:
        made = rw.report(y, path=path, scores=scores, task=task)
    page = open_page(path, locale="de-DE")
    text = VERSIONS.sub("", page.locator("body").inner_text())
    assert not re.findall(r"\d+\.\d{1,2}\b|\d+\.\d{4,}", text)
    assert page.locator("svg.chart").count() >= 3
    assert "am besten" in page.get_by_test_id("verdict").inner_text()
    assert untranslated(page) == []
    page.evaluate("document.querySelectorAll('[lang=en], select').forEach(e => e.remove())")
    assert not ENGLISH.findall(page.locator("body").inner_text())
    shown = page.locator("[data-testid=models-table] [data-testid=value]")
    values = [float(each.get_attribute("data-value")) for each in shown.all()]
    assert values == [model["value"] for model in made.payload["summary"]["models"]]
    assert not grave(page)
    if task == "readers":
        words = page.locator("body").inner_text()
        assert "1.150 Befundungen" in words
        assert "Verglichene Modalitäten" in words
        assert "Modelle" not in words
        ends = "svg => [...svg.querySelectorAll('text')].map(t => t.getBoundingClientRect().right)"
        for chart in page.get_by_test_id("reader-curves").locator("svg.chart").all():
            right = chart.bounding_box()["x"] + chart.bounding_box()["width"]
            assert max(chart.evaluate(ends)) <= right
    snap(page, task)


def test_tiny_forecasts_are_drawn(open_page: Any, tmp_path: Path) -> None:
    y = np.arange(40) * 1e-310
    rw.report(y, {"m": y[::-1]}, path=tmp_path / "tiny.html", task="regression")
    page = open_page(tmp_path / "tiny.html")
    assert page.get_by_test_id("rec").locator("svg.chart path").count() >= 1


EXTREMES: dict[str, tuple[list[int], dict[str, list[float]]]] = {
    "perfect": ([0, 0, 0, 1, 1], {"m": [1, 2, 3, 4, 5]}),
    "one-positive": ([0, 0, 0, 1], {"m": [4, 2, 3, 1], "n": [1, 2, 3, 4]}),
    "subnormal": ([0, 1] * 20, {"m": [k * 1e-310 for k in range(40)]}),
    "names-of-objects": (
        [0, 1] * 20,
        {name: list(range(40)) for name in ("__proto__", "toString")},
    ),
    "all-tied": ([0, 1] * 20, {"m": [1] * 40}),
    "seven-models": (
        [0, 1] * 60,
        {
            f"a model with a very long name, number {k}": [
                (7 * j + k * j % 13) % 11 + j % 2 * k / 2 for j in range(120)
            ]
            for k in range(7)
        },
    ),
}


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.filterwarnings("ignore::rocwise.RocwiseWarning")
def test_extremes_are_drawn(open_page: Any, tmp_path: Path, name: str) -> None:
    y, scores = EXTREMES[name]
    path = tmp_path / "extreme.html"
    rw.report(y, path=path, scores=scores, n_resamples=50)
    page = open_page(path)
    for key in ("Home", "End", "ArrowLeft"):
        page.get_by_test_id("operating-point").press(key)
    assert page.get_by_test_id("threshold").get_attribute("data-value") != "undefined"
    page.get_by_test_id("least-cost").click()
    assert "NaN" not in page.locator("body").inner_text()
    assert "NaN" not in page.locator("#rocwise").inner_html()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    snap(page, f"extreme-{name}")


def test_censored_outcomes_at_a_chosen_time(open_page: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    risk = rng.random(200).round(2)
    time, end = rng.exponential(0.2 / (0.02 + risk**2)), rng.uniform(0.5, 4, 200)
    scores = {"model": risk, "other": (risk + rng.random(200)) / 2}
    f = rw.survival.follow_up(np.minimum(time, end).round(2), time <= end, scores)
    made = rw.report(f, task="survival", times=[0.5, 1, 2], path=tmp_path / "survival.html")
    page = open_page(tmp_path / "survival.html", locale="de-DE")
    card = page.get_by_test_id("at-a-time")
    assert card.get_by_test_id("step").inner_text() == "Zeit: 1"
    assert card.locator("svg.chart").count() == 1
    assert "am besten" in page.get_by_test_id("verdict").inner_text()
    shown = next(s for s in made.payload["sections"] if s["id"] == "at-a-time")["tables"]
    for step, table in ((0, shown[0]), (2, shown[2])):
        card.locator("input[type=range]").fill(str(step))
        assert str(table["columns"]["TP"][0]) in card.locator("table").last.inner_text()
    assert untranslated(page) == []
    page.evaluate("document.querySelectorAll('[lang=en], select').forEach(e => e.remove())")
    assert not ENGLISH.findall(page.locator("body").inner_text())
    assert not grave(page)
    snap(page, "survival")
