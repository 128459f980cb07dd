"""What a function asks of an argument: isinstance, dtype, hasattr, len, emptiness.

A text is made with nothing told, or for an example of one kind, and called with others:
lists, tuples, numbers, arrays of several dtypes, dictionaries with other keys. It gives
the gradient of what it is called with, or it raises.
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
REFUSED_AT_MOST = 0.5  # an index of a number, a sum of a dictionary
X = np.array([1.0, 2.0])
TESTS = (
    "isinstance(t, list)",
    "isinstance(t, (list, tuple))",
    "not isinstance(t, np.ndarray)",
    "isinstance(t, (int, float))",
    "isinstance(t, np.ndarray) and t.dtype == int",
    "type(t) is tuple",
    "type(t) is np.ndarray",
    "hasattr(t, 'shape')",
    "hasattr(t, '__len__')",
    "np.isscalar(t)",
    "np.asarray(t).dtype == bool",
    "np.asarray(t).dtype == np.int64",
    "np.issubdtype(np.asarray(t).dtype, np.integer)",
    "np.asarray(t).dtype.kind in 'iu'",
    "t.dtype == np.float32",
    "t.dtype != np.float64",
    "np.ndim(t) == 0",
    "len(t) == 2",
    "len(t) > 2",
    "t",
    "not t",
    "t is None",
    "isinstance(t, dict)",
    "'k' in t",
    "len(t) == 0",
    "isinstance(t, dict) and t.get('k', 1.0) > 2",
)
ARMS = (
    "x = 2.0 * x",
    "x = x ** 2",
    "return np.sum(x ** 3)",
    "x = x + 1.0\n    t = 2.0",
    "x = np.sin(x) * 0.5",
)
READS = (
    "return np.sum(x ** 2) * t[0]",
    "return np.sum(x ** 2) * np.sum(t)",
    "return np.sum(x * t)",
    "return np.sum(x ** 2)",
    "return np.sum(x ** 2) * len(t)",
    "s = 1.0\nfor v in t:\n    s = s + v\nreturn s * np.sum(x ** 2)",
    "return np.sum(x ** 2) * t.get('k', 0.5)",
    "return np.sum(x ** 2) * t['k']",
    "for k in t:\n    x = x * 1.5\nreturn np.sum(x ** 2)",
    "return np.sum(x ** 2) * sum(t.values())",
)
VALUES = (
    (1.0, 3.0),
    [1.0, 3.0],
    [2.0],
    [],
    (),
    2.0,
    3,
    None,
    np.array([1.0, 3.0]),
    np.array([1, 3]),
    np.array([True, True]),
    np.array([1.0, 3.0], dtype=np.float32),
    {"k": 3.0},
    {},
    {"k": 3.0, "j": 1.0},
    [np.array([1.0, 2.0]), np.array([0.5, 2.0])],
    [np.array([1.0, 2.0])],
)


def program(seed: int) -> str:
    rng = Random(f"questions {seed}")
    lines = [f"if {rng.choice(TESTS)}:", f"    {rng.choice(ARMS)}"]
    if rng.random() < 0.3:
        lines += ["else:", f"    {rng.choice(ARMS)}"]
    if rng.random() < 0.3:
        lines += [f"w = 2.0 if {rng.choice(TESTS)} else 1.0", "x = x * w"]
    body = "\n".join((*lines, rng.choice(READS))).replace("\n", "\n    ")
    return f"import numpy as np\n\n\ndef f(x, t):\n    {body}\n"


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    function = imported(text, "f")
    truths = [_truth(function, value) for value in VALUES]
    rng = Random(f"questions told {seed}")
    takes = [k for k, want in enumerate(truths) if want is not None]
    for told in (None, *rng.sample(takes, min(3, len(takes)))):
        yield called(text, seed, "x"), verdict(function, told, truths, engine)


def _truth(function, value) -> np.ndarray | None:
    """The gradient by differences; None where the function does not take a value."""
    try:
        with np.errstate(all="ignore"):
            return numeric_gradient(lambda x: function(x, value), [X], 0).value
    except Exception:
        return None


def _kind(value) -> object:
    """What an example tells of an argument: its rank, or that it is a container."""
    if isinstance(value, dict) or value is None:
        return type(value)
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return "arrays"
    return np.ndim(value)


def verdict(function, told, truths, engine) -> Verdict:
    found, space = Verdict(), {}
    asked = {} if told is None else {"example": (X, VALUES[told])}
    try:
        found.text = engine.emit(function, wrt="x", **asked)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    exec(compile(found.text, "<gradgen questions>", "exec"), space)
    for value, want in zip(VALUES, truths):
        if told is not None and _kind(value) != _kind(VALUES[told]):
            continue  # a number for an array, which the example tells
        try:
            got = space["grad_f"](X, value)
        except Exception:
            continue  # it says what it takes its arguments for, or cannot read this one
        if want is not None and not np.allclose(got, want, rtol=1e-4, atol=1e-6):
            shown = "nothing told" if told is None else f"example {VALUES[told]!r}"
            fault = f"{shown}, called with {value!r}: {got}, and not {want}"
            found.faults.append(Fault("wrong", fault))
    return found
