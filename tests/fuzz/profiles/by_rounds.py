"""Dictionaries and lists that rounds fill and read again, among changes in place.

hs[t] = f(hs[t - 1]), hist.append({"w": w}), p = [p[0] * k, p[1]]: forms that are read as
lists of items, columns, entries. What they hold is changed by one of its names, before or
behind, in the round or later. Each is right for any number of rounds, or refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import imported

PROGRAMS = 12
REFUSED_AT_MOST = 0.6  # changes of what a list holds
X = np.array([0.3, 0.7, 0.2])
# how it starts, what a round stores, what it reads of it, what is read behind
FORMS = {
    "before": (
        ("hs = {-1: np.ones(3)}", "hs = {}\nhs[-1] = x", "hs, ys = {-1: v}, {}"),
        ("hs[t] = {e}", "hs[t] = hs[t - 1] * {e}", "hs[t] = np.tanh(hs[t - 1] + {e})"),
        ("hs[t]", "hs[t - 1]"),
        ("hs[n - 1]", "hs[-1]", "hs[0]"),
    ),
    "from 0": (
        ("hs = {0: x}", "hs = {0: v}", "hs = {0: np.zeros(3)}"),
        ("hs[t + 1] = hs[t] + {e}", "hs[t + 1] = {e}", "hs[t + 1] = hs[t]"),
        ("hs[t]", "hs[t + 1]"),
        ("hs[n]", "hs[0]", "hs[1]"),
    ),
    "of itself": (
        ("hs = {}", "s, hs = 1.0, {}"),
        ("hs[t] = {e}", "hs[t] = np.zeros(3)", "hs[t] = v"),
        ("hs[t]",),
        ("hs[n - 1]", "hs[0]"),
    ),
    "history": (
        ("hist = []", "w, hist = 0.0, []"),
        ("hist.append({{'a': {e}, 'b': v}})", "hist.append({{'a': v, 'b': {e}}})"),
        ("hist[-1]['a']", "hist[0]['b']"),
        ("hist[-1]['a']", "hist[0]['b']", "sum(h['a'] for h in hist)"),
    ),
    "entries": (
        ("p = x", "p = v", "p = u"),
        ("p = [p[0] * 2.0, p[1] + {n}]", "p = (p[1] * {n}, p[0])"),
        ("p[0] * x", "p[1] * v"),
        ("p[0] * p[1]", "p[0] - p[1]"),
    ),
}
EXPRESSIONS = ("x * (t + 1)", "np.sin(x)", "v", "x", "v * x", "u + x", "x * x[0]")
NUMBERS = ("x[0]", "0.5", "t", "v[1]")
CHANGES = (
    "v += x",
    "v = v * 0.5 + x",
    "v[0] = x[1]",
    "x = x * 1.1",
    "x[0] = 0.5 * x[1]",
    "{s}[1] = x[2]",
    "w = {r}; w[2] = x[0]",
    "w = {r}; w += 1.0",
    "u = {r}",
    "u = u + {r}",
    "total = total + np.sum({r})",
    "np.multiply(v, 2.0, out=v)",
)


def program(seed: int) -> str:
    rng = Random(f"by rounds {seed}")
    starts, stores, reads, ends = FORMS[rng.choice(list(FORMS))]

    def filled(text: str) -> str:
        read = rng.choice(reads)
        words = {"e": rng.choice(EXPRESSIONS), "n": rng.choice(NUMBERS)}
        return text.format(r=read, s="v" if "*" in read else read, **words)

    body = [filled(rng.choice(stores))]
    body += [filled(rng.choice(CHANGES)) for _ in range(rng.randrange(3))]
    if rng.random() < 0.4:
        body.insert(0, filled(rng.choice([one for one in CHANGES if "{r}" not in one])))
    lines = ["v, u, total = x * 2.0, np.ones(3), 0.0", *rng.choice(starts).split("\n")]
    if rng.random() < 0.3:
        lines.append(rng.choice(("x[0] = 0.25", "v[1] = x[0]", "x = x + 1.0")))
    lines += ["for t in range(n):", *(f"    {one}" for one in body)]
    end = rng.choice(ends)
    if rng.random() < 0.3 and "sum(" not in end:
        lines.append(f"w = {end}")
        lines.append(rng.choice(("x[1] = 3.0", "v += 1.0", "w = w * 2.0")))
    lines.append(f"return total + np.sum({end}) + np.sum(u) + np.sum(v * x)")
    text = "\n    ".join(lines)
    return f"import numpy as np\n\n\ndef f(x, n):\n    {text}\n"


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    function = imported(text, "f")
    truths = {n: _truth(function, n) for n in (3, 1, 2)}
    if truths[3] is None:
        return  # the function does not take it
    for door in ("grad", "emit", "like"):
        yield called(text, seed, "x"), verdict(function, door, truths, engine)


def _truth(function, n: int) -> np.ndarray | None:
    try:
        return numeric_gradient(lambda x: function(x.copy(), n), [X], 0).value
    except Exception:
        return None


def verdict(function, door: str, truths, engine) -> Verdict:
    found, space = Verdict(), {}
    try:
        if door == "grad":
            gradient = engine.grad(function)
            gradient(X.copy(), 3)
        else:
            example = {"example": (X.copy(), 3)} if door == "like" else {}
            found.text = engine.emit(function, **example)
            exec(compile(found.text, "<gradgen by rounds>", "exec"), space)
            gradient = space["grad_f"]
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    for n, want in truths.items():
        try:
            got = gradient(X.copy(), n)
        except Exception as error:
            told = isinstance(error, (GradgenError, ValueError, KeyError, IndexError))
            if not told and want is not None:
                found.faults.append(broken_off())
            continue
        if want is None or not np.allclose(got, want, rtol=1e-4, atol=1e-6):
            fault = f"{door}, {n} rounds: {got}, and not {want}"
            found.faults.append(Fault("wrong", fault))
    return found
