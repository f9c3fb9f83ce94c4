"""Python for a state is Python, whatever the columns are called."""

import ast

import pytest

from rocwise.serving import python_code as python_lines
from rocwise.serving.python_code import Shown, python_code

PAYLOAD = {
    "task": "binary",
    "models": [
        {"name": "a", "direction": "higher", "n_pos": 30, "n_neg": 70},
        {"name": 'it\'s "b"\n', "direction": "lower", "n_pos": 30, "n_neg": 70},
    ],
    "cases": {"clusters": None},
    "settings": {"level": 0.95, "n_resamples": 400, "seed": 7, "band_kinds": ["pointwise"]},
}
STATE = {"model": "a", "thresholds": {"a": 0.25}, "prevalence": 0.1, "cost_ratio": 5.0, "band": ""}


def code(choice=None, form="file", renamed=None, **state):
    usual = {"label": "y", "scores": ["a", 'it\'s "b"\n'], "positive": "1"}
    names = {name: name for name in usual["scores"]} | (renamed or {})
    literals = {"1": "1", "ill": "'ill'"}
    data = Shown(form, "my 'scores'.csv", usual | (choice or {}), names, literals)
    text = python_code(data, PAYLOAD, STATE | state)
    ast.parse(text)
    return text


def test_it_agrees_with_the_page():
    text = code()
    assert "threshold=0.25" in text
    assert "rw.Costs(fp=1, fn=5)" in text
    assert "print(rw.at(tally, threshold=0.25, prevalence=0.1))" in text
    assert "print(rw.at(tally, threshold=0.25))" in code(prevalence=0.3)  # that of the data
    assert "pos_label=1," in text


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"positive": "ill"}, "pos_label='ill'"),
        ({"direction": "lower"}, "direction='lower'"),
        ({"missing": "drop"}, "missing='drop'"),
        ({"weight": "w"}, "sample_weight='w'"),
        ({"group": "g"}, "groups='g'"),
    ],
)
def test_options_of_the_columns(choice, words):
    assert words in code(choice)


def test_other_names_and_hidden_models_are_included():
    text = code(renamed={"a": "it's new"}, hidden=["a"])
    assert """pairs.renamed({'a': "it's new"})""" in text
    assert "hidden on the page: 'a'" in text
    assert "renamed" not in code()


@pytest.mark.parametrize(
    ("path", "call"),
    [
        ("g.csv", "pd.read_csv('g.csv')"),
        ("g.tsv.gz", "pd.read_csv('g.tsv.gz', sep='\\t')"),
        ("g.parquet", "pd.read_parquet('g.parquet')"),
    ],
)
def test_other_tasks_are_read_by_pandas(path, call):
    summary = {"models": [{"name": "a"}, {"name": "b"}], "classes": ["1", "2", "3"]}
    payload = {"task": "ordinal", "summary": summary, "settings": {"level": 0.9, "seed": 4}}
    choice = {"label": "y", "scores": ["a", "b"], "direction": "lower", "missing": "drop"}
    literals = {label: label for label in "123"}
    text = python_code(Shown("file", path, choice, {"a": "new", "b": "b"}, literals), payload, {})
    ast.parse(text)
    assert call in text
    assert "'new': frame['a']" in text
    assert "order=[1, 2, 3], direction='lower', missing='drop'" in text
    assert "rw.ordinal.compare(y_true, scores, level=0.9, rng=4" in text


def test_the_format_of_a_file_is_part_of_the_lines():
    names, text = {"a": "a"}, {"sep": ";", "decimal": ","}
    data = Shown("file", "a.csv", {"label": "y", "scores": ["a"]}, names, {}, text)
    assert "    sep=';',\n    decimal=',',\n)" in "\n".join(python_lines._pairs(data))
    assert python_lines._read(data) == "pd.read_csv('a.csv', sep=';', decimal=',')"
    assert python_lines._read(data._replace(path="a.xlsx")) == "pd.read_excel('a.xlsx')"
