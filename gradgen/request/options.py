"""The one table of options: each is described here, and nowhere else.

A field of `Request` with an `option(...)` is the option's name, type and default, its
flag with its help, its key in pyproject.toml, and its place in the command of a header.
The keyword dictionaries below say which function of the library takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, TypedDict

from gradgen.frozen import dataclass
from gradgen.ir.structure import path_text
from gradgen.request.parts import spelled
from gradgen.shapes.tree import is_tree, read_tree
from gradgen.request.shellwords import fact, listed, word

STYLES = ("joint", "callback")
TARGETS = ("numpy", "cupy", "xp", "dask", "jax", "torch", "numba")
MODES = ("reverse", "forward", "hvp", "jacobian", "hessian")
SAVES = ("values", "state")
DIRECTIONS = ("reverse", "forward")
PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13")


@dataclass(frozen=True)
class Option:
    """What is said of an option beside its type and its default.

    `sort` is how it is written: "flag", "choice" (one of `choices`), "text", "names"
    ("A,B"), "several" (the same, and the flag may come more than once), "size" (a flag
    that may have a number) or "facts". `flag` and `keyword` are its names on the command
    line and in Python, where they are not its own. `code` is the error of a value that is
    none of the choices, and `refusal` its message. `setting` says whether
    pyproject.toml may give it for a whole project. In a header it is not written where
    the option `under` is.
    """

    help: str
    sort: str = "flag"
    flag: str = ""
    keyword: str = ""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    code: str = ""
    refusal: str = ""
    setting: bool = False
    under: str = ""
    more: str = ""
    name: str = ""
    default: Any = None

    @property
    def argument(self) -> str:
        """Its name among the options of the command, as written there."""
        return "shape" if self.sort == "facts" else self.name

    @property
    def told(self) -> str:
        """What the option is for."""
        return f"{self.help} {self.more}".strip()

    def written(self, value: Any) -> Iterator[str]:
        """The words of a command line that give this value."""
        if value == self.default:
            return
        if self.sort == "flag":
            yield self.flag
        elif self.sort in ("names", "several"):
            yield f"{self.flag} {listed(','.join(value))}"
        elif self.sort == "size":
            size = "" if value is True else "=" + repr(value).replace("e-0", "e-")
            yield f"{self.flag}{size}"
        elif self.sort == "facts":
            for whole, told in value:
                for name, text in _one_by_one(whole, told):
                    yield f"{self.flag} {fact(name, text, is_tree(text))}"
        else:
            yield f"{self.flag} {word(value)}"


def option(default: Any, help: str, **more: Any) -> Any:
    """A field of Request that is an option."""
    return field(default=default, metadata={"option": Option(help, **more)})


@dataclass(frozen=True, kw_only=True)
class Request:
    """One gradient to make.

    `target` names the function in the header; `as_tuple` says whether one gradient is
    returned as a tuple of one, and `rules` are the folders of the user's own rules. The
    others are options, in the order of a header.
    """

    target: str = field(kw_only=False)
    as_tuple: bool = False
    rules: tuple[str, ...] = ()
    wrt: tuple[str, ...] | None = option(
        None,
        "The arguments: names or positions.",
        sort="names",
        metavar="X,Y",
        more="The first argument without it. A part of an argument is named by its "
        "path: `params.W`, `layers[0].b`.",
    )
    instance: str = option(
        "",
        "Of a method: an instance, Net(3, 4), whose attributes tell shapes.",
        more="Of a function: its arguments that are objects, by their names: "
        "`net=Net(3, 4), rule=Rule()`. So of a method, behind its instance: "
        "`Lens(0.2), ray=Ray(0.1)`.",
        sort="text",
        metavar="EXPR",
    )
    of: tuple[str, ...] = option(
        (),
        "Arguments that the function leaves results in: arrays, or a dictionary "
        "that it fills.",
        sort="names",
        metavar="A,B",
        more="Their final entries are the result.",
    )
    aux: bool = option(
        False,
        "The function returns (value, aux).",
        keyword="has_aux",
        more="The value alone is differentiated, and aux is handed on as it is.",
    )
    value: bool = option(False, "Return the value as well.")
    mode: str = option(
        "reverse",
        "The gradient, the derivative along tangents, or the Hessian times a vector.",
        sort="choice",
        choices=MODES,
        code="GG009",
        more="With jacobian and hessian these matrices.",
    )
    direction: str = option(
        "",
        "A Jacobian by its rows or by its columns; by the smaller side without.",
        sort="choice",
        choices=DIRECTIONS,
        code="GG009",
    )
    diagonal: bool = option(False, "The diagonal of a Jacobian alone.")
    module: str = option(
        "", "Another module like NumPy, untested.", sort="text", metavar="NAME"
    )
    library: str = option(
        "numpy",
        "The library that the text computes with.",
        sort="choice",
        flag="--target",
        keyword="target",
        choices=TARGETS,
        code="GG027",
        under="module",
        more="In a text for xp the module is an argument.",
    )
    style: str = option(
        "joint",
        "One function, or the value with a backprop function.",
        sort="choice",
        choices=STYLES,
        code="GG003",
    )
    save: str = option(
        "values",
        "What loops keep: what the gradient reads, or what enters a round.",
        sort="choice",
        choices=SAVES,
        code="GG022",
        more="With state the elementwise statements of a round run again: less memory, "
        "more arithmetic.",
    )
    keep_calls: bool = option(False, "Give functions that are called their own vjp_.")
    guard: bool | float = option(
        False,
        "x / 0 is 0 in the gradient; with =EPS, |denominators| >= EPS.",
        sort="size",
        metavar="[=EPS]",
        setting=True,
    )
    stop: tuple[str, ...] = option(
        (), "Variables to hold constant.", sort="several", metavar="NAME,.."
    )
    complex: tuple[str, ...] = option(
        (),
        "Arguments that are complex.",
        sort="several",
        metavar="NAME,..",
        more="The others count as real, besides those annotated so.",
    )
    stable: bool = option(
        False,
        "Rewrite what overflows or cancels.",
        more="log(1 + exp(x)) and its like are computed without overflow.",
    )
    fast: bool = option(
        False,
        "Rewrite for speed, the forward half too.",
        more="Values are equal but for rounding: sums of products by np.vdot and einsum, "
        "whole powers by products, and arrays that the text has made are used again.",
    )
    strict: bool = option(False, "Refuse a text that needs a helper.")
    general: bool = option(
        False,
        "Assume nothing of arguments of unknown shape.",
        more="Without it three things are assumed, which the docstring names and the text "
        "looks at: what is added to a sum over an array is a number, `A @ B` has no batch "
        "axes, and arrays have the axes that are spoken of and stretch no other ones.",
    )
    compare: tuple[str, ...] = option(
        (),
        "Letters of axes, or lengths, that the text compares.",
        sort="names",
        metavar="N,M",
        more="It raises where they differ in length, as axes may that only a loop or an "
        "arm takes for equal, or where an axis that is told to be 1 is not.",
    )
    python: str = option(
        "",
        "The oldest Python, with its NumPy, that the text is for.",
        sort="choice",
        choices=PYTHONS,
        code="GG025",
        refusal="python={!r} is no version that a text can be for",
        setting=True,
    )
    bare: bool = option(
        False, "No comments that say what each line is the gradient of."
    )
    shapes: tuple[tuple[str, str], ...] = option(
        (),
        'The shape of an argument, or of a part (params.W); "" is a scalar\'s.',
        sort="facts",
        flag="--shape",
        metavar='X="n d"',
    )

    def command(self) -> tuple[str, list[str]]:
        """The command that makes it again, and its shape options apart."""
        parts = ["gradgen emit " + word(self.target)]
        shapes: list[str] = []
        for one in OPTIONS:
            if not (one.under and getattr(self, one.under)):
                words = one.written(getattr(self, one.name))
                (shapes if one.sort == "facts" else parts).extend(words)
        return " ".join(parts), shapes


def _options() -> Iterator[Option]:
    for one in fields(Request):
        said: Option | None = one.metadata.get("option")
        if said is not None:
            flag = said.flag or "--" + one.name.replace("_", "-")
            own = said.keyword or one.name
            named = replace(said, name=one.name, flag=flag, keyword=own)
            yield replace(named, default=one.default)


def _one_by_one(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The facts of the parts of an instance each alone: self.W, not self={"W": ...}."""
    if name != "self" or not is_tree(text):
        yield name, text
        return
    for path, leaf in read_tree(text).leaves():
        if leaf.fact is not None:
            yield spelled(path_text(name, path)), leaf.fact


OPTIONS = tuple(_options())
# Options that say nothing of the text itself: the first is one in Python as well.
EXAMPLE = Option(
    "A tuple of arguments, with the names of the function's module and np, whose sizes "
    "become shapes.",
    "text",
    "--example",
    "example",
    "EXPR",
    name="example",
)
CALLS = Option(
    "Run a command that calls the function; its arguments become shapes.",
    "text",
    "--calls",
    metavar="COMMAND",
    name="calls",
)
NAME = Option(
    "With - for TARGET: which of several functions.",
    "text",
    "--name",
    metavar="FN",
    name="name",
)
ASIDE = (EXAMPLE, CALLS, NAME)


class Told(TypedDict, total=False):
    """The options of every derivative; those of a Hessian."""

    shapes: Mapping[str, object] | None
    example: Sequence[Any] | None
    stop: str | Sequence[str]
    strict: bool
    guard: bool | float | None
    stable: bool
    fast: bool
    target: str


class OfTangents(Told, total=False):
    """The options of jvp."""

    complex: str | Sequence[str]


class OfProducts(Told, total=False):
    """The options of hvp."""

    save: str


class OfMatrices(Told, total=False):
    """The options of jacobian."""

    direction: str
    diagonal: bool


class OfGradients(OfProducts, OfTangents, total=False):
    """The options of grad, value_and_grad and vjp."""

    of: str | Sequence[str]
    has_aux: bool
    keep_calls: bool


class OfTexts(OfGradients, OfMatrices, total=False):
    """The options of emit."""

    style: str
    value: bool
    mode: str
    python: str | None
    general: bool
    compare: str | Sequence[str]
    bare: bool
