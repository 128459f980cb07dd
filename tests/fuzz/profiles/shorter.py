"""What the passes write shorter: quotients, powers, means, dots, maxima and factors.

Statements are drawn by what they make (a matrix, a row, a column, a vector, a number),
each from forms that make a pass act: quotients that are divided again, powers that
cancel, sums over lengths, shifts by a maximum, factors in np.where, products of numbers
with names. Names are reused, stored into, and carried through loops and branches. Axes
may have one entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 4
REFUSED_AT_MOST = 0.02
# M is n by m, R has m entries, C is n by 1, V has n entries, S is a number
FORMS = {
    "M": """{M} * {R}; {M} / {C}; {M} - {C}; {M} / (1 + {M} * {M}); {M} * {S} / {C}; {S} * {M} ** 2
{M} / {C} / {C}; {M} ** 3 / (1 + {M} ** 2); np.where({M} > 0.0137, {S} * {M}, {R} * {M}); {M} * {V}[:, None]
np.where({M} > {R}, {M} / {C}, 0); {M} - np.max({M}, axis=1, keepdims=True); np.exp({M} - {C})
{M} - np.mean({M}, axis=0); ({M} - {R}) / np.sqrt({C} + {S} * {S} + 1); np.outer({V}, {R}); {C} * {R}
{S} * ({M} * {R}) * {S}; ({M} * {C}) ** 2 / {C}; {M} @ np.outer({R}, {R}); np.maximum({M}, 0.0137) * {S}
{M} / np.sum({M} * {M} + 1, axis=1, keepdims=True); 1 / (1 + np.exp(-{M})); {M} * (1 - {M}) * {M}
{M} / np.linalg.norm({M}, axis=1, keepdims=True); {R} / (1 + {M} ** 2); np.square({M}) * {M}; -{M} / {C} ** 2
np.exp({M}) / (1 + np.exp({M})); ({M} + {R}) * ({M} - {R}); {M}[::-1] * {C}; {C} ** 2 * {M} / {S}""",
    "R": """{R} * {R}; {R} / {S}; {M}[0]; {M}[-1] * {R}; np.sum({M}, axis=0); np.mean({M}, axis=0); {V} @ {M}
{R} / (1 + {R} @ {R}); {R} - np.max({R}); np.exp({R} - np.max({R})); {R} / np.sum({R} * {R} + 1); {R} ** 3 / {S}
np.sum({M} * {C}, axis=0) / len({M}); np.where({R} > 0.0137, {R} * {S}, {S}); {R} - {R}.mean(); {R} * {S} * {R}
{R} / np.sqrt({R} @ {R} + 0.1); {R} * {S} / {R}.size; np.maximum({R}, {S}); {R} ** 2 * {R} / {S} ** 2
np.tanh({R}) / {S}; np.max({M}, axis=0); {M}.sum(axis=0) / {M}.shape[0]; {S} / (2 + {R} ** 2)""",
    "C": """np.sum({M} * {M}, axis=1, keepdims=True) + 1; np.mean({M}, axis=1, keepdims=True) ** 2 + 1
np.max({M}, axis=1, keepdims=True) ** 2 + 1; np.exp({C} / (3 + {C})); {V}[:, None] ** 2 + 1; {C} * ({S} * {S} + 1)
np.sqrt(np.sum({M} ** 2, axis=1, keepdims=True) + 0.3); 1 + {C} / np.sum({C}); {C} / ({C} + {S} ** 2)""",
    "V": """{M} @ {R}; np.sum({M} * {R}, axis=1); np.mean({M}, axis=1); {V} * {V}; {V} / {S}; {V} - np.mean({V})
{V} / (1 + {V} @ {V}); np.max({M}, axis=1); {C}[:, 0]; {V} / np.sum({V} ** 2 + 1); {M}[:, 0] * {V}; np.exp({V} - np.max({V}))
{V} * {S} ** 2 / ({S} * {S} + 1); np.where({V} > 0.0137, {V} ** 2, {S} * {V}); np.sqrt({V} * {V} + 0.2); {V} * {S} / len({V})
np.log(2 * np.pi * ({V} ** 2 + 1)); {C}.ravel() * {V}; np.sum({M} * {M} / {C}, axis=1); ({V} - {S}) ** 2 / {S} ** 2""",
    "S": """{V} @ {V}; np.sum({V} * {V}) / len({V}); np.sum({M}) / {M}.size; {S} * {S} / (1 + {S} ** 2); np.mean({V}) * {S}
np.log(2 * np.pi * ({S} ** 2 + 1)); {R} @ {R}; np.sum({R} * {R}); np.sum({V}) / (1 + {V} @ {V}); {S} ** 3 / (1 + {S} ** 2)
np.max({V}); np.sum({M} * {M}) / {C}.size; {R}[0] * {S}; np.sqrt({V} @ {V} + 1); {S} * 0.1 * {S}; np.mean({M} ** 2)
np.sum({V} ** 2) / {V}.shape[0] / {S} ** 2; {S} / np.pi / 2; np.sum({M}, axis=None) * {S}; {V} @ {M} @ {R}; {S} / 3 / (1 + {S} * {S})
np.log(np.sum(np.exp({V} - np.max({V})))) + np.max({V}); 1 / (1 + np.exp(-{S})); -0.5 * {V} @ {V} / {S} ** 2""",
}
POOL = {
    kind: [one.strip() for one in text.replace("\n", ";").split(";")]
    for kind, text in FORMS.items()
}
START = {"M": ["x"], "R": ["w"], "V": ["v"], "S": ["c"], "C": ["k"]}
STORES = {
    "M": ["{t}[0] = {R} * {S}", "{t}[:, 0] *= {V}", "{t} *= {S}", "{t}[1:] += {R}"],
    "R": ["{t}[0] = {S}", "{t} /= {S}", "{t} -= {R} * {S}", "{t}[-1] *= {R}[0]"],
    "V": ["{t}[0] += {S}", "{t} *= {V}", "{t}[:] = {V} / {S}", "{t}[::2] *= {S}"],
    "C": ["{t} += {C}", "{t} *= {C} / 2", "{t}[0] = {C}[0] + 1"],
    "S": ["{t} += {S}", "{t} /= 1 + {S} ** 2", "{t} *= {S} * 0.5"],
}


class Writer:
    """Writes the statements of a program."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.number = rng, 0
        self.names = {kind: list(names) for kind, names in START.items()}

    def filled(self, form: str, depth: int = 0, **more: str) -> str:
        """A form with names, or other forms, in it."""
        while (at := form.find("{")) >= 0:
            kind = form[at + 1 : at + 2]
            if kind == "t":
                part = more["t"]
            elif depth < 2 and self.rng.random() < 0.12:
                part = f"({self.filled(self.rng.choice(POOL[kind]), depth + 1)})"
            else:
                part = self.rng.choice(self.names[kind][-3:])
            form = form[:at] + part + form[at + 3 :]
        return form

    def line(self) -> list[str]:
        kind, roll = self.rng.choice("MMRVVSSC"), self.rng.random()
        value = self.filled(self.rng.choice(POOL[kind]))
        made = self.names[kind][1:]
        if roll < 0.15 and made:
            name = self.rng.choice(made)
            if roll < 0.05:
                return [f"{name} = {value}"]
            return [self.filled(self.rng.choice(STORES[kind]), 1, t=name)]
        name = f"{kind.lower()}{self.number}"
        self.number += 1
        lines = [f"{name} = {value}"]
        if roll > 0.85:
            lines = [f"{name} = 1.0 * ({value})"]
            lines.append(self.filled(self.rng.choice(STORES[kind]), 1, t=name))
        elif roll > 0.78:
            other = self.filled(self.rng.choice(POOL[kind]))
            lines = [f"if {self.filled('{S}')} > 0.0137:", f"    {name} = {value}"]
            lines += ["else:", f"    {name} = {other}"]
        elif roll > 0.70:
            other = self.filled(self.rng.choice(POOL[kind]))
            lines = [f"{name} = 0.5 * ({value})", "for i in range(2):"]
            lines += [f"    {name} = np.tanh({name}) * 0.5 + 0.1 * ({other})"]
        self.names[kind].append(name)
        return lines

    def result(self) -> str:
        sums = [f"np.sum({names[-1]})" for names in self.names.values() if names[1:]]
        roll = self.rng.random()
        if roll < 0.7:
            return " + ".join(sums)
        if roll < 0.85:
            return f"{self.names['M'][-1]} / {self.names['C'][-1]}"
        return f"{self.names['V'][-1]} * {self.names['S'][-1]}"


def program(seed: int) -> Program:
    writer = Writer(Random(f"shorter {seed}"))
    lines: list[str] = []
    for _ in range(writer.rng.randint(2, 6)):
        lines += writer.line()
    lines.append(f"return {writer.result()}")
    params = (
        Parameter("x", ("n", "m")),
        Parameter("w", ("m",)),
        Parameter("v", ("n",)),
        Parameter("k", ("n", "1"), signed=False),
        Parameter("c", (), low=0.5, high=1.5),
    )
    sizes = ({"n": 4, "m": 3}, {"n": 2, "m": 1}, {"n": 1, "m": 2})
    made = Program(params, tuple(lines), seed, "f", (sizes[0], sizes[1 + seed % 2]))
    return made.without_unused()


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    names = tuple(p.name for p in made.params)
    if not names or not made.fits():
        return
    told = {p.name: p.fact for p in made.params} if seed % 3 == 1 else {}
    case = Case(made, told, names, level="half")
    yield case, examine(case, engine, companions=seed % 5 == 0)
