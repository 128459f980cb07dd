"""Expressions of imperative programs: bounded numbers, and arrays of known dims.

A dim is a letter and what is missing of its length: ("n", -2) is as long as
`x[1:-1]` is for an x of length n. What is written fits by construction at every
size of 3 or more, wherever in a loop it stands; brackets that are not needed go
when the program is unparsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

Dim = tuple[str, int]


@dataclass(frozen=True)
class Number:
    """A float."""


@dataclass(frozen=True)
class Array:
    """An array; `owned` says that no parameter shares its memory."""

    dims: tuple[Dim, ...]
    owned: bool = False


@dataclass(frozen=True)
class Index:
    """An integer from `low` on and below the dim's length plus `high`."""

    dim: str
    low: int
    high: int


@dataclass(frozen=True)
class Count:
    """A small integer that indexes nothing."""


@dataclass(frozen=True)
class Flag:
    """True or False."""


@dataclass(frozen=True)
class Mask:
    """An array of booleans."""

    dims: tuple[Dim, ...]


@dataclass(frozen=True)
class Items:
    """A list that was appended to, of numbers or of arrays of these dims."""

    dims: tuple[Dim, ...]


NAME = re.compile(r"[A-Za-z_]\w*")
CONSTANTS = ["0.5", "0.25", "0.1", "1.5", "0.3", "0.7", "2", "1.0", "-0.4"]
WAVES = ["np.tanh({})", "np.sin({})", "np.cos({})", "np.exp(-({}) ** 2)"]
SAFE = ["np.sqrt(1 + ({}) ** 2)", "({}) / (1 + ({}) ** 2)", "np.log(1.5 + ({}) ** 2)"]
KINKED = [
    *("np.maximum({}, 0.1)", "np.abs({})", "np.minimum({}, 0.8)"),
    *("np.maximum({}, 0) ** 2", "np.minimum({}, 0) ** 3", "np.maximum({}, 0)"),
]


class Phrases:
    """Random expressions over the names in scope."""

    def __init__(self, rng: Random, scope: dict[str, object]):
        self.rng = rng
        self.scope = scope
        self.lengths: dict[str, str] = {}  # dim -> the expression of its length
        self.unread: set[str] = set()  # assigned and not read yet: taken first
        self.pure: list[tuple[str, int]] = []  # functions of numbers or arrays alike

    # -- choices

    def pick(self, choices):
        return self.rng.choice(list(choices))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def names(self, kind: type, test=lambda value: True) -> list[str]:
        found = [n for n, t in self.scope.items() if isinstance(t, kind)]
        return [n for n in found if test(self.scope[n])]

    def constant(self) -> str:
        return self.pick(CONSTANTS)

    # -- keys

    def places(self, dim: Dim) -> list[str]:
        """Keys of one entry along the dim: from its ends, and by loop indices."""
        letter, missing = dim
        found = ["0", "-1", "1"]
        for name in self.names(Index, lambda t: t.dim == letter):
            index = self.scope[name]
            for shift in (-1, 0, 0, 0, 1):
                if index.low + shift >= 0 and index.high + shift <= missing:
                    moved = f"{name} {'+' if shift > 0 else '-'} {abs(shift)}"
                    found += [moved if shift else name] * (1 if shift else 4)
            if letter in self.lengths and missing == 0:
                found.append(f"({name} + 1) % {self.lengths[letter]}")
            if index.low - 1 == -1 and index.high - 1 <= missing:
                found.append(f"{name} - 1")  # from the end, in the first round
        return found

    def place(self, dim: Dim) -> str:
        found = self.places(dim)
        return (
            self.pick(found[3:])
            if found[3:] and self.chance(0.85)
            else self.pick(found)
        )

    def cut(self, missing: int, wanted: int) -> str | None:
        """A slice that leaves `wanted` of a dim that misses `missing`."""
        lost = missing - wanted
        if lost < 0 or lost > 3:
            return None
        start = self.rng.randint(0, lost)
        end = lost - start
        return f"{start or ''}:{-end if end else ''}"

    # -- numbers

    def number(self, depth: int) -> str:
        if depth <= 0:
            return self.atom()
        form = self.rng.random()
        a = self.number(depth - 1)
        if form < 0.2:
            return self.pick(WAVES).format(a)
        if form < 0.28:
            return self.pick(SAFE).replace("({})", f"({a})")
        if form < 0.32:
            return self.pick(["abs({})", "max({}, 0.1)", "min({}, 0.7)"]).format(a)
        if form < 0.5:
            return f"({self.constant()} * {self.grouped(a)})"
        b = self.number(depth - 1)
        if form < 0.8:
            return f"({a} {self.pick('+-')} {self.grouped(b)})"
        if form < 0.92:
            return f"({self.grouped(a)} * {self.grouped(b)})"
        if form < 0.95:
            return f"({self.grouped(a)} / (1 + ({b}) ** 2))"
        if form < 0.98:
            return f"({a} if {self.condition()} else {b})"
        return f"{self.called(a)}"

    def called(self, a: str) -> str:
        """A helper function of the program applied to a, if there is one."""
        if not self.pure:
            return f"np.tanh({a})"
        name, arity = self.pick(self.pure)
        more = [self.number(0) for _ in range(arity - 1)]
        return f"{name}({', '.join([a, *more])})"

    def grouped(self, text: str) -> str:
        return text if text.isidentifier() else f"({text})"

    def atom(self) -> str:
        """A number without operators: a name, an entry, a reduction, a constant."""
        made = []
        made += self.names(Number) * 2
        made += [name for name in self.names(Number) if name in self.unread] * 6
        arrays = self.names(Array)
        arrays += [name for name in arrays if name in self.unread] * 2
        if arrays:
            name = self.pick(arrays)
            dims = self.scope[name].dims
            keys = ", ".join(self.place(dim) for dim in dims)
            made += [f"{name}[{keys}]"] * 3
            if self.chance(0.5):
                made += [self.reduction(name)]
        for name in self.names(Items, lambda t: not t.dims):
            made += [f"{name}[-1]", f"{name}[0]"]
        if self.chance(0.15):
            made += [f"0.1 * {name}" for name in self.names(Index) + self.names(Count)]
        return self.read(made) if made and self.chance(0.93) else self.constant()

    def read(self, texts: list[str]) -> str:
        """One of the texts; what it reads has been read then."""
        text = self.pick(texts)
        self.unread.difference_update(NAME.findall(text))
        return text

    def reduction(self, name: str) -> str:
        dims = self.scope[name].dims
        partners = self.names(Array, lambda t: t.dims == dims)
        forms = [
            f"0.3 * np.sum({name})",
            f"np.mean({name})",
            f"{name}.mean()",
            f"np.sum({name} * {self.pick(partners)}) * 0.2",
            f"np.max({name})",
            f"np.sqrt(1 + np.sum({name} ** 2))",
        ]
        if len(dims) == 1:
            forms.append(f"0.3 * ({name} @ {self.pick(partners)})")
        return self.pick(forms)

    # -- arrays

    def array(self, dims: tuple[Dim, ...], depth: int) -> str:
        """An expression that broadcasts to the dims, and mostly has them."""
        if depth <= 0:
            return self.leaf(dims) or self.number(0)
        form = self.rng.random()
        a = self.array(dims, depth - 1)
        if form < 0.22:
            return self.pick(WAVES).format(a)
        if form < 0.29:
            return self.pick(SAFE).replace("({})", f"({a})")
        if form < 0.33:
            return self.pick(KINKED).format(a)
        if form < 0.5:
            b = self.pick([self.constant(), self.number(0)])
            return f"({self.grouped(b)} * {self.grouped(a)})"
        b = self.array(dims, depth - 1)
        if form < 0.78:
            return f"({a} {self.pick('+-')} {self.grouped(b)})"
        if form < 0.9:
            return f"({self.grouped(a)} * {self.grouped(b)})"
        if form < 0.94:
            return (
                f"np.where(({a}) > {self.pick(['0.1', '0', '-0.2'])}, {a}, 0.5 * {b})"
            )
        if form < 0.97 and self.pure:
            return self.called(a)
        return f"({self.grouped(a)} / (1 + ({b}) ** 2))"

    def leaf(self, dims: tuple[Dim, ...]) -> str | None:
        """A name, or a part of a name, that has exactly these dims."""
        made = []
        for name in self.names(Array):
            made += self.parts(name, dims) * (3 if name in self.unread else 1)
        for name in self.names(Items, lambda t: t.dims == dims and dims):
            made.append(f"{name}[-1]")
        return self.read(made) if made else None

    def parts(self, name: str, dims: tuple[Dim, ...]) -> list[str]:
        """Ways to get these dims out of the array `name`."""
        own = self.scope[name].dims
        letters = [d for d, _ in own]
        wanted = [d for d, _ in dims]
        if own == dims:
            made = [name] * 4
            if len(dims) == 1 and self.chance(0.15):
                made.append(f"{name}[::-1]")
            if len(dims) == 2 and letters[0] == letters[1] and self.chance(0.3):
                made.append(f"{name}.T")
            return made
        if len(own) == 2 and len(dims) == 2 and own == dims[::-1]:
            return [f"{name}.T"]
        if letters == wanted:
            cuts = [self.cut(o[1], d[1]) for o, d in zip(own, dims)]
            return [f"{name}[{', '.join(cuts)}]"] * 2 if None not in cuts else []
        if len(own) == 2 and len(dims) == 1:
            return self.lines(name, own, dims[0])
        if len(own) == 1 and len(dims) == 2 and self.chance(0.3):
            if own[0] == dims[1]:
                return [name, f"{name}[None, :]"]
            if own[0] == dims[0]:
                return [f"{name}[:, None]"]
        return []

    def lines(self, name: str, own: tuple[Dim, ...], dim: Dim) -> list[str]:
        """Rows and columns, whole or in part, and what reduces to one of them."""
        made = []
        row, column = own
        if column[0] == dim[0] and (cut := self.cut(column[1], dim[1])) is not None:
            key = self.place(row)
            made.append(f"{name}[{key}]" if cut == ":" else f"{name}[{key}, {cut}]")
            if cut == ":" and self.chance(0.3):
                made.append(f"np.mean({name}, axis=0)")
                vectors = self.names(Array, lambda t: t.dims == (row,))
                made += [f"0.3 * ({v} @ {name})" for v in vectors[:1]]
        if row[0] == dim[0] and (cut := self.cut(row[1], dim[1])) is not None:
            made.append(f"{name}[{cut}, {self.place(column)}]")
            if cut == ":" and self.chance(0.3):
                made.append(f"{name}.mean(axis=1)")
                vectors = self.names(Array, lambda t: t.dims == (column,))
                made += [f"0.3 * ({name} @ {v})" for v in vectors[:1]]
        return made

    # -- conditions

    def condition(self) -> str:
        form = self.rng.random()
        if form < 0.12 and self.names(Flag):
            name = self.pick(self.names(Flag))
            return self.pick([name, f"not {name}"])
        indices = self.names(Index) + self.names(Count)
        if form < 0.35 and indices:
            name = self.pick(indices)
            forms = [f"{name} % 2 == 0", f"{name} > 0", f"{name} == 1", f"{name} < 2"]
            other = self.pick(indices)
            if other != name:
                forms += [
                    f"{name} == {other}",
                    f"{name} > {other}",
                    f"{name} != {other}",
                ]
            return self.pick(forms)
        a = self.number(self.pick([0, 0, 1]))
        bound = self.pick(["0.2", "0", "0.5", "-0.3", "0.8"])
        if form < 0.45:
            return f"-0.5 < {self.grouped(a)} < {self.pick(['0.4', '0.9'])}"
        if form < 0.55:
            b = self.number(0)
            return f"{a} > {bound} {self.pick(['and', 'or'])} {b} < {self.pick(['0.3', '0.6'])}"
        if form < 0.65:
            return f"{a} {self.pick('<>')} {self.number(0)}"
        return f"{a} {self.pick(['<', '>', '<=', '>='])} {bound}"
