"""``rocwise studio``: the report's page, live, in the browser of this machine."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import suppress
from typing import Any

DESCRIPTION = (
    "Open the studio in the browser: drop a file, drag the threshold, ask for bands and tests, "
    "save the report. It listens on 127.0.0.1 only, sends nothing anywhere, and ends with Ctrl-C."
)
EXAMPLES = """\
  rocwise studio
  rocwise studio scores.csv
  rocwise studio scores.csv --label ill --score a --score b --no-browser
  rocwise studio grades.csv --task ordinal --label grade --score a"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="table with a header line")
    parser.add_argument("--label", metavar="COLUMN", help="column with the true class")
    parser.add_argument(
        "--score", metavar="COLUMN", action="append", help="column with scores; may be repeated"
    )
    parser.add_argument("--pos-label", metavar="VALUE", help="the label that counts as positive")
    parser.add_argument(
        "--task",
        choices=("binary", "multiclass", "ordinal", "regression"),
        help="what the label is: one of two classes, of several (one --score for each class), of "
        "ordered classes, or a number (default: as the label looks)",
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="where to listen (default: any free port)"
    )
    parser.add_argument("--no-browser", action="store_true", help="open nothing, print the address")


def run(options: Namespace) -> None:
    """Print the address and serve until Ctrl-C."""
    import rocwise as rw
    from rocwise.errors import InputError

    if options.file is None and (
        options.label or options.score or options.pos_label or options.task
    ):
        raise InputError(
            "FILE is missing: --label, --score, --pos-label and --task speak of its columns."
        )
    named: dict[str, Any] = {"label": options.label, "pos_label": options.pos_label}
    named["task"] = options.task
    running = rw.studio(
        options.file,
        scores=options.score,
        port=options.port,
        open_browser=False,
        **{name: value for name, value in named.items() if value is not None},
    )
    print(running.url, flush=True)
    if not options.no_browser:
        import webbrowser

        webbrowser.open(running.url)
    with suppress(KeyboardInterrupt):  # this is how the studio is meant to end
        running.wait()
