"""The verdict of the numbers on the gradient in an emitted text."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.errors import words_of
from gradgen.api import grad
from gradgen.frontend.source.rest import with_names
from gradgen.pipeline.run import run
from gradgen.runtime.dispatcher import Dispatcher
from gradgen.runtime.gradient import Gradient
from gradgen.target.table import target_named, without_cache
from gradgen.verify.compiled import Recorded, compared, has_compiler
from gradgen.verify.facts import facts_of
from gradgen.verify.flat import Leaves, flat, leaves_of
from gradgen.verify.gradients import Unmeasured, Wrong, examine, function_in
from gradgen.verify.held import Measured
from gradgen.verify.inputs import Parameter, known_parameters
from gradgen.verify.matrices import gradient_by_matrix
from gradgen.verify.report import Checked
from gradgen.verify.second import GradientOf
from gradgen.verify.subject import Primal, Remade, Subject, WrongForm
from gradgen.verify.tangents import Along, gradient_by_tangents
from gradgen.verify.verdict import BROKEN, WRONG, Verdict


def judge(verdict: Verdict, text: str, made: Remade, seed: int) -> None:
    """Adds what the numbers say about the gradient in the text.

    `made` is the primal with the request and what is emitted for it now. A text for
    another library is measured by the text of the same request for NumPy; one that is
    compiled is held against this, too, where its compiler is installed.
    """
    note, own = "", text
    library = made.request.module or made.request.library
    is_compiled = target_named(made.request.library, made.request.module).compiled
    is_compiled = is_compiled and not made.emitted.left and has_compiler()
    if library not in ("numpy", "dask") and not made.emitted.left:
        plain = replace(made.request, library="numpy", module="")
        text = run(plain, made.source).text
        note = f" (measured as numpy's text; this one computes with {library})"
    try:
        compiled = function_in(without_cache(own)) if is_compiled else None
        function = function_in(text)
    except Exception as error:  # a file edited by hand may do anything
        told = f"it cannot be run: {words_of(error)}"
        verdict.blame(BROKEN, told)
        return
    recorded = Recorded(function)
    found = examined(recorded if compiled else function, made, seed)
    if compiled is not None and isinstance(found, Checked):
        told, said = compared(recorded, compiled)
        if told:
            verdict.blame(WRONG, told)
            return
        note = f" ({said}, and as numpy's text)"
    if isinstance(found, Wrong):
        again = f"gradgen check {verdict.path} --seed {seed}"
        told = f"wrong gradient: {found}{_unguarded(found, made)}"
        verdict.blame(WRONG, f"{told}\n    again: {again}")
    elif isinstance(found, Unmeasured):
        verdict.judged = False
        verdict.said = f"not measured: {made.source.node.name}: {found.why}"
    else:
        verdict.said = f"{found}{note}"


def _unguarded(found: Wrong, made: Remade) -> str:
    """Where a gradient is no number: what of it is not guarded."""
    open_ones = made.emitted.hazards if made.request.guard is False else ()
    places = dict.fromkeys(one.words or one.hazard for one in open_ones)
    if found.mismatch.kind != "number" or np.isfinite(found.mismatch.got) or not places:
        return ""
    return f"\n    not guarded: {', '.join(places)}; --guard keeps the text finite"


def examined(
    function: Callable[..., Any], made: Remade, seed: int
) -> Checked | Wrong | Unmeasured:
    """What differences say of an emitted function, whatever its mode."""
    source, request = made.source, made.request
    if made.emitted.captured:
        held = ", ".join(name for name, _ in made.emitted.captured)
        return Unmeasured(f"it takes arrays of an enclosing function besides: {held}")
    primal = source.globals.get(source.node.name)
    if source.receiver is not None or primal is None:
        primal = source.function
    primal = with_names(primal, source)
    facts = facts_of(made)
    assumed = {one.name for one in made.emitted.assumed}
    of = facts, made.emitted.complex, assumed
    parameters = known_parameters(source, primal, *of)
    filled = [n for n, one in made.emitted.bundles if n in request.of and not one.parts]
    parameters = tuple(
        Parameter(one.name, None, {}, "fixed") if one.name in filled else one
        for one in parameters
    )
    names = [parameter.name for parameter in parameters]
    measured = Measured(primal, source, names, request.stop)
    plain = Subject(
        function, measured, parameters, made.wrt, request.style, request.value
    )
    if request.mode == "reverse":
        return examine(flat(plain, source, request, made.emitted), seed)
    leaves = leaves_of(plain, source, request, made.emitted)
    if request.mode == "forward":
        along = _pushed(function, leaves)
        return examine(_of_tangents(along, leaves, _primal(leaves), True), seed)
    if request.mode == "jacobian":
        mode = "diagonal" if request.diagonal else "jacobian"
        pulled = gradient_by_matrix(function, names, made.wrt, mode)
        return examine(Subject(pulled, measured, parameters, made.wrt), seed)
    return _second(function, leaves, primal, made, seed)


def _primal(leaves: Leaves) -> Primal:
    return leaves.subject.primal if leaves.is_plain else leaves


def _of_tangents(along: Along, leaves: Leaves, primal: Primal, value: bool) -> Subject:
    """A derivative along tangents as a gradient."""
    names = [parameter.name for parameter in leaves.parameters]

    def without_value(arguments: Any, tangents: Any) -> tuple[object, object]:
        return None, along(arguments, tangents)[1]

    run = along if value else without_value
    gradients = gradient_by_tangents(run, names, leaves.wrt)
    return Subject(
        gradients, primal, leaves.parameters, leaves.wrt, value=True, along=run
    )


def _second(
    function: Callable[..., Any],
    leaves: Leaves,
    primal: Callable[..., Any],
    made: Remade,
    seed: int,
) -> Checked | Wrong | Unmeasured:
    """A Hessian, against differences of the gradient that it is the derivative of.

    The gradient is emitted for this, and measured itself first.
    """
    request, wrt = made.request, made.wrt
    asked = grad(
        primal,
        wrt=wrt if len(wrt) > 1 else wrt[0],
        shapes=dict(request.shapes),
        stop=request.stop,
        guard=request.guard,
        stable=request.stable,
    )
    assert isinstance(asked, Dispatcher)  # it computes with NumPy
    first: Gradient = asked.general
    own = Subject(first.function, leaves.subject.primal, leaves.subject.parameters, wrt)
    found = examine(flat(own, made.source, request, made.emitted), seed)
    if not isinstance(found, Checked):
        return found
    gradient = GradientOf(first, leaves, request.stop)
    if request.mode == "hvp":
        along = _pushed(function, leaves, of_gradient=True)
        return examine(_of_tangents(along, leaves, gradient, False), seed)
    names = [parameter.name for parameter in leaves.parameters]
    pulled = gradient_by_matrix(function, names, wrt, "hessian")
    return examine(Subject(pulled, gradient, leaves.parameters, leaves.wrt), seed)


def _pushed(
    function: Callable[..., Any], leaves: Leaves, of_gradient: bool = False
) -> Along:
    """An emitted forward function, of leaves: the last parameters are tangents."""
    names = leaves.subject.names
    given = [
        name for name in inspect.signature(function).parameters if name not in names
    ]

    def along(arguments: Any, tangents: Any) -> tuple[object, object]:
        args = leaves.nested([arguments[p.name] for p in leaves.parameters])
        own = dict(zip(given, leaves.tangents(tangents), strict=True))
        found = function(**dict(zip(names, args, strict=True)), **own)
        if of_gradient:
            products = leaves.gradient_leaves(found)
            _refuse_other_forms(products, [arguments[name] for name in leaves.wrt])
            return None, leaves.vector(products)
        value, change = map(leaves.result_leaves, found)
        _refuse_other_forms(change, value)
        return leaves.vector(value), leaves.vector(change)

    return along


def _refuse_other_forms(found: Sequence[Any], like: Sequence[Any]) -> None:
    """Raises WrongForm where a derivative is not of the shape and dtype it should."""
    for one, other in zip(found, like, strict=True):
        for what in ("shape", "dtype"):
            got, want = getattr(one, what, None), getattr(other, what, None)
            if np.ndim(one) and got != want or np.shape(one) != np.shape(other):
                raise WrongForm(f"the {what} of a derivative is {got}, not {want}")
