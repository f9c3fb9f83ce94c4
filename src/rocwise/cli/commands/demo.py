"""``rocwise demo``: the main job, from scores to a decision, on built-in data."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocwise.data.pairs import Pairs
    from rocwise.data.tally import Tally
    from rocwise.datasets import ScoredCases

DESCRIPTION = """\
Two models on scikit-learn's breast cancer data: how good each is, whether one is better,
where to set the threshold and when to abstain. Writes the scores, pictures and a report to a
folder; opens nothing."""
EXAMPLES = """\
  rocwise demo
  rocwise demo --output somewhere/else"""
LABEL = "malignant"
MISS_COST = 10


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument(
        "--output",
        default="rocwise-demo",
        metavar="DIR",
        help="folder for the scores, the pictures and the report (default: rocwise-demo)",
    )


def run(options: Namespace) -> None:
    """Print the analysis and write the files."""
    import rocwise as rw
    from rocwise.cli.reports.demo_recipes import python_recipe, shell_recipe
    from rocwise.datasets import breast_cancer_scores

    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)  # before the work, in case it cannot be made
    print("Scoring 569 biopsies with two models, each score by a fit that has not seen the")
    print("case (10-fold cross-validation): logistic regression on 30 measurements, and a")
    print("decision tree of depth 3. Positive means malignant.", flush=True)
    cases = breast_cancer_scores()
    pairs = rw.pair(cases.y_true, cases.scores)
    best = max(pairs.names, key=lambda name: rw.auc(pairs.tally(name)).value)
    _print_answers(pairs, best)
    _write_scores(cases, folder / "scores.csv")
    _print_files(folder, pictures=_write_pictures(pairs, best, folder))
    names = list(pairs.names)
    print("\nThe same in Python")
    print(python_recipe(folder / "scores.csv", LABEL, names, best, MISS_COST))
    print("\nThe same in a shell")
    print(shell_recipe(folder / "scores.csv", LABEL, names, best, MISS_COST))
    _write_report(pairs, folder / "report.html")


def _print_answers(pairs: Pairs, best: str) -> None:
    import rocwise as rw
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.reports.areas import area_table

    print("\nHow good is each model?")
    print(area_table({name: rw.auc(pairs.tally(name)) for name in pairs.names}))
    print("\nIs one better?")
    print(folded(f"{rw.compare(pairs)}"))
    print(f"\nWhere do I set the threshold of {best}?")
    print(operating_table(pairs.tally(best)))
    print("\nWhen should it abstain? A miss costs 10, a false alarm 1, an undecided case 0.5.")
    costs = rw.Costs(fp=1, fn=MISS_COST, abstain=0.5)
    print(folded(f"{rw.abstain(pairs.tally(best), costs=costs)}"))
    print("\nRules were chosen on these very cases; on new ones expect a little less.")


def operating_table(tally: Tally) -> str:
    """What the two usual choices of a threshold would do."""
    import rocwise as rw
    from rocwise import printing
    from rocwise.cli.output.text_tables import aligned
    from rocwise.cli.reports.threshold_tables import sign_of

    table = rw.thresholds(tally, costs=rw.Costs(fp=1, fn=MISS_COST))
    assert table.expected_cost is not None
    aims = {
        "largest Youden index": int(table.youden.argmax()),
        f"a miss costs {MISS_COST} false alarms": int(table.expected_cost.argmin()),
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


def _write_scores(cases: ScoredCases, path: Path) -> None:
    """All digits, so that whoever reads the file gets the same answers."""
    columns = [cases.y_true.tolist(), *(scores.tolist() for scores in cases.scores.values())]
    lines = [",".join([LABEL, *cases.scores])]
    lines += [",".join(map(repr, row)) for row in zip(*columns, strict=True)]
    from rocwise.whole_files import write_whole

    write_whole(path, "\n".join(lines) + "\n")


def _write_pictures(pairs: Pairs, best: str, folder: Path) -> bool:
    """ROC curves and rates over the threshold; without matplotlib a warning in their place."""
    import rocwise as rw
    from rocwise.cli.output import terminal

    curves = {name: rw.roc(pairs.tally(name)) for name in pairs.names}
    areas = {name: rw.auc(pairs.tally(name)) for name in pairs.names}
    table = rw.thresholds(pairs.tally(best))
    try:
        from rocwise.plotting import save

        for ending in ("svg", "png"):
            save(curves, folder / f"roc.{ending}", auc=areas)
            save(table, folder / f"thresholds.{ending}", name=best)
    except rw.errors.MissingPackageError as problem:
        terminal.warning(str(problem))
        return False
    return True


def _write_report(pairs: Pairs, path: Path) -> None:
    """The page, named last: it is the one to open."""
    import rocwise as rw

    costs = rw.Costs(fp=1, fn=MISS_COST, abstain=0.5)
    rw.report(pairs, path, title="Malignant or benign: 569 biopsies", costs=costs)
    print(f"\nThe report, one page to open in a browser: {path}")


def _print_files(folder: Path, *, pictures: bool) -> None:
    print(f"\nWritten to {folder}")
    print("  scores.csv              the true class and both scores of every case")
    if pictures:
        print("  roc.svg, .png           both curves with their areas")
        print("  thresholds.svg, .png    what moving the threshold changes")
