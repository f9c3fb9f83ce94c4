"""Runs the examples of one page, from top to bottom: for the tests, and for the pictures.

- `python` blocks are executed; those that start with `>>>` also compare their output.
- `console` blocks are run by the shell: lines after `$ ` are commands, the others their output.
- A `{code-block} text` with a `:caption:` is a file of that name, for the blocks below it.

`...` in an output stands for anything. The blocks of a page share their names and the current
folder.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path

from sybil import Document, Example, Region, Sybil
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser
from sybil.parsers.myst.lexers import DirectiveLexer

OUTPUT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 120
BLOCK = re.compile(r"^```[^`\n]+\n.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)


def blocks_of(text: str) -> list[re.Match[str]]:
    """The fenced blocks of a page, in order; pictures are placed by these numbers."""
    return list(BLOCK.finditer(text))


def examples_by_block(path: Path) -> list[tuple[int, list[Example]]]:
    """The examples of a page that run, with the number of the block that each stands in."""
    parsers = [
        PythonCodeBlockParser(doctest_optionflags=OUTPUT),
        CodeBlockParser(language="console", evaluator=run_commands),
        files_of_page,
    ]
    ends = [block.end() for block in blocks_of(path.read_text(encoding="utf-8"))]

    def block_of(example: Example) -> int:
        return sum(end <= example.region.start for end in ends)

    examples = list(Sybil(parsers=parsers).parse(path).examples())
    return [(number, list(group)) for number, group in groupby(examples, block_of)]


def run_page(path: Path, watch: Callable[[int], None] | None = None) -> int:
    """Evaluate every example of a page, and say how many there were; the first failure raises.

    `watch` is called with the number of a block after it has run, and before it closes figures.
    """
    n_examples = 0
    for block, examples in examples_by_block(path):
        for example in examples:
            if watch and "plt.close(" in getattr(example.parsed, "source", str(example.parsed)):
                watch(block)
            example.evaluate()
        if watch:
            watch(block)
        n_examples += len(examples)
    return n_examples


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
