"""The verdict of the numbers on the gradient in an emitted text."""

from __future__ import annotations

from gradgen.api import grad
from gradgen.verify.flat import flat
from gradgen.verify.gradients import Subject, Wrong, examine, function_in
from gradgen.verify.held import Measured
from gradgen.verify.inputs import known_parameters
from gradgen.verify.matrices import gradient_by_matrix
from gradgen.verify.tangents import gradient_by_tangents
from gradgen.verify.verdict import Verdict


def judge(verdict: Verdict, text: str, made, seed: int) -> None:
    """Adds what the numbers say about the gradient in the text."""
    source, request = made.source, made.request
    primal = source.globals[source.node.name]
    facts, complexes = dict(request.shapes), made.emitted.complex
    parameters = known_parameters(source, primal, facts, complexes)
    names = [parameter.name for parameter in parameters]
    try:
        function = function_in(text)
    except Exception as error:  # a file edited by hand may do anything
        verdict.faults.append(f"it cannot be run: {type(error).__name__}: {error}")
        return
    forward = request.mode == "forward"
    if forward:
        function = gradient_by_tangents(function, names, made.wrt)
    matrix = request.mode in ("jacobian", "hessian", "hvp")
    if matrix:
        mode = "diagonal" if request.diagonal else request.mode
        function = gradient_by_matrix(function, names, made.wrt, mode)
    if request.mode in ("hessian", "hvp"):
        if request.stop or len(made.wrt) > 1:
            verdict.judged = False
            verdict.said = "not measured: a Hessian in one argument is, without --stop"
            return
        # Its columns are the derivatives of the gradient, which is measured elsewhere.
        primal = grad(primal, wrt=made.wrt[0], shapes=facts)
    measured = Measured(primal, source, names, request.stop)
    subject = Subject(
        function,
        measured,
        parameters,
        made.wrt,
        request.style,
        request.value or forward,
    )
    if not forward and not matrix:
        subject = flat(subject, source, request, made.emitted)
    found = examine(subject, seed)
    if isinstance(found, Wrong):
        again = f"gradgen check {verdict.path} --seed {seed}"
        verdict.faults.append(f"wrong gradient: {found}\n    again: {again}")
    elif found is None:
        verdict.judged = False
        verdict.said = (
            f"not measured: no arguments found that {source.node.name} takes; "
            "name the shape of each with --shape"
        )
    else:
        verdict.said = str(found)
