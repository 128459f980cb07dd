"""Exceptions as control flow: what raises in a try block, in a loop, behind half of a store.

Handlers that store, jump, return, bind what was not bound, read the exception; else and
finally. Of most of these a text would have the body alone; where that raises and the
function goes on, the gradient is refused, and never one of another function.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from tests.fuzz.afresh import judged, runs
from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict

PROGRAMS = 14
REFUSED_AT_MOST = 1.0
HEAD = """import math

import numpy as np


class Bad(ValueError):
    def __init__(self, v):
        super().__init__("bad")
        self.v = v


def up(v):
    if v > 1.0:
        raise Bad(v)
    return v * v


def half(a, v):
    a[0] = v * 3
    if v > 0.5:
        raise ValueError("half")
    a[1] = v * 2


"""
RAISING = (
    "s += up(e)",
    "s += x[i + 2] * e",
    "s += {0: 1.0, 1: 2.0}[i] * e",
    "s += 1.0 / (1 - i) * e",
    "s += math.sqrt(e)",
    "s += math.log(e) * x[0]",
    "s += math.exp(800 * e) * 1e-150",
    "assert e > 0\ns += e",
    "s += float(['1', 'a', '2', '3'][i]) * e",
    "a[i] = e * 2\ns += up(e)\na[i] += s",
    "a[i + 1] = e * e\ns += a[i]",
    "items.append(e)\ns += up(e)\nitems.append(s)",
    "half(a, e)\ns += e",
    "s += [1.0, None, 2.0, 3.0][i] * e",
    "s += items.pop() * e",
    "s += np.sum(x[: i + 1] * x[:3])",
    "p, q = x[i : i + 2]\ns += p * q",
    "s += [x, 3.0][i % 2].shape[0] * e",
    "s += e * e",
    "s = s * 2\ns += 1.0 / (1 - i)",
    "s = s * 2\ns += up(e)",
    "z = (s := s + e) / (1 - i)\ns += z",
)
# what no gradient reads: a text alone, whose docstring says that nothing is caught there,
# leaves it out
UNREAD = (
    "z = x[i + 2]\ns += e * e",
    "z = [e, 1.0 / (1 - i)]\ns += z[0] * e",
    "z = {'a': e}\nz['b'] = x[i + 2]\ns += z['a'] * x[1]",
    "z = float(['1', 'a', '2', '3'][i])\ns += e * e",
    "s += e * e + [1.0, 2.0, 3.0][i]",
)
HANDLED = (
    "except Exception:\n    s += 5 * e",
    "except (ValueError, LookupError, ArithmeticError, TypeError):\n    s = s * 0.5 + x[0]",
    "except Exception:\n    s -= x[1]\nelse:\n    s = s * x[0]\n    a[0] = a[0] + s",
    "except Exception:\n    a[1] = e * 3\nfinally:\n    s += a[1] * e",
    "except Exception:\n    continue",
    "except Exception:\n    break",
    "except Exception:\n    return s + a[0] * x[2]",
    "except Exception as error:\n    s += len(error.args) * e + getattr(error, 'v', 1.0)",
    "except Exception:\n    pass\nfinally:\n    s = s * x[3]",
    "finally:\n    if i > 0:\n        return s * e",
    "except KeyError:\n    raise\nexcept Exception:\n    w = s * 2",
    "except (ZeroDivisionError, IndexError):\n    s += 5 * e",
    "except ZeroDivisionError:\n    s = s * x[1]",
    "except (LookupError, np.linalg.LinAlgError):\n    s = s + 3 * e",
)


def text(rng: Random) -> str:
    """A module whose function goes over x, with a try block in each round."""
    raising = rng.choice(RAISING + UNREAD).replace("\n", "\n    ")
    block = f"try:\n    {raising}\n{rng.choice(HANDLED)}\ns *= 1.5"
    if rng.random() < 0.25:
        inner = block.replace("\n", "\n    ")
        block = f"try:\n    {inner}\nexcept Exception:\n    s += 2 * e"
    body = block.replace("\n", "\n        ")
    start = rng.choice(("np.zeros(4)", "x * 0.5"))
    return (
        f"{HEAD}def f(x):\n    a = {start}\n    items = [x[0]]\n    s = x[2] * 1.5\n"
        f"    w = 1.0\n    for i, e in enumerate(x):\n        {body}\n"
        "    return s * w + np.sum(a * x) + sum(items) + len(items) * x[1]\n"
    )


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed."""
    rng = Random(f"handled {seed}")
    found = text(rng)
    while not runs(found):
        found = text(rng)
    plain = " ".join(line.strip() for line in found.splitlines())
    unread = any(one.replace("\n", " ") in plain for one in UNREAD)
    yield from islice(judged(found, engine), 1 if unread else None)
