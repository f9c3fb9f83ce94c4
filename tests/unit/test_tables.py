"""Tables that leave the house: csv, Markdown, LaTeX, HTML, with and without a frame library."""

import csv
import html.parser
import io
import sys

import numpy as np
import pandas as pd
import pytest

import rocwise as rw
from call_forms import ONE_MODEL, A, B, Y
from rocwise.results import Interval, Table
from rocwise.tables import rounded

HOSTILE = "<script>alert(1)</script>|a_b & 50% \\ $x$ {y}"


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.cells, self.inside = [], [], False

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.inside = tag in ("td", "th")
        if self.inside:
            self.cells.append("")

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.cells[-1] += data


def read_html(text):
    reader = Reader()
    reader.feed(text)
    return reader


@pytest.mark.parametrize("name", ONE_MODEL)
def test_every_result_is_written_in_every_form(name):
    result = getattr(rw, name)(Y, {"a": A, "b": B}, **ONE_MODEL[name])
    frame = pd.DataFrame(result.to_frame())
    back = pd.read_csv(io.StringIO(result.to_csv()))
    assert list(back) == list(frame)
    assert len(back) == len(frame)
    for column in frame.select_dtypes("number"):
        np.testing.assert_array_equal(back[column].astype(float), frame[column].astype(float))
    assert len(result.to_markdown().splitlines()) == len(frame) + 2
    assert result.to_latex().count(r" \\") == len(frame) + 1
    assert read_html(result.to_html()).tags.count("tr") == len(frame) + 1
    shown = read_html(result._repr_html_()).tags
    assert "table" in shown
    assert shown.count("th") <= 8
    alone = result["a"]
    shown = read_html(alone._repr_html_()).tags if hasattr(alone, "_repr_html_") else ["p"]
    assert "p" in shown
    assert shown.count("th") <= 8


def test_csv_keeps_every_digit_and_leaves_out_what_is_missing(tmp_path):
    values = np.ma.masked_array([0.1 + 0.2, 1e-300, np.inf], mask=[False, False, True])
    table = Table(value=values, who=["a,b", 'c"d', None])
    rows = list(csv.reader(io.StringIO(table.to_csv(tmp_path / "t.csv"))))
    assert rows == [["value", "who"], [repr(0.1 + 0.2), "a,b"], ["1e-300", 'c"d'], ["", ""]]
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == table.to_csv()


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_text_in_csv_is_a_formula(start):
    formula = f"{start}cmd|' /C calc'!A0"
    table = Table({formula: [formula, "-0.5", "a=b"], "value": [-0.5, -np.inf, 1.0]})
    header, first, *_ = csv.reader(io.StringIO(table.to_csv(), newline=""))
    assert (header, first) == ([f"'{formula}", "value"], [f"'{formula}", "-0.5"])
    assert table.to_csv().endswith("-0.5,-inf\na=b,1.0\n")


def test_hostile_names_stay_text():
    table = Table({HOSTILE: [HOSTILE]})
    assert read_html(table.to_html()).cells == [HOSTILE.replace("_", " "), HOSTILE]
    assert "script" not in read_html(table._repr_html_()).tags
    assert "<script" not in table.to_markdown()
    (line,) = set(table.to_markdown().splitlines()[2:])
    assert line.count("|") - line.count("\\|") == 2
    cells = table.to_latex().splitlines()[4].replace(r"\textbackslash{}", "")
    for sign in "&%$#_{}":
        bare = cells.replace(f"\\{sign}", "").replace(r"\textless{}", "")
        assert sign not in bare.replace(r"\textgreater{}", ""), sign


def test_models_with_hostile_names_in_a_notebook():
    page = rw.auc(rw.pair(Y, {HOSTILE: A, "b": B}))._repr_html_()
    assert "script" not in read_html(page).tags
    assert HOSTILE in read_html(page).cells


def test_long_tables_are_cut_in_a_notebook_and_whole_in_a_file():
    curve = rw.roc(np.arange(500) % 2, np.arange(500.0))
    assert read_html(curve._repr_html_()).tags.count("tr") == 21
    assert "and 481 more rows" in curve._repr_html_()
    assert "and 481 more rows" in str(Table(curve.to_frame()))
    assert read_html(curve.to_html()).tags.count("tr") == 502
    assert len(curve.to_csv().splitlines()) == 502


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (0.73136, "", "0.731"),
        (1234567, "", "1,234,567"),
        (0.0, "", "0.000"),
        (0.00012, "", "0.00012"),
        (-1e12, "", "-1e+12"),
        (1169999.2, "", "1,169,999"),
        (np.inf, "", "∞"),
        (np.nan, "", ""),
        (None, "", ""),
        (True, "", "yes"),
        (0.0004, "p_value", "<0.001"),
        (0.0, "p_adjusted", "<0.001"),
        (0.04, "p_value", "0.040"),
        (0.49961234, "threshold", "0.499612"),
    ],
)
def test_numbers_for_readers(value, name, text):
    assert rounded(value, name=name) == text


def test_digits_are_checked_and_used():
    table = Table(x=[1 / 3])
    assert "0.33333 |" in table.to_markdown(digits=5)
    with pytest.raises(rw.InputError, match="`digits` must be an integer"):
        table.to_markdown(digits=-1)
    with pytest.raises(rw.InputError, match="no columns"):
        Table().to_latex()


def test_an_interval_is_a_table_of_one_row():
    interval = Interval(0.25, 1, method="logit")
    assert interval.to_csv() == "low,high,level,method\n0.25,1.0,0.95,logit\n"
    assert "<p>0.250 to 1.000 (95% CI, logit)</p>" in interval._repr_html_()


def test_comparisons_and_plans_are_tables_too():
    assert "p value" in rw.compare(Y, {"a": A, "b": B}).to_markdown()
    assert "n pos" in rw.sample_size(0.8).to_markdown()


def test_a_table_prints_its_rows():
    assert str(Table(name=["a", "long"], n=[1, 20])).splitlines() == [
        "name   n",
        "a      1",
        "long  20",
    ]


def test_plain_text_of_all_rows():
    curve = rw.roc(np.tile([0, 1], 30), np.arange(60))
    lines = curve.to_string().splitlines()
    assert len(lines) == 62
    assert curve.to_frame().to_string().splitlines() == lines
    assert len(str(curve.to_frame()).splitlines()) == 22  # the first rows, and how many follow


FOLLOWED = np.arange(1.0, 61), np.arange(60) % 4 > 0  # times and events
MARKER = np.arange(60) * 7 % 60 - np.arange(60)
SEVERAL = rw.pair([0, 0, 1, 1] * 5, {"a": range(20), "b": [3, 1, 2, 4] * 5, "c": [1, 2, 2, 3] * 5})


@pytest.mark.parametrize(
    "result",
    [
        rw.auc(SEVERAL),
        rw.compare(SEVERAL),
        rw.summary(SEVERAL),
        rw.at(SEVERAL.tally("b"), threshold=[2, 3]),
        rw.survival.auc(*FOLLOWED, {"a": MARKER}, times=[20, 40]),
        rw.survival.compare(*FOLLOWED, {"a": MARKER, "b": np.sin(MARKER)}, times=[20, 40], rng=1),
    ],
    ids=["models", "pairs", "summary", "points", "times", "differences over time"],
)
def test_a_notebook_shows_a_number_once_and_at_most_eight_columns(result):
    page = result._repr_html_()
    shown = read_html(page)
    assert 1 < shown.tags.count("th") <= 8
    limits = [cell for cell in shown.cells if " to " in cell]
    assert limits
    words = page.partition("<table>")[0]
    assert not any(cell in words for cell in limits)


def test_groups_of_comparisons_have_the_level_of_their_limits_in_a_notebook():
    found = rw.compare(Y, {"a": A, "b": B}, by=np.arange(len(Y)) % 3, level=0.9)
    assert "difference (90% CI)" in read_html(found._repr_html_()).cells


def test_one_row_is_a_sentence_in_a_notebook():
    area = rw.auc(Y, A)
    assert area._repr_html_().strip() == f"<p>{area}</p>"


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_tables_are_written_to_files_with_caption_and_note(tmp_path, form):
    table = rw.summary(SEVERAL, prevalence=0.1)
    write = getattr(table, f"to_{form}")
    path = tmp_path / "table"
    for options in ({}, {"caption": "Models & more", "digits": 2}):
        text = write(path, **options)
        assert path.read_text(encoding="utf-8") == text == write(**options)
    plain = text.replace("\\", "").replace("&amp;", "&")
    assert plain.count("Models & more") == 1
    note = "PPV and NPV for a prevalence of 10%"
    assert plain.count(note) == 1
    assert plain.index("Models & more") < plain.index("PPV") < plain.index(note)
    assert note not in write().replace("\\", "")


def test_negative_numbers_have_a_minus_sign_in_latex():
    table = Table({"model-1": ["a-b", "-c"], "difference": np.array([-0.25, 0.5])})
    assert table.to_latex().splitlines()[2:6] == [
        r"model-1 & difference \\",
        r"\midrule",
        r"a-b & $-$0.250 \\",
        r"-c & 0.500 \\",
    ]


def test_a_table_for_word_has_the_cells_of_the_others(tmp_path):
    docx = pytest.importorskip("docx")
    path = tmp_path / "table.docx"
    names = {name: HOSTILE if name == "a" else name for name in SEVERAL.names}
    table = rw.summary(SEVERAL.renamed({"a": HOSTILE}), prevalence=0.1)
    table.to_docx(path, caption="Models")
    page = docx.Document(str(path))
    (written,) = page.tables
    cells = [cell.text for row in written.rows for cell in row.cells]
    assert cells == read_html(table.to_html()).cells
    assert names["a"] in cells
    assert [p.text for p in page.paragraphs] == ["Models", table.caption]
    assert page.paragraphs[0].style.name == "Caption"


def test_a_wide_table_for_word_is_transposed_or_lies_on_its_side(tmp_path):
    docx = pytest.importorskip("docx")
    one = [rw.at(Y, A, threshold=1), rw.threshold(Y, A, rule="youden")]
    for result in (rw.roc(Y, A), rw.summary(SEVERAL), *one):
        result.to_docx(tmp_path / "table.docx")
        page = docx.Document(str(tmp_path / "table.docx"))
        (section,) = page.sections
        n_columns = len(page.tables[0].columns)
        assert n_columns == 2 if result in one else n_columns <= 8
        wide = n_columns > 6
        assert (section.page_width > section.page_height) == wide


def test_a_table_for_word_needs_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(rw.errors.MissingPackageError, match=r"rocwise\[word\]"):
        rw.auc(Y, A).to_docx(tmp_path / "table.docx")


def test_a_notebook_has_the_advice_of_intervals_and_each_of_them_once():
    intervals = rw.auc_intervals(Y, A, n_resamples=50, rng=1)
    words = intervals._repr_html_().partition("<table>")[0]
    assert intervals.advice in words
    assert f"{intervals.low[0]:.3f}" not in words


def test_a_result_without_columns_is_a_sentence_in_a_notebook():
    densities = rw.predict_roc((4, 3), (8, 2)).panels()["Densities"]
    assert densities._repr_html_().strip() == f"<p>{densities}</p>"
