"""What a task is, and what it may use while it runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .data import Sample
from .races import Race, run_race
from .rows import Row
from .stopwatch import Measure, Timed
from .workers import Worker, WorkerError

SHORTEST_RACE = 3.0  # seconds: a rented processor has two speeds, of which each lasts for one or so


@dataclass(frozen=True)
class Setting:
    """One run of the benchmarks: the workers, the versions found, and how thorough to be."""

    r: Worker | None
    plain: Worker
    versions: Mapping[str, str | None]
    quick: bool = False
    rounds: int = 7

    def rows(self, count: int) -> int:
        """Rows to use where the full run uses `count`."""
        return min(count, max(500, count // 10), 200_000) if self.quick else count

    def race(self, race: Race) -> list[Row]:
        """Run a race with this setting's peers."""
        return run_race(race, self.versions, self.rounds, 0.0 if self.quick else SHORTEST_RACE)

    def in_r(self, sample: Sample, question: str, argument: int = 0) -> Measure:
        """Ask R; only installed peers are asked, so R is there when this is called."""

        def measure(calls: int) -> Timed:
            if self.r is None:
                raise WorkerError("R is not installed.")
            return self.r.measure(sample, question, calls, argument)

        return measure

    def in_plain(self, sample: Sample, question: str) -> Measure:
        """Ask rocwise with numpy kernels, in a process of its own."""
        return lambda calls: self.plain.measure(sample, question, calls)


@dataclass(frozen=True)
class Task:
    """A piece of the run; `needs` are the public names of rocwise without which it cannot."""

    name: str
    needs: Sequence[str]
    run: Callable[[Setting], list[Row]]
