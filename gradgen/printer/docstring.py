"""The words around the code: docstring and comments of a gradient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Expr, Function, Param, Result, Stmt, Var
from gradgen.ir.structure import path_text
from gradgen.printer.style import Style
from gradgen.shapes.statics import is_static

WIDTH = 88


@dataclass(frozen=True)
class Wording:
    """What the texts say besides the code.

    `shapes` shows the shape of a variable; `stopped` are the names held
    constant; `headings` are the comments above an adjoint; `items` tells
    how many items a value has; `without_default` says that the seed must be given; `changed` are the arguments that the primal changes;
    `rewritten` says that the forward half is another form of the primal's, `fast` that
    it is rewritten for speed, `left` that numba was to compile it.
    `asked` are the arguments that the gradient is for, and the paths to parts of them.
    `guarded` says what the gradient is guarded against, `assumed` what is assumed of
    the arguments.
    """

    shapes: Callable[[Var], str]
    headings: Callable[[Stmt], tuple[list[Any], list[Any]]]
    items: Callable[[Expr], int | None] = lambda value: None
    stopped: tuple[str, ...] = ()
    without_default: bool = False
    as_tuple: bool = False
    aux: bool = False
    of: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    asked: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    rewritten: bool = False
    left: bool = False
    fast: bool = False
    guarded: str = ""
    assumed: str = ""

    def part(self, param: Param) -> tuple[str, tuple[Any, ...]]:
        """The container that a leaf belongs to: an argument, or a part of one."""
        for name, path in self.asked:
            if name == param.bundle and param.path[: len(path)] == path:
                return name, path
        return param.bundle, ()


def docstring(
    function: Function, style: Style, wording: Wording, names: Mapping[Var, str]
) -> str:
    """One sentence, the shapes in one line, and what may surprise."""
    arguments = arguments_of(function, wording, names)
    listed = _listed(arguments)
    whole = function.name
    if wording.of:
        returns = len(function.seeds) > len(wording.of)
        left = f"leaves in {_listed(list(wording.of))}"
        whole = f"what {function.name} {'returns and ' if returns else ''}{left}"
    value = whole[0].upper() + whole[1:] if wording.of else f"Value of {whole}"
    if style.mode in ("jacobian", "hessian"):
        first = f"{style.mode.title()} of {whole} with respect to {listed}."
        if any(result.name == "diagonal" for result in function.results):
            first = f"Diagonal of the Jacobian of {whole} with respect to {listed}."
    elif style.mode == "hvp":
        along = _listed(list(dict.fromkeys(_given(function, names).values())))
        first = f"Hessian of {whole} times {along} (forward over reverse)."
    elif style.forward:
        along = _listed(list(dict.fromkeys(_given(function, names).values())))
        first = f"{value}, and its derivative along {along}."
    elif style.callback:
        first = f"{value}, and its pullback to {listed}."
    elif style.value:
        first = f"{value}, and its gradient with respect to {listed}."
    else:
        first = f"Gradient of {whole} with respect to {listed}."
    lines = [*_fit(first), "", *_shapes(function, style, wording, names)]
    if wording.assumed:
        lines += _wrapped(f"Assumed: {wording.assumed}.", WIDTH - 4)
    fixed = [f"{p.var.name}{p.fact}" for p in function.params if is_static(p.fact)]
    if fixed:
        lines += _wrapped("Holds for " + ", ".join(fixed) + ".", WIDTH - 4)
    if wording.changed:
        told = f"Unlike {function.name}, leaves {_kept(wording.changed)}."
        lines += _wrapped(told, WIDTH - 4)
    if wording.rewritten:
        lines.append(f"Rewritten (--stable): {function.name} but for rounding.")
    if wording.left:
        lines.append("Not compiled: without a loop, NumPy's functions are as fast.")
    if wording.fast:
        lines.append(f"Fast (--fast): the value of {function.name} but for rounding.")
    if function.decided:
        told = "Decided: " + "; ".join(function.decided)
        lines += _wrapped(told, WIDTH - 4)
    if wording.stopped:
        lines.append("Held constant: " + ", ".join(wording.stopped))
    if wording.guarded:
        lines += _wrapped("Guarded: " + wording.guarded, WIDTH - 4)
    return "\n".join(lines) + "\n"


def arguments_of(
    function: Function, wording: Wording, names: Mapping[Var, str]
) -> list[str]:
    """The arguments that the gradient is for: containers once, by their names."""
    bundled = {p.var: path_text(*wording.part(p)) for p in function.params if p.bundle}
    chosen = [result.of for result in function.results]
    return list(dict.fromkeys(bundled.get(var) or names[var] for var in chosen))


def _kept(changed: tuple[str, ...]) -> str:
    was = "as it was" if len(changed) == 1 else "as they were"
    return f"{_listed(list(changed))} {was}"


def _listed(words: list[str]) -> str:
    if len(words) == 1:
        return words[0]
    return ", ".join(words[:-1]) + " and " + words[-1]


def _fit(sentence: str) -> list[str]:
    """The sentence, broken where it is too long for a docstring's first line."""
    room = WIDTH - 4 - len('"""')
    if len(sentence) <= room:
        return [sentence]
    at = sentence.rfind(" ", 0, room)
    return [sentence[:at], *_wrapped(sentence[at + 1 :], WIDTH - 4)]


def _wrapped(text: str, room: int, between: str = " ") -> list[str]:
    """The text in lines of at most `room` columns, broken after `between`."""
    lines, line = [], ""
    for piece in text.replace(between, between.strip() + "\0").split("\0"):
        if line and len(line) + 1 + len(piece) > room:
            lines.append(line)
            line = piece
        else:
            line = f"{line} {piece}" if line else piece
    return [*lines, line]


def _given(
    function: Function, names: Mapping[Var, str], whole: bool = True
) -> dict[Var, str]:
    """What the seeds are called, those in a container by its name or by their place."""
    params = {param.var: param for param in function.params}
    labels = {}
    for seed in function.seeds:
        param = params.get(seed)
        labels[seed] = names[seed]
        if param is not None and param.bundle:
            labels[seed] = param.bundle if whole else param.label
    return labels


def _primal(one: Var | Result) -> Var:
    """The variable that a seed or a derivative belongs to."""
    assert one.of is not None
    return one.of


def _shapes(
    function: Function, style: Style, wording: Wording, names: Mapping[Var, str]
) -> list[str]:
    def show(var: Var, name: str) -> str:
        return f"{name} {wording.shapes(var)}"

    seeds = set(function.seeds)
    derived = map(_primal, function.results if style.forward else function.seeds)
    inputs = []
    for param in function.params:
        known = is_static(param.fact) or (param.bundle and not param.path)
        if param.var not in seeds and not known:
            label = param.label if param.bundle else names[param.var]
            inputs.append(show(param.var, label))
    labels = _given(function, names, whole=False)
    given = [show(_primal(seed), labels[seed]) for seed in function.seeds]
    values = [show(var, names.get(var, var.name)) for var in derived]
    gradients = [
        f"{result.name or 'd_' + names[result.of]} {wording.shapes(result.like or result.of)}"
        for result in function.results
    ]
    if style.callback:
        outputs = [*values, f"backprop: {', '.join(given)} -> {', '.join(gradients)}"]
    else:
        inputs += given
        outputs = (values if style.value or style.forward else []) + gradients
    left, right = "Shapes: " + ", ".join(inputs), "-> " + ", ".join(outputs)
    if len(left) + 1 + len(right) <= WIDTH - 4:
        return [f"{left} {right}"]
    lines = _wrapped(left, WIDTH - 4, ", ")
    lines = [lines[0], *("    " + line for line in lines[1:])]
    after = _wrapped(right, WIDTH - 8, ", ")
    return lines + ["    " + line for line in after]
