"""Statements of imperative programs: loops, branches, jumps, calls, lists.

Each method of `Clauses` writes one statement, with its block where it has one, as
lines of text, and enters into the scope what it assigns. A statement that has
nothing to work on answers None.
"""

from __future__ import annotations

from contextlib import contextmanager

from tests.fuzz.phrases import Array, Count, Index, Items, Number
from tests.fuzz.stores import NUMBERS, Stores

INDICES = ["i", "j", "k", "l"]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


class Clauses(Stores):
    """Random statements over the names in scope."""

    def __init__(self, rng, scope, writes_arguments: bool):
        super().__init__(rng, scope, writes_arguments)
        self.changing: list[str] = []  # helpers that change their first argument
        self.budget = 0
        self.result = None  # a callable that writes an early result, or None

    @contextmanager
    def nested(self, loop: bool = False):
        self.depth += 1
        self.loops += loop
        before = dict(self.scope)
        yield before
        self.depth -= 1
        self.loops -= loop

    # -- blocks

    def block(self, at_most: int) -> list[str]:
        """One to `at_most` statements."""
        lines: list[str] = []
        wanted = self.rng.randint(1, at_most)
        for _ in range(12):
            if wanted == 0 or (self.budget <= 0 and lines):
                break
            made = self.statement()
            if made:
                lines += made
                wanted -= 1
                self.budget -= 1
        return lines or ["pass"]

    def statement(self) -> list[str] | None:
        kinds = [
            (8, self.assign_number),
            (5, self.assign_array),
            (4, self.make_buffer),
            (9, self.store_entry),
            (7, self.store_slice),
            (3, self.store_line),
            (6, self.augment),
            (3, self.store_masked),
            (2, self.store_gathered),
            (4, self.take_view),
            (2, self.unpack),
            (4, self.call_changing),
            (2, self.list_statement),
            (1, self.remark),
        ]
        if self.depth < 3:
            kinds += [([14, 10, 5][self.depth], self.for_loop), (6, self.branch)]
        if self.depth < 2:
            kinds += [(4, self.while_loop), (2, self.double_buffer)]
        if self.depth == 0:
            kinds += [(2, self.inner_function)]
        if self.loops:
            kinds += [(3, self.jump)]
        if self.result is not None:
            kinds += [(1, self.early_return)]
        weights = [weight for weight, _ in kinds]
        [(_, write)] = self.rng.choices(kinds, weights)
        return write()

    # -- loops

    def header(self) -> tuple[str, str, Index | Count]:
        """What stands between `for` and the colon, the index, and what it is."""
        name = next(n for n in [*INDICES, "i4"] if n not in self.scope)
        if not self.lengths or self.chance(0.15):
            count = "steps" if "steps" in self.scope else self.pick(["2", "3"])
            return f"{name} in range({count})", name, Count()
        letter = self.pick(self.lengths)
        length = self.lengths[letter]
        outer = self.names(Index, lambda t: t.dim == letter and t.low >= 0)
        if outer and self.chance(0.7):
            at = self.pick(outer)
            index = self.scope[at]
            forms = [
                (f"range({at})", Index(letter, 0, index.high - 1)),
                (f"range({at} + 1)", Index(letter, 0, index.high)),
                (f"range({at}, {length})", Index(letter, index.low, 0)),
                (f"range({at} + 1, {length})", Index(letter, index.low + 1, 0)),
            ]
        else:
            forms = [
                (f"range({length})", Index(letter, 0, 0)),
                (f"range({length})", Index(letter, 0, 0)),
                (f"range(1, {length})", Index(letter, 1, 0)),
                (f"range(1, {length} - 1)", Index(letter, 1, -1)),
                (f"range({length} - 1, -1, -1)", Index(letter, 0, 0)),
                (f"range({length} - 2, 0, -1)", Index(letter, 1, -1)),
                (f"reversed(range({length}))", Index(letter, 0, 0)),
                (f"range(0, {length}, 2)", Index(letter, 0, 0)),
                (f"range({length} - 1)", Index(letter, 0, -1)),
            ]
        text, index = self.pick(forms)
        return f"{name} in {text}", name, index

    def for_loop(self) -> list[str]:
        if self.chance(0.22) and (over := self.over_values()):
            return over
        start = []
        if self.chance(0.4):  # something to carry
            start = (
                self.assign_number() if self.chance(0.6) else self.make_buffer() or []
            )
        head, name, index = self.header()
        with self.nested(loop=True):
            self.scope[name] = index
            body = self.block(4 if self.depth == 1 else 3)
            jumps = self.chance(0.12) and self.leave("break")
            body = [*body, *jumps] if jumps else body
            del self.scope[name]
        lines = [*start, f"for {head}:", *indented(body)]
        if jumps and self.chance(0.4):
            with self.nested() as before:
                lines += ["else:", *indented(self.block(1))]
                self.scope = {n: t for n, t in self.scope.items() if n in before}
        return lines

    def over_values(self) -> list[str] | None:
        """A loop over the entries or the rows of arrays, or over a few numbers."""
        arrays = self.names(Array)
        with self.nested(loop=True):
            added: dict[str, object] = {}
            vectors = [n for n in arrays if len(self.scope[n].dims) == 1]
            matrices = [n for n in arrays if len(self.scope[n].dims) == 2]
            form = self.rng.random()
            if form < 0.25:
                head, added["c"] = "c in (0.5, 0.25, -0.3)", Number()
            elif matrices and form < 0.5:
                x = self.pick(matrices)
                head, added["line"] = f"line in {x}", Array(self.scope[x].dims[1:])
            elif vectors and form < 0.7:
                x = self.pick(vectors)
                dim = self.scope[x].dims[0]
                head = f"e, value in enumerate({x})"
                added |= {"e": Index(dim[0], 0, dim[1]), "value": Number()}
            elif len(vectors) >= 2 and form < 0.9:
                x, y = self.rng.sample(vectors, 2)
                head = f"a1, a2 in zip({x}, {y})"
                added |= {"a1": Number(), "a2": Number()}
            elif vectors:
                head, added["value"] = f"value in {self.pick(vectors)}", Number()
            else:
                head = None
            if head is None or any(n in self.scope for n in added):
                return None
            # What is iterated over may be stored into as well: then rows change.
            self.scope |= added
            outer, self.writes_arguments = self.writes_arguments, False
            self.fixed |= set(added)
            body = self.block(3)
            self.writes_arguments = outer
            self.fixed -= set(added)
            for n in added:
                self.scope.pop(n, None)
        return [f"for {head}:", *indented(body)]

    def while_loop(self) -> list[str]:
        form = self.rng.random()
        if form < 0.5:
            k = next((n for n in ["k", "it", "rounds"] if n not in self.scope), None)
            if k is None:
                return None
            bound = "steps" if "steps" in self.scope else "3"
            more = f" and {self.condition()}" if self.chance(0.3) else ""
            self.scope[k] = Count()
            with self.nested(loop=True):
                body = self.block(3)
                if any("continue" in line for line in body):
                    return None
            if self.chance(0.3):
                return [
                    f"{k} = 0",
                    "while True:",
                    *indented([*body, f"{k} += 1", f"if {k} >= {bound}:", "    break"]),
                ]
            return [
                f"{k} = 0",
                f"while {k} < {bound}{more}:",
                *indented([*body, f"{k} += 1"]),
            ]
        if form < 0.75:  # shrinks until it is small
            name = self.fresh(NUMBERS, Number())
            start = self.number(1)
            self.scope[name] = Number()
            self.fixed.add(name)
            with self.nested(loop=True):
                body = [b for b in self.block(2)]
                if any("continue" in line for line in body):
                    return None
            self.fixed.discard(name)
            rate = self.pick(
                ["0.5", "0.6", "(0.5 + 0.1 * np.tanh({}))".format(self.number(0))]
            )
            return [
                f"{name} = 1.5 + np.tanh({start})",
                f"while {name} > {self.pick(['0.2', '0.05'])}:",
                *indented([*body, f"{name} = {rate} * {name}"]),
            ]
        if "guess" in self.scope:
            return None
        target = self.number(1)
        self.scope["guess"] = Number()
        tolerance = self.pick(["1e-2", "1e-4", "1e-3"])
        return [
            "guess, change = 0.0, 1.0",
            f"while change > {tolerance}:",
            "    old = guess",
            f"    guess = 0.4 * np.sin(guess) + {target}",
            "    change = abs(guess - old)",
        ]

    def double_buffer(self) -> list[str] | None:
        """Two arrays that swap in every round."""
        dims = self.dims()
        if dims is None or len(dims) != 1 or "cur" in self.scope:
            return None
        x = self.pick(self.names(Array, lambda t: t.dims == dims))
        copied = f"{x}.copy()" if self.chance(0.7) else f"1.0 * {x}"
        self.scope["cur"] = self.scope["nxt"] = Array(dims, True)
        count = "steps" if "steps" in self.scope else self.pick(["2", "3"])
        name = next(n for n in [*INDICES, "i4"] if n not in self.scope)
        with self.nested(loop=True):
            outer, self.scope = self.scope, dict(self.scope)
            inner = self.array(((dims[0][0], dims[0][1] - 2),), 1)
            self.scope = outer
        lines = [
            f"cur = {copied}",
            f"nxt = {self.pick(['np.zeros_like(cur)', 'cur.copy()'])}",
            f"for {name} in range({count}):",
            f"    nxt[1:-1] = 0.3 * (cur[:-2] + cur[2:]) + 0.2 * {self.grouped(inner)}",
            "    cur, nxt = nxt, cur",
        ]
        return lines

    # -- branches and jumps

    def branch(self) -> list[str]:
        arms = self.pick([1, 1, 2, 2, 2, 3])
        has_else = arms > 1
        lines: list[str] = []
        ends = []
        before = dict(self.scope)
        for k in range(arms):
            last = has_else and k == arms - 1
            word = "else" if last else ("elif" if k else "if")
            self.scope = dict(before)
            head = "else:" if last else f"{word} {self.condition()}:"
            with self.nested():
                body = self.block(2)
            lines += [head, *indented(body)]
            ends.append(self.scope)
        if not has_else:
            ends.append(before)
        self.scope = {
            n: t for n, t in ends[0].items() if all(end.get(n) == t for end in ends)
        }
        return lines

    def leave(self, word: str) -> list[str]:
        return [f"if {self.condition()}:", f"    {word}"]

    def jump(self) -> list[str]:
        return self.leave(self.pick(["break", "continue", "continue"]))

    def early_return(self) -> list[str]:
        return [f"if {self.condition()}:", f"    return {self.result()}"]

    # -- calls and lists

    def call_changing(self) -> list[str] | None:
        if not self.changing:
            return None
        name = self.stored(1)
        if name is None:
            return None
        dims = self.scope[name].dims
        others = self.names(Array, lambda t: t.dims == dims)
        others = [n for n in others if n != name] or [f"0.5 * {name}"]
        return [f"{self.pick(self.changing)}({name}, {self.pick(others)})"]

    def inner_function(self) -> list[str] | None:
        """A nested function that reads names around it."""
        free = self.names(Number)
        if not free or any(n == "local" for n, _ in self.pure):
            return None
        a = self.pick(free)
        self.fixed.add(a)  # a closure sees later values; most authors avoid that
        body = self.pick(["np.tanh({0} * u)", "{0} + np.sin(u)", "u / (1 + {0} ** 2)"])
        self.pure.append(("local", 1))
        if self.chance(0.4):
            return [f"local = lambda u: {body.format(a)}"]
        return ["def local(u):", f"    return {body.format(a)}"]

    def list_statement(self) -> list[str] | None:
        if self.depth or not self.lengths or "items" in self.scope:
            return None
        form = self.rng.random()
        head, name, index = self.header()
        if form < 0.3:
            self.scope[name] = index
            text = self.number(2)
            del self.scope[name]
            total = self.fresh(NUMBERS, Number())
            self.scope[total] = Number()
            return [f"{total} = {self.pick(['sum', '0.5 * sum'])}({text} for {head})"]
        if form < 0.55:
            self.scope[name] = index
            text = self.number(2)
            del self.scope[name]
            self.scope["items"] = Items(())
            return [f"items = [{text} for {head}]"]
        carried = self.assign_number()
        with self.nested(loop=True):
            self.scope[name] = index
            body = self.block(2)
            if any(word in line for line in body for word in ("continue", "break")):
                return None
            text = self.number(1)
            del self.scope[name]
        self.scope["items"] = Items(())
        return [
            *carried,
            "items = []",
            f"for {head}:",
            *indented([*body, f"items.append({text})"]),
        ]

    def remark(self) -> list[str]:
        """What changes no number."""
        name = self.pick(self.names(Number) or ["1.0"])
        forms = [
            [f"assert np.isfinite({name})"],
            [f"if {name} > 1e6:", '    raise ValueError("too large")'],
            ["# A comment between statements."],
            ["pass"],
        ]
        return self.pick(forms)
