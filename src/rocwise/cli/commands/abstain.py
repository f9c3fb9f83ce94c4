"""``rocwise abstain``: which scores to leave undecided, for given costs or bounds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, Picture, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.abstention_windows import Window
    from rocwise.data.pairs import Pairs

DESCRIPTION = """\
Which scores to call positive, which negative, and which to leave undecided, so that the expected
cost is least. In place of the cost of abstaining, the share of undecided cases or the cost of the
errors may be bounded."""
EXAMPLES = """\
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 5 --cost-abstain 0.2
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 5 --cost-abstain 0.2 \\
      --prevalence 0.02 --intervals --seed 1
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 1 --max-abstention 0.1
  rocwise abstain scores.csv --label ill --score risk --cost-fp 1 --cost-fn 5 --cost-abstain 0.2 \\
      --surface --plot costs.png"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("costs")
    for flag, words in (("--cost-fp", "a false alarm"), ("--cost-fn", "a miss")):
        group.add_argument(flag, type=float, required=True, metavar="COST", help=f"cost of {words}")
    for flag, words in (("--cost-tp", "a hit"), ("--cost-tn", "a correct rejection")):
        group.add_argument(
            flag,
            type=float,
            default=0.0,
            metavar="COST",
            help=f"cost of {words} (default: 0); negative: a gain",
        )
    group.add_argument(
        "--prevalence",
        type=float,
        metavar="SHARE",
        help="share of positives where the rule will be used (default: that of the file)",
    )
    what = parser.add_argument_group("abstention, one of").add_mutually_exclusive_group(
        required=True
    )
    what.add_argument(
        "--cost-abstain",
        type=float,
        nargs="+",
        metavar="COST",
        help="cost of not deciding; two numbers: on a positive, on a negative",
    )
    what.add_argument(
        "--max-abstention",
        type=float,
        metavar="LIMIT",
        help="at most this share undecided; above 1, at most this number of cases",
    )
    what.add_argument(
        "--max-cost", type=float, metavar="COST", help="at most this cost, with least abstention"
    )
    _add_further_options(parser)
    add_output_options(parser, "the window on the ROC hull, or the map of --surface,", rates=True)


def _add_further_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("further")
    group.add_argument(
        "--per",
        choices=("decided", "case"),
        help="cost of a bounded rule per decided case (default) or per case",
    )
    group.add_argument(
        "--intervals", action="store_true", help="bootstrap intervals, and cost on cases left out"
    )
    group.add_argument("--level", type=float, default=0.95, help="of the intervals (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=1000, metavar="N", help="of --intervals (default: 1000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes the bootstrap repeatable")
    group.add_argument(
        "--surface",
        action="store_true",
        help="also the volume under the least cost over all costs (VACC); --plot draws its map",
    )


def run(options: Namespace) -> None:
    """Print the windows."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The window of each model, what was asked for beside it, and the lines that use it."""
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading
    from rocwise.cli.output.python_snippets import window_lines

    _refuse_idle_options(options)
    pairs = read_pairs(options)
    windows = ask_each(options, pairs, _question(options))
    more = {name: _more(pairs, name, windows[name], options) for name in windows}
    return Answers(
        windows,
        table=partial(_reports, windows, more),
        heading=heading(options, pairs),
        of_each={
            name: {**more[name], "production": window_lines(window)}
            for name, window in windows.items()
        },
        picture=partial(_picture, windows, more, surface=options.surface),
    )


def _refuse_idle_options(options: Namespace) -> None:
    bounded = options.cost_abstain is None
    if bounded and (options.intervals or options.surface):
        raise InputError("--intervals and --surface go with --cost-abstain, not with a bound.")
    if options.per and not bounded:
        raise InputError("--per goes with --max-abstention and --max-cost; leave it out.")
    if options.surface and options.plot and len(options.score) > 1:
        raise InputError("--surface draws the map of one model; give one --score, or no --plot.")


def _question(options: Namespace) -> Any:
    """The question to ask of each tally."""
    import rocwise as rw

    return partial(
        rw.abstain,
        costs=given_costs(options),
        prevalence=options.prevalence,
        max_abstention=options.max_abstention,
        max_cost=options.max_cost,
        per=options.per or "decided",
    )


def given_costs(options: Namespace) -> Any:
    """The costs as the options give them."""
    import rocwise as rw

    abstain: Any = options.cost_abstain
    if abstain is not None:
        if len(abstain) > 2:
            raise InputError(
                "--cost-abstain takes one number, or two: on a positive, on a negative."
            )
        abstain = abstain[0] if len(abstain) == 1 else tuple(abstain)
    return rw.Costs(
        fp=options.cost_fp,
        fn=options.cost_fn,
        tp=options.cost_tp,
        tn=options.cost_tn,
        abstain=abstain,
    )


def _more(pairs: Pairs, name: str, window: Any, options: Namespace) -> dict[str, Any]:
    """What was asked for beside the window: intervals, the surface."""
    import rocwise as rw

    found: dict[str, Any] = {}
    if options.intervals:
        found["uncertainty"] = window.uncertainty(
            level=options.level, n_resamples=options.resamples, rng=options.seed
        )
    if options.surface:
        surface = rw.abstention_surface(pairs.tally(name), prevalence=options.prevalence)
        found |= {"surface": surface, "trivial_volume": surface.trivial_volume}
    return found


def _picture(windows: Mapping[str, Any], more: Mapping[str, Any], *, surface: bool) -> Picture:
    """The windows; or the map of the surface, with the costs of the user on it."""
    if not surface:
        return windows, {}
    (name,) = windows
    return {name: more[name]["surface"]}, _mark(windows[name])


def _mark(window: Any) -> dict[str, Any]:
    """Where on the map the costs of the user are, if they are on it."""
    nu = window.nu[0]
    on_it = window.nu[0] == window.nu[1] and window.mu <= 1 and nu <= 1
    return {"at": (window.mu, nu)} if on_it else {}


def _reports(windows: Mapping[str, Window], more: Mapping[str, dict[str, Any]]) -> str:
    return "\n\n".join(report(name, window, more[name]) for name, window in windows.items())


def report(name: str, window: Window, more: dict[str, Any]) -> str:
    """The window of one model: rule, numbers, intervals, and how to use it."""
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.output import terminal
    from rocwise.cli.output.python_snippets import shown, window_lines
    from rocwise.cli.output.text_tables import aligned

    uncertainty = more.get("uncertainty")
    rows = [[*row, ""] for row in _numbers(window)]
    header = ["", "value", ""]
    if uncertainty is not None:
        header[2] = f"{100 * uncertainty.lower.level:g} % CI"
        for row, field in zip(
            rows, ("lower", "upper", "expected_cost", "abstention_rate"), strict=False
        ):
            interval = getattr(uncertainty, field)
            numbers = f"{interval.low:.4g} to {interval.high:.4g}"
            row[2] = getattr(interval, "ends", numbers)
        rows += _unseen(uncertainty)
    table = aligned(header, rows, "l.l")
    lines = [terminal.folded(f"{printable(name)}: {window.rule}"), "", table]
    if "surface" in more:
        lines += ["", terminal.folded(_volume(more))]
    return "\n".join([*lines, "", shown(window_lines(window))])


def _numbers(window: Window) -> list[list[str]]:
    from rocwise import printing

    decided: float | None = getattr(window, "decided_cost", None)
    rows = [
        ["lower threshold", window.lower_text],
        ["upper threshold", window.upper_text],
        ["cost per case", f"{window.expected_cost:.4g}"],
        ["share undecided", f"{window.abstention_rate:.4g}"],
        ["  cases of this file", printing.count(window.n_undecided)],
        ["  of the positives", f"{window.undecided_positives:.4g}"],
        ["  of the negatives", f"{window.undecided_negatives:.4g}"],
        ["missed, of the positives", f"{window.fnr:.4g}"],
        ["false alarms, of the negatives", f"{window.fpr:.4g}"],
        ["cost per case without abstaining", f"{window.cost_without_abstaining:.4g}"],
        ["prevalence", f"{window.prevalence:.4g}"],
    ]
    if decided is not None:
        rows.insert(3, ["cost per decided case", f"{decided:.4g}"])
    return rows


def _unseen(uncertainty: Any) -> list[list[str]]:
    share = f"{100 * uncertainty.share_abstaining:.3g} %"
    rows = [[f"abstaining pays in resamples ({uncertainty.n_resamples:,})", share, ""]]
    if uncertainty.out_of_bag_cost is not None:
        rows.insert(
            0, ["cost per case on cases left out", f"{uncertainty.out_of_bag_cost:.4g}", ""]
        )
        rows.insert(1, ["  optimism", f"{uncertainty.optimism:.4g}", ""])
    return [*rows, ["seed", str(uncertainty.seed), ""]]


def _volume(more: dict[str, Any]) -> str:
    return (
        f"Volume under the least cost over all costs (VACC): {more['surface'].volume:.4g}; "
        f"of the best trivial classifier {more['trivial_volume']:.4g}."
    )
