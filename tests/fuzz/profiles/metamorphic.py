"""Real functions written in other ways that mean the same: tests/metamorphic.

A function of the examples, the benches, the corpus or a random one is rewritten by one
to three of its rewritings and judged by a call, by the text alone, and now and then by
value_and_grad and forward mode, with nothing told.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict
from tests.metamorphic.campaign import of_seed

PROGRAMS = 20
REFUSED_AT_MOST = 0.15


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    """The verdict on the function of a seed, if it can be rewritten."""
    found = of_seed(seed)
    if found is None:
        return
    text, gravest = found.rewritten.text, found.gravest
    verdict = Verdict(text=text, measured=gravest.verdict != "apart")
    by = "; ".join(f"{name} ({way})" for name, way in zip(found.by, found.ways))
    for door, one in found.outcomes.items():
        if one.verdict == "wrong":
            verdict.faults.append(Fault("value", f"{door}: {one.said}, by {by}"))
        elif one.verdict == "crash":
            verdict.faults.append(Fault("crash", f"{door}: {one.said}, by {by}"))
        elif one.verdict == "refused":
            verdict.refusal = f"{one.code} {one.said}"
    yield called(text, seed, found.original.names), verdict
