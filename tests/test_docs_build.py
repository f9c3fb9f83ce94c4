"""The pages build without a warning, cover every public name, and need no network."""

import html
import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from gallery_list import KINDS

import rocwise
from docs_search import ACRONYMS, QUERIES, Index
from rocwise.plotting.registry import plot_functions

ROOT = Path(__file__).parents[1]
# Attributes through which a page makes a browser fetch something (a plain link does not).
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|link\b(?![^>]*rel="(?:canonical|index|search|next|prev)"))"""
    r"""[^>]*\b(?:src|href)=["'](?P<address>(?:https?:)?//[^"']+)""",
    re.IGNORECASE,
)

DRAWN = ("tutorials/first-analysis", "validation/bands")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages. The sources are copied first: the build writes the reference pages."""
    folder = tmp_path_factory.mktemp("pages")
    ignored = shutil.ignore_patterns("_build", "generated", "__pycache__")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignored)
    shutil.copytree(ROOT / "studies/counts", folder / "studies/counts")  # downloads
    for name in ("CHANGELOG.md", "README.md"):
        shutil.copy(ROOT / name, folder)
    for page in (ROOT / "papers").glob("*/README.md"):
        shutil.copytree(page.parent, folder / "papers" / page.parent.name, ignore=ignored)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    command += ["-D", f"drawn_pages={','.join(DRAWN)}"]  # test_pages runs the code of all
    done = subprocess.run(
        [*command, "-d", str(folder / "doctrees"), str(folder / "docs"), str(folder / "site")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def test_every_public_name_has_a_page_with_its_signature(site: Path) -> None:
    for name in rocwise.__all__:
        if name.startswith("__"):
            continue
        ending = "-class" if isinstance(getattr(rocwise, name), type) else ""
        page = site / "reference" / "generated" / f"rocwise.{name}{ending}.html"
        assert page.exists(), f"no page for rocwise.{name}"
        prefix = "module-" if inspect.ismodule(getattr(rocwise, name)) else ""
        text = page.read_text(encoding="utf-8")
        assert f'id="{prefix}rocwise.{name}"' in text, f"{name} is empty"


def test_results_have_pages(site: Path) -> None:
    result = type(rocwise.auc([0, 1], [0, 1]))
    page = site / "reference" / "generated" / f"{result.__module__}.{result.__name__}-class.html"
    assert "standard_error" in page.read_text(encoding="utf-8")


def test_signatures_show_every_keyword(site: Path) -> None:
    generated = site / "reference" / "generated"
    shown = {"auc": ("by", "sample_weight", "direction", "score"), "compare": ("scores", "groups")}
    for name, keywords in shown.items():
        text = (generated / f"rocwise.{name}.html").read_text(encoding="utf-8")
        signature = text.partition(f'id="rocwise.{name}"')[2].partition("</dt>")[0]
        for keyword in keywords:
            assert f'<span class="pre">{keyword}</span>' in signature, f"{name}({keyword}=)"


def test_the_list_goes_by_topic(site: Path) -> None:
    text = (site / "reference" / "generated" / "index.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>([^<]+)", text)
    assert headings[0] == "Data"
    assert "Two classes: roc" in headings
    assert headings[-1] == "Errors and warnings"


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert pages
    for page in pages:
        match = FETCHED.search(page.read_text(encoding="utf-8"))
        assert match is None, f"{page.relative_to(site)} fetches {match['address']}"


def test_the_search_for_addresses_can_fail() -> None:
    assert FETCHED.search('<script async src="https://cdn.example/mathjax.js"></script>')
    assert FETCHED.search("<link rel='stylesheet' href='//fonts.example/a.css'>")
    assert not FETCHED.search('<a href="https://example.org">a link</a>')
    assert not FETCHED.search('<script src="_static/doctools.js"></script>')


def test_every_kind_of_page_is_there(site: Path) -> None:
    for kind in ("tutorials", "guide", "coming-from", "reference", "validation", "development"):
        assert (site / kind / "index.html").exists()
    assert "Numbers that changed" in (site / "changelog.html").read_text(encoding="utf-8")


def test_plots_are_below_the_code_that_draws_them(site: Path) -> None:
    text = (site / "tutorials" / "first-analysis.html").read_text(encoding="utf-8")
    shown = re.findall(r'<img alt="([^"]*)"[^>]* src="\.\./_images/([^"]+)"', text)
    assert len(shown) == 1
    words, file = shown[0]
    axes = "True positive rate against False positive rate"
    assert words == f"ROC curve: {axes}: st_depression, AUC 0.766"
    assert (
        text.index(">plot<")
        < text.index(file)
        < text.index("Each point of the curve is one possible threshold")
    )
    assert (site / "_images" / file).read_text(encoding="utf-8").count("<svg") == 1


def test_every_kind_of_plot_is_in_the_gallery(site: Path) -> None:
    text = (site / "gallery.html").read_text(encoding="utf-8")
    shown = html.unescape(re.sub(r"<[^>]+>", "", text))
    for kind in KINDS.values():
        assert f"result = {kind.code}\nresult.plot()" in shown
    assert sorted(KINDS) == sorted(plot_functions())


def test_guide_and_reference_link_each_other(site: Path) -> None:
    guide = (site / "guide" / "auc.html").read_text(encoding="utf-8").partition("<article")[2]
    for name in ("auc", "auc_intervals", "adjusted_roc"):
        assert f'href="../reference/generated/rocwise.{name}.html#rocwise.{name}"' in guide
    page = site / "reference" / "generated" / "rocwise.auc.html"
    reference = page.read_text(encoding="utf-8").partition("<article")[2]
    for address in ("guide/auc.html", "quickstart.html", "gallery.html#area-under-the-curve"):
        assert f'href="../../{address}"' in reference


def test_tutorials_and_gallery_are_notebooks_too(site: Path) -> None:
    for name in ("tutorials-first-analysis", "quickstart", "gallery"):
        (path,) = (site / "_downloads").glob(f"*/{name}.ipynb")
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
        assert len(code) > 5
        compile("\n".join(code), name, "exec")
        assert not any("{doc}" in cell["source"] or "](" in cell["source"] for cell in cells)
        raising = [cell for cell in cells if "raises-exception" in cell["metadata"].get("tags", [])]
        assert len(raising) == (name == "tutorials-first-analysis")


def test_tables_of_counts_are_behind_a_fold_with_a_chart_before_it(site: Path) -> None:
    text = (site / "validation" / "bands.html").read_text(encoding="utf-8")
    assert text.index("<img") < text.index("<table") > text.index('<details class="fold">')
    assert text.count("<details") == text.count("</details>") >= 8


def test_formulas_are_mathematics(site: Path) -> None:
    text = (site / "development" / "formulas.html").read_text(encoding="utf-8")
    assert text.count("<math") > 100


def test_the_search_finds_the_terms_of_the_field(site: Path) -> None:
    index = Index(site / "searchindex.js")
    missed = {query: rank for query, rank in index.ranks.items() if not 1 <= rank <= 5}
    assert len(QUERIES) == 42
    assert len(missed) <= 4, missed
    assert not missed.keys() & set(ACRONYMS), missed
    scorer = (site / "_static" / "language_data.js").read_text(encoding="utf-8")
    assert 'startsWith("guide/") ? 2 : 0) + (named ? 6 : 0)' in scorer


def test_inherited_methods_are_not_found_by_their_names(site: Path) -> None:
    entries = Index(site / "searchindex.js").data["objects"].values()
    assert sum(name == "to_csv" for rows in entries for *_, name in rows) <= 1
