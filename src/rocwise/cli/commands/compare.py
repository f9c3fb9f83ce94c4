"""``rocwise compare``: difference of models on the same cases."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import by_group, read_folded_pairs, source_name
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, curves_of, heading
from rocwise.cli.terminal import aligned, folded, printable
from rocwise.tables import plain_text

DESCRIPTION = (
    "Compare two or more models on the same cases: difference, confidence interval and p value."
)
EXAMPLES = """\
  rocwise compare scores.csv --label ill --score a --score b
  rocwise compare scores.csv --label ill --score a --score b --score c
  rocwise compare scores.csv --label ill --score a --score b --method permutation
  rocwise compare scores.csv --label ill --score new --score old \\
      --alternative non-inferior --margin 0.05
  rocwise compare lesions.csv --label ill --score a --score b --group patient
  rocwise compare scores.csv --label ill --score a --score b --by country
  rocwise compare out_of_fold.csv --label ill --score a --score b --folds fold"""


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups", "folds")
    parser.section("comparison")
    parser.arguments(
        "compare",
        method="auto (default: full AUC by DeLong's test with Student's t, with a margin by "
        "wilson; partial AUCs and points by bootstrap), delong, wilson, jackknife, "
        "exact-bootstrap, unbiased, bootstrap, permutation, permutation-asymptotic, "
        "permutation-monte-carlo, venkatraman (whole curves); "
        "with --folds corrected-t (default), influence, or delong of all folds together",
        alternative="two-sided (default), greater, less, non-inferior or equivalent; first minus "
        "second",
        margin="margin of non-inferiority or equivalence",
        level=None,
        n_resamples=None,
        rng=None,
    )
    with parser.one_of():
        parser.arguments(
            "compare",
            max_fpr=None,
            fpr_range=None,
            tpr_range=None,
            at_sensitivity="compare specificities at this sensitivity",
            at_specificity="compare sensitivities at this specificity",
        )
    parser.by("comparison")
    parser.output("the ROC curves (with --by: the differences)", rates=True)


def compute(options: Options) -> Output:
    """The models compared."""
    if options.by is not None:
        groups = by_group(options, rw.compare, **options.settings("compare"))
        title = "; ".join([source_name(options), *groups.origin.remarks()])
        return Output({"comparison": groups}, _by_group, title, plot=lambda: (groups, {}))
    pairs, folds = read_folded_pairs(options)
    result = rw.compare(pairs, folds=folds, **options.settings("compare"))
    return Output(
        {"comparison": result},
        lambda _: f"{estimate_table(result)}\n\n{verdict(result)}",
        heading(options, pairs),
        plot=partial(curves_of, pairs),
    )


def _by_group(results: Mapping[str, Any]) -> str:
    """One sentence per group."""
    return "\n".join(map(folded, str(results["comparison"]).splitlines()))


def estimate_table(result: Any) -> str:
    """One row per model, with its own interval where there is one."""
    header, rows = ["model", result.quantity], []
    for name, value in result.estimates.items():
        rows.append([name, f"{value:.{result.digits}f}"])
        if result.intervals is not None:
            interval = result.intervals[name]
            limits = (f"{limit:.{result.digits}f}" for limit in interval)
            rows[-1] += [" to ".join(limits), interval.method]
    if result.intervals is not None:
        header += [f"{printing.percent(result.level)} CI", "interval by"]
    return aligned(header, rows, "lrll"[: len(header)])


def verdict(result: Any) -> str:
    """One difference as a sentence, or every pair as a table."""
    if result.pairwise is None:
        return folded(result._sentence())
    p = printing.p_value(result.p_value)
    level = printing.percent(result.level)
    table = pair_table(result.pairwise, "low_adjusted", "high_adjusted", digits=result.digits)
    note = f"Limits: {level} for all pairs at once (Bonferroni's); p adjusted: Holm's."
    test = folded(f"all equal: {p}{_joint(result)} ({result.method})")
    return f"{test}\n\n{table}\n{note}"


def pair_table(columns: Mapping[str, Any], low: str, high: str, *, digits: int) -> str:
    """One row per pair of models: difference, limits, p value, Holm-adjusted p value."""
    names = {side: list(map(printable, columns[side])) for side in ("first", "second")}
    shown = {name: columns[name] for name in ("difference", low, high, "p_value", "p_adjusted")}
    return plain_text(names | shown, digits, most=len(names["first"]))


def _joint(result: Any) -> str:
    """The statistic of the joint test with its degrees of freedom, if it has any."""
    if result.df is None:
        return ""
    if result.df_denominator is None:
        return f", chi-square {result.statistic:.2f} with {result.df:g} df"
    return f", F {result.statistic:.2f} with {result.df:g} and {result.df_denominator:.1f} df"
