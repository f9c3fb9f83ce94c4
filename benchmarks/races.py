"""A race: rocwise and its peers answer one question about the same data, in turn."""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from .agreement import Agreement, Relative
from .peers import ROCWISE, Peer
from .rows import Bar, Row, Status
from .stopwatch import Measure, Timed

SHORTEST_BATCH = 0.02  # seconds; shorter calls are repeated to fill it
LONGEST_TOTAL = 6.0  # seconds spent on one entry, after its first round
LONGEST_IMPORT = 4.0  # seconds; a first call that takes more is slow, not just cold
PAUSE = 0.005  # lets another library's threads stop spinning before the next one starts


@dataclass(frozen=True)
class Entry:
    """One implementation in a race.

    `scale` multiplies the time when fewer replicates were run than the task asks for.
    `bar` is what rocwise must reach against this entry.
    """

    name: str
    peer: Peer
    measure: Measure
    agreement: Agreement = field(default_factory=Relative)
    bar: Bar | None = None
    scale: float = 1.0
    note: str = ""


@dataclass(frozen=True)
class Race:
    """`limit` is a bar on rocwise's own time; `reference` a value found another way."""

    title: str
    ours: Measure
    rivals: Sequence[Entry] = ()
    limit: Bar | None = None
    reference: Entry | None = None


def run_race(
    race: Race, versions: Mapping[str, str | None], rounds: int, shortest: float = 0.0
) -> list[Row]:
    """Check that all agree, time them in interleaved rounds, and make the rows.

    Rounds go on until the race has lasted for the `shortest` time, in seconds.
    """
    apart: list[Row] = []
    ours = Entry("rocwise", ROCWISE, race.ours)
    try:
        answer = race.ours(1)
    except Exception as error:  # one broken task must not hide the others
        return [Row(race.title, status=_own_failure(error), note=_sentence(error))]
    racing = [ours]
    checks = {ours.name: answer.seconds}
    checked = [*race.rivals] if race.reference is None else [race.reference, *race.rivals]
    for entry in checked:
        outcome = _enter(race.title, entry, answer, versions)
        if isinstance(outcome, Row):
            apart.append(outcome)
        elif entry is not race.reference:
            racing.append(entry)
            checks[entry.name] = outcome.seconds
    if any(row.status is Status.DISAGREES for row in apart):
        return apart
    seconds = _interleave(racing, checks, rounds, shortest)
    own = min(seconds["rocwise"])
    rows = [] if race.limit is None else [_limit_row(race, own, seconds["rocwise"])]
    rows += [_ratio_row(race.title, own, entry, seconds) for entry in racing[1:]]
    return rows + [dataclasses.replace(row, ours=own) for row in apart]


def _enter(
    title: str, entry: Entry, answer: Timed, versions: Mapping[str, str | None]
) -> Row | Timed:
    """Its first, untimed answer; or the row of an entry that cannot race."""
    if versions.get(entry.peer.name) is None:
        note = f"`{entry.peer.install}`{entry.peer.otherwise}"
        return Row(title, entry.name, bar=entry.bar, status=Status.NOT_INSTALLED, note=note)
    try:
        theirs = entry.measure(1)
    except Exception as error:  # a peer's failure is a result to report
        return Row(title, entry.name, status=Status.PEER_BROKEN, note=_sentence(error))
    if entry.agreement.holds(answer.value, theirs.value):
        return theirs
    note = f"rocwise {answer.value}, {entry.name} {theirs.value}, tolerance {entry.agreement}"
    return Row(title, entry.name, status=Status.DISAGREES, note=note)


def _interleave(
    entries: Sequence[Entry], checks: Mapping[str, float], rounds: int, shortest: float
) -> dict[str, list[float]]:
    """Seconds per call of every entry and round; slow entries leave after one."""
    calls = {entry.name: _calls_per_batch(entry.measure, checks[entry.name]) for entry in entries}
    seconds: dict[str, list[float]] = {entry.name: [] for entry in entries}
    spent = dict.fromkeys(calls, 0.0)
    begun = time.perf_counter()
    for turn in count():
        if turn >= rounds and time.perf_counter() - begun >= shortest:
            break
        for entry in entries if turn % 2 == 0 else reversed(entries):
            if turn >= 1 and spent[entry.name] > LONGEST_TOTAL:
                continue
            time.sleep(PAUSE)
            timed = entry.measure(calls[entry.name])
            spent[entry.name] += timed.seconds * calls[entry.name]
            seconds[entry.name].append(timed.seconds * entry.scale)
    return seconds


def _calls_per_batch(measure: Measure, cold: float) -> int:
    if cold > LONGEST_IMPORT:
        return 1
    once = measure(1).seconds
    return 1 if once >= SHORTEST_BATCH else min(1000, int(SHORTEST_BATCH / max(once, 1e-7)) + 1)


def _ratio_row(title: str, own: float, entry: Entry, seconds: Mapping[str, Sequence[float]]) -> Row:
    theirs = min(seconds[entry.name])
    ratio = theirs / own
    return Row(
        title,
        entry.name,
        ours=own,
        theirs=theirs,
        ratio=ratio,
        bar=entry.bar,
        status=Status.NOT_JUDGED if entry.bar is None else entry.bar.judge(ratio),
        note=entry.note,
        scaled=entry.scale != 1.0,
        raw={
            "rocwise_seconds": list(seconds["rocwise"]),
            "peer_seconds": list(seconds[entry.name]),
            "tolerance": str(entry.agreement),
        },
    )


def _limit_row(race: Race, own: float, seconds: Sequence[float]) -> Row:
    assert race.limit is not None
    note = "" if race.reference is None else f"value checked against {race.reference.name}"
    return Row(
        race.title,
        ours=own,
        bar=race.limit,
        status=race.limit.judge(own),
        note=note,
        raw={"rocwise_seconds": list(seconds)},
    )


def _own_failure(error: Exception) -> Status:
    """A method that this rocwise does not offer is absent; anything else is broken."""
    absent = isinstance(error, ValueError) and str(error).startswith("`method` must be")
    return Status.ABSENT if absent else Status.BROKEN


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".replace("\n", " ")
