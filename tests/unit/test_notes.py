"""Notes of results about data and methods, compared with the data and with other results."""

import json
import re

import numpy as np
import pytest

import rocwise as rw
from call_forms import ONE_MODEL, PAIRED, PATIENT, A, B, N, Y

FORMS = {
    "rows": {},
    "weights": {"sample_weight": 1.0 + np.arange(N) % 3},
    "clusters": {"groups": PATIENT},
}
WORDS = {"weights": f"weights of {N} rows", "clusters": f"{PATIENT.max() + 1} clusters"}


CALLS = {name: (ONE_MODEL[name], A) for name in ONE_MODEL}
CALLS |= {name: (PAIRED[name], {"a": A, "b": B}) for name in PAIRED}


@pytest.mark.filterwarnings("ignore::rocwise.RocwiseWarning")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CALLS)
def test_every_result_describes_its_rows_resamples_and_sources(name, form):
    options, scores = CALLS[name]
    try:
        found = getattr(rw, name)(Y, scores, **options, **FORMS[form])
    except (rw.InputError, TypeError):
        assert form != "rows"  # some functions have no version for weights or clusters
        return
    if not hasattr(found, "to_dict"):  # a number
        return
    plain = found.to_dict()
    assert plain["references"]
    own = json.dumps({name: plain[name] for name in plain if name != "references"})
    drawn = "bootstrap" in own.lower() and "exact bootstrap" not in own
    assert not drawn or isinstance(plain["seed"], int)
    for each, words in WORDS.items():
        assert (words in str(found)) == (each == form), words


PAIRS = {"a": A, "b": B, "c": np.round(A + B, 1)}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_a_summary_names_the_methods_of_the_results_that_it_is_made_of(form, prevalence):
    options = {"n_resamples": 100, "rng": 2}
    table = rw.summary(Y, PAIRS, threshold=0.5, prevalence=prevalence, **options, **FORMS[form])
    for k, name in enumerate(PAIRS):
        area = rw.auc(Y, PAIRS[name], method="wilson", **FORMS[form])
        assert (table.columns["auc_low"][k], table.auc_method) == (area.low, area.method)
        point = rw.at(
            Y, PAIRS[name], threshold=0.5, prevalence=prevalence, **options, **FORMS[form]
        )
        for measure in ("sensitivity", "specificity", "ppv", "npv"):
            limits = point.interval(measure)
            assert table.columns[f"{measure}_low"][k] == limits.low
            assert table.methods[measure] == point.methods[measure] == limits.method
    for words in (table.caption, str(point)):
        assert ("prevalence of 10%" in words) == (prevalence is not None)
        assert ("Mercaldo" in words) == ("Mercaldo" in table.methods["ppv"])
        assert ("whole clusters" in words) == (form == "clusters")
    assert table.auc_method in table.caption
    p_values = re.findall(r"Holm-adjusted p [=<] ([0-9.]+)", str(table))
    cells = [row.split("|")[3].strip() for row in table.to_markdown().splitlines()[3:]]
    assert [text.rstrip(".") for text in p_values] == [cell.lstrip("<") for cell in cells]
