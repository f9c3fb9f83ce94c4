"""References of results: which are cited, where they stand, and in which forms."""

import re
from pathlib import Path

import numpy as np
import pytest

import rocwise as rw
from call_forms import PATIENT, A, B, N, Y
from resampled_calls import CALLS, DRAWN, FORMULAS
from rocwise import references
from rocwise.errors import InputError

ROOT = Path(__file__).parents[2]
PAIRS = rw.pair(Y, {"a": A, "b": B})
CITED = [
    (rw.auc(Y, A), {"delong1988", "wilson1927", "brunner2000", "birnbaum1957"}),
    (rw.auc(Y, A, method="delong"), {"delong1988"}),
    (rw.auc(Y, A, method="hanley-mcneil"), {"hanley1982"}),
    (rw.auc(Y, A, method="bca", n_resamples=50), {"efron1987", "efron1993"}),
    (rw.auc(Y, A, method="score"), {"newcombe2006"}),
    (rw.auc(Y, A, max_fpr=0.2, method="delong"), {"delong1988", "mcclish1989"}),
    (rw.auc(Y, A, groups=PATIENT, method="delong"), {"delong1988", "obuchowski1997"}),
    (rw.at(Y, A, threshold=0.5), {"wilson1927", "simel1991"}),
    (
        rw.at(Y, A, threshold=0.5, prevalence=0.1),
        {"wilson1927", "simel1991", "mercaldo2007", "zou2008"},
    ),
    (
        rw.at(Y, A, threshold=0.5, sample_weight=1 + Y),
        {"wilson1927", "simel1991", "kish1965"},
    ),
    (rw.at(Y, A, threshold=0.5, groups=PATIENT, n_resamples=50), {"efron1993"}),
    (rw.band(Y, A, kind="joint-regions"), {"campbell1994"}),
    (rw.decision_curve(Y, A), {"vickers2006"}),
    (rw.smooth_roc(Y, A), {"klement2011"}),
    (rw.multiclass.auc(np.arange(N) % 3, np.ones((N, 3)), method="delong"), {"hand2001"}),
    (
        rw.multiclass.class_weights([0, 1, 2], np.eye(3) + 0.1, method="cost-columns"),
        {"lachiche2003", "obrien2005"},
    ),
]


@pytest.mark.parametrize(("found", "keys"), CITED, ids=lambda each: type(each).__name__)
def test_the_sources_of_the_methods_are_cited_and_no_others(found, keys):
    cited = set(references.keys_of_result(found)) - {"rocwise"}
    assert cited - {"delong1988"} == keys - {"delong1988"}
    assert ("delong1988" in cited) or ("delong1988" not in keys)


def test_comparisons_cite_the_joint_test_and_the_adjustment():
    two, three = rw.compare(PAIRS), rw.compare(Y, {"a": A, "b": B, "c": A + B})
    keys = {k: set(references.keys_of_result(each)) for k, each in ((2, two), (3, three))}
    assert {"delong1988", "satterthwaite1946"} <= keys[2]
    assert keys[3] - keys[2] == {"holm1979", "krishnamoorthy2004"}
    table = rw.summary(Y, {"a": A, "b": B, "c": A + B})
    assert {"holm1979", "wilson1927"} <= set(references.keys_of_result(table))
    assert "holm1979" not in references.keys_of_result(rw.summary(PAIRS))


@pytest.mark.parametrize("name", [*CALLS, *FORMULAS])
def test_every_result_has_references_in_its_dict(name):
    drawn = name in CALLS
    found = CALLS[name](**DRAWN) if drawn else FORMULAS[name]()
    written = found.to_dict()["references"]
    assert written == rw.cite(found).splitlines()
    assert written[0] == references.entries()["rocwise"].text
    assert len(written) > 1 or name in ("compare_curves", "regression.compare")


def test_several_results_list_each_reference_once():
    found = rw.auc(PAIRS)
    written = found.to_dict()
    assert len(written["references"]) == len(set(written["references"]))
    assert all("references" not in each for each in written["results"].values())
    assert set(rw.auc(PAIRS.tally("a")).to_dict()["references"]) == set(written["references"])


def test_the_page_cites_what_its_results_cite():
    report = rw.report(PAIRS, path=None, n_resamples=20)
    on_page = report.payload["methods"]["references"]
    numbers = [rw.auc(PAIRS.tally("a")), rw.compare(PAIRS), rw.at(Y, A, threshold=0.5)]
    for each in numbers:
        assert set(each.to_dict()["references"]) <= set(on_page)
    assert set(rw.cite(report).splitlines()) == set(on_page)


def test_intervals_of_forecasts_and_rules_of_thresholds_have_their_sources():
    y = np.arange(30.0)
    report = rw.report(y, {"m": y + np.sin(y)}, task="regression", path=None)
    assert "On the removal of skewness by transformation" in rw.cite(report)
    assert "Index for rating diagnostic tests" in rw.cite(rw.threshold(Y, A, rule="youden"))
    assert "Index for rating diagnostic tests" not in rw.cite(rw.threshold(Y, A, rule="f1"))


def test_bibtex_has_every_entry_of_the_text():
    for key, each in references.entries().items():
        entry = each.bibtex(key)
        assert entry.count("{") == entry.count("}")
        assert re.fullmatch(r"@\w+\{\w+,\n(  \w+ = \{.*\},\n)+\}", entry), entry
        assert not re.search(r"(?<!\\)&", entry)
    found = rw.auc(Y, A, method="delong")
    assert "author = {DeLong, E. R. and DeLong, D. M. and Clarke-Pearson, D. L.}" in rw.cite(
        found, format="bibtex"
    )


def test_rocwise_is_cited_as_in_its_citation_file():
    cited = rw.cite()
    for line in (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines():
        name, _, value = line.strip().removeprefix("- ").partition(": ")
        if name in ("title", "version", "name"):
            assert value.strip('"') in cited
    assert "rocwise.cite(result)" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_other_arguments_raise():
    with pytest.raises(InputError, match="`result` must be what a function of rocwise returned"):
        rw.cite(0.7)
    with pytest.raises(InputError, match="`format`"):
        rw.cite(format="ris")


def test_all_entries_of_the_tables_exist():
    tables = (
        references.OF_METHODS,
        references.OF_RESULTS,
        references.OF_BANDS,
        references.OF_SECTIONS,
        references.OF_TASKS,
    )
    used = {key for table in tables for keys in table.values() for key in keys}
    assert used <= references.entries().keys()
    assert references.entries().keys() - used - {"rocwise"} == set()
