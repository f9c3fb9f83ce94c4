"""Time rocwise and its peers side by side: `python -m benchmarks --help`."""

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import (
    machine,
    report,
    tasks_auc,
    tasks_bands,
    tasks_bootstrap,
    tasks_classes,
    tasks_curve,
    tasks_exact,
    tasks_inference,
    tasks_limits,
    tasks_memory,
    tasks_scores,
    tasks_startup,
)
from .peers import find_versions
from .rows import Row, Status, anything_wrong
from .tasks import Setting, Task
from .workers import Worker, WorkerError, plain_worker, r_worker

MODULES = (
    tasks_auc,
    tasks_curve,
    tasks_inference,
    tasks_bootstrap,
    tasks_bands,
    tasks_exact,
    tasks_memory,
    tasks_scores,
    tasks_classes,
    tasks_limits,
    tasks_startup,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen tasks and print the table; 1 when values disagree, otherwise 0."""
    options = _parse(arguments)
    chosen = [
        task
        for module in MODULES
        for task in module.tasks()
        if not options.only or any(word in task.name for word in options.only)
    ]
    if options.list:
        print("\n".join(task.name for task in chosen))
        return 0
    here = machine.describe()
    rows: list[Row] = []
    interrupted = False
    r, plain = r_worker(), plain_worker()
    versions: dict[str, str | None] = {}
    try:
        versions = find_versions(_r_versions(r))
        setting = Setting(r, plain, versions, options.quick, 3 if options.quick else options.rounds)
        _run(chosen, setting, rows)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        plain.close()
        if r is not None:
            r.close()
    _print(rows, machine.sentence(here, versions, machine.load()), options.quick, interrupted)
    if options.json is not None:
        _save(options.json, rows, {"machine": here, "versions": versions, "quick": options.quick})
    return int(anything_wrong(rows))


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small samples; bars are not judged")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="tasks whose name has a word")
    parser.add_argument("--list", action="store_true", help="print the names of the tasks")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds (default 7)")
    parser.add_argument("--json", type=Path, metavar="PATH", help="save the raw figures")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error(f"--rounds must be at least 1, not {options.rounds}")
    return options


def _r_versions(r: Worker | None) -> dict[str, str]:
    try:
        return {} if r is None else r.versions()
    except WorkerError as error:
        print(f"R is here but does not answer: {error}", file=sys.stderr)
        return {}


def _run(chosen: Sequence[Task], setting: Setting, rows: list[Row]) -> None:
    for number, task in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] {task.name} ...", file=sys.stderr, flush=True)
        missing = [name for name in task.needs if not _offered(name)]
        if missing:
            note = "needs " + ", ".join(f"`rocwise.{name}`" for name in missing)
            found = [Row(task.name, status=Status.ABSENT, note=note)]
        else:
            found = _attempt(task, setting)
        if setting.quick:  # the bars are for the full sizes
            found = [_unjudged(row) for row in found]
        for row in found:
            print(f"    {report.progress(row)}", file=sys.stderr, flush=True)
        rows.extend(found)


def _offered(name: str) -> bool:
    import rocwise

    try:
        return hasattr(rocwise, name)
    except ImportError:  # a name loaded on demand whose module is not there
        return False


def _attempt(task: Task, setting: Setting) -> list[Row]:
    try:
        return task.run(setting)
    except Exception as error:  # the rows already measured must still be printed
        return [Row(task.name, status=Status.BROKEN, note=f"{type(error).__name__}: {error}")]


def _unjudged(row: Row) -> Row:
    judged = row.status in (Status.PASS, Status.FAIL)
    return dataclasses.replace(row, status=Status.NOT_JUDGED) if judged else row


def _print(rows: Sequence[Row], where: str, quick: bool, interrupted: bool) -> None:
    print(report.table(rows))
    print(f"\n{report.METHOD}\n\n{where}")
    if quick:
        print("\nQuick run: samples are smaller than the bars are meant for, so none is judged.")
    if interrupted:
        print("\nInterrupted: the rows above are those that were done.")
    missed = [row for row in rows if row.status is Status.FAIL]
    if missed:
        print(f"\n{len(missed)} of {sum(row.bar is not None for row in rows)} bars missed.")


def _save(path: Path, rows: Sequence[Row], context: dict[str, Any]) -> None:
    entries = [dataclasses.asdict(row) for row in rows]
    path.write_text(json.dumps({**context, "rows": entries}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
