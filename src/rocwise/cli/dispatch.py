"""The command line: the table of commands, and from the words typed to an exit code.

Exit codes: 0 success, 1 failure, 2 invalid input, 3 unmet requirement, 130 interrupted.
`rocwise --help` needs the table alone; the module of a command is imported when it runs.
"""

import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import Any

from rocwise.cli import terminal
from rocwise.errors import InputError, MissingPackageError, nearest

SUCCESS, FAILED, INVALID, UNMET, INTERRUPTED = 0, 1, 2, 3, 130

TOPICS = {
    "Performance of a model": {
        "auc": "area under the ROC curve, with its confidence interval",
        "roc": "points of the ROC curve",
        "pr": "average precision, with its confidence interval",
        "det": "detection error trade-off, and the equal error rate",
        "calibration": "observed against predicted probabilities",
        "smooth": "smooth ROC curve of scores from 0 to 1",
        "predict": "ROC curve from means and standard deviations of the classes",
        "bounds": "bounds on the AUC from a sensitivity and a specificity",
        "band": "confidence band around the ROC curve",
    },
    "Comparison and planning": {
        "compare": "difference of two or more models, with its interval and p value",
        "readers": "reader studies (MRMC): modalities, or a model and readers",
        "froc": "marks on lesions: FROC curves, AFROC areas",
        "power": "sample size, power, or the smallest AUC that can be detected",
    },
    "Thresholds, costs and abstention": {
        "threshold": "the best threshold by costs or another criterion",
        "at": "every measure at given thresholds or rates, with intervals",
        "thresholds": "counts, rates and costs at every threshold",
        "costs": "cost curves, decision curves (net benefit), H-measure",
        "abstain": "reject option: which cases to leave undecided",
        "reliable": "thresholds with a target precision for each class",
        "segment": "thresholds where false negatives and false positives balance",
    },
    "More than two classes": {
        "multiclass": "multiclass AUC and comparison of models",
        "ordinal": "VUS and ordinal AUC; thresholds between ordered classes",
    },
    "Censored outcomes": {
        "survival": "AUC by a time with censoring, concordance, calibration",
    },
    "Regression": {
        "rec": "REC curves and comparison of models",
    },
    "Report and studio": {
        "report": "self-contained HTML report",
        "studio": "interactive report in the browser",
        "demo": "example analysis of built-in data",
    },
}
OTHER_NAMES = {
    "coords": "thresholds",
    "cutpoint": "threshold",
    "delong": "compare",
    "dca": "costs",
    "mrmc": "readers",
}
COMMANDS_OF = {f"{name}.auc": f"`rocwise {name}`" for name in ("multiclass", "ordinal")}
COMMANDS = {name: summary for group in TOPICS.values() for name, summary in group.items()}

EXAMPLES = """\
  rocwise demo
  rocwise auc scores.csv --label ill --score a --score b
  rocwise thresholds scores.csv --label ill --score a --cost-fp 1 --cost-fn 10
  rocwise report scores.csv --label ill --score a --score b -o report.html"""


class UnmetRequirementError(Exception):
    """A result is not as `--require` demands."""


class _CtrlC:
    """The usual handler of Ctrl-C; libraries raise an ImportError for one during their import."""

    raised = False

    def __call__(self, number: int, frame: Any) -> None:
        self.raised = True
        signal.default_int_handler(number, frame)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    if argv is None:
        return _whole_process(sys.argv[1:])
    if sys.stdout is None:  # closed by the shell: `>&-`
        terminal.error("standard output is closed.")
        return FAILED
    if isinstance(sys.stdout, io.TextIOWrapper):  # names in any script, on terminals of any kind
        sys.stdout.reconfigure(errors="replace")
    code = SUCCESS
    try:
        code = _attempt(list(argv))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        terminal.discard_output()
    except OSError as problem:  # as on a full disk
        terminal.discard_output()
        if code == SUCCESS:
            terminal.error(f"standard output: {os_message(problem)}")
        return code or FAILED
    except KeyboardInterrupt:
        terminal.discard_output()
        terminal.note("interrupted")
        return INTERRUPTED
    return code


def _whole_process(words: list[str]) -> int:
    """Run the command of a process that ends with it: collect garbage seldom, no BLAS threads."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(50_000)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _CtrlC())
    try:
        return main(words)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C while Python ends
        if "duckdb" not in sys.modules:  # which complains about objects left at the end
            gc.freeze()


def _attempt(words: list[str]) -> int:
    """Run the command; known exceptions become one line."""
    try:
        return _dispatch(words)
    except SystemExit as end:  # how argparse ends after --help
        return int(end.code or SUCCESS)
    except BrokenPipeError:
        raise
    except ValueError as problem:
        terminal.error(str(problem))
        return INVALID
    except UnmetRequirementError as problem:
        terminal.error(str(problem))
        return UNMET
    except ImportError as problem:
        if getattr(signal.getsignal(signal.SIGINT), "raised", False):
            raise KeyboardInterrupt from None
        if not isinstance(problem, MissingPackageError):
            raise
        terminal.error(str(problem))
    except OSError as problem:
        terminal.error(os_message(problem))
    except MemoryError:
        terminal.error("out of memory.")
    return FAILED


def _dispatch(words: list[str]) -> int:
    if not words:
        print(overview(), file=sys.stderr)
        return INVALID
    first, *rest = words
    if first == "help" and rest:
        first, rest = rest[0], ["--help"]
    if first in {"-h", "--help", "help"}:
        print(overview())
    elif first == "--version":
        from rocwise import kernels
        from rocwise.about import VERSION

        print(f"rocwise {VERSION}, kernels: {kernels.ACTIVE}")
    elif first == "--json-schema":
        from importlib.resources import files

        print(files("rocwise.cli").joinpath("output.schema.json").read_text("utf-8"), end="")
    elif first == "--completion":
        print(import_module("rocwise.cli.completion").script(" ".join(rest)), end="")
    elif first in COMMANDS:
        _run(first, rest)
    else:
        terminal.error(unknown(first))
        return INVALID
    return SUCCESS


def load(name: str) -> Any:
    """The module of a command."""
    return import_module(f"rocwise.cli.commands.{name}")


def _run(name: str, words: list[str]) -> None:
    """Run a command; errors about arguments of the library name the options."""
    from rocwise.cli.options import Options, parser_of
    from rocwise.cli.output import check_output, run_and_print

    terminal.printed_warnings.clear()
    command = load(name)
    options = parser_of(name, command).parse_args(words, Options())
    number = getattr(options, "threads", None)
    try:
        threads = nullcontext() if number is None else import_module("rocwise").threads(number)
        with terminal.warnings_as_lines(options.words), threads:
            check_output(options)
            _name_format(options)
            if hasattr(command, "run"):
                command.run(options)
            else:
                run_and_print(options, command.compute)
    except InputError as problem:
        raise problem.in_words_of(options.words | COMMANDS_OF) from None


def _name_format(options: Any) -> None:
    """Pass the options about the text of a file along with its path."""
    requested = {name: getattr(options, name, None) for name in ("sep", "decimal", "encoding")}
    if any(requested.values()):
        options.file = import_module("rocwise.inputs").text_file(options.file, **requested)


def overview() -> str:
    """All commands on one screen."""
    width = max(map(len, COMMANDS))
    lines = ["usage: rocwise COMMAND [options]", "", "ROC analysis on the command line."]
    for topic, group in TOPICS.items():
        lines += ["", topic, *(f"  {name:<{width}}  {text}" for name, text in group.items())]
    lines += [
        "",
        "Options",
        "  -h, --help     this overview; after a command, the options of that command",
        "  --version      the version, and whether the compiled kernels are in use",
        "  --json-schema  the JSON schema of what --json prints",
        "  --completion   for bash, zsh or fish: a script that completes options",
        "",
        "Examples",
        EXAMPLES,
    ]
    return "\n".join(lines)


def unknown(name: str) -> str:
    """The error for a command that does not exist, with the nearest that does."""
    near = nearest(name, COMMANDS, OTHER_NAMES)
    suggestion = f"did you mean {near!r}? " if near else ""
    return f"there is no command {name!r}; {suggestion}`rocwise --help` lists them all"


def os_message(problem: OSError) -> str:
    """The operating system's message, without its error number."""
    if problem.strerror is None:
        return str(problem)
    reason = problem.strerror[:1].lower() + problem.strerror[1:]
    return f"{problem.filename}: {reason}" if problem.filename is not None else reason
