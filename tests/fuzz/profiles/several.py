"""Functions of numbers with several results, whose seeds are arrays of rank 0.

Results that read each other, arguments among them, in arms and rounds: what flows back
is added to a seed, which is the caller's and stays as it was. Texts alone, called twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from gradgen.verify.finite import numeric_gradient
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.program import imported

PROGRAMS = 15
REFUSED_AT_MOST = 0.05
STEPS = [
    "{z} = {a} * {b}",
    "{z} = {a} + {b}",
    "{z} = np.sin({a})",
    "{z} = {a} - 0.5 * {b}",
    "{z} = {a} / (2 + {b} ** 2)",
    "{z} = {a}",
    "if {a} > {t}:\n        {z} = {a} * 2\n    else:\n        {z} = {b}",
    "if {a} > {t}:\n        {b} = {b} + {a}\n    {z} = {b} * {a}",
    "{z} = {a}\n    for i in range(2):\n        {z} = {z} * {b} + 0.1",
    "{z} = {b}\n    for i in range(3):\n        {z} = {z} + {a}",
    "{z} = np.maximum({a}, {b})",
]


def program(seed: int) -> str:
    """A module of one function of three numbers, with two to four results."""
    rng = Random(f"several {seed}")
    names, lines = ["x", "y", "k"], []
    for _ in range(rng.randint(2, 6)):
        new = rng.choice([*"uvwz", rng.choice(names)])
        words = {"z": new, "a": rng.choice(names), "b": rng.choice(names)}
        lines.append(rng.choice(STEPS).format(t=rng.choice((0.2, 0.9)), **words))
        names = list(dict.fromkeys([*names, new]))
    found = [rng.choice(names) for _ in range(rng.randint(2, 4))]
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\ndef f(x, y, k):\n{body}    return {', '.join(found)}\n"


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    function = imported(text.replace("\n", "\n\n\n", 1), "f")
    rng = np.random.default_rng([seed, 61])
    args = rng.uniform(0.3, 1.4, 3).tolist()
    seeds = rng.uniform(0.5, 1.5, len(function(*args)))

    def total(*given):
        return sum(float(s) * v for s, v in zip(seeds, function(*given)))

    want = [numeric_gradient(total, args, k, 1.0) for k in range(3)]
    for level, told in (("none", {}), ("full", {"shapes": dict.fromkeys("xyk", "")})):
        request, verdict = replace(called(text, seed, "xyk"), level=level), Verdict()
        if any(one.error > 1e-6 for one in want):
            verdict.measured = False
            yield request, verdict
            continue
        with noted(verdict), np.errstate(all="ignore"):
            verdict.text = engine.emit(function, ("x", "y", "k"), **told)
            names: dict = {}
            exec(verdict.text, names)
            given = [np.array(one) for one in seeds]
            for _ in range(2):
                got = names["grad_f"](*args, *given)
                if not np.allclose(got, [one.value for one in want], 1e-6, 1e-8):
                    fault = Fault("wrong gradient", f"{got} for {want}")
                    verdict.faults.append(fault)
            if [float(one) for one in given] != seeds.tolist():
                verdict.faults.append(Fault("changed seed", f"{given} for {seeds}"))
        yield request, verdict
