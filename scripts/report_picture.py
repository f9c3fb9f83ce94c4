"""Makes docs/images/report.png, the picture of a report in the README: needs Chromium."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import rocwise as rw
from rocwise.datasets import breast_cancer_scores

TARGET = Path(__file__).parents[1] / "docs" / "images" / "report.png"


def main() -> None:
    """Write a report of the demo's data, open it, and take its picture."""
    cases = breast_cancer_scores()
    pairs = rw.pair(cases.y_true, cases.scores)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        costs = rw.Costs(fp=1, fn=10, abstain=0.5)
        rw.report(pairs, path, title="Malignant or benign: 569 biopsies", costs=costs)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 1240}, locale="en-US")
        page.goto(path.as_uri())
        page.wait_for_timeout(1000)
        page.get_by_test_id("least-cost").click()
        page.screenshot(path=str(TARGET))
        browser.close()


if __name__ == "__main__":
    main()
