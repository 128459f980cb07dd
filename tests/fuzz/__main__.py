"""python -m tests.fuzz [--kind A] N SEED: failing programs of N, reduced and printed.

Kinds: A imperative programs, B straight-line ones, C gradients of gradients of A's,
F forward mode, H Hessians times vectors, I derivatives inside; the others are the files
of tests/fuzz/profiles. Without --kind the N programs go round all of them, one of each
in turn; `--kind all` runs N of each.

Failures that look alike once they are reduced are printed once. `--refusals`
prints one reduced program for each reason to refuse as well, `--show` prints the
programs themselves. The exit status is 1 when a case fails.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Iterable

from tests.fuzz.campaign import KINDS, Tally, first_line, smallest, verdicts, was
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import Verdict
from tests.fuzz.report import report


def main(arguments: list[str]) -> int:
    options = parsed(arguments)
    if options.show:
        for seed in range(options.seed, options.seed + options.n):
            program = imperative(seed) if options.kind == "A" else generate(seed)
            print(program.source.split("\n\n\n", 1)[1])
        return 0
    if options.kind is None:
        return int(run_round(options))
    kinds = KINDS if options.kind == "all" else (options.kind,)
    return int(any([run(options, kind) for kind in kinds]))


def run(options: argparse.Namespace, kind: str) -> bool:
    """Whether a campaign of one kind finds a fault; it prints what it finds."""
    seeds = range(options.seed, options.seed + options.n)
    tally = Tally()
    judge(options, ((kind, seed) for seed in seeds), {kind: tally}, set())
    print(f"{kind}: {options.n} programs from seed {options.seed}; {tally.line}")
    print(tally.table)
    print(tally.codes)
    print(tally.refusals, flush=True)
    return bool(tally.faulty)


def run_round(options: argparse.Namespace) -> bool:
    """Whether one of the programs that go round the kinds has a fault."""
    seeds = range(options.seed, options.seed + options.n)
    programs = [(KINDS[k % len(KINDS)], seed) for k, seed in enumerate(seeds)]
    tallies = {kind: Tally() for kind, _ in programs}
    slowest = judge(options, programs, tallies, set())
    print("\n".join(f"{kind}: {tally.line}" for kind, tally in tallies.items()))
    whole = Tally.of(tallies.values())
    print(f"all: {options.n} programs from seed {options.seed}; {whole.line}")
    print("slowest: %.1f s of the processor, %s %d" % slowest, flush=True)
    return bool(whole.faulty)


def judge(
    options: argparse.Namespace,
    programs: Iterable[tuple[str, int]],
    tallies: dict[str, Tally],
    seen: set[str],
) -> tuple[float, str, int]:
    """The slowest of the programs; what is found goes into the tally of its kind."""
    engine = importlib.import_module("gradgen")
    slowest = (0.0, "", 0)
    for kind, seed in programs:
        began = time.process_time()
        for case, verdict in verdicts(seed, engine, kind):
            slowest = max(slowest, (time.process_time() - began, kind, seed))
            tallies[kind].add(case, verdict)
            if verdict.faults and len(seen) < options.most:
                small = smallest(case, verdict, engine)
                show_once(likeness(small[1]), seen, small, case)
            elif verdict.refusal and options.refusals:
                if first_line(verdict.refusal) not in seen:
                    small = smallest(case, verdict, engine)
                    show_once(first_line(verdict.refusal), seen, small, case)
            began = time.process_time()
    return slowest


def show_once(key: str, seen: set[str], small, case) -> None:
    if key not in seen:
        seen.add(key)
        print(report(*small, was(case)), flush=True)


def likeness(verdict: Verdict) -> str:
    """What failures that have one cause share: for an error its place, else the text."""
    fault = verdict.faults[0]
    text = verdict.text.split("import numpy", 1)[-1]
    return fault.likeness + (text if fault.likeness == fault.kind else "")


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("n", type=int, nargs="?", default=100, help="programs")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the first one's")
    parser.add_argument("--kind", choices=(*KINDS, "all"))
    parser.add_argument("--most", type=int, default=10, help="failures printed at most")
    parser.add_argument("--refusals", action="store_true")
    parser.add_argument("--show", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
