"""``rocwise studio``: the report's page, live, in the browser of this machine."""

from __future__ import annotations

import webbrowser
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from typing import Any

import rocwise as rw
from rocwise.cli.commands.report import TASKS
from rocwise.errors import InputError

DESCRIPTION = (
    "Open the studio in the browser: load a file, move the threshold, compute bands and tests, "
    "save the report. It listens on 127.0.0.1 only, and ends with Ctrl-C."
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
    parser.add_argument("--pos-label", metavar="VALUE", help="the label of the positive class")
    parser.add_argument(
        "--task",
        choices=TASKS,
        help="type of the label: two classes, several classes (one --score for each), ordered "
        "classes, or a number (default: from the labels)",
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="port (default: any free port)"
    )
    parser.add_argument("--no-browser", action="store_true", help="open nothing, print the address")


def run(options: Namespace) -> None:
    """Print the address and serve until Ctrl-C."""
    named: dict[str, Any] = {
        name: value
        for name in ("label", "pos_label", "task")
        if (value := getattr(options, name)) is not None
    }
    if options.file is None and (named or options.score):
        raise InputError(
            "FILE is missing: --label, --score, --pos-label and --task name its columns."
        )
    running = rw.studio(
        options.file, scores=options.score, port=options.port, open_browser=False, **named
    )

    def ready() -> None:
        print(running.url, flush=True)
        if not options.no_browser:
            webbrowser.open(running.url)

    with suppress(KeyboardInterrupt):
        running.wait(ready)
