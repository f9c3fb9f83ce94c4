"""Several models, clusters and groups: the same results from every engine."""

import pickle

import numpy as np
import pyarrow as pa
import pytest

import rocwise as rw
from engine_list import ENGINES, cases
from rocwise.engines import spark
from rocwise.engines.out_of_core import large_sources
from rocwise.errors import MemoryLimitError, MisuseWarning
from rocwise.inputs import out_of_core

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
RNG = np.random.default_rng(5)
N = 400
LABELS = np.arange(N) % 2
A = np.round(RNG.normal(size=N) + LABELS, 1)
B = np.where(np.arange(N) % 40 == 7, np.nan, RNG.normal(size=N) + 0.8 * LABELS)
PATIENTS = RNG.permutation(np.arange(N) // 4)
SITES = np.array(["north", "east", "south"])[PATIENTS % 3]
TABLE = pa.table(
    {
        "ill": LABELS,
        "a": A,
        "b": B,
        "c": np.round(A + B, 1),
        "patient": PATIENTS,
        "ward": [f"w{patient:03}" for patient in PATIENTS],
        "site": SITES,
    }
)
KNOWN = {"label": "ill", "missing": "drop"}
LARGE = [name for name, engine in ENGINES.items() if engine.large]
WHOLE = [name for name, engine in ENGINES.items() if engine.whole]  # the others become one of these


@pytest.fixture
def source(engine, forced, tmp_path):
    if engine.large:
        forced()
    return engine.source(TABLE, tmp_path)


def test_models_on_the_same_rows(source):
    expected = rw.compare(TABLE, scores=["a", "b"], **KNOWN)
    found = rw.compare(source, scores=["a", "b"], **KNOWN)
    assert found.estimates == expected.estimates
    assert found.method == expected.method
    assert found.p_value == pytest.approx(expected.p_value, rel=1e-12)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-13)
    assert found.origin.n_dropped == 10


@pytest.mark.parametrize("clusters", ["patient", "ward"])
def test_clusters(source, clusters):
    expected = rw.auc(TABLE, score="b", groups=clusters, **KNOWN)
    found = rw.auc(source, score="b", groups=clusters, **KNOWN)
    assert found.value == expected.value
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-13)
    assert found.interval.method == expected.interval.method
    assert found.origin.n_clusters == 100


@pytest.mark.parametrize("name", ["parquet", "spark"])
def test_clusters_named_by_integers_of_all_sizes(forced, tmp_path, name):
    """Names that differ in their highest bits only, as those of hashes may."""
    engine = ENGINES[name]
    if not engine.is_there:
        pytest.skip(f"{engine.needs} is not installed")
    names = np.array([0, -(2**63), 2**62, -(2**62), 2**63 - 1, -1, 7])
    table = TABLE.append_column("id", pa.array(names[PATIENTS % 7]))
    expected = rw.auc(table, score="b", groups="id", **KNOWN)
    forced()
    found = rw.auc(engine.source(table, tmp_path), score="b", groups="id", **KNOWN)
    assert found.origin.n_clusters == expected.origin.n_clusters == 7
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-13)


@pytest.mark.parametrize("clusters", ["patient", "ward"])
def test_models_over_clusters(source, engine, clusters):
    requested = {"scores": ["a", "b", "c"][: 2 + engine.whole], "groups": clusters} | KNOWN
    expected, found = rw.compare(TABLE, **requested), rw.compare(source, **requested)
    assert found.estimates == expected.estimates
    assert found.method == expected.method
    assert found.p_value == pytest.approx(expected.p_value, rel=1e-11)
    for name, interval in expected.intervals.items():
        assert found.intervals[name].method == interval.method
        assert found.intervals[name].low == pytest.approx(interval.low, rel=1e-12)
    covariances = (rw.auc_covariance(frame, **requested) for frame in (source, TABLE))
    assert next(covariances) == pytest.approx(next(covariances), rel=1e-11)
    assert found.origin.n_clusters == expected.origin.n_clusters


@pytest.mark.parametrize("counting", [True, False])
@pytest.mark.parametrize("by", ["site", "patient"])
def test_groups(source, engine, forced, monkeypatch, by, counting):
    if not counting:
        monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)
    table = TABLE
    if by == "patient":  # so many groups that some of them lack a class
        with pytest.warns(MisuseWarning, match="of 100 groups of `by` have no result"):
            expected = rw.auc(table, score="b", by=by, **KNOWN)
        with pytest.warns(MisuseWarning, match="of 100 groups of `by` have no result"):
            found = rw.auc(source, score="b", by=by, **KNOWN)
        absent = found.results.keys() - found.defined
        assert absent == expected.results.keys() - expected.defined
        assert [found[k].reason for k in absent] == [expected[k].reason for k in absent]
        return
    expected = rw.auc(table, score="b", by=by, **KNOWN)
    found = rw.auc(source, score="b", by=by, **KNOWN)
    assert found.groups == expected.groups == ("east", "north", "south")
    for site in found:
        assert found[site].value == expected[site].value
        assert found[site].standard_error == expected[site].standard_error
        assert found[site].interval == expected[site].interval
    assert found.p_value == expected.p_value
    assert found.to_frame()["site"][1] in ("north", pa.scalar("north"))


@pytest.mark.parametrize("rows_at_once", [40, 2**16])
@pytest.mark.parametrize("bins", [20, 10_000])
def test_curves_of_groups(forced, tmp_path, monkeypatch, bins, rows_at_once):
    """Each group has a table of counts, in bins as those of its rows in memory."""
    source, requested = (
        ENGINES["parquet"].source(TABLE, tmp_path),
        {"score": "b", "by": "site"} | KNOWN,
    )
    exact, binned = rw.auc(TABLE, **requested), rw.auc(TABLE, resolution=bins, **requested)
    forced()
    monkeypatch.setattr(out_of_core, "group_bins", lambda *_: bins)
    monkeypatch.setattr(large_sources, "range_rows", lambda _memory: rows_at_once)
    found = rw.auc(source, **requested)
    for site in exact:
        assert found[site].value == exact[site].value
        assert found[site].interval == exact[site].interval
        own, expected = found[site].data, binned[site].data
        for name in ("scores", "pos", "neg"):
            assert getattr(own, name).tolist() == getattr(expected, name).tolist()
        assert own.error_bound == expected.error_bound
        assert rw.equal_error_rate(own).value == rw.equal_error_rate(expected).value
    resolved = rw.auc(source, resolution=20, **requested)
    expected = rw.auc(TABLE, resolution=20, **requested)
    assert [resolved[k].value for k in resolved] == [expected[k].value for k in expected]


def test_groups_of_several_columns(forced, tmp_path):
    hours = pa.array(np.where(PATIENTS % 10 == 3, None, PATIENTS % 2).tolist())
    table = TABLE.append_column("hour", hours).append_column("mark", pa.array(A > 1))
    source = ENGINES["parquet"].source(table, tmp_path)
    forced()
    for by in (["site", "hour"], ["hour", "site"], ["mark", "hour", "site"]):
        expected = rw.auc(table, score="b", by=by, **KNOWN)
        found = rw.auc(source, score="b", by=by, **KNOWN)
        assert found.groups == expected.groups
        assert found.column == expected.column
        for group in expected:
            assert found[group].interval == expected[group].interval
        assert found.p_value == expected.p_value


def test_groups_with_clusters_or_a_comparison_need_memory(forced, tmp_path):
    source = ENGINES["parquet"].source(TABLE, tmp_path)
    for requested in ({"score": "b", "groups": "patient"}, {"score": ["a", "b"]}):
        requested = requested | {"by": "site", "memory_limit": "1GB"} | KNOWN
        in_memory = rw.auc(source, **requested)
        requested_of_table = {
            name: value for name, value in requested.items() if name != "memory_limit"
        }
        assert in_memory.to_dict()["results"] != {}
        assert str(in_memory) == str(rw.auc(TABLE, **requested_of_table))
    forced()
    complete = TABLE.filter(~np.isnan(B))
    both = {"label": "ill", "score": ["a", "b"], "by": "site"}
    expected = rw.auc(complete, **both)
    source = ENGINES["parquet"].source(complete, tmp_path)
    both["memory_limit"] = "1GB"
    found = rw.auc(source, **both)
    for name in ("a", "b"):
        assert found[name].p_value == expected[name].p_value
        assert [each.value for each in found[name].values()] == [
            each.value for each in expected[name].values()
        ]
    for call, more in (
        (rw.auc, {"score": "b", "groups": "patient"}),
        (rw.auc, {"missing": "drop"}),
        (rw.compare, {}),
    ):
        with pytest.raises(rw.InputError, match="needs all rows in memory"):
            call(source, **(both | more))


@pytest.mark.parametrize("name", ["parquet", "spark"])
def test_so_many_groups_that_only_their_areas_are_known(forced, tmp_path, monkeypatch, name):
    engine = ENGINES[name]
    if not engine.is_there:
        pytest.skip(f"{engine.needs} is not installed")
    forced()
    monkeypatch.setattr(large_sources, "LEAST_BINS", 10**9)
    source, requested = engine.source(TABLE, tmp_path), {"score": "b", "by": "site"} | KNOWN
    found = rw.auc(source, method="delong", level=0.9, **requested)
    expected = rw.auc(TABLE, method="delong", level=0.9, **requested)
    assert [found[k].interval for k in found] == [expected[k].interval for k in found]
    assert pickle.loads(pickle.dumps(found["east"])) == found["east"]
    data, other = found["east"].data, found["south"].data
    of_two = rw.compare(data, other)
    assert of_two.p_value == rw.compare(expected["east"].data, expected["south"].data).p_value
    for call in (
        lambda: found["east"].plot(),
        lambda: rw.roc(data),
        lambda: rw.equal_error_rate(data),
        lambda: rw.auc(data, max_fpr=0.1),
        lambda: rw.auc(data, method="bootstrap", n_resamples=10, rng=1),
        lambda: rw.thresholds(data),
        lambda: rw.at(data, threshold=1),
        lambda: rw.roc(source, **requested),
        lambda: rw.auc(source, max_fpr=0.2, **requested),
    ):
        with pytest.raises(MemoryLimitError, match="needs the ROC curve of each group"):
            call()


@pytest.mark.parametrize("engine", LARGE, indirect=True)
def test_what_needs_rows_raises(source, engine, monkeypatch):
    monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)
    with pytest.raises(rw.InputError, match="needs the rows of all models in memory"):
        rw.compare(source, scores=["a", "b"], method="bootstrap", n_resamples=10, rng=1, **KNOWN)
    with pytest.raises(rw.InputError, match="needs the clustered rows in memory"):
        rw.auc(source, score="b", groups="patient", method="bootstrap", n_resamples=9, **KNOWN)


FUNCTIONS = {
    "roc": {},
    "auc": {"max_fpr": 0.3},
    "threshold": {"rule": "cost", "costs": rw.Costs(fp=1, fn=2)},
    "cost_curve": {},
    "confident_segment": {},
    "abstention_surface": {"grid": 4},
    "thresholds": {},
}


@pytest.mark.parametrize("engine", WHOLE, indirect=True)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_of_a_resolved_tally(engine, forced, tmp_path, function):
    """With a resolution the result is that of the binned rows in memory, to the last digit."""
    if engine.large:
        forced()
    call = getattr(rw, function)
    table = TABLE.filter(pa.compute.is_finite(TABLE["b"]))
    options = {"label": "ill", "score": "b", "resolution": 50} | FUNCTIONS[function]
    expected = call(table, **options).to_dict()
    found = call(engine.source(table, tmp_path), **options).to_dict()
    for result in (found, expected):
        result.pop("data", None)
        result["origin"]["frame"] = None
    assert found == expected


@pytest.mark.parametrize("engine", WHOLE, indirect=True)
def test_score_values_where_equal_ones_can_be_counted(engine, forced, tmp_path):
    if engine.large:
        forced(counting=True)
    risks = np.round(1 / (1 + np.exp(-A)), 2)
    table = pa.table({"ill": LABELS, "risk": risks})
    found = rw.smooth_roc(engine.source(table, tmp_path), label="ill", score="risk")
    assert found.auc == pytest.approx(rw.smooth_roc(LABELS, risks).auc, rel=1e-14)


RISKS = 1 / (1 + np.exp(-np.where(np.isnan(B), 0.0, B)))
RISKS[::9] = np.round(RISKS[::9], 1)  # ties, also with a calibrated midpoint
SMOOTH = {
    "estimated": ("risk", {}),
    "class means": ("risk", {"midpoint": "class-means"}),
    "calibrated": ("risk", {"midpoint": "calibrated"}),
    "a number that is a score": ("risk", {"midpoint": float(RISKS[9])}),
    "lower means positive": ("other", {"direction": "lower"}),
    "rescaled": ("b", {"rescale": True, "missing": "drop"}),
    "rescaled and lower": ("b", {"rescale": True, "direction": "lower", "missing": "drop"}),
    "single precision": ("short", {}),
    "classes separated by the score": ("perfect", {"midpoint": "calibrated"}),
}
ON_SPARK = [(), ("rescaled and lower", "single precision", "a number that is a score")]
VALUES = pa.table(
    {
        "ill": LABELS,
        "risk": RISKS,
        "other": 1 - RISKS,
        "short": RISKS.astype(np.float32),
        "b": B,
        "perfect": LABELS.astype(float),
    }
)


def smoothed(engine, requested):
    """All cases of whole engines, and of the others one or those with their own code."""
    if not engine.whole:
        return requested in ("estimated", *ON_SPARK[engine.needs == "pyspark"])
    return engine.typed or requested != "single precision"  # text has no types


@pytest.mark.parametrize(("engine", "requested"), cases(SMOOTH, smoothed), indirect=["engine"])
def test_smooth_curves_of_many_distinct_scores(engine, forced, tmp_path, monkeypatch, requested):
    """Ranges of scores add up to the area; the points of the curve are some of all."""
    score, options = SMOOTH[requested]
    known = {"label": "ill", "score": score} | options
    expected = rw.smooth_roc(VALUES, **known)
    if engine.large:
        forced()
    monkeypatch.setattr(out_of_core, "BINS", 16)
    monkeypatch.setattr(large_sources, "range_rows", lambda _memory: 40)
    monkeypatch.setattr(spark, "RANGE_ROWS", 60)
    found = rw.smooth_roc(engine.source(VALUES, tmp_path), **known)
    assert found.midpoint == expected.midpoint
    for name in ("auc", "alpha_v", "alpha_h"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-12)
    assert (found.n_pos, found.n_neg) == (expected.n_pos, expected.n_neg)
    at = {score: place for place, score in enumerate(expected.scores.tolist())}
    places = [at[score] for score in found.scores.tolist()]
    assert found.x == pytest.approx(expected.x[places], abs=1e-12)
    assert found.y == pytest.approx(expected.y[places], abs=1e-12)
    if engine.large and requested != "classes separated by the score":
        assert len(found.x) == 17
        assert found.data.error_bound > found.origin.error_bound == 0
        assert pickle.loads(pickle.dumps(found)).x.tolist() == found.x.tolist()


@pytest.mark.parametrize("name", ["parquet", "spark"])
def test_smooth_curves_raise_without_score_values(forced, tmp_path, monkeypatch, name):
    engine = ENGINES[name]
    if not engine.is_there:
        pytest.skip(f"{engine.needs} is not installed")
    forced()
    monkeypatch.setattr(out_of_core, "BINS", 16)
    far = pa.table({"ill": LABELS, "far": np.where(np.arange(N) == 3, np.inf, A), "b": B})
    source = engine.source(far, tmp_path)
    with pytest.raises(rw.InputError, match=r"needs scores from 0 to 1, .* or rescale=True"):
        rw.smooth_roc(source, score="b", **KNOWN)
    with pytest.raises(rw.InputError, match="needs finite scores"):
        rw.smooth_roc(source, score="far", rescale=True, **KNOWN)
    tally = rw.tally(source, score="b", **KNOWN)
    with pytest.raises(rw.InputError, match="Pass the file or frame itself, not a tally"):
        rw.smooth_roc(tally, rescale=True)
    curve = rw.smooth_roc(source, score="b", rescale=True, **KNOWN)
    with pytest.raises(rw.InputError, match="Pass the file or frame itself"):
        rw.smooth_roc(curve.data, rescale=True, midpoint=0.3)
    with pytest.raises(rw.InputError, match="these were binned"):
        rw.smooth_roc(source, score="b", rescale=True, resolution=20, **KNOWN)


@pytest.mark.parametrize("name", ["duckdb relation", "polars lazy frame", "ibis table", "parquet"])
def test_a_result_reports_where_its_rows_were_converted(forced, tmp_path, name):
    engine = ENGINES[name]
    if not engine.is_there:
        pytest.skip(f"{engine.needs} is not installed")
    source = engine.source(TABLE, tmp_path)
    requested = {"label": "ill", "score": "a", "missing": "drop"}
    in_memory = rw.auc(source, **requested)
    assert in_memory.origin.read_by is None
    forced()
    found = rw.auc(source, **requested)
    assert found.value == in_memory.value
    if name == "parquet":  # is read where it is
        assert found.origin.read_by is None
        return
    kind = "relation of DuckDB" if name != "polars lazy frame" else "lazy frame of Polars"
    assert repr(found).endswith(f"; {kind} read from a temporary file")
    assert found.to_dict()["origin"]["read_by"] == f"{kind} read from a temporary file"


INVALID = {
    "weights of each row": (
        lambda source: rw.auc(source, score="a", sample_weight="w", **KNOWN),
        r"`sample_weight` 'w' .* multiples of 1/1024\) so that equal rows are counted, or {}",
    ),
    "weights of models": (
        lambda source: rw.compare(source, scores=["a", "b"], sample_weight="w", **KNOWN),
        "`sample_weight` is supported for equal rows of one model only: call `auc` .*, or {}",
    ),
    "score values": (
        lambda source: rw.brier(source, score="b", **KNOWN),
        "`brier` needs the scores themselves, .* Round them to few digits",
    ),
}


@pytest.mark.parametrize("function", INVALID)
@pytest.mark.parametrize("name", ["parquet", "spark"])
def test_what_needs_the_rows_names_another_way(forced, tmp_path, monkeypatch, name, function):
    engine = ENGINES[name]
    if not engine.is_there:
        pytest.skip(f"{engine.needs} is not installed")
    forced()
    monkeypatch.setattr(out_of_core, "BINS", 50)
    weights = np.random.default_rng(1).random(N)
    table = TABLE.append_column("w", pa.array(weights))
    call, words = INVALID[function]
    way = r"pass memory_limit='1GB'" if name == "parquet" else r"pass frame.toPandas\(\)"
    with pytest.raises(rw.InputError, match=words.format(way)):
        call(engine.source(table, tmp_path))
