"""The lines of Python and of shell that repeat the demo on its own file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote


def python_recipe(path: Path, label: str, names: Sequence[str], best: str, miss: int) -> str:
    """Lines for a Python session.

    >>> print(python_recipe(Path("s.csv"), "ill", ["a", "b"], "a", 10).splitlines()[2])
      pairs = rw.pair_frame(path, label='ill', scores=['a', 'b'])
    """
    lines = [
        "import rocwise as rw",
        f"path = {str(path)!r}",
        f"pairs = rw.pair_frame(path, label={label!r}, scores={list(names)!r})",
        "print(rw.compare(pairs))",
        f"best = pairs.tally({best!r})",
        "print(rw.auc(best))",
        f"print(rw.threshold(best, costs=rw.Costs(fp=1, fn={miss})))",
        f"print(rw.abstain(best, costs=rw.Costs(fp=1, fn={miss}, abstain=0.5)))",
        "rw.roc(best).plot()",
    ]
    return "\n".join(f"  {line}" for line in lines)


def shell_recipe(path: Path, label: str, names: Sequence[str], best: str, miss: int) -> str:
    """Lines for a shell, each command on two.

    >>> print(shell_recipe(Path("s.csv"), "ill", ["a", "b"], "a", 10).splitlines()[1])
        --score a --score b
    """
    data = f"{quote(str(path))} --label {quote(label)}"
    scores = " ".join(f"--score {quote(name)}" for name in names)
    commands = {
        f"rocwise auc {data}": scores,
        f"rocwise compare {data}": scores,
        f"rocwise roc {data}": f"{scores} --plot roc.svg",
        f"rocwise threshold {data}": f"--score {quote(best)} --cost-fp 1 --cost-fn {miss}",
        f"rocwise abstain {data}": f"--score {quote(best)} --cost-fp 1 --cost-fn {miss} "
        "--cost-abstain 0.5",
    }
    return "\n".join(f"  {start} \\\n    {rest}" for start, rest in commands.items())
