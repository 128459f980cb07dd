"""A line of the rule tests in one of the modes, at sizes that hold 0, 1 and 2.

No exception may come out but the primal's own and a refusal; a gradient, and a
Hessian times a vector, has the shape of its argument. (The values at the usual sizes
are the matter of tests/rules.)
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import FIRST_SIZES, Program

PROGRAMS = 40
REFUSED_AT_MOST = 0.35  # without facts many rules ask for some
MODES = ("grad", "value_and_grad", "vjp", "jvp", "hvp", "jacobian")
# NumPy itself looks for a middle that is not there
# of one row these are a number, which the Jacobian of several rows is not for
NO_ROW = ("np.cov", "np.corrcoef")
NO_MIDDLE = ("median", "quantile", "percentile")


@lru_cache(maxsize=None)
def lines() -> tuple:
    from tests.rules.test_second_order import LINES

    return tuple(line for line in LINES if "linalg" not in line.text)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    from tests.rules.checker import parameters

    rng = Random(f"rules {seed}")
    line = rng.choice(lines())
    mode = rng.choice(MODES)
    body = f"return np.sum({line.text})" if mode == "hvp" else f"return {line.text}"
    sizes = {name: rng.choice((0, 1, 2, n)) for name, n in FIRST_SIZES.items()}
    program = Program(
        parameters(line, rng.choice(line.shapes)), (body,), seed, sizes=(sizes, sizes)
    )
    told = {param.name: param.fact for param in program.params}
    case = Case(program, rng.choice((told, {})), line.names[:1], level="full")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield case, verdict(case, mode, sizes, engine)


def verdict(case: Case, mode: str, sizes: dict[str, int], engine) -> Verdict:
    program = replace(case.program, sizes=(sizes, sizes))
    empty = 0 in sizes.values()
    if empty and any(word in program.source for word in NO_MIDDLE):
        return Verdict()
    if mode == "jacobian" and any(word in program.source for word in NO_ROW):
        return Verdict()
    try:
        program.function(*program.arguments(0))
    except Exception:
        return Verdict()  # the primal's own error
    found = Verdict(text=f"({mode})")
    name = case.names[0]
    try:
        made = getattr(engine, mode)(program.function, wrt=name, shapes=case.shapes)
        found.text = f"({mode})\n{made.source}"
        args = program.arguments(0)
        at = [param.name for param in program.params].index(name)
        along = [np.cos(args[at])] if mode in ("jvp", "hvp") else []
        result = made(*args, *along)
        if mode == "vjp":
            result = result[1]()
        if mode == "value_and_grad":
            result = result[1]
        shaped = mode in ("grad", "value_and_grad", "vjp", "hvp")
        if shaped and np.shape(result) != np.shape(args[at]):
            said = f"{np.shape(result)}, not {np.shape(args[at])}"
            found.faults.append(Fault("shape", said))
    except GradgenError as refusal:
        found.refusal = str(refusal)
    except IndexError:
        if not empty:  # a place that numpy does not look for in nothing
            found.faults.append(broken_off())
    except Exception:
        found.faults.append(broken_off())
    return found
