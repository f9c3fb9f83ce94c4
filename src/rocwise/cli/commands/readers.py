"""``rocwise readers``: multi-reader multi-case studies."""

from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.commands.compare import pair_table
from rocwise.cli.data import label_value, read_columns, source_name
from rocwise.cli.options import SHARED_TEXT, Options, Parser
from rocwise.cli.output import Output
from rocwise.cli.terminal import aligned, folded, printable
from rocwise.errors import InputError
from rocwise.tables import plain_text

DESCRIPTION = """\
Reader study (MRMC): compare modalities, or a standalone model with the mean reader, so that the
result is about other readers and other cases too. One row for each case that a reader has read."""
EXAMPLES = """\
  rocwise readers study.csv --label truth --score score --case case \\
      --reader reader --modality modality
  rocwise readers study.csv --label truth --score score --case case \\
      --reader reader --ai CAD --alternative non-inferior --margin 0.05
  rocwise readers study.csv --label truth --score score --case case \\
      --reader reader --modality modality --difference 0.05   # plan the next
  rocwise readers study.imrmc --plot differences.svg --view readers"""
COLUMNS = ("label", "score", "case", "reader", "modality", "groups")
NEEDED = COLUMNS[:4]
ANALYSIS: dict[str, str | None] = {
    "ai": "the reader that is a standalone model, compared with the mean of the others",
    "readers": "random (default) or fixed: whether the result is about other readers too",
    "level": None,
    "alternative": "two-sided (default), greater, less, non-inferior or equivalent; first minus "
    "second",
    "margin": "margin of non-inferiority or equivalence",
    "n_resamples": None,
    "rng": None,
}
SIZES = ("n_readers", "n_pos", "n_neg")
VIEWS = ("curves", "readers", "slopes")


def add_options(parser: Parser) -> None:
    parser.table(f"{SHARED_TEXT['file']}; or .imrmc, which has its own columns")
    parser.column("--label", "the true class of the case")
    parser.column("--score", "score, rating or decision of the reading")
    cell_columns(parser)
    parser.rows("groups")
    parser.option("--pos-label", SHARED_TEXT["pos_label"], metavar="VALUE")
    parser.choice(
        "--direction", ("higher", "lower"), "which scores mean positive (default: higher)"
    )
    parser.missing()
    parser.section("analysis")
    analysis_options(parser, "readers.compare")
    parser.arguments(
        "readers.compare",
        cases="random (default) or fixed",
        method="auto (default), or, u-statistics, mle",
        covariance="auto (default), delong, jackknife, unbiased, exact-bootstrap, bootstrap",
        statistic="with --threshold: sensitivity or specificity; or as in `rocwise compare`",
        threshold="scores from here on are positive",
    )
    with parser.one_of():
        texts = dict.fromkeys(("max_fpr", "fpr_range", "tpr_range"))
        points = {"at_sensitivity": "specificity at this sensitivity"}
        points["at_specificity"] = "sensitivity at this specificity"
        parser.arguments("readers.compare", **texts, **points)
    parser.section("planning")
    text = "also print cases that 3 to 12 readers need to detect this difference"
    parser.option("--difference", text, type=float)
    parser.option("--power", "target power (default: 0.8)", type=float, default=0.8)
    comparison_output(parser)


def cell_columns(parser: Parser) -> None:
    """Columns of case, reader and modality."""
    parser.column("--case", "the case")
    parser.column("--reader", "the reader")
    parser.column("--modality", "the modality, where there are several")


def analysis_options(parser: Parser, function: str) -> None:
    """Common options of studies of scores and of marks."""
    text = "which modality, repeated in their order (default: all)"
    parser.option("--only", text, dest="modalities", action="append", metavar="MODALITY")
    parser.arguments(function, **ANALYSIS)


def comparison_output(parser: Parser) -> None:
    parser.output("curves of the readers", rates=True)
    parser.option("--view", "what to plot (default: curves)", choices=VIEWS)


def compute(options: Options) -> Output:
    """The comparison, and the plan of the next study."""
    more = options.given("modalities", "direction", "missing")
    found = rw.readers.compare(**_data(options), **options.settings("readers.compare"), **more)
    plan = None
    if options.difference is not None:
        sizes: dict[str, Any] = {name: getattr(found, name) for name in SIZES}
        plan = rw.readers.plan(found, **sizes, **options.given("difference", "power"))
    return comparison(options, found, plan)


def _data(options: Options) -> dict[str, Any]:
    """The columns that the options name, or a file that names its own."""
    named = {role: name for role in COLUMNS if (name := getattr(options, role)) is not None}
    if str(options.file).lower().endswith(".imrmc"):
        return {"data": options.file, **named}
    lacking = [role for role in NEEDED if role not in named]
    if lacking:
        raise InputError(f"--{lacking[0]} is required: a column of {options.file}.")
    columns = read_columns(options.file, list(named.values()))
    found = {role: columns[name] for role, name in named.items()}
    label, score = found.pop("label"), found.pop("score")
    pos_label = label_value(options.pos_label, label)
    return {"data": label, "y_score": score, "pos_label": pos_label, **found}


def comparison(options: Options, found: Any, plan: Any = None) -> Output:
    """Means of the modalities, their difference, and every reader."""
    how = {} if options.view is None else {"view": options.view}
    remarks = [f"{source_name(options)}: {printing.classes(found.n_pos, found.n_neg)}"]
    remarks += [found.design, *found.origin.remarks()]
    return Output(
        {"comparison": found},
        lambda _: _text(found, plan),
        "; ".join(remarks),
        of_all=None if plan is None else {"plan": plan.table()},
        plot=lambda: (found, how),
    )


def _text(found: Any, plan: Any) -> str:
    """Means, the difference, the readers, and the plan."""
    rows = [
        [name, f"{value:.3f}", " to ".join(f"{end:.3f}" for end in found.intervals.get(name, ()))]
        for name, value in found.estimates.items()
    ]
    level = f"{printing.percent(found.level)} CI"
    parts = [aligned(["", found.quantity, level], rows, "lrl"), folded(found._sentence())]
    if found.pairwise is not None:
        parts.append(pair_table(found.pairwise, "low_adjusted", "high_adjusted", digits=3))
    readers = {name: found.by_reader[name] for name in ("reader", "modality")}
    own = {name: list(map(printable, each)) for name, each in readers.items() if any(each)}
    own |= {name: found.by_reader[name] for name in ("estimate", "low", "high")}
    parts.append(plain_text(own, most=len(readers["reader"])))
    if plan is not None:
        title = f"Cases to detect {plan.difference:g} with power {plan.power:g}:"
        parts.append(f"{title}\n{plain_text(plan.table(), most=20)}")
    return "\n\n".join(parts)
