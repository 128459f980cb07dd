"""Shape facts as text: "n d", "3 #n", "*s", "" -> Shape."""

from __future__ import annotations

import re

from gradgen.errors import GradgenError
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import SCALAR, Shape, ranked, whole

_ANNOTATION = re.compile(r"""\w+\s*\[.*,\s*(?:"([^"]*)"|'([^']*)')\s*\]$""", re.S)
_COMPLEX = re.compile(r"\b[cC]omplex(64|128|256|floating)?\b")
_NAME = re.compile(r"[#?]?[A-Za-z_]\w*$")


def read_shape(text: str) -> Shape:
    """The shape that a fact names.

    "n d" names each axis, a number is a fixed length, "#n" is n or 1, "*s" is
    one unknown shape, "" and "()" are a scalar's; "?n" is a length that nothing is
    known of. Raises GradgenError.
    """
    text = text.strip()
    words = text.strip("()").replace(",", " ").split()
    if not words:
        return SCALAR
    if len(words) == 1 and words[0].startswith("*"):
        return whole(words[0])
    dims = []
    for word in words:
        if word.isdecimal():
            dims.append(Dim.of(int(word)))
        elif _NAME.match(word):
            dims.append(Dim.of(word))
        else:
            raise GradgenError(
                "GG402",
                f"{word!r} in the shape {text!r} is not a name, a number or #name",
                advice='a shape such as "n d", "3 n", "#n d", "*s" or ""',
            )
    return ranked(*dims)


def read_annotation(annotation: str | None) -> str | None:
    """The shape text of an annotation such as Float[np.ndarray, "n d"], or None.

    A plain `float` or `complex` is a scalar.
    """
    if annotation is None:
        return None
    text = annotation.strip().strip("\"'")
    if text in ("float", "complex"):
        return ""
    match = _ANNOTATION.match(annotation.strip())
    if not match:
        return None
    shape = match.group(1) if match.group(1) is not None else match.group(2)
    words = shape.split()
    # "..." and "*batch n" name shapes that only a helper can treat.
    if any(w == "..." or (w.startswith("*") and len(words) > 1) for w in words):
        return None
    return shape


def is_complex_annotation(annotation: str | None) -> bool:
    """Whether an annotation speaks of complex numbers: NDArray[np.complex128]."""
    return bool(annotation and _COMPLEX.search(annotation))


def shape_of_example(value: object) -> str:
    """The shape text of an example argument: its sizes become numbers."""
    return " ".join(str(n) for n in getattr(value, "shape", ()))
