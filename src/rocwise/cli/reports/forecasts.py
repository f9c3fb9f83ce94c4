"""Forecasts on the screen: areas, shares within tolerances, order of curves, comparison."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rocwise import printing
from rocwise.cli.arguments.option_names import printable
from rocwise.cli.input_files import source_name
from rocwise.cli.output import terminal
from rocwise.cli.output.text_tables import aligned
from rocwise.errors import count_of, in_words_of

if TYPE_CHECKING:
    from rocwise.cli.commands.rec import Found
    from rocwise.regression.comparisons import RecComparison
    from rocwise.regression.rec_bands import RecBand
    from rocwise.regression.rec_curves import RecAccuracy, RecCurve


def heading(found: Found, options: Namespace) -> str:
    """What was read, and what the area is."""
    first = next(iter(found.curves.values()))
    source = printable(source_name(options.file))
    size = f"{source}: {count_of(first.n, 'case')}; AOC is the mean {first.loss} error"
    return "; ".join([size, *first.origin.remarks()])


def report(found: Found, words: Mapping[str, str]) -> str:
    """Everything, a paragraph for each question."""
    parts = [area_table(found.curves, found.up_to)]
    if found.accuracy:
        parts.append(accuracy_table(found.accuracy))
    if found.bands:
        parts.append(band_lines(found.bands))
    if found.orders:
        parts.append("\n".join(terminal.folded(f"{order}.") for order in found.orders))
    if found.comparison is not None:
        parts.append(comparison_lines(found.comparison, words))
    return "\n\n".join(parts)


def area_table(curves: Mapping[str, RecCurve], up_to: float | None = None) -> str:
    """One row per model: AOC, share of the null model's, half and largest error, AOC in part."""
    first = next(iter(curves.values()))
    header = ["model", "AOC", "95 % CI", "median", "largest"]
    part = [] if up_to is None else [f"AOC up to {up_to:g}"]
    header, places = [*header, *part], "l.l.." + "." * len(part)
    rows = [_area_row(name, curve, up_to) for name, curve in curves.items()]
    if first.null_curve is None:
        return aligned(header, rows, places)
    rows.append(_area_row("null model", first.null_curve, up_to))
    shares = [curve.relative_aoc or 0.0 for curve in curves.values()] + [1.0]
    for row, share in zip(rows, shares, strict=True):
        row.insert(3, f"{share:.3g}")
    table = aligned([*header[:3], "of null", *header[3:]], rows, f"{places}.")
    return f"{table}\n(null model: {first.null})"


def _area_row(name: str, curve: RecCurve, up_to: float | None) -> list[str]:
    numbers = [curve.aoc, curve.median_loss, float(curve.losses.max())]
    if up_to is not None:
        numbers.append(curve.aoc_up_to(up_to))
    limits = curve.interval
    spread = "-" if limits is None else f"{limits.low:.4g} to {limits.high:.4g}"
    first, *rest = (f"{number:.4g}" for number in numbers)
    return [name, first, spread, *rest]


def accuracy_table(shares: Mapping[str, RecAccuracy]) -> str:
    """One row per model and tolerance."""
    rows = [
        [
            name,
            f"{answer.tolerance[k]:g}",
            printing.rate(float(answer.accuracy[k]), answer.n),
            f"{printing.rate(float(answer.lower[k]), answer.n)} to "
            f"{printing.rate(float(answer.upper[k]), answer.n)}",
        ]
        for name, answer in shares.items()
        for k in range(len(answer.tolerance))
    ]
    first = next(iter(shares.values()))
    level = printing.percent(first.level)
    header = ["model", "tolerance", "share within", f"{level} CI ({first.method})"]
    return aligned(header, rows, "l..l")


def band_lines(bands: Mapping[str, RecBand]) -> str:
    """What the bands promise, and how wide each is."""
    first = next(iter(bands.values()))
    lines = [terminal.folded(f"{first.promise()}:")]
    for name, band in bands.items():
        doubt = band.doubt()
        said = f"; {doubt}: use --time-series --band bootstrap" if doubt else ""
        lines.append(terminal.folded(f"{printable(name)} ± {band.half_width:.3g}{said}"))
    return "\n".join(lines)


def comparison_lines(answer: RecComparison, words: Mapping[str, str]) -> str:
    """One difference as a sentence, or every pair as a table."""
    note = [] if answer.note is None else [terminal.folded(in_words_of(answer.note, words))]
    p = "" if answer.p_value is None else f"{printing.p_value(answer.p_value)}, "
    if answer.pairwise is None:
        first, second = map(printable, answer.estimates)
        line = f"{first} minus {second}: {answer.difference:+.4g}{answer.interval_words()}"
        return "\n".join([f"{line} in {answer.quantity}", f"{p}{answer.method}", *note])
    columns = answer.pairwise
    rows = [
        [
            f"{columns['first'][k]} - {columns['second'][k]}",
            f"{columns['difference'][k]:+.4g}",
            _limits(columns["low"][k], columns["high"][k]),
            _p_cell(columns["p_value"][k]),
            _p_cell(columns["p_adjusted"][k]),
        ]
        for k in range(len(columns["first"]))
    ]
    header = ["pair", "difference", f"{printing.percent(answer.level)} CI", "p", "Holm's p"]
    alike = f"{answer.quantity}, all alike: {p}{answer.method}"
    return "\n".join([alike, "", aligned(header, rows, "lrlrr"), *note])


def _limits(low: float | None, high: float | None) -> str:
    return "-" if low is None else f"{low:+.4g} to {high:+.4g}"


def _p_cell(p: float | None) -> str:
    if p is None:
        return "-"
    return printing.p_value(float(p)).removeprefix("p ").removeprefix("= ")
