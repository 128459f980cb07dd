"""Every line of the rule tests as a text made with nothing told, and run by itself.

The text is what `gradgen emit` writes without a flag. It is executed alone, as a
user's file is, with the arguments of the line; the gradient is held against measured
differences.

    python -m tests.rules.untold            # all lines: what is refused, by rule
    python -m tests.rules.untold 0 8        # every eighth line from the first
"""

from __future__ import annotations

import re
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import Program
from tests.rules.checker import Line, parameters

# a text looks at what it assumes, and says so
ASSUMED = re.compile(r"(is|are) taken for")


@dataclass(frozen=True)
class Found:
    """What became of a text: "right", "refused", "assumed", "wrong", "crash" or "-"."""

    sort: str
    said: str = ""


def text_of(line: Line, engine, general: bool = False) -> str:
    """The text of a line's gradient in all of its arguments, with nothing told."""
    return engine.emit(program_of(line).function, wrt=line.names, general=general)


@lru_cache(maxsize=None)
def program_of(line: Line, facts: int = 0) -> Program:
    """The function of a line, with arguments of one of its sets of shapes."""
    params = parameters(line, line.shapes[facts])
    return Program(params, (f"return {line.text}",), seed=1)


def alone(text: str, name: str) -> Callable:
    """The function of a text that is executed by itself."""
    names: dict = {}
    exec(compile(text, "<alone>", "exec"), names)
    return names[name]


def examined(line: Line, engine, general: bool = False) -> list[Found]:
    """What becomes of a line at each of its sets of shapes: one text for them all."""
    try:
        text = text_of(line, engine, general)
    except GradgenError as refusal:
        return [Found("refused", str(refusal))]
    found = [judged(line, at, text) for at in range(len(line.shapes))]
    return found


def judged(line: Line, facts: int, text: str) -> Found:
    """One text run at one set of shapes."""
    program = program_of(line, facts)
    args, names = program.arguments(0), line.names
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = np.asarray(program.function(*program.arguments(0)))
        if value.dtype.kind != "f" or not np.all(np.isfinite(value)):
            return Found("-")
        seed = np.random.default_rng(1).uniform(0.5, 1.5, value.shape)[()]
        try:
            got = alone(text, f"grad_{program.name}")(*args, seed)
        except Exception as error:
            if isinstance(error, ValueError) and ASSUMED.search(str(error)):
                return Found("assumed", str(error))
            return Found("crash", f"{traceback.format_exc(limit=-1)}\n{text}")
        got = got if isinstance(got, tuple) else (got,)
        for k, g in enumerate(got):
            want = numeric_gradient(program.function, args, k, seed)
            scale = np.max(np.abs(want.value), initial=0.0)
            if not np.max(want.error, initial=0.0) <= 1e-6 * scale + 1e-7:
                return Found("-")
            if np.shape(g) != np.shape(args[k]):
                return Found("wrong", f"shape of d_{names[k]}: {np.shape(g)}\n{text}")
            if np.asarray(g).dtype != np.asarray(args[k]).dtype:
                kind = np.asarray(g).dtype
                return Found("wrong", f"dtype of d_{names[k]}: {kind}\n{text}")
            if not np.all(np.abs(g - want.value) <= 4e-6 * scale + 4e-7):
                said = f"d_{names[k]}\n{g}\nand not\n{want.value}"
                return Found("wrong", f"{said}\n{text}")
    return Found("right")


def main(first: int = 0, step: int = 1) -> None:
    """Prints what is wrong, what is refused by code and line, and the figures."""
    import gradgen
    from tests.rules.test_second_order import LINES

    sorts: Counter[str] = Counter()
    refusals: dict[str, list[str]] = {}
    for line in LINES[first::step]:
        for one in examined(line, gradgen):
            sorts[one.sort] += 1
            if one.sort in ("wrong", "crash"):
                print(f"{one.sort}: {line.text} of {line.shapes[0]}\n{one.said}\n")
            if one.sort == "refused":
                code = re.search(r"GG\d+ [^\n]*", one.said)
                said = code[0] if code else one.said
                refusals.setdefault(said, []).append(line.text)
    for said, texts in sorted(refusals.items(), key=lambda item: -len(item[1])):
        print(f"{len(texts):4} {said}")
        for text in texts[:4]:
            print(f"       {text}")
    figures = ", ".join(f"{n} {sort}" for sort, n in sorts.most_common())
    print(f"{len(LINES[first::step])} lines: {figures}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
