"""`make fuzz`: every part, or the ones that are named; seeded, and resumed where it was stopped."""

import argparse
import sys

from fuzz import watched
from fuzz.parts import PARTS


def main() -> int:
    options = _options()
    if options.child is not None:
        return _child(options)
    unwanted = 0
    for part in options.parts or PARTS:
        found = watched.walk(part, options.seed, options.fraction, fresh=options.fresh)
        counts = watched.summarize(part, found)
        wrong = [each for each in found if each["kind"] not in PARTS[part].GOOD]
        for each in wrong[: options.show]:
            print(f"  {each['kind']}: {each['key']}: {each['detail']}")
        unwanted += sum(counts[kind] for kind in counts if kind not in PARTS[part].GOOD)
    print(f"\n{unwanted:,} unwanted outcomes; every case is a line in {watched.STATE}")
    return 1 if unwanted else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all if none is named")
    parser.add_argument("--seed", type=int, default=0, help="of the order and the drawn cases")
    parser.add_argument("--fraction", type=float, default=1.0, help="of the cases")
    parser.add_argument("--fresh", action="store_true", help="forget earlier runs")
    parser.add_argument("--show", type=int, default=20, help="how many unwanted ones to print")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def _child(options: argparse.Namespace) -> int:
    """Run the cases from a number on, telling the parent of each before and after."""
    watched.limit_memory()
    part = PARTS[options.parts[0]]
    for case in part.cases(options.seed, options.fraction)[options.child :]:
        watched.send(begun=case.key)
        outcome = part.run(case)
        watched.send(key=outcome.key, kind=outcome.kind, detail=outcome.detail)
    watched.send(kind="the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
