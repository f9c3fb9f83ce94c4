"""`threads=` of what resamples: taken by every question, kept for later, never in the answer."""

import inspect

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels.threads import settings, thread_limit
from rocwise.multiclass import micro_auc

RNG = np.random.default_rng(7)
Y = RNG.permutation(np.repeat([0, 1], 60))
S = Y + RNG.normal(size=120)
T = Y + RNG.normal(size=120)
CLASSES = RNG.permutation(np.repeat([0, 1, 2], 40))
TABLE = np.eye(3)[CLASSES] + RNG.normal(size=(120, 3))
OTHER = np.eye(3)[CLASSES] + RNG.normal(size=(120, 3))
P = 1 / (1 + np.exp(-S))
MODELS = {"a": S, "b": T}
DRAWN = {"n_resamples": 120, "rng": 1}

QUESTIONS = {
    "at": lambda **o: rw.at(Y, S, sensitivity=0.8, method="bootstrap", **o),
    "auc": lambda **o: rw.auc(Y, S, method="bootstrap", **o),
    "auc_intervals": lambda **o: rw.auc_intervals(Y, S, **o),
    "average_precision": lambda **o: rw.average_precision(Y, S, method="bootstrap", **o),
    "band": lambda **o: rw.band(Y, S, **o),
    "bootstrap": lambda **o: rw.bootstrap(Y, S, statistic="youden-threshold", **o),
    "calibration": lambda **o: rw.calibration(Y, P, strategy="isotonic", **o),
    "compare": lambda **o: rw.compare(Y, MODELS, method="bootstrap", **o),
    "compare_at": lambda **o: rw.compare_at(Y, MODELS, specificity=0.8, **o),
    "compare_curves": lambda **o: rw.compare_curves(Y, MODELS, **o),
    "compare_multiclass": lambda **o: rw.compare_multiclass(
        CLASSES, {"a": TABLE, "b": OTHER}, method="bootstrap", **o
    ),
    "compare_ordinal": lambda **o: rw.compare_ordinal(
        CLASSES, {"a": TABLE[:, 2], "b": OTHER[:, 2]}, method="bootstrap", **o
    ),
    "compare_rec": lambda **o: rw.compare_rec(S, {"a": T, "b": T + 0.5}, method="bootstrap", **o),
    "equal_error_rate": lambda **o: rw.equal_error_rate(Y, S, **o),
    "multiclass_auc": lambda **o: rw.multiclass_auc(CLASSES, TABLE, method="bootstrap", **o),
    "multiclass_roc": lambda **o: rw.multiclass_roc(CLASSES, TABLE, bands=True, **o),
    "ordinal_auc": lambda **o: rw.ordinal_auc(CLASSES, TABLE[:, 2], method="bootstrap", **o),
    "rec_band": lambda **o: rw.rec_band(rw.rec(S, T), kind="bootstrap", **o),
}
METHODS = {
    "micro_auc": lambda **o: micro_auc(CLASSES, TABLE, max_fpr=0.5, **o),
    "threshold": lambda **o: rw.threshold(Y, S, rule="youden").uncertainty(**o),
    "window": lambda **o: rw.abstain(Y, S, costs=rw.Costs(fp=1, fn=1, abstain=0.2)).uncertainty(
        **o
    ),
    "cost curve": lambda **o: rw.cost_curve(Y, S).band(**o),
    "decision curve": lambda **o: rw.decision_curve(Y, P).band(**o),
    "precision-recall": lambda **o: rw.precision_recall(Y, S).band(**o),
}
ALL = QUESTIONS | METHODS
every = pytest.mark.parametrize("ask", ALL.values(), ids=ALL)


def test_no_question_that_resamples_is_forgotten():
    functions = {n: f for n in rw.__all__ if inspect.isfunction(f := getattr(rw, n))}
    signatures = {name: inspect.signature(f).parameters for name, f in functions.items()}
    resampling = {name for name, taken in signatures.items() if "n_resamples" in taken}
    assert resampling == {*QUESTIONS, "report"}
    for name in resampling:
        argument = signatures[name]["threads"]
        assert argument.kind is argument.KEYWORD_ONLY
        assert argument.default is None


@every
def test_answers_do_not_depend_on_it(ask):
    def told(**options):
        answer = ask(**DRAWN, **options)
        return answer.to_dict()

    assert told() == told(threads=1) == told(threads=3) == told(threads=None)


@every
def test_it_is_heard(ask, monkeypatch):
    entered = []
    limited = settings._limited

    def noted(number):
        entered.append(number)
        return limited(number)

    monkeypatch.setattr(settings, "_limited", noted)
    ask(**DRAWN)
    assert entered == []
    ask(**DRAWN, threads=3)
    assert entered == [3]


@every
@pytest.mark.parametrize("wrong", [0, -1, 2.5, "2", True, [2], 10**6])
def test_what_is_no_number_of_threads_is_refused(ask, wrong):
    with pytest.raises(rw.InputError, match="`threads` must"):
        ask(**DRAWN, threads=wrong)


def test_a_page_is_the_same_with_any_number_of_threads():
    pages = [rw.report(Y, scores=MODELS, n_resamples=20, threads=n).payload for n in (None, 1, 3)]
    assert pages[0] == pages[1] == pages[2]
    with pytest.raises(rw.InputError, match="`threads` must"):
        rw.report(Y, scores=MODELS, n_resamples=20, threads=0)


def test_it_goes_before_the_context_and_ends_with_the_question():
    seen = []

    def statistic(fpr, tpr, thresholds):
        seen.append(thread_limit())
        return float(tpr[1])

    with rw.threads(2):
        rw.bootstrap(Y, S, statistic=statistic, n_resamples=2, rng=1, threads=5)
        assert set(seen) == {5}
        assert thread_limit() == 2


def test_what_is_made_later_remembers_it(monkeypatch):
    limits = []
    made = rw.multiclass_auc(CLASSES, TABLE, **DRAWN, threads=5)
    monkeypatch.setattr(
        type(made), "_made", lambda answer: limits.append(thread_limit()) or (0.1, None)
    )
    assert made.standard_error == 0.1
    assert limits == [5]


def test_groups_of_rows_and_models_are_asked_with_it():
    grouped = rw.auc(Y, S, by=CLASSES, method="bootstrap", **DRAWN, threads=1)
    alone = rw.auc(Y, S, by=CLASSES, method="bootstrap", **DRAWN)
    assert [grouped[g].interval for g in grouped.groups] == [
        alone[g].interval for g in alone.groups
    ]
    assert rw.auc(Y, MODELS, threads=1)["a"].interval == rw.auc(Y, S).interval
