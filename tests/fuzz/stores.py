"""Stores of imperative programs: into entries, slices, rows, masks, gathered places.

Each method of `Stores` writes one statement as lines of text, and enters into the
scope what it assigns. A statement that has nothing to work on answers None.
"""

from __future__ import annotations

from tests.fuzz.phrases import Array, Count, Mask, Number, Phrases

BUFFERS = ["buf", "work", "out", "grid", "field", "prev", "new", "z", "h"]
NUMBERS = ["s", "acc", "total", "t", "r", "best", "err", "p", "q"]


class Stores(Phrases):
    """Random assignments and stores over the names in scope."""

    def __init__(self, rng, scope, writes_arguments: bool):
        super().__init__(rng, scope)
        self.writes_arguments = writes_arguments
        self.depth = 0
        self.loops = 0  # loops around the statement, in this function
        self.fixed: set[str] = set()  # names that a loop around relies on

    # -- names

    def fresh(self, pool: list[str], kind: object) -> str:
        """A name to assign: a new one mostly, else one of the same kind."""
        new = [n for n in pool if n not in self.scope]
        old = [n for n in pool if self.scope.get(n) == kind and n not in self.fixed]
        read = [n for n in old if n not in self.unread]
        if old and (not new or self.chance(0.4)):
            name = self.pick(read or old)
        else:
            name = self.pick(new) if new else f"{self.pick(pool)}{len(self.scope)}"
        self.unread.add(name)
        return name

    def stored(self, rank: int | None = None) -> str | None:
        """An array to store into."""
        found = self.names(
            Array,
            lambda t: (
                (t.owned or self.writes_arguments)
                and (rank is None or len(t.dims) == rank)
            ),
        )
        owned = [n for n in found if self.scope[n].owned]
        if not found:
            return None
        name = self.pick(owned) if owned and self.chance(0.7) else self.pick(found)
        self.unread.add(name)
        return name

    # -- assignments

    def assign_number(self) -> list[str]:
        text = self.number(self.pick([1, 2, 2, 3]))
        if self.loops and self.chance(0.5):
            text = f"np.tanh({text})"
        name = self.fresh(NUMBERS, Number())
        self.scope[name] = Number()
        if self.chance(0.03):
            return [
                f"{name} = 0.0",
                f"if ({name} := {text}) > 0.1:",
                f"    {name} *= 0.5",
            ]
        return [f"{name} = {text}"]

    def dims(self) -> tuple | None:
        arrays = self.names(Array, lambda t: all(m == 0 for _, m in t.dims))
        return self.scope[self.pick(arrays)].dims if arrays else None

    def assign_array(self) -> list[str] | None:
        dims = self.dims()
        if dims is None:
            return None
        exact = self.pick(self.names(Array, lambda t: t.dims == dims))
        text = f"{self.constant()} * {exact} {self.pick('+-')} {self.grouped(self.array(dims, 2))}"
        if self.loops or self.chance(0.5):
            text = f"np.tanh({text})"
        name = self.fresh(BUFFERS, Array(dims, True))
        self.scope[name] = Array(dims, True)
        return [f"{name} = {text}"]

    def make_buffer(self) -> list[str] | None:
        dims = self.dims()
        if dims is None:
            return None
        if len(self.lengths) == 2 and self.chance(0.15):
            dims = (("n", 0), ("m", 0))
        like = self.names(Array, lambda t: t.dims == dims)
        size = ", ".join(self.lengths[d] for d, _ in dims)
        shape = f"({size})" if len(dims) == 2 else size
        forms = [f"np.zeros({shape})"] * 3 + [f"np.ones({shape})"]
        forms += [f"np.full({shape}, {self.constant()})"]
        if like:
            x = self.pick(like)
            forms += (
                [f"np.zeros_like({x})"] * 2
                + [f"{x}.copy()"] * 3
                + [f"np.ones_like({x})"]
            )
        name = self.fresh(BUFFERS, Array(dims, True))
        self.scope[name] = Array(dims, True)
        lines = [f"{name} = {self.pick(forms)}"]
        if self.chance(0.1):
            made = self.scope.pop(name)  # nothing may be read of it yet
            text = self.number(1)
            self.scope[name] = made
            lines = [f"{name} = np.empty({shape})", f"{name}[:] = {text}"]
        return lines

    def unpack(self) -> list[str]:
        numbers = self.names(Number, lambda t: True)
        numbers = [n for n in numbers if n not in self.fixed]
        if len(numbers) >= 2 and self.chance(0.4):
            a, b = self.rng.sample(numbers, 2)
            return [f"{a}, {b} = {b}, {self.pick([a, f'0.5 * {a}'])}"]
        one, two = self.number(1), self.number(2)
        a = self.fresh(NUMBERS, Number())
        self.scope[a] = Number()
        b = self.fresh([n for n in NUMBERS if n != a], Number())
        self.scope[b] = Number()
        return [f"{a}, {b} = {one}, {two}"]

    # -- stores

    def symbol(self) -> str:
        return self.pick(["=", "=", "=", "+=", "+=", "-=", "*=", "/="])

    def put(self, target: str, value: str, symbol: str | None = None) -> str:
        """A store; factors and divisors are kept near 1."""
        symbol = symbol or self.symbol()
        if symbol == "*=":
            value = f"0.7 + 0.2 * np.tanh({value})"
        elif symbol == "/=":
            value = f"1.2 + ({value}) ** 2"
        elif self.loops:
            value = f"{self.pick(['0.3', '0.5', '0.2'])} * {self.grouped(value)}"
        return f"{target} {symbol} {value}"

    def store_entry(self) -> list[str] | None:
        name = self.stored()
        if name is None:
            return None
        keys = ", ".join(self.place(dim) for dim in self.scope[name].dims)
        return [self.put(f"{name}[{keys}]", self.number(self.pick([1, 2])))]

    def store_slice(self) -> list[str] | None:
        name = self.stored()
        if name is None:
            return None
        keys, dims = [], []
        for letter, missing in self.scope[name].dims:
            lost = self.pick([0, 1, 2, 2])
            start = self.rng.randint(0, lost)
            keys.append(f"{start or ''}:{-(lost - start) or ''}")
            dims.append((letter, missing - lost))
        value = self.array(tuple(dims), self.pick([1, 2]))
        return [self.put(f"{name}[{', '.join(keys)}]", value)]

    def store_line(self) -> list[str] | None:
        """A row or a column."""
        name = self.stored(2)
        if name is None:
            return None
        row, column = self.scope[name].dims
        if self.chance(0.6):
            key, dim = self.place(row), column
        else:
            key, dim = f":, {self.place(column)}", row
        return [self.put(f"{name}[{key}]", self.array((dim,), self.pick([1, 2])))]

    def augment(self) -> list[str] | None:
        numbers = [n for n in self.names(Number) if n not in self.fixed]
        name = self.stored()
        if name is not None and self.chance(0.4):
            dims = self.scope[name].dims
            return [self.put(name, self.array(dims, 1), self.pick(["+=", "-=", "*="]))]
        if not numbers:
            return None
        symbol = self.pick(["+=", "+=", "-=", "*=", "/="])
        return [self.put(self.pick(numbers), self.number(2), symbol)]

    def store_masked(self) -> list[str] | None:
        name = self.stored()
        if name is None:
            return None
        dims = self.scope[name].dims
        tested = self.pick(self.names(Array, lambda t: t.dims == dims))
        mask = f"{tested} {self.pick('<>')} {self.pick(['0.2', '0', '0.5'])}"
        lines = []
        if self.chance(0.5):
            lines = [f"mask = {mask}"]
            self.scope["mask"] = Mask(dims)
            mask = "mask"
        part = self.pick(self.names(Array, lambda t: t.dims == dims))
        values = [self.number(1), f"0.5 * {part}[{mask}]", f"np.sin({part}[{mask}])"]
        return [*lines, self.put(f"{name}[{mask}]", self.pick(values))]

    def store_gathered(self) -> list[str] | None:
        """By a list of places; repeated ones are added with np.add.at."""
        name = self.stored(1)
        if name is None:
            return None
        dims = self.scope[name].dims
        source = self.pick(self.names(Array, lambda t: t.dims == dims))
        value = (
            f"{self.constant()} * {source}[{self.pick(['[2, 0]', '[1, 1]', '[0, 1]'])}]"
        )
        form = self.rng.random()
        if form < 0.35:
            return [f"np.add.at({name}, [1, 0, 1], {self.number(1)})"]
        if form < 0.7:
            return [self.put(f"{name}[[0, 2]]", value, self.pick(["=", "+="]))]
        self.scope["idx"] = Count()
        return ["idx = np.array([2, 0])", self.put(f"{name}[idx]", value, "=")]

    def take_view(self) -> list[str] | None:
        """Another name for an array, or for a part of it; at the top level only."""
        name = self.stored()
        if name is None or self.depth:
            return None
        dims = self.scope[name].dims
        alias = self.fresh(["v", "row", "inner", "same", "flip"], None)
        if len(dims) == 2:
            key, new = self.pick(
                [
                    ("[0]", dims[1:]),
                    ("[:, 1]", dims[:1]),
                    (".T", dims[::-1]),
                    ("[1:]", ((dims[0][0], dims[0][1] - 1), dims[1])),
                    ("", dims),
                ]
            )
        else:
            letter, missing = dims[0]
            key, new = self.pick(
                [
                    ("[1:-1]", ((letter, missing - 2),)),
                    ("[:-1]", ((letter, missing - 1),)),
                    ("[::-1]", dims),
                    ("", dims),
                ]
            )
        self.scope[alias] = Array(new, self.scope[name].owned)
        return [f"{alias} = {name}{key}"]
