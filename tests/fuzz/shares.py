"""python -m tests.fuzz.shares N SEED [KIND ...]: what is refused with nothing told.

Each program is called as a user calls it: the gradient of the function, with its
arguments and no facts. Printed are the shares by kind, and the reasons.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.campaign import CALLED, KINDS, first_line, verdicts
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative

# generators whose programs are called here; of the others the verdicts are counted
DRAWN = {"A": imperative, "B": generate}


@dataclass
class Share:
    """How many requests of a kind there were, and why some were refused."""

    kind: str
    requests: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def refused(self) -> int:
        return sum(self.reasons.values())

    @property
    def line(self) -> str:
        share = self.refused / max(self.requests, 1)
        return f"{self.kind:12} {self.requests:6} {self.refused:6}  {share:6.1%}"


def share(kind: str, seeds: range, engine) -> Share:
    """The share of one kind."""
    found = Share(kind)
    for seed in seeds:
        for refusal in refusals(kind, seed, engine):
            found.requests += 1
            if refusal:
                found.reasons[CALLED.sub("", first_line(refusal))] += 1
    return found


def refusals(kind: str, seed: int, engine) -> Iterator[str]:
    """For each request of a program with nothing told its refusal, "" for none."""
    if kind not in DRAWN:
        for case, verdict in verdicts(seed, engine, kind):
            if not getattr(case, "shapes", None):
                yield verdict.refusal or ""
        return
    program = DRAWN[kind](seed)
    try:
        with np.errstate(all="ignore"):
            engine.vjp(program.function)(*program.arguments(0))
    except GradgenError as refusal:
        yield str(refusal)
    else:
        yield ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.shares")
    parser.add_argument("n", type=int, nargs="?", default=50, help="programs a kind")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the first one's")
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], default=[])
    parser.add_argument("--most", type=int, default=3, help="reasons printed a kind")
    options = parser.parse_args(arguments)
    engine = importlib.import_module("gradgen")
    print("kind       requests refused  share")
    for kind in options.kinds or KINDS:
        seeds = range(options.seed, options.seed + options.n)
        found = share(kind, seeds, engine)
        print(found.line, flush=True)
        for reason, count in found.reasons.most_common(options.most):
            print(f"    {count:4}  {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
