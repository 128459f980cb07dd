"""Entries of what is smaller than an array, beside what reads the whole of the array.

A program takes sums, means, extremes, norms and rows of x, along any axes, with and
without keepdims, reads an entry or a part of them (or stores into them), and adds what
other terms of x give. So the adjoint of the smaller array is stretched along axes of the
other adjoints, in every order and with every sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 20
REFUSED_AT_MOST = 0.02
SIZES = {"n": 3, "m": 4, "d": 3}, {"n": 3, "m": 3, "d": 4}
ARRAYS = "x|x|x|np.sin(x)|x * x|0.5 * x|x[::-1]|x - 0.3 * np.mean(x)"
REDUCED = "np.sum|np.sum|np.mean|np.max|np.prod|np.std|np.linalg.norm"
WHOLE = """np.prod(x)
np.sum(x**2)
np.sum(np.sin(x))
np.sum(x * x[::-1])
np.sum(x)
np.sum(np.exp(x) * 3)
np.linalg.norm(x)
np.sqrt(np.mean(x * x) + 1)
np.sum(np.sum(x, axis=0) ** 2)
np.max(x) * np.min(x)
np.sum(np.where(x > 0, x, x * x))"""


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    told = {"x": program.params[0].fact}
    for shapes in (told, {}):
        case = Case(program, shapes, "x", level="full" if shapes else "none")
        yield case, examine(case, engine, truth, companions=seed % 4 == 0)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"stretched {seed}")
    while True:
        dims = rng.choice((("n",), ("n", "m"), ("n", "m"), ("n", "m", "d")))
        lines = statements(rng, len(dims))
        program = Program((Parameter("x", dims),), lines, seed, "f", SIZES)
        if program.fits():
            return program


def statements(rng: Random, rank: int) -> tuple[str, ...]:
    lines = []
    terms = []
    for i in range(rng.choice((1, 1, 2))):
        made, part, is_number = smaller(rng, rank)
        if rng.random() < 0.5:
            lines.append(f"r{i} = {made}")
            made = f"r{i}"
            if rng.random() < 0.3:
                lines += [f"{made} = {made} * 1.0", f"{made}[{part}] *= x.ravel()[1]"]
        read = f"{made}[{part}]"
        read = read if is_number else f"np.prod({read})"
        terms.append(rng.choice("{}|{} ** 2|2 * {}|-{}".split("|")).format(read))
    terms += rng.sample(WHOLE.split("\n"), rng.choice((1, 1, 2)))
    rng.shuffle(terms)
    total = terms[0]
    for term in terms[1:]:
        total += rng.choice([" + ", " - ", " + 0.5 * "]) + f"({term})"
    return (*lines, f"return {total}")


def smaller(rng: Random, rank: int) -> tuple[str, str, bool]:
    """What is smaller than x, a key of a part of it, and whether that is a number."""
    array = rng.choice(ARRAYS.split("|"))
    axes = rng.choice([c for n in (1, 1, 2) for c in combinations(range(rank), n)])
    keeps = rng.random() < 0.5 or len(axes) == rank
    function = rng.choice(REDUCED.split("|"))
    if len(axes) > 1 and function == "np.linalg.norm":
        function = "np.sum"
    signed = [a - rank if rng.random() < 0.3 else a for a in axes]
    axis = str(signed[0]) if len(axes) == 1 else str(tuple(signed))
    made = f"{function}({array}, axis={axis}" + (", keepdims=True)" if keeps else ")")
    items = []
    for a in range(rank):
        if a in axes:
            items += ["0"] if keeps else []
        else:
            items.append(rng.choice(["0", "1", "-1", "2", ":", "1:", "[0, 2]", "::2"]))
    is_number = not any(":" in item or "[" in item for item in items)
    if items[-1] == ":" and len(items) > 1:
        items.pop()
    return made, ", ".join(items), is_number
