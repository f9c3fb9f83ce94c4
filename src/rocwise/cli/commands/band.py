"""``rocwise band``: a confidence band around the ROC curve of each model."""

from typing import Any

from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, edge_table, one_by_one, per_model, rate_text
from rocwise.cli.terminal import folded, printable

DESCRIPTION = """\
A confidence band around the ROC curve: for the true curve, or for that of a new sample.

For the whole curve: simultaneous (default; narrow at the ends), fixed-width, working-hotelling (if
the binormal model holds), joint-regions (wide). For each false positive rate alone: pointwise,
pointwise-binormal. For the curve of a new sample of the same size: future."""
EXAMPLES = """\
  rocwise band scores.csv --label ill --score model_a
  rocwise band scores.csv --label ill --score a --score b --kind working-hotelling
  rocwise band scores.csv --label ill --score a --kind fixed-width --seed 1
  rocwise band scores.csv --label ill --score a --kind future --plot band.svg"""
RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("band")
    parser.arguments(
        "band",
        kind="see above",
        future="widen a fixed-width band for the curve of a new sample",
        slope="direction in which curves are displaced: sd (default) or paper (as published, which "
        "undercovers with unequal classes)",
        joint="joint-regions: a level for both classes together",
        ks="joint-regions: Kolmogorov distances as published (table, default) or exact",
        stratified="resample within the classes",
        level=None,
        n_resamples=None,
        rng=None,
    )
    parser.output("the bands", rates=True)


def compute(options: Options) -> Output:
    """The band of each model."""
    output = per_model(options, "band", one_by_one(_report))
    words = next(iter(output.by_model.values())).description()
    return output._replace(heading=f"{output.heading}\n{folded(f'{words}.')}")


def _report(name: str, band: Any) -> str:
    """The band and the highest point of the observed curve up to each of some rates."""
    observed = [float(band.curve_tpr[band.curve_fpr <= rate].max()) for rate in RATES]
    title = f"{printable(name)}: area of the band {rate_text(band, band.area)}"
    return f"{title}\n{edge_table('FPR', 'TPR', RATES, observed, *band.at(RATES))}"
