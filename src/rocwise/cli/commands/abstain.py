"""``rocwise abstain``: which scores to leave undecided, for given costs or bounds."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import read_pairs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, Plot, for_each, heading, one_by_one
from rocwise.cli.python_code import indented, window_lines
from rocwise.cli.terminal import aligned, folded, printable
from rocwise.errors import InputError

DESCRIPTION = """\
Reject option: the two thresholds between which cases are left undecided, with the least expected
cost. Instead of a cost of abstaining, the abstention rate or the cost of the errors may be
bounded."""
EXAMPLES = """\
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 5 --cost-abstain 0.2
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 5 --cost-abstain 0.2 \\
      --prevalence 0.02 --intervals --seed 1
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 1 --max-abstention 0.1
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 5 --cost-abstain 0.2 \\
      --surface --plot costs.png"""
UNCERTAINTY = "binary.abstention.AbstentionWindow.uncertainty"


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("costs")
    parser.costs("fp", "fn", "tp", "tn", required=True)
    parser.arguments("abstain", prevalence=None)
    parser.section("abstention, one of")
    with parser.one_of(required=True):
        text = "cost of not deciding; two numbers: on a positive, on a negative"
        parser.option("--cost-abstain", text, type=float, nargs="+", metavar="COST")
        parser.arguments(
            "abstain",
            max_abstention="at most this proportion undecided; above 1, this number",
            max_cost="at most this cost, with least abstention",
        )
    parser.section("further")
    per = "cost of a bounded rule per decided case (default) or per case"
    parser.option("--per", per, choices=("decided", "case"))
    parser.flag("--intervals", "bootstrap intervals, and out-of-bag cost")
    parser.arguments(UNCERTAINTY, level=None, n_resamples=None, rng=None)
    parser.flag(
        "--surface",
        "also the volume under the least cost over all costs (VACC); --plot draws its map",
    )
    parser.output("the reject region on the ROC hull, or the map of --surface,", rates=True)


def compute(options: Options) -> Output:
    """The window of each model, and the lines that apply it."""
    _check_options(options)
    pairs = read_pairs(options)
    how = {"costs": _costs(options), "per": options.per or "decided", **options.settings("abstain")}
    windows = for_each(options, pairs, rw.abstain, **how)
    more = {name: _more(pairs.tally(name), windows[name], options) for name in windows}
    return Output(
        windows,
        one_by_one(lambda name, window: _report(name, window, more[name])),
        heading(options, pairs),
        of_each={
            name: {**more[name], "production": window_lines(window)}
            for name, window in windows.items()
        },
        plot=partial(_plot, windows, more, surface=options.surface),
    )


def _check_options(options: Options) -> None:
    bounded = options.cost_abstain is None
    if bounded and (options.intervals or options.surface):
        raise InputError("--intervals and --surface go with --cost-abstain, not with a bound.")
    if options.per and not bounded:
        raise InputError("--per goes with --max-abstention and --max-cost; leave it out.")
    if options.surface and options.plot and len(options.score) > 1:
        raise InputError("--surface draws the map of one model; give one --score, or no --plot.")


def _costs(options: Options) -> rw.Costs:
    abstain: Any = options.cost_abstain
    if abstain is not None:
        if len(abstain) > 2:
            raise InputError(
                "--cost-abstain takes one number, or two: on a positive, on a negative."
            )
        abstain = abstain[0] if len(abstain) == 1 else tuple(abstain)
    right = {name: getattr(options, f"cost_{name}") or 0.0 for name in ("tp", "tn")}
    return rw.Costs(fp=options.cost_fp, fn=options.cost_fn, abstain=abstain, **right)


def _more(tally: Any, window: Any, options: Options) -> dict[str, Any]:
    """Intervals and the surface, where they were requested."""
    found: dict[str, Any] = {}
    if options.intervals:
        found["uncertainty"] = window.uncertainty(**options.settings(UNCERTAINTY))
    if options.surface:
        surface = rw.abstention_surface(tally, prevalence=options.prevalence)
        found |= {"surface": surface, "trivial_volume": surface.trivial_volume}
    return found


def _plot(windows: Mapping[str, Any], more: Mapping[str, Any], *, surface: bool) -> Plot:
    """The windows; or the map of the surface, with the given costs marked if they are on it."""
    if not surface:
        return windows, {}
    ((name, window),) = windows.items()
    on_map = window.nu[0] == window.nu[1] and window.mu <= 1 and window.nu[0] <= 1
    return {name: more[name]["surface"]}, {"at": (window.mu, window.nu[0])} if on_map else {}


def _report(name: str, window: Any, more: dict[str, Any]) -> str:
    """The window of one model: rule, numbers, intervals, and Python lines."""
    table = aligned(["", "value"], _numbers(window), "l.")
    parts = [folded(f"{printable(name)}: {window.rule}"), table]
    parts += [folded(f"{more[each]}") for each in ("uncertainty", "surface") if each in more]
    return "\n\n".join([*parts, indented(window_lines(window))])


def _numbers(window: Any) -> list[list[str]]:
    decided: float | None = getattr(window, "decided_cost", None)
    rows = [
        ["lower threshold", window.lower_text],
        ["upper threshold", window.upper_text],
        ["cost per case", f"{window.expected_cost:.4g}"],
        ["abstention rate", f"{window.abstention_rate:.4g}"],
        ["  cases of this file", printing.count(window.n_undecided)],
        ["  of the positives", f"{window.undecided_positives:.4g}"],
        ["  of the negatives", f"{window.undecided_negatives:.4g}"],
        ["false negative rate", f"{window.fnr:.4g}"],
        ["false positive rate", f"{window.fpr:.4g}"],
        ["cost per case without abstaining", f"{window.cost_without_abstaining:.4g}"],
        ["prevalence", f"{window.prevalence:.4g}"],
    ]
    if decided is not None:
        rows.insert(3, ["cost per decided case", f"{decided:.4g}"])
    return rows
