"""Makes the figures of the README in docs/images: ROC curve, report, studio (needs Chromium)."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import rocwise as rw
from rocwise.datasets import heart_disease

IMAGES = Path(__file__).parents[1] / "docs" / "images"


def main() -> None:
    """Show two models in a plot, in a report and in the studio."""
    heart = heart_disease()
    pairs = rw.pair(heart["disease"], {name: heart[name] for name in ("exercise", "clinical")})
    of_curves(pairs)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        of_report(browser, pairs)
        of_studio(browser, pairs)
        browser.close()


def of_curves(pairs: rw.Pairs) -> None:
    """ROC curve with confidence band and Youden point."""
    curve = rw.roc(pairs.tally("clinical"))
    axes = curve.plot(name="clinical", auc=True, band=True, point="youden")
    axes.figure.savefig(IMAGES / "roc.png", dpi=200)


def of_report(browser: Any, pairs: rw.Pairs) -> None:
    """The beginning of a report, at the least cost."""
    page = browser.new_page(viewport={"width": 1280, "height": 1260}, locale="en-US")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        costs = rw.Costs(fp=1, fn=3, abstain=0.5)
        rw.report(pairs, path=path, title="Heart disease: two models, 797 patients", costs=costs)
        page.goto(path.as_uri())
        page.wait_for_timeout(1000)
        page.get_by_test_id("least-cost").click()
        page.screenshot(path=str(IMAGES / "report.png"))


def of_studio(browser: Any, pairs: rw.Pairs) -> None:
    """A studio with bands, a renamed model, two pinned points, and work going on."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000}, locale="en-US")
    page.set_default_timeout(120_000)
    with tempfile.TemporaryDirectory() as folder, rw.studio(open_browser=False) as studio:
        path = Path(folder) / "heart.csv"
        columns = {"disease": pairs.mask, **{name: pairs.scores(name) for name in pairs.names}}
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows), ""]
        path.write_text("\n".join(lines))
        page.goto(studio.url)
        page.get_by_test_id("drop-file").locator("input").set_input_files(path)
        page.get_by_test_id("operating-point").wait_for()
        page.get_by_test_id("job-start").click()
        page.wait_for_selector("[data-testid=job-progress][data-state=done]")
        name = page.get_by_test_id("model-name").first
        name.fill("exercise test")
        name.press("Enter")
        page.locator("[data-testid=verdict]", has_text="exercise test").wait_for()
        page.get_by_test_id("pin").click()
        page.get_by_test_id("cost-ratio").fill("3")
        page.get_by_test_id("least-cost").click()
        page.get_by_test_id("pin").click()
        page.get_by_test_id("job-kind").select_option("surface")
        page.get_by_test_id("job-resamples").fill("2000")
        page.get_by_test_id("job-start").click()
        page.wait_for_function(
            "() => document.querySelector('[data-testid=job-progress]').dataset.value > 0.3"
        )
        page.evaluate("() => scrollTo(0, 0)")
        page.screenshot(path=str(IMAGES / "studio.png"))


if __name__ == "__main__":
    main()
