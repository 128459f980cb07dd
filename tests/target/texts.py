"""The text of a function for a library, made once; and how the two are compared."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

import numpy as np

from gradgen.frontend.source.source import Source, find
from gradgen.pipeline.run import run
from gradgen.request.request import request
from tools.write_cupy import retargeted

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Asked:
    """A function and what is asked of it, for any library."""

    function: Callable
    names: tuple[str, ...]
    shapes: dict[str, str]
    options: dict
    parameters: tuple[str, ...] = ()  # all of them, where some have no shape

    def __post_init__(self):
        self.source: Source = find(self.function)

    def text(self, library: str = "numpy") -> str:
        """The text for a library. Raises GradgenError where it is refused."""
        asked = request(
            self.source.name,
            wrt=self.names,
            shapes=self.shapes,
            parameters=list(self.parameters or self.shapes),
            library=library,
            **self.options,
        )
        return run(asked, self.source).text


def committed(name: str, library: str) -> str:
    """The text of a file of generated/ for a library. Raises GradgenError."""
    file = ROOT / "generated" / f"{name}.py"
    if library == "numpy":
        return file.read_text(encoding="utf-8")
    return retargeted(file, library)


def defined(text: str) -> Callable:
    """The last function of a text: the derivative, behind its helpers."""
    names: dict = {"__name__": "alone"}
    exec(compile(text, "<text>", "exec"), names)
    return [f for f in names.values() if isinstance(f, FunctionType)][-1]


@contextmanager
def quietly() -> Iterator[None]:
    """No warnings: of a nan its value tells."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def difference(got, want, rtol: float = 1e-12, path: str = "") -> str:
    """How two results differ: in form, shape, dtype or value; "" where they agree."""
    if isinstance(want, (tuple, list)):
        if not isinstance(got, (tuple, list)) or len(got) != len(want):
            return f"{path}: {type(got).__name__}, not {len(want)} parts"
        parts = (
            difference(g, w, rtol, f"{path}[{k}]")
            for k, (g, w) in enumerate(zip(got, want))
        )
        return next(filter(None, parts), "")
    got, want = np.asarray(got), np.asarray(want)
    if (got.shape, got.dtype) != (want.shape, want.dtype):
        return f"{path}: {got.dtype} {got.shape}, not {want.dtype} {want.shape}"
    scale = np.max(np.abs(want[np.isfinite(want)]), initial=0.0)
    if not np.allclose(got, want, rtol=rtol, atol=rtol * scale, equal_nan=True):
        return f"{path}: {got}, not {want}"
    return ""
