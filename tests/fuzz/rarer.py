"""More statements of imperative programs: the ones that people write less often."""

from __future__ import annotations

from tests.fuzz.clauses import Clauses, indented
from tests.fuzz.phrases import Array, Number
from tests.fuzz.stores import BUFFERS, NUMBERS


class Rarer(Clauses):
    """Clauses, and chained stores, out=, containers, blocks with errstate, ..."""

    def statement(self) -> list[str] | None:
        if self.chance(0.85):
            return super().statement()
        kinds = [
            self.chained_store,
            self.swapped_entries,
            self.row_pair,
            self.into_buffer,
            self.rebound,
            self.structure,
            self.pair_of_results,
            self.silenced,
            self.applied,
            self.scan,
            self.alias_inside,
            self.stacked,
            self.history,
            self.history,
        ]
        return self.pick(kinds)()

    def square(self) -> str | None:
        """A square matrix to store into."""
        found = self.names(
            Array,
            lambda t: (
                len(t.dims) == 2
                and t.dims[0] == t.dims[1]
                and (t.owned or self.writes_arguments)
            ),
        )
        return self.pick(found) if found else None

    def chained_store(self) -> list[str] | None:
        """c[i, :] = c[:, i] = ..., or two vectors that get the same values."""
        c = self.square()
        if c is not None:
            dim = self.scope[c].dims[0]
            key = self.place(dim)
            value = self.array((dim,), 1)
            return [f"{c}[{key}, :] = {c}[:, {key}] = 0.5 * {self.grouped(value)}"]
        name = self.stored(1)
        if name is None:
            return None
        [dim] = self.scope[name].dims
        return [
            f"{name}[{self.place(dim)}] = {name}[{self.place(dim)}] = {self.number(1)}"
        ]

    def swapped_entries(self) -> list[str] | None:
        name = self.stored(1)
        if name is None:
            return None
        [dim] = self.scope[name].dims
        a, b = self.place(dim), self.place(dim)
        new = self.pick([f"{name}[{a}]", f"0.7 * {name}[{a}]"])
        return [f"{name}[{a}], {name}[{b}] = {name}[{b}], {new}"]

    def row_pair(self) -> list[str] | None:
        name = self.stored(2)
        if name is None:
            return None
        dim = self.scope[name].dims[1]
        one, two = self.array((dim,), 1), self.array((dim,), 1)
        return [f"{name}[0], {name}[1] = {one}, 0.5 * {self.grouped(two)}"]

    def into_buffer(self) -> list[str] | None:
        """numpy's out=."""
        name = self.stored()
        if name is None:
            return None
        dims = self.scope[name].dims
        x = self.pick(self.names(Array, lambda t: t.dims == dims))
        form = self.rng.random()
        if form < 0.5:
            return [f"np.{self.pick(['tanh', 'sin'])}({x}, out={name})"]
        return [f"np.{self.pick(['multiply', 'add'])}({x}, 0.5, out={name})"]

    def rebound(self) -> list[str] | None:
        """A parameter's name for something new: the caller's array stays."""
        names = [n for n in self.names(Array) if n not in (*BUFFERS, *self.fixed)]
        if not names or self.depth:
            return None
        name = self.pick(names)
        dims = self.scope[name].dims
        text = f"np.tanh({name} + {self.array(dims, 1)})"
        self.scope[name] = Array(dims, True)
        return [f"{name} = {text}"]

    def structure(self) -> list[str]:
        """A tuple, a list or a dict of numbers, read again at once."""
        one, two = self.number(1), self.number(1)
        name = self.fresh(NUMBERS, Number())
        self.scope[name] = Number()
        forms = [
            [f"both = ({one}, {two})", f"{name} = 0.5 * both[0] + both[1]"],
            [f"both = [{one}, {two}]", f"{name} = sum(both)"],
            [
                f'terms = {{"a": {one}, "b": {two}}}',
                f'{name} = terms["a"] - terms["b"]',
            ],
            [
                f"first, *rest = {one}, {two}, 0.5",
                f"{name} = first * rest[0] + rest[1]",
            ],
        ]
        return self.pick(forms)

    def pair_of_results(self) -> list[str]:
        """A helper that returns two things."""
        u, v = self.number(1), self.number(0)
        a = self.fresh(NUMBERS, Number())
        self.scope[a] = Number()
        b = self.fresh([n for n in NUMBERS if n != a], Number())
        self.scope[b] = Number()
        return [f"{a}, {b} = both_of({u}, {v})"]

    def applied(self) -> list[str]:
        """A helper that is given a function."""
        name = self.fresh(NUMBERS, Number())
        functions = ["np.tanh", "np.sin", "lambda e: 0.5 * e * e"]
        functions += [n for n, arity in self.pure if arity == 1]
        text = f"applied({self.pick(functions)}, {self.number(1)})"
        self.scope[name] = Number()
        return [f"{name} = {text}"]

    def silenced(self) -> list[str] | None:
        if self.depth > 1:
            return None
        self.depth += 1
        body = self.assign_number() if self.chance(0.5) else self.store_entry()
        self.depth -= 1
        if body is None:
            return None
        return ['with np.errstate(divide="ignore"):', *indented(body)]

    def scan(self) -> list[str] | None:
        """A recurrence along a vector: each entry from the one before."""
        name = self.stored(1)
        if name is None:
            return None
        letter, missing = self.scope[name].dims[0]
        i = next(n for n in ["i", "j", "k", "l", "i4"] if n not in self.scope)
        if missing or letter not in self.lengths:
            return None
        length = self.lengths[letter]
        backward = self.chance(0.4)
        head = f"range({length} - 2, -1, -1)" if backward else f"range(1, {length})"
        before = f"{i} + 1" if backward else f"{i} - 1"
        factor = self.pick(
            ["0.5", "0.3", self.grouped(f"0.4 * np.tanh({self.number(0)})")]
        )
        symbol = self.pick(["=", "+=", "="])
        more = "" if symbol == "+=" else f"{name}[{i}] + "
        return [
            f"for {i} in {head}:",
            f"    {name}[{i}] {symbol} {more}{factor} * {name}[{before}]",
        ]

    def alias_inside(self) -> list[str] | None:
        """A name for a row inside a loop, and a store through it."""
        name = self.stored(2)
        if name is None or not self.loops:
            return None
        row, column = self.scope[name].dims
        key = self.place(row)
        stored = self.put("line_[" + self.place(column) + "]", self.number(1))
        if "line_" in self.scope:
            return None
        return [f"line_ = {name}[{key}]", stored]

    def stacked(self) -> list[str]:
        """An array of numbers that were computed one by one."""
        one, two, three = self.number(1), self.number(0), self.number(1)
        name = self.fresh(NUMBERS, Number())
        self.scope[name] = Number()
        form = self.pick(
            ["np.sum(np.array([{0}, {1}, {2}]) ** 2)"] * 2 + ["sum([{0}, {1}, {2}])"]
        )
        return [f"{name} = " + form.format(one, two, three)]

    def history(self) -> list[str] | None:
        """A list that a loop fills, changed and read afterwards."""
        if not self.lengths or "past" in self.scope:
            return None
        length = self.pick(sorted(self.lengths.values()))
        vectors = self.names(Array, lambda t: len(t.dims) == 1)
        if vectors and self.chance(0.4):
            dims = self.scope[self.pick(vectors)].dims
            entry, other = self.array(dims, 1), self.array(dims, 1)
            added = "past[1] = past[1] + 0.2 * past[0]"
            ends = ["np.sum(np.array(past))", "np.sum(past[0] * past[-1])"]
            ends += ["np.sum(sum(past))", "np.sum(np.sum(past[1:], axis=0))"]
        else:
            entry, other = self.number(1), self.number(1)
            added = "past[1] += 0.2 * past[0]"
            ends = ["sum(past)", "past[0] * past[-1]", "np.sum(np.array(past[1:]))"]
            ends += ["sum(p * p for p in past)", "np.sum(past)"]
        changes = [
            f"past[0] = 0.5 * {self.grouped(other)}",
            "past[-1] = 0.3 * past[0]",
            added,
            "past.pop()",
            "past = past[:-1]",
            "past.reverse()",
        ]
        if self.chance(0.3):
            changes = ["past[0] = 0.5 * past[1]", "past.pop(0)", "past = past + past"]
        chosen = [self.pick(changes)] if self.chance(0.7) else []
        name = self.fresh(NUMBERS, Number())
        self.scope[name] = Number()
        return [
            "past = []",
            f"for at_ in range({length}):",
            f"    past.append((0.1 * at_ + 0.5) * {self.grouped(entry)})",
            *chosen,
            f"{name} = 0.3 * np.tanh({self.pick(ends)})",
        ]
