"""``rocwise studio``: the report's page, live, in the browser of this machine."""

import signal
from contextlib import suppress
from typing import Any

import rocwise as rw
from rocwise.cli.options import INTEGER, Options, Parser
from rocwise.errors import InputError

DESCRIPTION = (
    "Open the studio in the browser: load a file, move the threshold, compute bands and tests, "
    "save the report. It listens on 127.0.0.1 only, and ends with Ctrl-C."
)
EXAMPLES = """\
  rocwise studio
  rocwise studio scores.csv
  rocwise studio scores.csv --label ill --score a --score b --no-browser
  rocwise studio grades.csv --task ordinal --label grade --score a
  rocwise studio cohort.csv --task survival --time days --label died --score a"""

TASKS = ("binary", "multiclass", "ordinal", "regression", "survival")


def add_options(parser: Parser) -> None:
    parser.option("file", "table with a header line", metavar="FILE", nargs="?")
    parser.column("--label", "column with the true class")
    parser.column("--score", "column with scores; may be repeated", action="append")
    parser.option("--pos-label", "the label of the positive class", metavar="VALUE")
    task = "type of the label: two classes, several classes (one --score for each), ordered "
    task += "classes, a number, or (with --time) an event (default: from the labels)"
    parser.option("--task", task, choices=TASKS)
    parser.column("--time", "column with times of follow-up; --label is the event")
    parser.reads_text = True
    parser.option("--port", "port (default: any free port)", default=0, **INTEGER)
    parser.flag("--no-browser", "open nothing, print the address")


def run(options: Options) -> None:
    """Print the address and serve until Ctrl-C."""
    typed = options.given("label", "pos_label", "task", "time")
    named: dict[str, Any] = {name: value for name, value in typed.items() if value is not None}
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
            running.open()

    with suppress(KeyboardInterrupt):
        running.wait(ready)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # another Ctrl-C while Python ends
