"""python -m tests.fuzz N SEED: every failing program of N, reduced and printed.

`--refusals` prints one reduced program for each reason to refuse as well,
`--show` the programs themselves. The exit status is 1 when a case fails.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from tests.fuzz.campaign import (
    Tally,
    explained,
    explained_refusal,
    first_line,
    verdicts,
)
from tests.fuzz.generate import generate


def main(arguments: list[str]) -> int:
    options = parsed(arguments)
    seeds = range(options.seed, options.seed + options.n)
    if options.show:
        for seed in seeds:
            print(generate(seed).source.split("\n\n\n", 1)[1])
        return 0
    engine = importlib.import_module("gradgen")
    tally, reasons = Tally(), set()
    for seed in seeds:
        for case, verdict in verdicts(seed, engine):
            tally.add(case, verdict)
            if verdict.faults and len(tally.faulty) <= options.most:
                print(explained(case, verdict, engine), flush=True)
            elif verdict.refusal and first_line(verdict.refusal) not in reasons:
                reasons.add(first_line(verdict.refusal))
                if options.refusals:
                    print(explained_refusal(case, verdict, engine), flush=True)
    print(tally.line)
    print(tally.refusals)
    return bool(tally.faulty)


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("n", type=int, nargs="?", default=100, help="programs")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the first one's")
    parser.add_argument("--most", type=int, default=10, help="failures printed at most")
    parser.add_argument("--refusals", action="store_true")
    parser.add_argument("--show", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
