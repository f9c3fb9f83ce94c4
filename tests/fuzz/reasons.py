"""Odd values that parameters take on purpose, each with the reason.

A line is (pattern of the name, pattern of the parameter, pattern of the value): reason. The
fuzzer counts every result without a line here as wrong.
"""

import re

ANY = ".*"
REASONS: dict[tuple[str, str, str], str] = {
    (ANY, "pos_label", "True|False"): "True equals 1 and False 0, in Python and in numpy",
    (ANY, "resolution", r"10\^400|10\^5000"): "more bins than scores: nothing is binned",
    ("rocwise.TallySketch", "pos_label", r"text.*|no text|nan|-?10\^400|10\^5000"): (
        "a label, looked at when rows come"
    ),
    (ANY, "memory_limit", r"10\^400|10\^5000"): "more than there is: no limit",
    (ANY, "data|y_true|other|y_score|scores|curve", "dict|empty dict"): ("several models by name"),
    (ANY, "fpr_range|tpr_range", "array"): "a pair of rates, as an array",
    (ANY, "thresholds|threshold|values|tau|grid|fpr|tpr|mu|probability_cost|tolerance", "array"): (
        "several places at once"
    ),
    (ANY, "value|tpr1|tpr3|at_zero|at_one|p_values|sensitivity|specificity|alarms", "array"): (
        "several places at once"
    ),
    (ANY, "share|cuts", "array"): "several places at once",
    (ANY, "times|integrate|separation|at", "array"): "several places at once",
    ("rocwise.survival.*", "cause|censored", "True|False"): "True equals 1 and False 0",
    ("rocwise.survival.*", "direction|missing", "None"): "the default",
    ("rocwise.survival.auc", "method", "None"): "the value alone",
    ("rocwise.datasets.*", "rng", "None"): "a seed from the machine",
    (
        "rocwise.(at|compare_at|survival.at)",
        "threshold",
        "generator",
    ): "thresholds, one after the other",
    (
        ANY,
        "fpr|tpr|tpr1|tpr3|mu|probability_cost|y_score|tolerance|thresholds|p_values",
        "no array|empty list",
    ): "no places: an empty result",
    ("rocwise.(at|compare_at)", "metrics", "empty dict"): "no measures of one's own",
    ("rocwise.Tally.from_sorted", "neg|pos", "array"): "two scores, in order",
    ("rocwise.predict_roc", "bandwidth", "array|list of None"): "two widths; None: by the rule",
    (".*series_filter", "initial_mean", "array"): "a vector",
    (".*ModelTreeRegressor", "min_samples_leaf", r"10\^400|10\^5000"): "one leaf",
    (ANY, "fold_values|process_factors|observation_factors|cost_samples|n_pos", "array"): (
        "a list of numbers"
    ),
    (
        ANY,
        "predict|negative|positive|sample|y_train|y_pred|null",
        "array",
    ): "a sample of two values",
    (".*decide|.*predict", "y_score", "array|no array|empty list"): "new scores, few or none",
    ("ConfidentSegment.intervals", "rows", "True|False|None|array|empty list|no array"): (
        "an index of numpy"
    ),
    (".*filters.*|.*KalmanFilter.*|.*Filter.*|.*series_filter", ANY, "list in list"): (
        "a matrix of one entry"
    ),
    (".*filters.*|.*Filter.*", "transition|observation|y|initial_mean", "array"): "a vector",
    ("rocwise.report", "bands", "empty list|no array|set|generator"): "no or some bands",
    ("rocwise.report", "rng", "None"): "a seed from the machine",
    ("rocwise.(report|studio)", "missing|direction|classes|order", "None"): "not given",
    ("rocwise.report", "path", "text|text 'no'|text of a number"): "names of files",
    (ANY, "title|name|x_name|method", "text|no text|text 'no'|text of a number"): "words",
    ("rocwise.Interval", "method", "text.*|no text"): "words about the interval",
    (".*Classifier", "reject_label", "text.*|no text|bytes|None|numpy date"): (
        "any label that is no class"
    ),
    (".*Classifier", "estimator|oracle|second|cv|costs|prior", "None"): "the default",
    (".*Regressor", "final_estimator", "None"): "the default",
    (".*", "random_state", "None"): "a seed from the machine",
    (".*", "nominal", "empty list|no array|generator|set|empty dict"): "no or some columns",
    (".*", "families", "generator|set"): "names in any order",
    (".*", "loss|statistic|transition|observation", "type|function"): "a function of the user's",
    (".*", "progress", "function"): "a function of the user's",
    (".*", "classes|order", "array of text|list of text|dict|empty dict|set|generator"): "names",
    (".*", "X", "None"): "no features",
    (".*", "probability_cost|tolerance|fpr|tpr|tpr1|tpr3|mu|y_score", "list in list|cube"): (
        "places in a table"
    ),
    (".*", "names", "list of text"): "two names",
    (".*", "cuts|share|group", "empty list|no array"): "none of them",
    (".*_without_labels|.*nroc", "y_score", "array"): "two scores",
    (".*cross_validated_auc", "X", ".*"): "looked at only with what cross_validate returns",
}


def reason_for(name: str, parameter: str, value: str) -> str | None:
    """Why a value is accepted, or None."""
    for patterns, reason in REASONS.items():
        if all(map(re.fullmatch, patterns, (name, parameter, value))):
            return reason
    return None
