"""Emitted functions carry the annotations of the primal that they can carry alone."""

from __future__ import annotations

import inspect
import subprocess
import sys
import typing
from typing import NamedTuple

import black
import numpy as np
import numpy as numerics
import numpy.typing as npt
import pytest
from numpy import ndarray

import gradgen
from gradgen.verify.finite import numeric_gradient


class Params(NamedTuple):
    w: np.ndarray


def loss(w: np.ndarray, b: float, x: ndarray, *, k: int = 2) -> float:
    return np.sum(np.tanh(x @ w + b) ** k)


def layer(x: npt.NDArray[np.float64], w: numerics.ndarray) -> "np.ndarray":
    return np.tanh(x @ w)


def narrow(x: np.float32, s: "str" = "a") -> np.floating:
    return x * x


def boxed(params: dict[str, np.ndarray], rest: tuple[float, ...], x: np.ndarray):
    return np.sum(params["a"] * x) * rest[0]


def recorded(params: Params, x: Unknown) -> Params:  # noqa: F821
    return np.sum(params.w * x)


def plain(x, y):
    return np.sum(x * y)


NET = {"w": "d", "x": "n d"}


def signature(text: str) -> str:
    """The head of the last function of a text, on one line."""
    head = text[text.rindex("\ndef ") + 1 :].partition('"""')[0]
    return (
        " ".join(head.split()).replace("( ", "(").replace(", )", ")").replace(" )", ")")
    )


@pytest.mark.parametrize(
    "function, options, head",
    [
        (
            loss,
            dict(wrt=("w", "b"), shapes=NET, value=True),
            "def value_and_grad_loss(w: np.ndarray, b: float, x: np.ndarray, "
            "d_out: float = 1.0, *, k: int = 2"
            ") -> tuple[float, tuple[np.ndarray, float]]:",
        ),
        (
            loss,
            dict(wrt="w", shapes=NET, mode="hvp"),
            "def hvp_loss(w: np.ndarray, b: float, x: np.ndarray, v_w: np.ndarray, *, "
            "k: int = 2) -> np.ndarray:",
        ),
        (
            layer,
            dict(wrt="w", shapes={"x": "n d", "w": "d m"}),
            "def grad_layer(x: np.ndarray, w: np.ndarray, d_out: np.ndarray) "
            "-> np.ndarray:",
        ),
        (
            layer,
            dict(mode="forward", shapes={"x": "n d", "w": "d m"}),
            "def jvp_layer(x: np.ndarray, w: np.ndarray, d_x: np.ndarray) "
            "-> tuple[np.ndarray, np.ndarray]:",
        ),
        (
            layer,
            dict(mode="jacobian", wrt=("x", "w"), shapes={"x": "n d", "w": "d m"}),
            "def jacobian_layer(x: np.ndarray, w: np.ndarray) "
            "-> tuple[np.ndarray, np.ndarray]:",
        ),
        (
            layer,
            dict(style="callback", shapes={"x": "n d", "w": "d m"}),
            "def vjp_layer(x: np.ndarray, w: np.ndarray):",
        ),
        (
            narrow,
            dict(shapes={"x": ""}),
            'def grad_narrow(x: np.float32, s: str = "a", d_out: float = 1.0)'
            " -> np.float32:",
        ),
        (
            boxed,
            dict(wrt="x", shapes={"params": {"a": "n"}, "rest": ("",), "x": "n"}),
            "def grad_boxed(params: dict[str, np.ndarray], rest: tuple[float, ...], "
            "x: np.ndarray, d_out=1.0) -> np.ndarray:",
        ),
        (
            recorded,
            dict(wrt="x", shapes={"params.w": "n", "x": "n"}),
            "def grad_recorded(params, x, d_out=1.0):",
        ),
        (
            plain,
            dict(shapes={"x": "n", "y": "n"}),
            "def grad_plain(x, y, d_out=1.0):",
        ),
    ],
)
def test_signatures(function, options, head):
    text = gradgen.emit(function, **options)
    assert signature(text) == head
    assert black.format_str(text, mode=black.Mode(line_length=88)) == text
    # Nothing but numpy is imported for them.
    imported = {
        line for line in text.splitlines() if line.startswith(("import", "from"))
    }
    assert imported <= {"import numpy as np"}


def test_the_annotated_text_is_alone_and_right(tmp_path):
    text = gradgen.emit(loss, wrt=("w", "b"), shapes=NET)
    path = tmp_path / "committed.py"
    path.write_text(text)
    code = "import typing, committed as c; print(typing.get_type_hints(c.grad_loss))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "'w': <class 'numpy.ndarray'>" in done.stdout, done.stderr
    gradient = gradgen.grad(loss, ("w", "b"), shapes=NET)
    args = np.array([0.1, -0.3]), 0.2, np.arange(6.0).reshape(3, 2)
    for i, got in enumerate(gradient(*args)):
        assert np.allclose(got, numeric_gradient(loss, args, i).value, rtol=1e-9)
    hints = typing.get_type_hints(gradient.function)
    assert hints["return"] == tuple[np.ndarray, float] and hints["d_out"] is float


def test_an_annotated_text_is_differentiated_again():
    first = gradgen.grad(loss, "w", shapes=NET)
    second = gradgen.jvp(first.function, "w", shapes=NET)
    args = np.array([0.1, -0.3]), 0.2, np.arange(6.0).reshape(3, 2)
    v = np.array([1.0, 2.0])
    _, along = second(*args, v)
    step = 1e-6
    ahead, behind = (first(args[0] + s * v, *args[1:]) for s in (step, -step))
    assert np.allclose(along, (ahead - behind) / (2 * step), rtol=1e-7)


def test_without_annotations_nothing_is_added():
    text = gradgen.emit(plain, shapes={"x": "n", "y": "n"})
    assert "->" not in signature(text) and ": " not in signature(text)
    assert "import numpy" not in text
    assert inspect.signature(gradgen.grad(plain).function).return_annotation is (
        inspect.Signature.empty
    )
