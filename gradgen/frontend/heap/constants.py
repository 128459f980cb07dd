"""Arrays of the module: the line that defines one stands first in the function."""

from __future__ import annotations

import ast
import builtins
import math
import pickle
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.heap.outer_instances import found_at
from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.bindings import assignment, bound_in
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.spelling import module_text
from gradgen.ir.nodes import Apply, Const, Expr, Line, Note, Origin, Param, Ref, Role
from gradgen.ir.plain import why_not_plain
from gradgen.lines import lines_of
from gradgen.quoting import as_name
from gradgen.shapes.kinds import Kind
from gradgen.shapes.spec import read_shape, read_sort

# the arrays that are written out where no line makes them: their size, their dtypes
FEW = 64
WRITTEN = ("float64", "float32", "int64", "bool")
# functions of Python's own that a line may call
PLAIN = "abs bool complex enumerate float int len list max min range round sum tuple zip".split()
# of LAYERS[0].W the name is LAYERS_0_W
BRACKETS = str.maketrans("[.", "__", "]'\"")


def module_array(
    lowering: Lowering, value: numpy.ndarray, name: str, node: gast.AST
) -> Expr:
    """The handle of an array by its name in the module.

    before:  STENCIL = np.array([1.0, -2.0, 1.0])
             def f(x): return np.convolve(x, STENCIL)
    after:   def f(x):
                 STENCIL = np.array([1.0, -2.0, 1.0])
                 return np.convolve(x, STENCIL)

    Only where the line surely makes the array that the name has now.
    """
    found = why_not_plain(value)
    if found is not None:
        kind, way = found
        lowering.fail("GG510", f"{name} is {kind}", node, way.format(name))
    if (
        lowering.source.closure.get(name) is value
        and lowering.source is lowering.root.source
    ):
        return _captured(lowering, value, name, node)
    key = (id(lowering.source.globals), name, id(value))
    if key not in lowering.module_arrays:
        lowering.module_arrays[key] = _defined(lowering, value, name, node)
    return lowering.module_arrays[key]


def _captured(
    lowering: Lowering, value: numpy.ndarray, name: str, node: gast.AST
) -> Expr:
    """The handle of an array of an enclosing function: a parameter more."""
    if value.dtype.kind not in "fiub":
        _refuse_array(lowering, name, node)
    if name not in lowering.captured:
        word = as_name(name.translate(BRACKETS))
        while word != name and word in _names_taken(lowering):
            word = f"{word}_"
        var = lowering.supply.var(word, Origin.PARAM)
        shape = " ".join(map(str, value.shape))
        sort = {"b": "bool", "i": "int", "u": "int"}.get(value.dtype.kind, "")
        fact = f"{shape}:{sort}" if sort and shape else shape
        lowering.captured[name] = Param(var, fact=fact, outer=name)
        lowering.assume(var, read_shape(fact), read_sort(fact) or Kind.LIKE)
        lowering.memory.arrays.add(var)
        lowering.shared_arrays.add(var)
    return Ref(lowering.captured[name].var)


def _names_taken(lowering: Lowering) -> set[str]:
    """The names that mean something else in the function and around it."""
    given = (param.var.name for param in lowering.captured.values())
    return {*lowering.root.locals, *lowering.root.source.globals, *given}


def module_number(
    lowering: Lowering, value: numpy.generic, name: str, node: gast.AST
) -> Expr:
    """The handle of a number of NumPy's, which makes float64 of float32.

    before:  G = np.float64(0.5)       after:  def f(x):
             def f(x): return G * x                G = np.array(0.5)
                                                   return G * x
    """
    key = (id(lowering.source.globals), name, id(value))
    if key not in lowering.module_arrays:
        body, state = lowering.body, lowering.state
        lowering.body, lowering.state = lowering.preamble, state.copy()
        try:
            number = Const(value.item())
            made = lowering.result(Apply("numpy.array", (number,)), name, node)
        finally:
            lowering.body, lowering.state = body, state
        lowering.shared_arrays.add(made.var)
        lowering.module_arrays[key] = lowering.wish(made.var, name)
    return lowering.module_arrays[key]


def _defined(
    lowering: Lowering, value: numpy.ndarray, name: str, node: gast.AST
) -> Expr:
    source = _definition(lowering, name, value)
    if source is None or not _is_made_by(source, value):
        return _of_these_entries(lowering, value, name, node)
    frame, body, note, state = (
        lowering.frame,
        lowering.body,
        lowering.note,
        lowering.state,
    )
    problems = len(lowering.problems)
    statement = gast.parse("\n".join(source.lines)).body[0]
    if _has_rounds(statement) and _may_be_written(value):
        return _written_out(lowering, value, name, node)
    word = name.rpartition(".")[2]
    line = Line(source.first, "\n".join(source.lines), word)
    lowering.calls_made += 1
    lowering.frame = Frame(lowering.calls_made, source, frozenset(), node=statement)
    lowering.body, lowering.state = lowering.preamble, state.copy()
    lowering.note = Note(Role.FORWARD, (line,), source.place(statement))
    try:
        handle = lowering.read(statement.value)
    finally:
        lowering.frame, lowering.body, lowering.note, lowering.state = (
            frame,
            body,
            note,
            state,
        )
    if not isinstance(handle, Ref):
        del lowering.problems[problems:]
        _refuse_array(lowering, name, node)
    lowering.shared_arrays |= {handle.var, *lowering.memory.reach(handle.var)}
    return lowering.wish(handle.var, word)


def _of_these_entries(
    lowering: Lowering, value: numpy.ndarray, name: str, node: gast.AST
) -> Expr:
    """The handle of an array that no line of its own makes.

    A derivative at hand gets it as a parameter. In a container it is written out,
    where the line of the container makes it again or the derivative is at hand. One
    without axes is a number, and written out as others of the module are.
    """
    at_hand = lowering.root.source.at_hand
    own = lowering.root.source
    if at_hand and own.globals.get(name) is value:
        if name not in lowering.root.locals and name not in own.closure:
            return _captured(lowering, value, name, node)
    base = re.match(r"\w+", name)
    written = _may_be_written(value)
    if at_hand and not written and base is not None and base[0] != name:
        if found_at(name, {**own.globals, **own.closure}) is value:
            return _captured(lowering, value, name, node)
    if not written or base is None:
        _refuse_array(lowering, name, node)
    if value.ndim == 0:
        return _written_out(lowering, value, name, node)
    held = own.globals.get(base[0])
    source = _definition(lowering, base[0], held) if base[0] != name else None
    if at_hand or source is not None and _makes_again(lowering, source, base[0]):
        return _written_out(lowering, value, name, node)
    _refuse_array(lowering, name, node)


def _may_be_written(value: numpy.ndarray) -> bool:
    """Whether an array is small, and of numbers that are written as they are."""
    return value.dtype.name in WRITTEN and 0 < value.size <= FEW


def _has_rounds(statement: Any) -> bool:
    """Whether a line fills a list: its loop would stand in the text."""
    kinds = (gast.ListComp, gast.GeneratorExp)
    called = {getattr(n, "id", "") for n in gast.walk(statement)}
    return "range" in called or any(isinstance(n, kinds) for n in gast.walk(statement))


def _makes_again(lowering: Lowering, source: Source, name: str) -> bool:
    """Whether the line of a container makes what it holds now."""
    made = _evaluated(source)
    try:
        return pickle.dumps(made) == pickle.dumps(lowering.source.globals.get(name))
    except Exception:  # what cannot be pickled
        return False


def _written_out(
    lowering: Lowering, value: numpy.ndarray, name: str, node: gast.AST
) -> Expr:
    """The handle of a small array, entry by entry.

    before:  WEIGHTS = [np.hanning(5)[1:-1]]
    after:   WEIGHTS_0 = np.array([0.5, 1.0, 0.5])
    """
    body, state = lowering.body, lowering.state
    lowering.body, lowering.state = lowering.preamble, state.copy()
    word = as_name(name.translate(BRACKETS))
    try:
        array = Apply("numpy.array", (_nested(value.tolist()),))
        made = lowering.result(array, word, node)
        if value.dtype.name == "float32":
            cast = Const(numpy.float32, "np.float32")
            made = lowering.result(
                Apply("numpy.astype", (made, cast), (), "method:astype"), word, node
            )
    finally:
        lowering.body, lowering.state = body, state
    lowering.shared_arrays.add(made.var)
    return lowering.wish(made.var, word)


def _definition(lowering: Lowering, name: str, value: Any) -> Source | None:
    """The one statement that binds a name, as a source: of its module, or of that
    which it is imported from."""
    if name.isidentifier():
        space = lowering.source.globals
    else:
        module, _, name = name.rpartition(".")
        space = vars(sys.modules[module]) if module in sys.modules else {}
    found = bound_in(space, name, value)
    if found is None:
        return None
    space, statement = found
    line = assignment(statement, name, lines_of(module_text(space)))
    if line is None:
        return None
    text, first = line
    lines = tuple(lines_of(text))
    made = replace(lowering.source, first=first, indent=0, lines=lines, closure={})
    return replace(made, globals=space, file=str(space.get("__file__", made.file)))


def _refuse_array(lowering: Lowering, name: str, node: gast.AST) -> NoReturn:
    if "." in name:
        word = name.rpartition(".")[2]
        lowering.fail(
            "GG211",
            f"{name} is an array that no line of the text would make again",
            node,
            f"{word} as a parameter of the function, given as {name}",
        )
    lowering.fail(
        "GG211",
        f"{name} is an array of the module, and its line cannot be copied",
        node,
        f"{name} as a parameter, or {name} = np.array([...]) in the function",
    )


def _nested(items: Any) -> Expr:
    """Entries of an array, and rows of them, as lists of constants."""
    if isinstance(items, list):
        return Apply("list", tuple(map(_nested, items)))
    return Const(items)


def _is_made_by(source: Source, value: numpy.ndarray) -> bool:
    """Whether a line of functions of numpy and math, and numbers, makes this array."""
    made = _evaluated(source, PLAIN if value.ndim else ())  # a number is written out
    same = isinstance(made, numpy.ndarray) and made.dtype == value.dtype
    return same and made.shape == value.shape and made.tobytes() == value.tobytes()


def _is_read_again(value: Any) -> bool:
    """Whether a name in a line is numpy's, a number's, or an array's with its own line."""
    is_module = value is numpy or value is math
    if any(value is getattr(builtins, name) for name in PLAIN):
        return True
    return is_module or type(value) in (int, float) or type(value) is numpy.ndarray


def _evaluated(source: Source, plain: Sequence[str] = PLAIN) -> Any:
    """What a line of numpy and math, numbers and arrays makes; None for another."""
    try:
        statement = ast.parse("\n".join(source.lines)).body[0]
        assert isinstance(statement, ast.Assign)
        node = statement.value
        found = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        bound = {n.id for n in found if isinstance(n.ctx, ast.Store)}
        names = {n.id for n in found} - bound
        space = {name: getattr(builtins, name) for name in plain} | source.globals
        if not all(_is_read_again(space.get(n)) for n in names):
            return None
        attributes = (n for n in ast.walk(node) if isinstance(n, ast.Attribute))
        if any(n.attr == "random" for n in attributes):
            return None
        return eval(compile(ast.Expression(node), "<array>", "eval"), source.globals)
    except Exception:
        return None
