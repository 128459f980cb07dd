"""Jacobians and Hessians row by row, where an operation has no form for all at once."""

from __future__ import annotations

import ast
import textwrap

import gast

from gradgen.printer.render import Rendered

JACOBIAN = '''
def jacobian_{name}({params}):
    """Jacobian of {name} with respect to {of}, row by row."""
    {y}, backprop = {inner}({given})
    {units} = np.eye(np.size({y}), dtype=np.result_type({y}))
    {seeds} = {units}.reshape(-1, *np.shape({y}))
    {rows} = [backprop(seed) for seed in {seeds}]
    return np.reshape({rows}, np.shape({y}) + np.shape({of}))
'''
SEVERAL = '''
def jacobian_{name}({params}):
    """Jacobians of {name} with respect to {listed}, row by row."""
    {y}, backprop = {inner}({given})
    {units} = np.eye(np.size({y}), dtype=np.result_type({y}))
    {seeds} = {units}.reshape(-1, *np.shape({y}))
    {rows} = zip(*(backprop(seed) for seed in {seeds}))
    return tuple(
        np.reshape(J, np.shape({y}) + np.shape(of)) for J, of in zip({rows}, ({of},))
    )
'''
HESSIAN = '''
def hessian_{name}({params}):
    """Hessian of {name} with respect to {of}, row by row."""
    {units} = np.eye(np.size({of}), dtype=np.result_type({of}))
    {seeds} = {units}.reshape(-1, *np.shape({of}))
    {rows} = [{inner}({given}, one) for one in {seeds}]
    return np.reshape({rows}, np.shape({of}) * 2)
'''
# names of the function's own, which step aside for the arguments'
NAMES = ("y", "units", "seeds", "rows")


def by_rows(inner: Rendered, name: str, mode: str, wrt: tuple[str, ...]) -> Rendered:
    """The function that calls `inner` for each row.

    `inner` is the value with its pullback, or for a Hessian the Hessian times a vector.
    """
    arguments = inner.node.args
    plain = [arg.id for arg in arguments.args]
    if mode == "hessian":
        plain = plain[: -len(wrt)]
    params = ast.unparse(gast.gast_to_ast(arguments))
    if mode == "hessian":
        params = ", ".join(params.split(", ")[: len(plain)])
    given = [*plain, *(f"{arg.id}={arg.id}" for arg in arguments.kwonlyargs)]
    text = HESSIAN if mode == "hessian" else SEVERAL if len(wrt) > 1 else JACOBIAN
    text = text.format(
        name=name,
        params=params,
        inner=inner.name,
        given=", ".join(given),
        of=", ".join(wrt),
        listed=" and ".join(wrt),
        **{one: f"{one}_" if one in plain else one for one in NAMES},
    )
    node = gast.parse(textwrap.dedent(text)).body[0]
    return Rendered(f"{mode}_{name}", node, ("import numpy as np",), ())
