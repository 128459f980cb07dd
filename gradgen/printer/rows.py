"""Jacobians and Hessians row by row, where an operation has no form for all at once.

Where there is no row, the units, of no entries either, have the dtype.
"""

from __future__ import annotations

import ast
import copy
import textwrap

import gast

from gradgen.ir.library import NUMPY
from gradgen.printer.imports import free
from gradgen.printer.render import Rendered

JACOBIAN = '''
def jacobian_{name}({params}):
    """Jacobian of {name} with respect to {of}, row by row."""
    {y}, {backprop} = {inner}({given})
    {units} = {np}.eye({np}.size({y}), dtype={np}.result_type({y}))
    {seeds} = {units}.reshape({len}({units}), *{np}.shape({y}))
    {rows} = [{backprop}(seed) for seed in {seeds}]
    return {np}.reshape({rows} or {units}, {np}.shape({y}) + {np}.shape({of}))
'''
SEVERAL = '''
def jacobian_{name}({params}):
    """Jacobians of {name} with respect to {listed}, row by row."""
    {y}, {backprop} = {inner}({given})
    {units} = {np}.eye({np}.size({y}), dtype={np}.result_type({y}))
    {seeds} = {units}.reshape({len}({units}), *{np}.shape({y}))
    {rows} = [{backprop}(seed) for seed in {seeds}]
    return {tuple}(
        {np}.reshape([{row}[k] for {row} in {rows}] or {units}, {np}.shape({y}) + {np}.shape(of))
        for k, of in {enumerate}(({of}))
    )
'''
HESSIAN = '''
def hessian_{name}({params}):
    """Hessian of {name} with respect to {of}, row by row."""
    {units} = {np}.eye({np}.size({of}), dtype={np}.result_type({of}))
    {seeds} = {units}.reshape({len}({units}), *{np}.shape({of}))
    {rows} = [{inner}({given}) for {one} in {seeds}]
    return {np}.reshape({rows} or {units}, {np}.shape({of}) * 2)
'''
# what the text needs of Python
PYTHONS = ("len", "tuple", "enumerate")
# names of the function's own, which step aside for the arguments'
NAMES = ("y", "backprop", "units", "seeds", "rows", "row", "one")


def by_rows(inner: Rendered, name: str, mode: str, wrt: tuple[str, ...]) -> Rendered:
    """The function that calls `inner` for each row.

    `inner` is the value with its pullback, or for a Hessian the Hessian times a vector.
    """
    arguments = copy.deepcopy(inner.node.args)
    own = arguments.args
    if mode == "hessian":  # the vectors stand behind the function's own
        own = arguments.args[: -len(wrt)]
        last = len(own) - (len(arguments.args) - len(arguments.defaults))
        arguments.args = own
        arguments.defaults = arguments.defaults[: max(last, 0)]
    keywords = [arg.id for arg in arguments.kwonlyargs]
    plain = [arg.id for arg in own]
    taken = {*plain, *keywords}
    names = {one: _aside(one, taken) for one in NAMES}
    module = free(NUMPY.aliases, taken)
    pythons = {one: f"builtins.{one}" if one in taken else one for one in PYTHONS}
    vectors = [names["one"]] if mode == "hessian" else []
    given = [*plain, *vectors, *(f"{arg}={arg}" for arg in keywords)]
    text = HESSIAN if mode == "hessian" else SEVERAL if len(wrt) > 1 else JACOBIAN
    text = text.format(
        name=name,
        params=ast.unparse(gast.gast_to_ast(arguments)),
        inner=inner.name,
        given=", ".join(given),
        of=", ".join(wrt),
        listed=" and ".join(wrt),
        np=module,
        **names,
        **pythons,
    )
    node = gast.parse(textwrap.dedent(text)).body[0]
    assert isinstance(node, gast.FunctionDef)
    imports = [NUMPY.imported(module)]
    if any(pythons[one] != one and pythons[one] in text for one in PYTHONS):
        imports.insert(0, "import builtins")
    return Rendered(f"{mode}_{name}", node, tuple(imports), ())


def _aside(name: str, taken: set[str]) -> str:
    """A name that is no argument's."""
    while name in taken:
        name += "_"
    return name
