"""Runs the examples of one page, from top to bottom.

- `python` blocks are executed; those that start with `>>>` also compare their output.
- `console` blocks are run by the shell: lines after `$ ` are commands, the others their output.
- A `{code-block} text` with a `:caption:` is a file of that name, for the blocks below it.

`...` in an output stands for anything. The blocks of a page share their names and the current
folder.
"""

import doctest
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from sybil import Document, Example, Region, Sybil
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser
from sybil.parsers.myst.lexers import DirectiveLexer

OUTPUT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 120


def run_page(path: Path) -> int:
    """Evaluate every example of a page, and say how many there were; the first failure raises."""
    parsers = [
        PythonCodeBlockParser(doctest_optionflags=OUTPUT),
        CodeBlockParser(language="console", evaluator=run_commands),
        files_of_page,
    ]
    examples = list(Sybil(parsers=parsers).parse(path).examples())
    for example in examples:
        example.evaluate()
    return len(examples)


def run_commands(example: Example) -> str | None:
    """Run the commands of one block; what is returned describes the first that fails."""
    blocks = ("\n" + str(example.parsed)).split("\n$ ")[1:]
    if not blocks:
        return "A console block needs a command: a line that starts with '$ '."
    for block in blocks:
        command, _, expected = block.partition("\n")
        printed = output_of(command)
        checker = doctest.OutputChecker()
        if not checker.check_output(expected.strip() + "\n", printed.strip() + "\n", OUTPUT):
            return f"$ {command}\nExpected:\n{expected}\nGot:\n{printed}"
    return None


def output_of(command: str) -> str:
    """All that a command prints, with the programs of this environment found first."""
    programs = str(Path(sys.executable).parent)
    settings = {"PATH": programs + os.pathsep + os.environ["PATH"], "COLUMNS": "80"}
    done = subprocess.run(
        command,
        shell=True,
        env=os.environ | settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.stdout


def files_of_page(document: Document) -> Iterable[Region]:
    """Find the captioned blocks."""
    for region in DirectiveLexer(directive="code-block", arguments="text")(document):
        if "caption" in region.lexemes["options"]:
            region.parsed, region.evaluator = region.lexemes["source"], write_file
            yield region


def write_file(example: Example) -> None:
    """Put the text of a captioned block where the blocks below find it."""
    name = example.region.lexemes["options"]["caption"]
    Path(name).write_text(str(example.parsed), encoding="utf-8")
