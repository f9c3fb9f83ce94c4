"""``rocwise survival``: time-dependent AUC, concordance and calibration with censoring."""

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli import data
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output
from rocwise.cli.terminal import aligned, folded, printable, warnings_as_lines
from rocwise.results import results_by_name

DESCRIPTION = """\
Models of the time to an event, with censoring: AUC by given times with intervals, the models
compared, concordance indices, and for predicted risks Brier score and calibration."""
EXAMPLES = """\
  rocwise survival cohort.csv --time days --event died --score a --times 365 --times 730
  rocwise survival cohort.csv --time days --event died --score a --score b --times 365
  rocwise survival cohort.csv --time t --event status --cause 1 --score a --controls all
  rocwise survival cohort.csv --time days --event died --score risk --times 365 --risk
  rocwise survival cohort.csv --time days --event died --score a --times 365 --threshold 0.5
  rocwise survival cohort.csv --time days --event died --score a --band --plot auc.svg"""

MOST_TIMES = 12  # of the table


def add_options(parser: Parser) -> None:
    parser.table()
    parser.column("--time", "the time of follow-up, a number from 0", required=True)
    parser.column("--event", "1 or true: the event, 0: censored; or codes", required=True)
    parser.scores("a model's score, higher: earlier event; repeat it for several models")
    parser.column("--entry", "the time of entry (delayed entry)")
    parser.option("--cause", "the code of the event; others compete with it", metavar="CODE")
    parser.option("--censored", "the code of censored rows (default: 0)", metavar="CODE")
    parser.rows("sample_weight", "groups")
    text = "which scores mean an earlier event (default: higher)"
    parser.choice("--direction", ("higher", "lower"), text)
    parser.missing()
    parser.section("AUC")
    text = "AUC by this time; repeat it for several (default: up to 100 event times)"
    parser.option("--times", text, type=float, action="append", metavar="TIME")
    parser.arguments(
        "survival.auc",
        kind="cumulative: events by the time (default); incident: events at the time",
        controls="survivors: rows without any event (default); all: also competing events",
        method="interval: logit (default), wald, bootstrap",
        band="a simultaneous band over the times",
        level=None,
        n_resamples="number of resamples, or of draws for the band",
        rng=None,
    )
    parser.section("further results")
    with parser.one_of():
        text = "sensitivity, specificity, PPV and NPV by --times, scores from here on positive"
        parser.option("--threshold", text, type=float, metavar="VALUE")
        text = "the same at the threshold with at least this sensitivity"
        parser.option("--sensitivity", text, type=float, metavar="RATE")
        text = "the same at the threshold with at least this specificity"
        parser.option("--specificity", text, type=float, metavar="RATE")
    parser.arguments("survival.concordance", tau="concordance: only events before this time count")
    text = "the scores are predicted risks by --times: Brier score and calibration"
    parser.flag("--risk", text)
    parser.output("the AUC over time")


def compute(options: Options) -> Output:
    """The AUC of each model, and what else was requested."""
    f = data.read_follow_up(options, options.event, **options.given("cause", "censored"))
    arguments = {**options.settings("survival.auc"), "times": options.times}
    with warnings_as_lines(options.words):
        areas = results_by_name(f, rw.survival.auc(f, **arguments))
        indices = _indices(f, options)
        others = _others(f, options) if options.times else _check_times(options)
    about = {"concordance": indices, **others}
    return Output(
        areas,
        lambda found: _report(found, about),
        _heading(f, options),
        of_all=about,
    )


def _indices(f: Any, options: Options) -> dict[str, Any]:
    """Concordance indices of each model; none with delayed entry or where there is no pair."""
    indices: dict[str, Any] = {}
    given = options.given("tau", "controls", "level")
    for kind in ("uno", "harrell"):
        with nullcontext() if given.get("tau") else suppress(rw.InputError):
            found = results_by_name(f, rw.survival.concordance(f, kind=kind, **given))
            for name, index in found.items():
                indices.setdefault(name, {})[kind] = index
    return indices


def _check_times(options: Options) -> dict[str, Any]:
    """Nothing, or an error for options that need horizons."""
    for name in ("threshold", "sensitivity", "specificity", "risk"):
        if getattr(options, name) not in (None, False):
            raise rw.InputError(f"--{name} needs --times.")
    return {}


def _others(f: Any, options: Options) -> dict[str, Any]:
    """Rates at a threshold, the comparison of models, and what predicted risks have."""
    found: dict[str, Any] = {}
    given = options.given("level")
    places = options.given("threshold", "sensitivity", "specificity")
    if any(value is not None for value in places.values()):
        drawn = options.given("controls", "n_resamples", "rng") | places | given
        drawn = {name: value for name, value in drawn.items() if value is not None}
        found["at"] = results_by_name(f, rw.survival.at(f, options.times, **drawn))
    if len(f.names) > 1:
        same = options.given("kind", "controls", "rng") | given
        found["comparison"] = rw.survival.compare(f, options.times, **same)
    if options.risk:
        found["brier"] = results_by_name(f, rw.survival.brier(f, options.times, **given))
        found["calibration"] = results_by_name(
            f, rw.survival.calibration(f, options.times, **given)
        )
    return found


def _heading(f: Any, options: Options) -> str:
    return f"{data.source_name(options)}: {str(f).removeprefix('FollowUp: ')}"


def _report(areas: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    some = next(iter(areas.values()))
    methods = "; ".join(dict.fromkeys(each.method for each in areas.values()))
    against = ", controls with competing events" if some.controls == "all" else ""
    words = f"{some.estimand}/dynamic AUC{against}; CI: {methods}"
    if some.critical is not None:
        words += f" at each time; band: {some.critical:.3f} standard errors"
    parts = [f"{_area_table(areas)}\n{folded(words)}"]
    parts += _concordance_table(about["concordance"])
    if "comparison" in about:
        parts.append(_lines(about["comparison"]))
    for name in ("at", "brier", "calibration"):
        for model, each in about.get(name, {}).items():
            parts.append(_lines(each, f"{printable(model)}: "))
    return "\n\n".join(parts)


def _lines(result: Any, start: str = "") -> str:
    """A printed result, long lines folded."""
    return "\n".join(folded(start + line) for line in str(result).splitlines())


def _area_table(areas: Mapping[str, Any]) -> str:
    """One row per model and time."""
    some = next(iter(areas.values()))
    head = ["model", "time", "AUC", f"{printing.percent(some.level)} CI", "SE"]
    head += ["cases", "controls", "censored"]
    rows = []
    for name, each in areas.items():
        for k in _shown(len(each.times)):
            t = each.times[k]
            counts = (each.n_cases[k], each.n_controls[k], each.n_censored[k])
            rows.append(
                [
                    name,
                    f"{t:g}",
                    f"{each.value[k]:.3f}",
                    f"{each.low[k]:.3f} to {each.high[k]:.3f}",
                    f"{each.standard_error[k]:.4f}",
                    *map(printing.count, counts),
                ]
            )
    text = aligned(head, rows, "lrrlrrrr")
    n = len(some.times)
    return text if n <= MOST_TIMES else f"{text}\n({MOST_TIMES} of {n} times; --csv has all)"


def _shown(n: int) -> list[int]:
    """Places of the times in the table."""
    most = min(n, MOST_TIMES)
    return [round(k * (n - 1) / max(most - 1, 1)) for k in range(most)]


def _concordance_table(indices: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """One row per model and index."""
    found = [(name, each) for name, own in indices.items() for each in own.values()]
    if not found:
        return []
    rows = [
        [
            name,
            each.estimand.capitalize(),
            f"{each.value:.3f}",
            f"{each.interval.low:.3f} to {each.interval.high:.3f}",
            "all" if each.tau == float("inf") else f"before {each.tau:g}",
        ]
        for name, each in found
    ]
    level = printing.percent(found[0][1].interval.level)
    return [aligned(["model", "index", "concordance", f"{level} CI", "events"], rows, "llrll")]
