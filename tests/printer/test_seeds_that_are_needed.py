"""A seed that stands behind defaults is d_out=None, and no text computes with None."""

import inspect

import numpy as np
import pytest

import gradgen

# of an array of four entries: what gives one of three or more
LINES = [
    "np.zeros(4) + x",
    "np.full(3, x[0])",
    "np.full_like(x, x[0])",
    "np.broadcast_to(x[0], (3,))",
    "np.where(np.arange(4) > 2, x[:4], 0.0)",
    "np.where(x[:4] > 1, x[:4], x[:4] ** 2)",
    "np.triu(np.outer(x, np.ones(3)))",
    "np.tile(x[:3], 2)",
    "np.repeat(x[:3], 2)",
    "np.stack([x[0], x[1]])",
    "np.array([x[0], 1.0, x[2]])",
    "np.concatenate([x[:2], x[2:]])",
    "np.outer(x, x)",
    "np.cumsum(x[:3])",
    "np.diag(x[:3])",
    "np.maximum(x[:4], np.zeros(4))",
    "np.eye(3) @ x[:3]",
    "np.pad(x[:2], 1)",
    "np.roll(x[:3], 1)",
    "np.sort(x[:3])",
    "x[:3] / np.sum(x[:3])",
    "x[:3].reshape(3, 1)",
    "x[np.array([0, 2])]",
    "np.nan_to_num(x[:3])",
    "1j * x[0]",
    "(np.full(3, x[0]), x[1])",
    "stats.zscore(x)",
    "np.real(np.fft.fft(x[:4]))",
]
STORED = """
def f(x, k=1):
    y = np.zeros(4)
    y[:] = x[0]
    return y
"""
FUNCTIONS = [*(f"def f(x, k=1):\n    return {line}\n" for line in LINES), STORED]


@pytest.mark.parametrize("told", [{}, {"x": "4"}], ids=["untold", "told"])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("source", FUNCTIONS)
def test_none_is_no_seed(source, mode, told, tmp_path):
    path = tmp_path / "needed.py"
    path.write_text(f"import numpy as np\nfrom scipy import stats\n\n\n{source}")
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    text: dict = {}
    code = gradgen.emit(space["f"], shapes=told, mode=mode)
    exec(code, text)
    found = next(v for k, v in text.items() if k in ("grad_f", "jvp_f"))
    asked = inspect.signature(found).parameters
    left_out = [name for name, one in asked.items() if one.default is None]
    x = np.arange(1.0, 5.0)
    if left_out:
        with pytest.raises((TypeError, ValueError)):
            found(x)
    else:  # 1.0 stands for ones
        assert asked[list(asked)[-1]].default == 1.0
        assert np.all(np.isfinite(found(x)))
    if left_out and mode == "reverse":
        value = space["f"](x)
        values = value if isinstance(value, tuple) else (value,)
        seeds = zip(left_out, map(np.ones_like, values), strict=True)
        assert np.all(np.isfinite(found(x, **dict(seeds))))


def test_it_says_so():
    space: dict = {"np": np}

    def f(x, k=1):
        return np.full(3, x[0])

    exec(gradgen.emit(f), space)
    with pytest.raises(ValueError, match="d_out is not given"):
        space["grad_f"](np.ones(2))
