"""``rocwise demo``: from scores to a decision, on built-in data."""

from pathlib import Path
from shlex import quote
from typing import Any

import rocwise as rw
from rocwise import datasets, printing
from rocwise.cli.commands.auc import area_table
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import sign_of
from rocwise.cli.terminal import aligned, folded, warning
from rocwise.tables import Table

DESCRIPTION = """\
Two models on scikit-learn's breast cancer data: AUC, comparison,
threshold and reject option. Writes the scores, plots and a report to a
folder; opens nothing."""
EXAMPLES = """\
  rocwise demo
  rocwise demo --output somewhere/else"""
LABEL = "malignant"
MISS_COST = 10
INTRODUCTION = """\
Scoring 569 biopsies with two models, each score by a fit that has not seen the
case (10-fold cross-validation): logistic regression on 30 measurements, and a
decision tree of depth 3. Positive means malignant."""


def add_options(parser: Parser) -> None:
    text = "folder for the scores, the plots and the report (default: rocwise-demo)"
    parser.option("--output", text, default="rocwise-demo", metavar="DIR")


def run(options: Options) -> None:
    """Print the analysis and write the files."""
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)  # before the work, in case it cannot be made
    print(INTRODUCTION, flush=True)
    cases = datasets.breast_cancer_scores()
    pairs = rw.pair(cases.y_true, cases.scores)
    areas = {name: rw.auc(pairs.tally(name)) for name in pairs.names}
    best = max(areas, key=lambda name: areas[name].value)
    costs = rw.Costs(fp=1, fn=MISS_COST, abstain=0.5)
    print(f"\nAUC of each model\n{area_table(areas)}")
    print(f"\nComparison of the models\n{folded(f'{rw.compare(pairs)}')}")
    print(f"\nThresholds of {best}\n{_operating_table(pairs.tally(best))}")
    print("\nReject option (costs: FN 10, FP 1, abstention 0.5)")
    print(folded(f"{rw.abstain(pairs.tally(best), costs=costs)}"))
    print("\nThresholds were optimized on the same data; performance is optimistic.")
    Table({LABEL: cases.y_true, **cases.scores}).to_csv(folder / "scores.csv")
    plots = _write_plots(pairs, areas, best, folder)
    print(f"\nWritten to {folder}")
    print("  scores.csv              the true class and both scores of every case")
    if plots:
        print("  roc.svg, .png           both curves with their areas")
        print("  thresholds.svg, .png    what moving the threshold changes")
    print(f"\nThe same in Python\n{_python(folder / 'scores.csv', list(areas), best)}")
    print(f"\nThe same in a shell\n{_shell(folder / 'scores.csv', list(areas), best)}")
    path = folder / "report.html"
    rw.report(pairs, path=path, title="Malignant or benign: 569 biopsies", costs=costs)
    print(f"\nThe report, one page to open in a browser: {path}")


def _operating_table(tally: Any) -> str:
    """Performance at two optimal thresholds."""
    table = rw.thresholds(tally, costs=rw.Costs(fp=1, fn=MISS_COST))
    assert table.expected_cost is not None
    aims = {
        "largest Youden index": int(table.youden.argmax()),
        f"cost ratio FN : FP of {MISS_COST}": int(table.expected_cost.argmin()),
    }
    rows = [
        [
            aim,
            f"score {sign_of(tally)} {tally.threshold_text(row)}",
            *(printing.count(getattr(table, name)[row]) for name in ("tp", "fp", "fn", "tn")),
            *(printing.rate(getattr(table, name)[row]) for name in ("sensitivity", "specificity")),
        ]
        for aim, row in aims.items()
    ]
    header = ["aim", "positive when", "tp", "fp", "fn", "tn", "sens", "spec"]
    return aligned(header, rows, "llrrrrrr")


def _write_plots(pairs: rw.Pairs, areas: dict[str, Any], best: str, folder: Path) -> bool:
    """ROC curves and rates over the threshold; without matplotlib a warning in their place."""
    curves = {name: rw.roc(pairs.tally(name)) for name in pairs.names}
    table = rw.thresholds(pairs.tally(best))
    try:
        from rocwise.plotting import save

        for ending in ("svg", "png"):
            save(curves, folder / f"roc.{ending}", auc=areas)
            save(table, folder / f"thresholds.{ending}", name=best)
    except rw.errors.MissingPackageError as problem:
        warning(str(problem))
        return False
    return True


def _python(path: Path, names: list[str], best: str) -> str:
    lines = [
        "import rocwise as rw",
        f"path = {str(path)!r}",
        f"pairs = rw.pair(path, label={LABEL!r}, scores={names!r})",
        "print(rw.compare(pairs))",
        f"best = pairs.tally({best!r})",
        "print(rw.auc(best))",
        f"print(rw.threshold(best, costs=rw.Costs(fp=1, fn={MISS_COST})))",
        f"print(rw.abstain(best, costs=rw.Costs(fp=1, fn={MISS_COST}, abstain=0.5)))",
        "rw.roc(best).plot()",
    ]
    return "\n".join(f"  {line}" for line in lines)


def _shell(path: Path, names: list[str], best: str) -> str:
    data = f"{quote(str(path))} --label {quote(LABEL)}"
    scores = " ".join(f"--score {quote(name)}" for name in names)
    costs = f"--score {quote(best)} --cost-fp 1 --cost-fn {MISS_COST}"
    commands = {
        f"rocwise auc {data}": scores,
        f"rocwise compare {data}": scores,
        f"rocwise roc {data}": f"{scores} --plot roc.svg",
        f"rocwise threshold {data}": costs,
        f"rocwise abstain {data}": f"{costs} --cost-abstain 0.5",
    }
    return "\n".join(f"  {start} \\\n    {rest}" for start, rest in commands.items())
