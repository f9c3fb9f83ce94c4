"""From the words typed to an exit code: 0 fine, 1 failed, 2 refused, 130 interrupted."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from rocwise.cli import command_list
from rocwise.cli.output import terminal
from rocwise.errors import InputError, MissingPackageError

if TYPE_CHECKING:
    from argparse import Namespace

FINE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    rocwise ..., kernels: ...
    0
    """
    if argv is None:
        return _whole_process(sys.argv[1:])
    words = list(argv)
    if sys.stdout is None:  # closed by the shell: `>&-`
        terminal.error("standard output is closed, so there is nowhere to answer.")
        return FAILED
    if isinstance(sys.stdout, io.TextIOWrapper):  # names in any script, on terminals of any kind
        sys.stdout.reconfigure(errors="replace")
    code = FINE
    try:
        code = _attempt(words)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever was reading has seen enough
        _discard_output()
        return FINE
    except OSError as problem:  # the answer did not get through, as on a full disk
        _discard_output()
        if code == FINE:  # else something was said already
            terminal.error(f"standard output: {os_sentence(problem)}")
        return code or FAILED
    except KeyboardInterrupt:
        _discard_output()  # half an answer is none
        terminal.note("interrupted")
        return INTERRUPTED
    return code


def _whole_process(words: list[str]) -> int:
    """Run the command of a process that ends with it.

    Few objects of a start are garbage, so they are looked through seldom, and not once more at
    the end. No command multiplies matrices that are worth the threads BLAS would start.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(50_000)
    try:
        return main(words)
    finally:
        if "duckdb" not in sys.modules:  # which counts what is left at the end, and complains
            gc.freeze()


def _attempt(words: list[str]) -> int:
    """Run the command; what goes wrong in a known way becomes a sentence."""
    try:
        return _dispatch(words)
    except SystemExit as end:  # how argparse ends after --help
        return int(end.code or FINE)
    except BrokenPipeError:
        raise
    except ValueError as problem:
        terminal.error(str(problem))
        return REFUSED
    except MissingPackageError as problem:
        terminal.error(str(problem))
    except OSError as problem:
        terminal.error(os_sentence(problem))
    except MemoryError:
        terminal.error("this machine has too little memory for that.")
    return FAILED


def _dispatch(words: list[str]) -> int:
    if not words:
        print(command_list.overview(), file=sys.stderr)
        return REFUSED
    first, *rest = words
    if first in {"-h", "--help", "help"}:
        print(command_list.overview())
    elif first == "--version":
        print(_version())
    elif first in command_list.COMMANDS:
        _run(first, rest)
    else:
        terminal.error(command_list.unknown(first))
        return REFUSED
    return FINE


def _run(name: str, words: list[str]) -> None:
    """Run a command; what the library says about its arguments is said about the options."""
    from rocwise.cli.arguments.options import parser_of

    command = command_list.load(name)
    options = parser_of(name, command).parse_args(words)
    try:
        with terminal.warnings_as_sentences(options.words), _threads(options):
            command.run(options)
    except InputError as problem:
        raise problem.in_words_of(options.words) from None


def _threads(options: Namespace) -> AbstractContextManager[None]:
    """As many threads as `--threads` says, where the command has it and it is given."""
    number = getattr(options, "threads", None)
    if number is None:
        return nullcontext()
    import rocwise as rw

    return rw.threads(number)


def _version() -> str:
    from rocwise import kernels
    from rocwise.about import VERSION

    return f"rocwise {VERSION}, kernels: {kernels.ACTIVE}"


def os_sentence(problem: OSError) -> str:
    """What the operating system refused, without its error number.

    >>> os_sentence(PermissionError(13, "Permission denied", "out.svg"))
    'out.svg: permission denied'
    """
    if problem.strerror is None:
        return str(problem)
    reason = problem.strerror[:1].lower() + problem.strerror[1:]
    return f"{problem.filename}: {reason}" if problem.filename is not None else reason


def _discard_output() -> None:
    """Let the interpreter's own last flush go nowhere instead of complaining."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
        sys.stdout.flush()
    except (OSError, ValueError):  # not a file: nothing is flushed to it at the end
        pass
    finally:
        os.close(nowhere)
