"""Ordinary functions, gradients of them that a person would write, and faults in these.

A fault is a kind, a piece of the gradient's text, and what stands there instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


def mean_square(x):
    return np.mean(x**2)


def dense(W, x, b):
    return np.tanh(x @ W + b)


def cross_entropy(logits, y):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_total = np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(np.sum(y * (shifted - log_total), axis=1))


def layer_norm(x, gamma):
    centred = x - np.mean(x, axis=1, keepdims=True)
    std = np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-5)
    return gamma * centred / std


def cosine(a, b):
    return np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b))


def length(x):
    return np.sqrt(np.sum(x * x))


def huber(x):
    size = np.abs(x)
    return np.sum(np.where(size < 1, 0.5 * x * x, size - 0.5))


def logsumexp(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def quadratic(x, A):
    return x @ A @ x


def bias(b, x):
    return np.sum(np.sin(x + b) * x)


def running(x, w):
    return np.sum(w * np.cumsum(x) ** 2)


def rough(x):
    return np.sum((x[1:] - x[:-1]) ** 2)


def recurrence(a, x):
    h = 0.0
    for t in range(len(x)):
        h = np.tanh(a * h + x[t])
    return h


def power(z, w):
    return np.sum(w * np.abs(z) ** 2)


def faint(x):
    return 1e-12 * np.sum(np.sin(x))


def uneven(x, y):
    return 1e4 * x[0] ** 2 + 1e-2 * np.sum(np.exp(x[1:]) * y[1:])


@dataclass(frozen=True)
class Hand:
    """A function, the text of its gradient, shape facts, and faults."""

    primal: Callable
    text: str
    shapes: dict[str, str]
    faults: tuple[tuple[str, str, str], ...]
    complex: tuple[str, ...] = ()

    @property
    def wrt(self) -> str:
        return next(iter(self.shapes))

    @property
    def source(self) -> str:
        head = ", ".join(self.shapes)
        body = "".join(f"    {line}\n" for line in self.text.strip().splitlines())
        default = "=1.0" if self.primal not in (dense, layer_norm) else ""
        name = f"grad_{self.primal.__name__}"
        return f"import numpy as np\n\n\ndef {name}({head}, d_out{default}):\n{body}"

    def planted(self, old: str, new: str) -> str:
        assert old in self.source, (self.primal, old)
        return self.source.replace(old, new)

    def arguments(self, seed: int, scale: float = 1.0, dtype=np.float64) -> list:
        rng = np.random.default_rng([seed, len(self.text)])
        sizes = {"n": 5, "d": 4, "m": 3}
        found = []
        for name, fact in self.shapes.items():
            shape = tuple(sizes[word] for word in fact.split())
            value = scale * rng.normal(size=shape)
            if shape:
                value.flat[0] *= -np.sign(value.flat[0] * value.flat[1])
            if name in self.complex:
                value = value + 1j * scale * rng.normal(size=shape)
                found.append(value)
            else:
                found.append(value.astype(dtype) if shape else dtype(value))
        return found


def function(text: str) -> Callable:
    names: dict = {}
    exec(text, names)
    return [f for n, f in names.items() if n.startswith("grad_")][-1]


HANDS = [
    Hand(
        mean_square,
        "return d_out * 2 * x / x.size",
        {"x": "n"},
        (
            ("seed ignored", "d_out * 2", "2"),
            ("seed's sign", "d_out * 2", "abs(d_out) * 2"),
            ("missing 1/n", " / x.size", ""),
            ("one shape", "x.size", "(x.size + (x.size == 1))"),
            ("one shape", "x.size", "5"),
            ("factor", "2 * x", "2 * (1 + 1e-6) * x"),
        ),
    ),
    Hand(
        dense,
        """
slope = 1 - np.tanh(x @ W + b) ** 2
d_in = d_out * slope
return x.T @ d_in
""",
        {"W": "d m", "x": "n d", "b": "m"},
        (
            ("seed's sign", "d_out * slope", "np.abs(d_out) * slope"),
            ("seed ignored", "d_out * slope", "np.sum(d_out) / d_out.size * slope"),
            ("sign", "1 - np", "1 + np"),
            ("term", " + b", ""),
            ("stale value", "x @ W + b", "x @ (W + 1e-4) + b"),
            ("dtype", "x.T @ d_in", "(x.T @ d_in).astype(np.float64)"),
            ("one shape", "x.T @ d_in", "x.T @ d_in / (2 if len(x) == 2 else 1)"),
            ("factor", "** 2", "** 2.00001"),
        ),
    ),
    Hand(
        cross_entropy,
        """
shifted = np.exp(logits - np.max(logits, axis=1, keepdims=True))
share = shifted / np.sum(shifted, axis=1, keepdims=True)
total = np.sum(y, axis=1, keepdims=True)
return d_out * (share * total - y) / len(logits)
""",
        {"logits": "n d", "y": "n d"},
        (
            ("missing 1/n", " / len(logits)", ""),
            ("sign", "total - y", "total + y"),
            ("term", " - y", ""),
            ("axis", "np.sum(shifted, axis=1", "np.sum(shifted, axis=0"),
            ("factor", "share * total", "share"),
            ("one shape", "len(logits)", "logits.shape[-1]"),
        ),
    ),
    Hand(
        layer_norm,
        """
centred = x - np.mean(x, axis=1, keepdims=True)
std = np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-5)
normed = centred / std
d_normed = d_out * gamma
inner = np.mean(d_normed * normed, axis=1, keepdims=True)
return (d_normed - np.mean(d_normed, axis=1, keepdims=True) - normed * inner) / std
""",
        {"x": "n d", "gamma": "d"},
        (
            ("term", " - np.mean(d_normed, axis=1, keepdims=True)", ""),
            ("sign", "- normed * inner", "+ normed * inner"),
            ("factor", "1e-5", "1e-4"),
            ("axis", "d_normed * normed, axis=1", "d_normed * normed, axis=0"),
            ("seed's sign", "d_out * gamma", "np.abs(d_out) * gamma"),
        ),
    ),
    Hand(
        cosine,
        """
norms = np.sqrt(np.sum(a * a) * np.sum(b * b))
cosine = np.sum(a * b) / norms
return d_out * (b / norms - cosine * a / np.sum(a * a))
""",
        {"a": "n", "b": "n"},
        (
            ("sign", "- cosine", "+ cosine"),
            ("term", " - cosine * a / np.sum(a * a)", ""),
            ("factor", "- cosine", "- 1.00001 * cosine"),
            ("off by one", "* a / np", "* np.roll(a, 1) / np"),
            ("dtype", "return ", "return np.float64(1) * "),
        ),
    ),
    Hand(
        length,
        "return d_out * x / np.sqrt(np.sum(x * x))",
        {"x": "n"},
        (
            ("factor", "d_out *", "1.000001 * d_out *"),
            ("one entry", "* x /", "* (x * (np.arange(x.size) != 2)) /"),
            ("seed's sign", "d_out *", "np.abs(d_out) *"),
            ("sign", "* x /", "* np.abs(x) /"),
            ("dtype", "* x /", "* x.astype(np.float16).astype(x.dtype) /"),
        ),
    ),
    Hand(
        huber,
        "return d_out * np.where(np.abs(x) < 1, x, np.sign(x))",
        {"x": "n"},
        (
            ("one branch", "np.sign(x)", "1.0"),
            ("one branch", "1, x, ", "1, 0.5 * x, "),
            ("one branch", "np.sign(x)", "1.001 * np.sign(x)"),
            ("sign", "np.sign(x)", "-np.sign(x)"),
        ),
    ),
    Hand(
        logsumexp,
        """
share = np.exp(x - np.max(x))
return d_out * share / np.sum(share)
""",
        {"x": "n"},
        (
            ("missing 1/n", " / np.sum(share)", ""),
            ("factor", "np.sum(share)", "(np.sum(share) + 1e-5)"),
            (
                "one entry",
                "return d_out",
                "share = share * (share < 1)\n    return d_out",
            ),
            ("off by one", "* share /", "* np.roll(share, -1) /"),
        ),
    ),
    Hand(
        quadratic,
        "return d_out * (A + A.T) @ x",
        {"x": "n", "A": "n n"},
        (
            ("transposed", "(A + A.T)", "2 * A"),
            ("transposed", "(A + A.T)", "2 * A.T"),
            ("factor", "(A + A.T)", "A"),
            ("seed ignored", "d_out * ", ""),
        ),
    ),
    Hand(
        bias,
        "return d_out * np.sum(np.cos(x + b) * x, axis=0)",
        {"b": "d", "x": "n d"},
        (
            ("axis", "axis=0)", "axis=1)[: len(b)]"),
            ("broadcast", "np.sum(np.cos(x + b) * x, axis=0)", "np.cos(x + b) * x"),
            ("broadcast", ", axis=0)", ") + 0 * b"),
            ("broadcast", "np.sum(", "np.mean("),
            ("stale value", "cos(x + b)", "cos(x)"),
            ("sign", "np.cos", "-np.cos"),
        ),
    ),
    Hand(
        running,
        """
d_sums = d_out * 2 * w * np.cumsum(x)
return np.cumsum(d_sums[::-1])[::-1]
""",
        {"x": "n", "w": "n"},
        (
            ("off by one", "np.cumsum(d_sums[::-1])[::-1]", "np.cumsum(d_sums[::-1])"),
            ("off by one", "w * np", "np.roll(w, 1) * np"),
            ("transposed", "np.cumsum(d_sums[::-1])[::-1]", "np.cumsum(d_sums)"),
            ("stale value", "np.cumsum(x)\n", "x\n"),
        ),
    ),
    Hand(
        rough,
        """
d_steps = d_out * 2 * (x[1:] - x[:-1])
d_x = np.zeros_like(x)
d_x[1:] += d_steps
d_x[:-1] -= d_steps
return d_x
""",
        {"x": "n"},
        (
            ("off by one", "d_x[:-1] -= d_steps", "d_x[:-2] -= d_steps[1:]"),
            ("one entry", "return d_x", "d_x[0] = 0\n    return d_x"),
            ("term", "d_x[:-1] -= d_steps", "pass"),
            ("sign", "d_x[:-1] -=", "d_x[:-1] +="),
        ),
    ),
    Hand(
        recurrence,
        """
hs = [0.0]
for t in range(len(x)):
    hs.append(np.tanh(a * hs[t] + x[t]))
d_h, d_a = d_out, 0.0
for t in reversed(range(len(x))):
    d_in = d_h * (1 - hs[t + 1] ** 2)
    d_a = d_a + d_in * hs[t]
    d_h = d_in * a
return d_a
""",
        {"a": "", "x": "n"},
        (
            ("stale value", "d_in * hs[t]", "d_in * hs[t + 1]"),
            ("off by one", "(1 - hs[t + 1] ** 2)", "(1 - hs[t] ** 2)"),
            ("term", "d_a = d_a + d_in", "d_a = d_in"),
            ("one shape", "return d_a", "return d_a * (1 + (len(x) == 2))"),
        ),
    ),
    Hand(
        power,
        "return d_out * 2 * w * np.conj(z)",
        {"z": "n", "w": "n"},
        (
            ("conjugate", "np.conj(z)", "z"),
            ("conjugate", "np.conj(z)", "-np.conj(z)"),
            ("conjugate", "np.conj(z)", "z.real + 0j"),
        ),
        complex=("z",),
    ),
    Hand(
        faint,
        "return d_out * 1e-12 * np.cos(x)",
        {"x": "n"},
        (
            ("one entry", "return d_out * 1e-12", "return d_out * 0"),
            ("factor", "1e-12", "1.000002e-12"),
            ("sign", "np.cos", "-np.cos"),
        ),
    ),
    Hand(
        uneven,
        """
d_x = d_out * 1e-2 * np.exp(x) * y
d_x[0] = d_out * 2e4 * x[0]
return d_x
""",
        {"x": "n", "y": "n"},
        (
            ("one entry", "return d_x", "d_x[1] = 0\n    return d_x"),
            ("one entry", "return d_x", "d_x[-1] *= 1.001\n    return d_x"),
            ("factor", "1e-2", "1.00001e-2"),
        ),
    ),
]
