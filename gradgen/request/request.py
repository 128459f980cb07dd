"""What is asked for: from keyword arguments or a command line; all defaults here."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradgen.errors import GradgenError
from gradgen.ir.structure import path_text
from gradgen.quoting import is_name
from gradgen.request.parts import path_of, spelled
from gradgen.shapes.statics import is_static
from gradgen.shapes.tree import fact_of, is_tree, read_tree, tree_text
from gradgen.shellwords import fact, listed, word

STYLES = ("joint", "callback")
TARGETS = ("numpy", "cupy", "xp", "dask", "jax", "torch")
MODES = ("reverse", "forward", "hvp", "jacobian", "hessian")
SAVES = ("values", "state")
PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13")


@dataclass(frozen=True)
class Request:
    """One gradient to make.

    `target` names the function in the header; `wrt` are argument names, None
    for the first; `shapes` are facts as text; `stop` are names held constant;
    `as_tuple` says whether one gradient is returned as a tuple of one; `of` are
    arguments whose final entries are the result; with `aux` the result is a pair,
    of which only the first is differentiated. `save` is what loops keep for the
    way back: the values that it reads, or the state of each round. `complex` are the
    arguments that are complex, besides those annotated so. With `keep_calls` calls of
    the user's functions stay calls where they can. With `stable` the primal may be
    rewritten to forms that do not overflow. `guard` is True for gradients that are
    finite where they divide by zero, or the least size of a denominator. `direction`
    is how a Jacobian is found, "" for by the smaller side; with `diagonal` it is the
    diagonal alone. `library` is the target that the text is written for, `module`
    another one like NumPy. `python` is the oldest version that the text is for, "" for
    those that gradgen itself runs on. With `general` nothing is assumed of arguments
    that nothing tells of: the text is right for any shapes.
    """

    target: str
    wrt: tuple[str, ...] | None = None
    style: str = "joint"
    value: bool = False
    shapes: tuple[tuple[str, str], ...] = ()
    stop: tuple[str, ...] = ()
    strict: bool = False
    stable: bool = False
    as_tuple: bool = False
    mode: str = "reverse"
    save: str = "values"
    of: tuple[str, ...] = ()
    aux: bool = False
    complex: tuple[str, ...] = ()
    keep_calls: bool = False
    guard: bool | float = False
    direction: str = ""
    diagonal: bool = False
    library: str = "numpy"
    module: str = ""
    python: str = ""
    general: bool = False
    instance: str = ""

    def command(self) -> tuple[str, list[str]]:
        """The command that makes it again, and its shape options apart."""
        parts = ["gradgen emit", word(self.target)]
        if self.wrt is not None:
            parts.append("--wrt " + listed(",".join(self.wrt)))
        if self.instance:
            parts.append("--instance " + word(self.instance))
        if self.of:
            parts.append("--of " + listed(",".join(self.of)))
        if self.aux:
            parts.append("--aux")
        if self.value:
            parts.append("--value")
        if self.mode != "reverse":
            parts.append(f"--mode {self.mode}")
        if self.direction:
            parts.append(f"--direction {self.direction}")
        if self.diagonal:
            parts.append("--diagonal")
        if self.module:
            parts.append(f"--module {self.module}")
        elif self.library != "numpy":
            parts.append(f"--target {self.library}")
        if self.style != "joint":
            parts.append(f"--style {self.style}")
        if self.save != "values":
            parts.append(f"--save {self.save}")
        if self.keep_calls:
            parts.append("--keep-calls")
        if self.guard is not False:
            bound = (
                ""
                if self.guard is True
                else "=" + repr(self.guard).replace("e-0", "e-")
            )
            parts.append(f"--guard{bound}")
        if self.stop:
            parts.append("--stop " + listed(",".join(self.stop)))
        if self.complex:
            parts.append("--complex " + listed(",".join(self.complex)))
        if self.stable:
            parts.append("--stable")
        if self.strict:
            parts.append("--strict")
        if self.general:
            parts.append("--general")
        if self.python:
            parts.append(f"--python {self.python}")
        shapes = [
            f"--shape {fact(name, text, is_tree(text))}"
            for whole, told in self.shapes
            for name, text in _one_by_one(whole, told)
        ]
        return " ".join(parts), shapes


def request(
    target: str,
    *,
    wrt: str | int | Sequence[Any] | None = None,
    style: str = "joint",
    value: bool = False,
    shapes: Mapping[str, object] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    stable: bool = False,
    parameters: Sequence[str] = (),
    mode: str = "reverse",
    save: str = "values",
    of: str | Sequence[str] = (),
    aux: bool = False,
    complex: str | Collection[str] = (),
    keep_calls: bool = False,
    guard: bool | float = False,
    direction: str = "",
    diagonal: bool = False,
    library: str = "numpy",
    module: str = "",
    python: str = "",
    general: bool = False,
    instance: str = "",
) -> Request:
    """The request for these options; positions in wrt become names.

    Raises GradgenError for an option that does not exist.
    """
    if style not in STYLES:
        raise GradgenError(
            "GG003", f"there is no style {style!r}", advice="joint or callback"
        )
    if mode not in MODES:
        raise GradgenError(
            "GG009", f"there is no mode {mode!r}", advice=f"one of {', '.join(MODES)}"
        )
    if save not in SAVES:
        raise GradgenError(
            "GG022", f"there is no save {save!r}", advice="values or state"
        )
    if not isinstance(guard, bool) and not 0 < guard < float("inf"):
        raise GradgenError(
            "GG023",
            f"guard={guard!r} is no size of a denominator",
            advice="True, or a small positive number such as 1e-8",
        )
    if mode != "reverse" and (value or style != "joint"):
        raise GradgenError(
            "GG009",
            f"mode {mode} has one style, and decides itself what is returned",
            advice=f"--mode {mode} without --value and --style",
        )
    if mode != "reverse" and keep_calls:
        raise GradgenError(
            "GG009",
            f"mode {mode} writes the functions that are called out",
            advice=f"--mode {mode} without --keep-calls",
        )
    if library not in TARGETS:
        raise GradgenError(
            "GG027",
            f"there is no target {library!r}",
            advice="one of " + ", ".join(TARGETS),
        )
    if module and not all(map(is_name, module.split("."))):
        raise GradgenError(
            "GG027", f"{module!r} is no module's name", advice="cupynumeric"
        )
    if direction not in ("", "reverse", "forward"):
        raise GradgenError(
            "GG009", f"there is no direction {direction!r}", advice="reverse or forward"
        )
    if (direction or diagonal) and mode != "jacobian":
        raise GradgenError(
            "GG009",
            f"mode {mode} has no direction and no diagonal",
            advice="--mode jacobian",
        )
    if python not in ("", *PYTHONS):
        raise GradgenError(
            "GG025",
            f"python={python!r} is no version that a text can be for",
            advice=f"one of {', '.join(PYTHONS)}",
        )
    if stable and keep_calls:
        raise GradgenError(
            "GG009",
            "the functions that are called keep their form with keep_calls",
            advice="--stable without --keep-calls",
        )
    if style == "callback" and value:
        raise GradgenError(
            "GG004",
            "a callback returns the value anyway",
            advice="--style callback without --value",
        )
    names = as_names(stop)
    numbers = set(as_names(complex))
    order = {name: i for i, name in enumerate(parameters)}
    told = [(as_read(name), text) for name, text in (shapes or {}).items()]
    given = sorted(told, key=lambda f: _place(f[0], order))
    facts = tuple((name, canonical(text)) for name, text in given)
    return Request(
        target,
        _wrt(wrt, parameters),
        style,
        value,
        facts,
        names,
        strict,
        stable,
        mode=mode,
        save=save,
        of=as_names(of),
        aux=aux,
        complex=tuple(sorted(numbers, key=lambda n: (order.get(n, len(order)), n))),
        keep_calls=keep_calls,
        guard=guard,
        direction=direction,
        library=library,
        module=module,
        diagonal=diagonal,
        python=python,
        general=general,
        instance=instance,
    )


def _place(name: str, order: Mapping[str, int]) -> int:
    """The place of a fact: that of its argument; self.W is one of self, the first."""
    base = name.partition(".")[0].partition("[")[0]
    return order.get(base, -1 if base == "self" else len(order))


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several as a tuple, each as Python reads it."""
    given = (names,) if isinstance(names, str) else tuple(names)
    return tuple(map(as_read, given))


def as_read(name: str) -> str:
    """A name, or the path to a part, as Python reads it: two spellings may be one."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def canonical(shape: object) -> str:
    """A shape fact without brackets and commas: "(n, d)" is "n d".

    The fact of a container, in Python or as text, is a text of one form.
    """
    if not isinstance(shape, str):
        return tree_text(fact_of(shape))
    if is_static(shape):
        return shape
    if is_tree(shape):
        return tree_text(read_tree(shape))
    return " ".join(shape.strip().strip("()").replace(",", " ").split())


def _wrt(
    wrt: str | int | Sequence[str | int] | None, parameters: Sequence[str]
) -> tuple[str, ...] | None:
    if wrt is None:
        return None
    chosen = (wrt,) if isinstance(wrt, (str, int)) else tuple(wrt)
    if not chosen:
        raise GradgenError("GG005", "wrt names no argument", advice="wrt=('x',)")
    names = []
    for one in chosen:
        if isinstance(one, int):
            if not -len(parameters) <= one < len(parameters):
                raise GradgenError(
                    "GG006",
                    f"wrt position {one} is outside the {len(parameters)} arguments",
                    advice="one of " + ", ".join(parameters),
                )
            one = parameters[one]
        one = as_read(one)
        names.append(one if one in parameters else _part(one, parameters))
    paths = [path_of(name) for name in names]
    for i, (name, keys) in enumerate(paths):
        for other, more in paths[:i]:
            short = min(len(keys), len(more))
            if name == other and keys[:short] == more[:short]:
                raise GradgenError(
                    "GG007", "wrt names an argument twice", advice="each once"
                )
    return tuple(names)


def _part(text: str, parameters: Sequence[str]) -> str:
    """The one spelling of a part of an argument; a name stays what it is."""
    if text.isidentifier() or not parameters:
        return text
    return spelled(text)


def _one_by_one(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The facts of the parts of an instance each alone: self.W, not self={"W": ...}."""
    if name != "self" or not is_tree(text):
        yield name, text
        return
    for path, leaf in read_tree(text).leaves():
        if leaf.fact is not None:
            yield spelled(path_text(name, path)), leaf.fact
