"""The machine the figures were taken on."""

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

STAT = Path("/proc/stat")


def describe() -> dict[str, Any]:
    """Processor, cores, system, interpreter, load now, day."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load": load(),
        "day": datetime.now(UTC).date().isoformat(),
    }


def load() -> float:
    """Processes wanting a core, averaged over the last minute."""
    return round(os.getloadavg()[0], 2)


def ticks() -> list[int]:
    """What the processors did so far: user, nice, system, idle, iowait, irq, softirq, steal."""
    if not STAT.exists():  # only Linux tells
        return []
    return [int(word) for word in STAT.read_text().split(maxsplit=9)[1:9]]


def sentence(machine: Mapping[str, Any], versions: Mapping[str, str | None], after: float) -> str:
    """One paragraph for below the table."""
    busy = machine["load"] > machine["cores"] / 2
    remark = " The machine was busy with other work: times are good to a factor of two." * busy
    found = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; "
        f"load {machine['load']} before, {after} after; {machine['day']}. "
        f"Python {machine['python']}, {found}.{remark}"
    )


def _processor() -> str:
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
