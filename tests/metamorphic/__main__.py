"""python -m tests.metamorphic N SEED: rewritten functions that are wrong, or refused.

Printed are the functions that are wrong, crash or raise, each with what rewrote it, and
a table of the shares by rewriting. `--refusals` prints one function for each reason to
refuse; `--only NAME` takes one rewriting alone; `--list` names them.
"""

from __future__ import annotations

import argparse
import sys

from tests.metamorphic.campaign import Found, Table, reason, run
from tests.metamorphic.registry import REWRITINGS


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.metamorphic")
    parser.add_argument("n", type=int, nargs="?", default=100, help="functions")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the first one's")
    parser.add_argument("--only", choices=REWRITINGS, default="")
    parser.add_argument("--refusals", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(REWRITINGS))
        return 0
    table, failed, seen = Table(), False, set()
    for found in run(range(options.seed, options.seed + options.n), options.only):
        table.add(found)
        bad = found.gravest.verdict in ("wrong", "crash")
        failed = failed or bad
        if bad or options.refusals and found.gravest.verdict == "refused":
            if bad or reason(found.gravest) not in seen:
                print(report(found), flush=True)
            seen.add(reason(found.gravest))
    print(table.text)
    for said, count in table.reasons.most_common():
        print(f"{count:5}  {said}")
    return int(failed)


def report(found: Found) -> str:
    """What became of a function, and its text."""
    said = [
        f"{door}: {one.verdict} {one.code} {one.said}"
        for door, one in found.outcomes.items()
        if one.verdict != "right"
    ]
    by = [f"{name}: {way}" for name, way in zip(found.by, found.ways, strict=True)]
    return "\n".join(
        [f"==== {found.original.label} by", *by, *said, found.rewritten.text]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
