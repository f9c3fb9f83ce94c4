"""``rocwise froc``: marks on lesions."""

from typing import Any

import rocwise as rw
from rocwise.cli.commands import readers
from rocwise.cli.data import source_name
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output
from rocwise.cli.terminal import folded
from rocwise.errors import InputError
from rocwise.tables import plain_text

DESCRIPTION = """\
FROC curves of marks on lesions: area under the (weighted) AFROC curve, and sensitivity at false
positives per case; with --reader the comparison of modalities, or of a standalone model and
readers. One file has a row for each mark, the other a row for each case."""
EXAMPLES = """\
  rocwise froc marks.csv --cases cases.csv --case case --score score \\
      --lesion lesion --lesions lesions
  rocwise froc marks.csv --cases cases.csv --case case --score score \\
      --lesion lesion --lesions lesions --reader reader --modality modality
  rocwise froc marks.csv --cases cases.csv --case case --score score \\
      --lesion lesion --lesions lesions --at 0.5 --at 1 --figure sensitivity"""


def add_options(parser: Parser) -> None:
    parser.table(".csv, .tsv or .parquet with a row for each mark")
    text = "file with a row for each case, those without marks too"
    parser.option("--cases", text, metavar="FILE", required=True)
    parser.column("--case", "the case, in both files", required=True)
    parser.column("--score", "score of the mark", required=True)
    text = "lesion that the mark is on; empty or 0 for a false mark"
    parser.column("--lesion", text, required=True)
    parser.column("--lesions", "number of lesions of the case, in --cases", required=True)
    parser.column("--weights", "weight of the lesion in its case (default: equal)")
    parser.column("--reader", "the reader")
    parser.column("--modality", "the modality, where there are several")
    parser.rows("groups")
    parser.choice("--direction", ("higher", "lower"), "which scores are more suspicious")
    parser.section("analysis")
    readers.analysis_options(parser, "froc")
    parser.arguments(
        "froc",
        figure="wafroc (default), afroc, inferred (ROC of the highest mark) or sensitivity",
        covariance="delong (default) or jackknife",
    )
    text = "false positives per case; repeat it for several (default: 1/8, 1/4, ... 8)"
    parser.option("--at", text, type=float, action="append", metavar="NUMBER")
    readers.comparison_output(parser)


def compute(options: Options) -> Output:
    """The curve, or the comparison."""
    names = ("case", "score", "lesion", "lesions", "weights", "reader", "modality", "groups")
    given = options.given(*names, "modalities", "direction") | options.settings("froc")
    if options.at is not None:
        given["at"] = options.at
    found: Any = rw.froc(options.file, options.cases, **given)
    if options.reader is not None:
        return readers.comparison(options, found)
    if options.view is not None:
        raise InputError("--view is for several readers; add --reader.")
    return Output(
        {"curve": found},
        lambda _: f"{folded(repr(found))}\n\n{plain_text(found.at)}",
        source_name(options),
        plot=lambda: (found, {}),
    )
