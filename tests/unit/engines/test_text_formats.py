"""Files as spreadsheets write them, compared with the same values in memory."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from excel_files import write_excel
from rocwise.engines import sheets
from rocwise.engines.text_formats import encoding_of, format_of
from rocwise.inputs import first_rows

LABELS = ["krank", "gesund"] * 4
SCORES = [0.51, 2.25, 7.125, 1234.5, -0.5, 3.0, 4.75, 1.5]
NAMED = {"label": "Befund", "score": "Größe", "pos_label": "krank"}


def text_of(sep=";", decimal=",", above="", end="\n", percent=False):
    def number(value):
        return f"{value}{' %' if percent else ''}".replace(".", decimal)

    rows = [f"{y}{sep}{number(s)}" for y, s in zip(LABELS, SCORES, strict=True)]
    return above + end.join([f"Befund{sep}Größe", *rows, ""])


@given(
    sep=st.sampled_from([";", "\t", "|"]),
    decimal=st.sampled_from([",", "."]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    above=st.sampled_from(
        ["", "# LIMS, 12.03.2024\n", "# a\n\n#b;c\n", "LIMS, 12.03.2024\n\n", "LIMS\n# a\n"]
    ),
    end=st.sampled_from(["\n", "\r\n"]),
    ending=st.sampled_from([".csv", ".tsv", ".txt"]),
)
def test_any_table_of_a_spreadsheet_is_read_as_it_is(
    tmp_path_factory, sep, decimal, encoding, above, end, ending
):
    path = tmp_path_factory.mktemp("t") / f"t{ending}"
    path.write_bytes(text_of(sep, decimal, above, end).encode(encoding))
    found = rw.tally(path, **NAMED)
    expected = rw.tally(LABELS, SCORES, pos_label="krank")
    assert found.scores.tolist() == expected.scores.tolist()
    assert found.pos.tolist() == expected.pos.tolist()
    description = found.origin.read_by or ""
    assert ("decimal comma" in description) == (decimal == ",")
    assert ("windows-1252" in description) == (encoding == "cp1252")
    assert ("above the header" in description) == bool(above)
    assert ("delimiter" in description) == (ending != ".tsv" or sep != "\t")
    requested = rw.tally(path, **NAMED, sep=sep, decimal=decimal, encoding=encoding)
    assert requested.scores.tolist() == expected.scores.tolist()


def test_percentages_are_fractions(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text_of(percent=True), encoding="utf-8")
    found = rw.tally(path, **NAMED)
    assert found.scores.tolist() == sorted((float(f"{s}e-2") for s in SCORES), reverse=True)
    assert "percentages as fractions of 1" in repr(rw.auc(found))


def test_a_line_for_spreadsheets_names_the_delimiter(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("sep=:\n" + text_of(":"), encoding="utf-8")
    assert rw.auc(path, **NAMED).value == rw.auc(LABELS, SCORES, pos_label="krank").value


def test_thousands_are_no_decimals(tmp_path):
    """1,234 may be either: it is not guessed."""
    path = tmp_path / "t.csv"
    path.write_text("y;s\n0;1,234\n1;22,345\n")
    with pytest.raises(rw.InputError, match=r"'1,234' at row 2\). Pass decimal=',' if"):
        rw.auc(path, label="y", score="s")
    assert rw.tally(path, label="y", score="s", decimal=",").scores.tolist() == [22.345, 1.234]
    path.write_text("y;s\n0;1,234\n1;0,345\n")
    assert rw.tally(path, label="y", score="s").scores.tolist() == [1.234, 0.345]
    path.write_text("y;s\n0;1.234,5\n1;22,345\n")
    with pytest.raises(rw.InputError, match=r"row 2\). Write numbers without separators of thou"):
        rw.auc(path, label="y", score="s", decimal=",")


@pytest.mark.parametrize("options", [{}, {"decimal": ","}])
def test_what_is_no_number_is_named_before_a_decimal_comma(tmp_path, options):
    path = tmp_path / "t.csv"
    path.write_text("y;s\n0;1,5\n1;2,5\n0;-\n1;3\n")
    with pytest.raises(rw.InputError, match=r"first '-' at row 4\)\. Write numbers, and nothing"):
        rw.auc(path, label="y", score="s", **options)
    path.write_text("y;s\n0;0.5\n1;25%\n")
    with pytest.raises(rw.InputError, match=r"first '25%' at row 3\)\. Write all numbers of the"):
        rw.auc(path, label="y", score="s", **options)


def test_points_are_no_decimals_where_a_comma_is_requested(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y;s\n0;1.234\n1;2.345\n")
    with pytest.raises(rw.InputError, match="must contain numbers; got text"):
        rw.auc(path, label="y", score="s", decimal=",")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sep": ",,"}, "`sep` must be one character"),
        ({"decimal": ";"}, "`decimal` must be"),
        ({"encoding": "none such"}, "`encoding` must be the name"),
    ],
)
def test_options_of_text_are_checked(tmp_path, options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.auc(tmp_path / "t.csv", label="y", score="s", **options)
    with pytest.raises(rw.InputError, match="describes a text file; got a list"):
        rw.auc([0, 1], [1, 2], sep=";")


def test_a_header_may_begin_with_a_number_sign(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("#id,y,s\n1,0,1\n2,1,2\n")
    assert rw.auc(path, label="y", score="s").value == 1.0
    assert rw.auc(path, label="y", score="#id").value == 1.0
    assert list(first_rows(path, 5)) == ["#id", "y", "s"]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"plain", "utf-8"),
        ("größe".encode(), "utf-8"),
        ("größe".encode("latin-1"), "windows-1252"),
        ("größe".encode() + b"\xf6", "utf-8"),
        (b"\xf6\0", "utf-8"),
        ("größe".encode("utf-16"), "utf-16"),
        (b"", "utf-8"),
    ],
)
def test_the_encoding_is_found_where_it_is_unambiguous(content, encoding):
    assert encoding_of(io.BytesIO(content)) == encoding


def test_the_delimiter_is_that_of_the_wanted_columns():
    head = ["a;b,c\n", "1;2,3\n"]
    assert format_of(head, ",", ["c"], None, "utf-8").delimiter == ","
    assert format_of(head, ",", ["a"], None, "utf-8").delimiter == ";"
    assert format_of(head, ",", ["a"], ",", "utf-8").delimiter == ","


@pytest.mark.parametrize("above", ["", "# LIMS; 12.03.2024, 10:00\n"])
def test_the_columns_are_listed_where_one_is_misspelt(tmp_path, above):
    path = tmp_path / "t.csv"
    path.write_text(text_of(above=above), encoding="cp1252")
    with pytest.raises(rw.InputError, match=r"'befund'; the columns are 'Befund', 'Größe'\. Did"):
        rw.auc(path, label="befund", score="Größe", pos_label="krank")


@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("above", ["", "# note\n"])
def test_rows_have_the_numbers_of_a_spreadsheet(tmp_path, gap, above):
    lines = f"{above}y,s,w\n0,1,1\n{gap}1,2,1\n0,,1\n1,4,-4\n"
    path = tmp_path / "t.csv"
    path.write_text(lines)
    row = lines.split("\n").index("0,,1") + 1
    with pytest.raises(rw.InputError, match=rf"first at row {row}\)"):
        rw.auc(path, label="y", score="s")
    # rows that are left out keep the numbers of the others
    with pytest.raises(rw.InputError, match=rf"first -4 at row {row + 1}\)"):
        rw.auc(path, label="y", score="s", sample_weight="w", missing="drop")


def test_rows_of_several_files_are_named(tmp_path):
    for k in (1, 2):
        (tmp_path / f"p-{k}.csv").write_text(f"y,s\n0,1\n1,{'x' if k == 2 else 2}\n")
    with pytest.raises(rw.InputError, match=r"first 'x' at row 3 of .*p-2\.csv\)"):
        rw.auc(tmp_path / "p-*.csv", label="y", score="s")


def test_an_excel_file(tmp_path):
    pytest.importorskip("python_calamine")
    values = [*SCORES[:-1], "n/a"]
    rows = [["LIMS"], [], ["Befund", "Größe"], *zip(LABELS, values, strict=True), [None, None]]
    path = write_excel(tmp_path / "t.xlsx", {"Tabelle1": rows})
    found = rw.tally(path, **NAMED, missing="drop")
    expected = rw.tally(LABELS[:-1], SCORES[:-1], pos_label="krank")
    assert found.scores.tolist() == expected.scores.tolist()
    assert found.origin.read_by == "read with 1 line above the header left out"
    with pytest.raises(rw.InputError, match=r"1 missing value \(first at row 11\)"):
        rw.tally(path, **NAMED)


def test_the_sheet_with_the_columns_is_read(tmp_path):
    pytest.importorskip("python_calamine")
    table = [["y", "s"], [False, 1.5], [True, 2.0]]
    path = write_excel(tmp_path / "t.xlsx", {"Notes": [["a", "b"], [1, 2]], "Data": table})
    found = rw.auc(path, label="y", score="s")
    assert (found.value, found.origin.read_by) == (1.0, "read with sheet 'Data'")
    with pytest.raises(rw.InputError, match="no column is called 'z'; the columns are 'a', 'b'"):
        rw.auc(path, label="z", score="s")
    path = write_excel(tmp_path / "t.xlsx", {"Cover": [["Study of May"]], "Data": table})
    with pytest.raises(rw.InputError, match="no column is called 'z'; the columns are 'y', 's'"):
        rw.auc(path, label="z", score="s")
    path = write_excel(tmp_path / "t.xlsx", {"A": table, "B": table})
    with pytest.raises(rw.InputError, match="in several sheets: 'A', 'B'"):
        rw.auc(path, label="y", score="s")
    (tmp_path / "t.xlsx").write_bytes(b"no")
    with pytest.raises(rw.InputError, match=r"t\.xlsx cannot be read"):
        rw.auc(path, label="y", score="s")


def test_a_text_in_many_cells_is_an_error(tmp_path, monkeypatch):
    """Stored once, it would be unpacked for every cell."""
    pytest.importorskip("python_calamine")
    path = write_excel(tmp_path / "t.xlsx", {"A": [["y", "s"], *([k % 2, k] for k in range(40))]})
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    parts["xl/sharedStrings.xml"] = f"<sst><si><t>{'x' * 1000}</t></si></sst>"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text.replace("<v>1</v>", "</c><c t='s'><v>0</v>"))
    monkeypatch.setattr(sheets, "MOST_BYTES", 10_000)
    with pytest.raises(rw.InputError, match=r"more than 10,000 bytes of text"):
        rw.auc(path, label="y", score="s")


def test_a_cell_far_away_is_an_error(tmp_path):
    """The rectangle around it would take more memory than there is."""
    pytest.importorskip("python_calamine")
    path = write_excel(tmp_path / "t.xlsx", {"A": [["y", "s"], [0, 1.5], [1, 2.0]]})
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text.replace("</sheetData>", far))
    with pytest.raises(rw.InputError, match="reach to row 1,048,576 and column 16,384"):
        rw.auc(path, label="y", score="s")


def test_a_file_of_semicolons_for_each_form_of_data(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(text_of().encode("cp1252"))
    rows = [np.array(LABELS), {"Größe": np.array(SCORES)}]
    named = {"label": "Befund", "pos_label": "krank"}
    for function in (rw.auc, rw.summary):
        of_file = function(path, **named, score=["Größe"], sep=";")
        of_rows = function(*rows, pos_label="krank")
        assert of_file.to_csv() == of_rows.to_csv()
        assert "windows-1252" in of_file.origin.read_by
    assert rw.pair(path, **named, scores=["Größe"], decimal=",").n_pos == 4
