"""Functions in which every line reads what the line before has made more than once.

A walk from a value to what it is computed of, that forgets where it has been, takes
2 ** n steps in n such lines.
"""

from __future__ import annotations

HEAD = """import numpy as np


def g(a, b):
    return a * b + a


def f(h, W, c, s, k, idx):
    rows = [h]
    others = np.zeros(4)
    n = 1
"""
# a line that is written again and again, by what it does
STEPS = {
    "squares": "h = h * h",
    "residual": "h = np.tanh(h) + h",
    "scaled": "h = h * c + h",
    "layers": "h = np.tanh(W @ h) + h",
    "powers of a matrix": "W = W @ W",
    "choices": "h = np.where(h > 0, h, h * c)",
    "larger": "h = np.maximum(h, h * c)",
    "centred": "h = h - np.mean(h)",
    "centred rows": "W = W - W.mean(axis=1, keepdims=True)",
    "norms": "h = h / np.sqrt(np.sum(h * h))",
    "softmax": "h = np.exp(h - np.max(h)) / np.sum(np.exp(h - np.max(h)))",
    "neighbours": "h = h[1:] - h[:-1] * c",
    "turned": "h = np.concatenate([h[1:], h[:1]])",
    "stacked": "h = np.stack([h, h * c]).sum(axis=0)",
    "gradient steps": "W = W - c * np.outer(W @ h, h)",
    "sums of rows": "h = h + np.sum(W * h, axis=1)",
    "transposed": "W = W.T * W",
    "numbers": "s = s * s + np.sin(s)",
    "an entry": "s = s + h[0] * s",
    "numbers and arrays": "s = s * c + s; h = h * s",
    "stores": "h = h.copy(); h[0] = h[1] * h[0]",
    "in place": "h = h * 1.0; h += h * c",
    "reshaped": "h = h.reshape(-1) * h",
    "lengths": "h = h / len(h) + h",
    "clips": "h = np.clip(h, -c, c) + h",
    "sizes": "h = np.abs(h) * h",
    "powers": "h = h ** 2 + h",
    "solved": "h = np.linalg.solve(W, h) + h",
    "dots": "h = np.dot(h, h) * h",
    "einsum": "h = np.einsum('ij,j->i', W, h) * h",
    "whole numbers": "n = n + len(h); h = h * n + h",
    "shapes": "n = h.shape[0]; h = h * n + h * n",
    "arms": "h = h * h if c > 0 else h + h",
    "lists": "both = [h, h * c]; h = both[0] + both[1]",
    "pairs": "h, s = h * s, s * s",
    "calls": "h = g(h, h)",
    "lambdas": "h = (lambda a: a * a)(h)",
    "counted": "h = h * np.arange(len(h)) + h",
    "masks": "m = h > 0; h = h * m + h",
    "running sums": "h = np.cumsum(h) + h",
    "new axes": "h = (h[:, None] * h[None, :]).sum(axis=1)",
    "logistic": "h = 1 / (1 + np.exp(-h)) + h",
    "quotients": "h = h / (h + c)",
    "gathered": "h = h[idx] + h",
    "appended": "rows.append(h); h = rows[-1] + h",
    "scattered": "np.add.at(others, idx, h); h = h + others",
    "larger numbers": "s = max(s, s * c)",
    "totals": "s = s * np.sum(h * s)",
    "padded": "h = np.pad(h, 1)[1:-1] + h",
    "dictionaries": 'd = {"a": h, "b": h * c}; h = d["a"] + d["b"]',
    "cases": "h = np.select([h > 1, h > 0], [h, h * c], h)",
    "kicks and drifts": "k = k + h * s; h = h - k * s",
    "stages": "a = h * s; b = h + 0.5 * a; h = h + (a + b) / 2",
    "standardized": "h = (h - h.mean()) / h.std()",
    "hypotenuses": "s = np.sqrt(s * s + 1)",
}
# what is made of the values at the end
ENDS = {
    "sums": "np.sum(h) + s + np.sum(W) + np.sum(k)",
    "mean": "np.mean(h * h) * s",
    "product": "h @ h + s",
    "entries": "h[0] * s + W[0, 0]",
    "array": "h * s",
    "along an axis": "np.sum(W * h, axis=-1) * s",
}


def source(steps: tuple[str, ...], end: str, count: int) -> str:
    """The function with these steps, so many times, and an end."""
    lines = [f"    {STEPS[step]}\n" for _ in range(count) for step in steps]
    return f"{HEAD}{''.join(lines)}    return {ENDS[end]}\n"
