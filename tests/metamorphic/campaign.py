"""run(seeds): rewritten functions, one of each seed, and what becomes of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from tests.metamorphic.judging import judged
from tests.metamorphic.originals import Original, of_program, originals
from tests.metamorphic.registry import REWRITINGS, rewritten
from tests.wild.judge import Outcome

GRAVEST = ("wrong", "crash", "refused", "guarded", "apart", "right")


@dataclass(frozen=True)
class Found:
    """A function that has been rewritten, by which rewritings, and the outcomes."""

    original: Original
    rewritten: Original
    by: tuple[str, ...]
    ways: tuple[str, ...]
    outcomes: dict[str, Outcome]

    @property
    def gravest(self) -> Outcome:
        return min(self.outcomes.values(), key=lambda o: GRAVEST.index(o.verdict))


def of_seed(
    seed: int, only: str = "", among: Sequence[Original] | None = None
) -> Found | None:
    """The function of a seed rewritten and judged; None where it cannot be."""
    rng = Random(f"metamorphic {seed}")
    original = rng.choice(among) if among else drawn(rng)
    by: list[str] = []
    ways: list[str] = []
    now, wanted = original, rng.choice((1, 1, 2, 3))
    for name in [only] if only else rng.sample(list(REWRITINGS), len(REWRITINGS)):
        made = rewritten(now, name, rng)
        if made is not None:
            now, way = made
            by, ways = [*by, name], [*ways, way]
            if len(by) == wanted:
                break
    if not by:
        return None
    doors = open_doors(original)
    if not doors:
        return None
    found = {
        door: one
        for door, one in judged(now, rng).items()
        if door in doors or door in ("", "value", "forward")
    }
    return Found(original, now, tuple(by), tuple(ways), found) if found else None


def drawn(rng: Random) -> Original:
    """A function of the benches, of the corpus, or a random one."""
    share = rng.random()
    if share < 0.35:
        return of_program(rng.randrange(10**6))
    benches = [one for one in originals() if one.names != ("x",)]
    return rng.choice(benches if share < 0.7 else originals())


@lru_cache(maxsize=None)
def _doors(key: tuple[str, str, str], original: int) -> frozenset[str]:
    before = judged(_held[original], Random(0))
    right = {door for door, one in before.items() if one.verdict == "right"}
    return frozenset(right | {"first", "all"} if right & {"first", "all"} else right)


_held: dict[int, Original] = {}


def open_doors(original: Original) -> frozenset[str]:
    """The doors through which the original is right, looked at once."""
    _held[id(original)] = original
    return _doors((original.label, original.name, original.text), id(original))


def run(
    seeds: Iterable[int], only: str = "", among: Sequence[Original] | None = None
) -> Iterator[Found]:
    for seed in seeds:
        found = of_seed(seed, only, among)
        if found is not None:
            yield found


def reason(outcome: Outcome) -> str:
    """Why, without the places and the numbers."""
    said = re.sub(r" \(in \w+, called at .*\)$", "", outcome.said)
    return f"{outcome.code} {re.sub(r'[0-9]+', '', said)}".strip()


@dataclass
class Table:
    """How many functions of each rewriting had which outcome, and why some are refused."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, found: Found) -> None:
        for name in found.by if len(found.by) == 1 else ("(several)",):
            self.counts.setdefault(name, Counter())[found.gravest.verdict] += 1
        for one in found.outcomes.values():
            if one.verdict in ("refused", "apart"):
                self.reasons[reason(one)] += 1

    @property
    def text(self) -> str:
        words = ("right", "refused", "guarded", "wrong", "crash", "apart")
        lines = [f"{'rewriting':22}" + "".join(f"{word:>9}" for word in words)]
        whole: Counter[str] = Counter()
        for name in sorted(self.counts):
            whole += self.counts[name]
            row = "".join(f"{self.counts[name][word]:9}" for word in words)
            lines.append(f"{name:22}{row}")
        lines.append(f"{'all':22}" + "".join(f"{whole[word]:9}" for word in words))
        return "\n".join(lines)
