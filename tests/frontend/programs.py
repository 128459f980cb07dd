"""Random functions with loops, branches, jumps, stores, views, aliases and calls."""

import random

SIZE = 4
HELPERS = """
def scale_first(v, c):
    v[0] = v[0] * c
    return v


def smaller(a, b):
    if a < b:
        return a
    return b


def blend(v, w, c=0.5):
    out = v.copy()
    for k in range(len(v)):
        if w[k] < -0.5:
            continue
        out[k] = c * v[k] + (1 - c) * w[k]
        if out[k] > 2:
            return out
    return out


def bump(v):
    v += 0.25


def find_large(v, limit):
    for k in range(len(v)):
        if v[k] > limit:
            return v[k]
    return 0.1


"""


class Programs:
    """Writes one random function after another; all arrays have the same sizes."""

    def __init__(self, seed: int, calls: bool = True):
        self.random = random.Random(seed)
        self.calls = calls

    def program(self) -> str:
        """The text of f(x, y, M, c, n) and of what it calls."""
        self.vectors = ["x", "y"]
        self.matrices = ["M"]
        self.scalars = ["c"]
        self.integers = ["n"]
        self.lists: list[str] = []
        self.loops = 0
        self.straight = True
        self.numbers = iter(range(1000))
        lines = []
        for _ in range(self.random.randint(3, 7)):
            lines += self.statement(0)
        lines.append("return " + self.result())
        body = "".join(f"    {line}\n" for line in lines)
        helpers = HELPERS if self.calls else ""
        return f"{helpers}def f(x, y, M, c, n):\n{body}"

    def result(self) -> str:
        parts = [f"np.sum({v})" for v in self.vectors + self.matrices]
        parts += self.scalars[1:]
        return " + ".join(parts)

    def pick(self, items):
        return self.random.choice(list(items))

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    # expressions

    def index(self) -> str:
        choices = ["0", "1", "-1", "2"]
        choices += [f"{i} % {SIZE}" for i in self.integers[1:]] * 2
        return self.pick(choices)

    def scalar(self, depth: int = 0) -> str:
        kind = self.random.randint(0, 9 if depth < 2 else 3)
        if kind <= 1:
            return self.pick(self.scalars)
        if kind == 2:
            return self.pick(["0.5", "2.0", "-0.3", "1"])
        if kind <= 4:
            return f"{self.pick(self.vectors)}[{self.index()}]"
        if kind == 5:
            return f"{self.pick(self.matrices)}[{self.index()}, {self.index()}]"
        if kind == 6:
            return f"np.tanh({self.scalar(depth + 1)})"
        if kind == 7 and self.chance(0.4):
            test = self.test(depth + 1)
            return f"({self.scalar(depth + 1)} if {test} else {self.scalar(depth + 1)})"
        if kind == 8 and self.calls and self.chance(0.6):
            return self.pick(
                [
                    f"smaller({self.scalar(2)}, {self.scalar(2)})",
                    f"find_large({self.pick(self.vectors)}, {self.scalar(2)})",
                ]
            )
        sign = self.pick("+-*")
        return f"({self.scalar(depth + 1)} {sign} {self.scalar(depth + 1)})"

    def vector(self, depth: int = 0) -> str:
        kind = self.random.randint(0, 8 if depth < 2 else 2)
        if kind <= 2:
            return self.pick(self.vectors)
        if kind == 3:
            return f"{self.pick(self.matrices)}[{self.index()}]"
        if kind == 4:
            return f"{self.pick(self.matrices)}[:, {self.index()}]"
        if kind == 5:
            return f"np.tanh({self.vector(depth + 1)})"
        if kind == 6:
            return f"{self.scalar(2)} * {self.vector(depth + 1)}"
        if kind == 7 and self.calls and self.chance(0.4):
            return f"blend({self.pick(self.vectors)}, {self.vector(2)})"
        return f"({self.vector(depth + 1)} {self.pick('+-*')} {self.vector(depth + 1)})"

    def test(self, depth: int = 0) -> str:
        kind = self.random.randint(0, 7 if depth < 2 else 3)
        if kind <= 3:
            return (
                f"{self.scalar(2)} {self.pick(['<', '>', '<=', '>='])} {self.scalar(2)}"
            )
        if kind == 4:
            word = self.pick(["and", "or"])
            return f"{self.test(depth + 1)} {word} {self.test(depth + 1)}"
        if kind == 5:
            return f"not {self.scalar(2)} < {self.scalar(2)}"
        if kind == 6:
            return f"-1 < {self.scalar(2)} < {self.scalar(2)}"
        return f"{self.pick(self.integers)} % 2 == {self.pick('01')}"

    # statements

    def block(self, depth: int) -> list[str]:
        before = [list(names) for names in self._names()]
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth)
        # what a block assigns first may not be there behind it
        self.vectors, self.matrices, self.scalars, self.integers, self.lists = before
        return ["    " + line for line in lines]

    def _names(self):
        return self.vectors, self.matrices, self.scalars, self.integers, self.lists

    def target(self, names: list[str], letter: str) -> str:
        if self.chance(0.6) and len(names) > 1:
            return self.pick(names)
        name = f"{letter}{next(self.numbers)}"
        self.later.append((names, name))
        return name

    def fresh(self, names: list[str], letter: str) -> str:
        name = f"{letter}{next(self.numbers)}"
        self.later.append((names, name))
        return name

    def statement(self, depth: int) -> list[str]:
        outer, self.later = getattr(self, "later", []), []
        lines = self._statement(depth)
        for names, name in self.later:
            if name not in names:
                names.append(name)
        self.later = outer
        return lines

    def _statement(self, depth: int) -> list[str]:
        kinds = ["assign"] * 3 + ["store"] * 5 + ["alias"] * 2 + ["augment"] * 2
        if depth < 3:
            kinds += ["if"] * 3 + ["for"] * 2 + ["while"]
        if self.loops:
            kinds += ["jump"] * 2
        elif depth:
            kinds += ["return"]
        if self.calls:
            kinds += ["call"]
        kinds += ["unpack", "list"]
        return getattr(self, "_" + self.pick(kinds))(depth)

    def _assign(self, depth: int) -> list[str]:
        if self.chance(0.5):
            value = self.scalar()
            return [f"{self.target(self.scalars, 's')} = {value}"]
        if self.chance(0.2):
            value = f"np.tanh({self.pick(self.matrices)} * {self.scalar(2)})"
            return [f"{self.target(self.matrices, 'W')} = {value}"]
        value = self.vector()
        copied = f"({value}).copy()" if self.chance(0.3) else f"0.5 * {value}"
        return [f"{self.target(self.vectors, 'v')} = {copied}"]

    def _alias(self, depth: int) -> list[str]:
        value = self.pick(
            [
                self.pick(self.vectors),
                f"{self.pick(self.matrices)}[{self.index()}]",
                f"{self.pick(self.matrices)}[:, {self.index()}]",
                f"{self.pick(self.vectors)}[::-1]",
            ]
        )
        if self.chance(0.2):
            name = self.fresh(self.matrices, "W")
            return [f"{name} = {self.pick(self.matrices)}.T"]
        # An alias that depends on a branch is refused when either is stored into.
        rebinds = depth == 0 or self.chance(0.1)
        name = (self.target if rebinds else self.fresh)(self.vectors, "v")
        return [f"{name} = {value}"]

    def _store(self, depth: int) -> list[str]:
        sign = self.pick(["=", "=", "+=", "-=", "*="])
        kind = self.random.randint(0, 6)
        v, m = self.pick(self.vectors), self.pick(self.matrices)
        half = "0.5 * " if sign != "*=" else ""
        if kind <= 1:
            return [f"{v}[{self.index()}] {sign} {half}{self.scalar()}"]
        if kind == 2:
            part = self.pick([":", "...", "[0, 2, 1, 3]", "::-1"])
            return [f"{v}[{part}] {sign} 0.3 * {self.vector()}"]
        if kind == 3:
            part = self.pick(["1:", ":-1"])
            return [f"{v}[{part}] {sign} {self.vector()}[{self.pick(['1:', ':-1'])}]"]
        if kind == 4:
            return [f"{m}[{self.index()}, {self.index()}] {sign} {half}{self.scalar()}"]
        if kind == 5:
            part = self.pick([self.index(), f":, {self.index()}"])
            return [f"{m}[{part}] {sign} 0.5 * {self.vector()}"]
        return [f"{v}[{v} > {self.scalar(2)}] {sign} {self.scalar(2)}"]

    def _augment(self, depth: int) -> list[str]:
        sign = self.pick(["+=", "-=", "*="])
        if self.chance(0.5):
            return [f"{self.pick(self.scalars)} {sign} 0.5 * {self.scalar()}"]
        return [f"{self.pick(self.vectors)} {sign} 0.5 * {self.vector()}"]

    def _unpack(self, depth: int) -> list[str]:
        if self.chance(0.4) and (self.straight or self.chance(0.1)):
            a, b = self.pick(self.vectors), self.pick(self.vectors)
            return [f"{a}, {b} = {b}, {a}"] if a != b else ["pass"]
        value = f"{self.scalar(1)}, {self.vector(1)}.copy()"
        return [
            f"{self.target(self.scalars, 's')}, {self.target(self.vectors, 'v')} = {value}"
        ]

    def _list(self, depth: int) -> list[str]:
        v = self.pick(self.vectors)
        s = self.target(self.scalars, "s")
        kind = self.random.randint(0, 3) if self.calls else 0
        if kind == 0:
            pair = f"p{next(self.numbers)}"
            return [
                f"{pair} = ({v}, {self.scalar(2)})",
                f"{s} = {pair}[0][1] * {pair}[1]",
            ]
        if kind == 1:
            items = f"xs{next(self.numbers)}"
            return [
                f"{items} = []",
                f"for k in range({SIZE}):",
                f"    {items}.append({v}[k] * {self.scalar(2)})",
                f"{s} = np.sum(np.array({items}))",
            ]
        if kind == 2:
            return [f"{s} = sum({v}[k] * {self.scalar(2)} for k in range({SIZE}))"]
        return [f"{s} = np.sum(np.array([q * 0.5 for q in {v}]))"]

    def _call(self, depth: int) -> list[str]:
        kind = self.random.randint(0, 3)
        v = self.pick(self.vectors)
        if kind == 0:
            return [
                f"{self.target(self.vectors, 'v')} = scale_first({v}, {self.scalar(2)})"
            ]
        if kind == 1:
            return [f"bump({v})"]
        if kind == 2:
            value = f"blend({v}, {self.vector(2)}, c={self.scalar(2)})"
            return [f"{self.target(self.vectors, 'v')} = {value}"]
        return [f"{self.target(self.scalars, 's')} = find_large({v}, {self.scalar(2)})"]

    def _if(self, depth: int) -> list[str]:
        straight, self.straight = self.straight, False
        lines = self._arms(depth)
        self.straight = straight
        return lines

    def _arms(self, depth: int) -> list[str]:
        lines = [f"if {self.test()}:", *self.block(depth + 1)]
        if self.chance(0.3):
            lines += [f"elif {self.test()}:", *self.block(depth + 1)]
        if self.chance(0.6):
            lines += ["else:", *self.block(depth + 1)]
        return lines

    def _for(self, depth: int) -> list[str]:
        index = f"i{next(self.numbers)}"
        over = self.pick(
            [
                "range(n)",
                "range(3)",
                f"range(1, {SIZE})",
                "range(2, -1, -1)",
                "range(0, n, 2)",
            ]
        )
        head = f"for {index} in {over}:"
        self.integers.append(index)
        if self.calls and self.chance(0.25):
            value = f"e{index}"
            head = self.pick(
                [
                    f"for {index}, {value} in enumerate({self.pick(self.vectors)}):",
                    f"for {index}, {value} in zip(range({SIZE}), {self.pick(self.vectors)}):",
                ]
            )
            self.scalars.append(value)
        self.loops += 1
        lines = [head, *self.block(depth + 1)]
        self.loops -= 1
        self.integers = [i for i in self.integers if i != index]
        self.scalars = [s for s in self.scalars if s != f"e{index}"]
        if self.chance(0.2):
            lines += ["else:", *self.block(depth + 1)]
        return lines

    def _while(self, depth: int) -> list[str]:
        index = f"k{next(self.numbers)}"
        test = f"{index} < 3"
        if self.chance(0.4):
            test += f" and {self.test(1)}"
        self.integers.append(index)
        self.loops += 1
        step = f"    {index} += 1"
        lines = [f"{index} = 0", f"while {test}:", step, *self.block(depth + 1)]
        self.loops -= 1
        self.integers = [i for i in self.integers if i != index]
        return lines

    def _jump(self, depth: int) -> list[str]:
        word = self.pick(["break", "continue", "continue", "return"])
        if word == "return":
            word = f"return {self.scalar(1)}"
        lines = [f"if {self.test()}:"]
        if self.chance(0.5):
            lines += self.block(depth + 1)
        return [*lines, f"    {word}"]

    def _return(self, depth: int) -> list[str]:
        return [
            f"if {self.test()}:",
            *self.block(depth + 1),
            f"    return {self.scalar(1)}",
        ]
