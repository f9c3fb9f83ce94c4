"""Time rocwise and its peers side by side: `python -m benchmarks --help`."""

import argparse
import dataclasses
import json
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import (
    machine,
    pages,
    report,
    tasks_auc,
    tasks_bands,
    tasks_bootstrap,
    tasks_classes,
    tasks_commands,
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
    tasks_commands,
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
    before = signal.signal(signal.SIGTERM, _interrupted)  # as Ctrl-C: what is done is printed
    try:
        versions = find_versions(_r_versions(r))
        setting = Setting(r, plain, versions, options.quick, 3 if options.quick else options.rounds)
        context = {"machine": here, "versions": versions, "quick": options.quick}
        _run(chosen, setting, rows, options, context)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        signal.signal(signal.SIGTERM, before)
        plain.close()
        if r is not None:
            r.close()
    where = machine.sentence(here, versions, machine.load())
    _print(rows, where, options.quick, interrupted)
    return int(
        anything_wrong(rows) or (options.readme and not _published(rows, where, interrupted))
    )


def _interrupted(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _published(rows: Sequence[Row], where: str, interrupted: bool) -> bool:
    if interrupted or not pages.complete(rows):
        print("\nThe run is not whole: no page was changed.", file=sys.stderr)
        return False
    for path in pages.write(rows, where):
        print(f"wrote {path.name}", file=sys.stderr)
    return True


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small samples; bars are not judged")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="tasks whose name has a word")
    parser.add_argument("--list", action="store_true", help="print the names of the tasks")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds (default 7)")
    parser.add_argument("--json", type=Path, metavar="PATH", help="save figures, task by task")
    parser.add_argument("--minutes", type=float, default=15, help="start no task after so many")
    parser.add_argument(
        "--readme", action="store_true", help="write the figures into README.md and its page"
    )
    options = parser.parse_args(arguments)
    if options.readme and (options.quick or options.only):
        parser.error("--readme needs the whole run: leave out --quick and --only")
    if options.rounds < 1:
        parser.error(f"--rounds must be at least 1, not {options.rounds}")
    return options


def _r_versions(r: Worker | None) -> dict[str, str]:
    try:
        return {} if r is None else r.versions()
    except WorkerError as error:
        print(f"R is here but does not answer: {error}", file=sys.stderr)
        return {}


def _run(
    chosen: Sequence[Task],
    setting: Setting,
    rows: list[Row],
    options: argparse.Namespace,
    context: dict[str, Any],
) -> None:
    begun = time.monotonic()
    for number, task in enumerate(chosen, start=1):
        taken = time.monotonic() - begun
        print(
            f"[{number}/{len(chosen)}, {taken:.0f} s] {task.name} ...", file=sys.stderr, flush=True
        )
        found = _found(task, setting, late=taken > 60 * options.minutes)
        if setting.quick:  # the bars are for the full sizes
            found = [_unjudged(row) for row in found]
        for row in found:
            print(f"    {report.progress(row)}", file=sys.stderr, flush=True)
        rows.extend(found)
        if options.json is not None:  # after every task: a run that is ended keeps its rows
            _save(options.json, rows, context)


def _found(task: Task, setting: Setting, *, late: bool) -> list[Row]:
    if late:
        return [Row(task.name, status=Status.NO_TIME)]
    missing = [name for name in task.needs if not _offered(name)]
    if missing:
        note = "needs " + ", ".join(f"`rocwise.{name}`" for name in missing)
        return [Row(task.name, status=Status.ABSENT, note=note)]
    return _attempt(task, setting)


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
