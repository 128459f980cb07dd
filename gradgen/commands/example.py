"""The arguments of --example, and the objects among them as --instance names them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.errors import GradgenError, words_of
from gradgen.runtime.attributes import holds_objects
from gradgen.runtime.instances import CONTAINERS


def example_of(text: str | None, names: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments of an example, which may use what the function's module has."""
    if text is None:
        return ()
    try:
        value = eval(text, {"np": np, "numpy": np, **names})
    except (Exception, SystemExit) as error:
        raise GradgenError(
            "GG014",
            f"--example cannot be evaluated: {words_of(error)}",
            advice='a tuple of arguments, such as "(np.ones(3), np.ones((3, 4)))"',
        ) from None
    return value if isinstance(value, tuple) else (value,)


def objects_told(
    text: str | None, values: Sequence[Any], parameters: Sequence[str]
) -> str:
    """The objects of an example by the names of their arguments.

    before:  --example "(Ray(0.1, 0.2), np.ones(3))", of trace(ray, depths)
    after:   ray=Ray(0.1, 0.2)                # as --instance has it
    """
    written = _items(text or "()", len(values))
    told = [
        f"{name}={one}"
        for name, one, value in zip(parameters, written, values)
        if holds_objects(value) and not isinstance(value, CONTAINERS)
    ]
    return ", ".join(told)


def _items(text: str, count: int) -> list[str]:
    """What is written for each of the arguments: a tuple made otherwise is indexed."""
    tree = ast.parse(text.strip(), mode="eval").body
    if isinstance(tree, ast.Tuple) and len(tree.elts) == count:
        if not any(isinstance(one, ast.Starred) for one in tree.elts):
            return [ast.unparse(one) for one in tree.elts]
    if count == 1 and not isinstance(tree, ast.Tuple):
        return [ast.unparse(tree)]
    return [f"{ast.unparse(tree)}[{place}]" for place in range(count)]
