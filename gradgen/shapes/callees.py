"""Facts that go into a called function, and what they tell of its results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING

from gradgen.ir.callee import Callee, callee_of, results_of, slot_of
from gradgen.ir.nodes import Apply, Expr
from gradgen.shapes.dims import Dim
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import Atom, Ranked, Shape, Whole, Within, join, ranked
from gradgen.shapes.spec import FITS, read_shape

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

LETTERS = "nmkpqrstuvw"
WHOLES = "stuvwxyz"
SORTS = {Kind.COUNT: ":int", Kind.INTEGER: ":integer", Kind.BOOLEAN: ":bool"}


def described(facts: Facts, args: Iterable[Expr]) -> tuple[str | None, ...]:
    """The shapes of arguments as facts of a function's own.

    before:  X of (n - 1, d), y of (d), a number, an integer
    after:   "m d", "d", "", ":int"

    before:  u and v of one shape of unknown rank, w that broadcasts to it
    after:   "*s", "*s", "<*s"

    before:  x of (n), y that broadcasts to (n), so that the sum of two such does
    after:   "n", "<n"
    """
    args = tuple(args)
    named: dict[Dim, str] = {}
    texts: list[str | None] = []
    wholes = _wholes([facts.of(arg) for arg in args])
    for arg in args:
        shape = facts.of(arg)
        base = _base(shape)
        fits = base is not None and base.dims is not None
        dims = base.dims if base is not None and fits else shape.dims
        if dims is None:
            texts.append(wholes.get(shape))
            continue
        for dim in dims:
            if dim.number is None and dim not in named:
                named[dim] = _name(dim, set(named.values()))
        words = [named.get(dim, str(dim)) for dim in dims]
        text = " ".join(words) if dims else SORTS.get(facts.kind(arg), "")
        texts.append(f"{FITS}{text}" if fits else text)
    return _closed(tuple(texts))


def _wholes(shapes: list[Shape]) -> dict[Shape, str]:
    """Facts of shapes of unknown rank: of those of several arguments, and what fits them."""
    bases = {shape: base for shape in shapes if (base := _base(shape)) is not None}
    open_ones = [shape for shape in shapes if shape.rank is None and shape not in bases]
    met = [*open_ones, *bases.values()]
    named = {shape: "" for shape in open_ones if met.count(shape) > 1}
    found = {shape: f"*{letter}" for shape, letter in zip(named, WHOLES)}
    fits = ((shape, found.get(base)) for shape, base in bases.items())
    return found | {shape: f"<{own}" for shape, own in fits if own is not None}


def _base(shape: Shape) -> Shape | None:
    """What a shape broadcasts to, where that is all that is known of it."""
    bases = {getattr(atom, "base", None) for atom in shape.atoms}
    alone = all(isinstance(atom, Within) for atom in shape.atoms) and len(bases) == 1
    return bases.pop() if alone else None


def _is_open(text: str | None) -> bool:
    """Whether a fact tells of no axes: "*s", and "<*s"."""
    return text is not None and text.startswith(("*", f"{FITS}*"))


def _name(dim: Dim, taken: set[str]) -> str:
    """A name for a size: its own, or a letter that is free."""
    if any(name[0] in "#?" for name in dim.names):
        return _free("?", taken)
    own = dim.symbol
    return own if own and own not in taken else _free("", taken)


def _free(sort: str, taken: set[str]) -> str:
    letters = (f"{sort}{c}{i or ''}" for i in count() for c in LETTERS)
    return next(letter for letter in letters if letter not in taken)


def _closed(texts: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """The facts, where one size that nothing is known of is the only one: "n"."""
    sizes = set(_sizes(texts))
    if len(sizes) != 1 or None in texts or any(map(_is_open, texts)):
        return texts
    if any(text.startswith(FITS) for text in texts if text):
        return texts
    return tuple(text and text.replace("?", "") for text in texts)


def _sizes(texts: tuple[str | None, ...]) -> Iterator[str]:
    for text in texts:
        for word in () if _is_open(text) else _words(text):
            if word[0] != ":" and not word.isdecimal():
                yield word


def is_number(text: str | None) -> bool:
    """Whether a fact tells of a number."""
    return text is not None and (text == "" or text[0] == ":")


def renamed(texts: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """Facts with their sizes numbered: "n d" and "n h" are alike by themselves."""
    numbers: dict[str, str] = {}
    for word in _sizes(texts):
        sort = "?" if word[0] == "?" else ""
        numbers.setdefault(word, f"{sort}_{len(numbers)}")
    return tuple(
        text and _prefix(text) + " ".join(numbers.get(w, w) for w in _words(text))
        for text in texts
    )


def _prefix(text: str | None) -> str:
    """The sign of what broadcasts to axes."""
    return FITS if (text or "").startswith(FITS) else ""


def _words(text: str | None) -> list[str]:
    """The axes of a fact, those that it broadcasts to as well."""
    return (text or "").removeprefix(FITS).split()


def common(
    first: tuple[str | None, ...], second: tuple[str | None, ...]
) -> tuple[str | None, ...]:
    """What holds of the arguments of either of two calls.

    before:  "n n", and "m k"; "", and "<3"
    after:   "?n ?m"; "<3"
    """
    pairs = [_axes(a, b) for a, b in zip(first, second, strict=True)]
    axes = dict.fromkeys(axis for each in pairs if each is not None for axis in each)
    named: dict[tuple[str, str], str] = {}
    for a, b in axes:
        alike = [other for other in axes if (other[0] == a) != (other[1] == b)]
        is_open = bool(alike) or "?" in a + b or a.isdecimal() or b.isdecimal()
        named[a, b] = _free("?" if is_open else "", set(named.values()))
        if a == b and a.isdecimal():
            named[a, b] = a
    texts: list[str | None] = []
    for text, other, each in zip(first, second, pairs, strict=True):
        if is_number(text) and is_number(other):
            texts.append(text if text == other else "")
        elif _is_open(text) or _is_open(other):
            texts.append(text if text == other else None)
        else:
            words = None if each is None else " ".join(named[axis] for axis in each)
            fits = _prefix(text) or _prefix(other)
            texts.append(words if words is None else fits + words)
    return _closed(tuple(texts))


def _axes(a: str | None, b: str | None) -> list[tuple[str, str]] | None:
    """The axes of two facts of one argument, where these are as many."""
    if is_number(a) and _prefix(b):
        a = b  # a number broadcasts to any axes
    elif is_number(b) and _prefix(a):
        b = a
    if a is None or b is None or is_number(a) or is_number(b):
        return None
    if _is_open(a) or _is_open(b) or _prefix(a) != _prefix(b):
        return None
    one, other = _words(a), _words(b)
    return list(zip(one, other)) if len(one) == len(other) else None


def places_of_sizes(texts: tuple[str | None, ...]) -> dict[str, tuple[int, int]]:
    """The argument and the axis where each size is found."""
    places: dict[str, tuple[int, int]] = {}
    for i, text in enumerate(texts):
        words = [] if _is_open(text) or _prefix(text) else _words(text)
        for axis, word in enumerate(words):
            places.setdefault(word, (i, axis))
    return places


def shapes_told(callee: Callee) -> dict[str, Shape]:
    """The shapes of a function's parameters, as far as they are known."""
    told = list(zip(callee.params, callee.texts, strict=True))
    params = () if callee.function is None else callee.function.params
    told += [(param.label, param.fact) for param in params if param.bundle]
    return {
        name: read_shape(text, name)
        for name, text in told
        if text is not None and not text.startswith((":", "="))
    }


def shape_of_call(facts: Facts, call: Apply, index: int | None = None) -> Shape:
    """The shape of a call's result, or of one of several, in the caller's names.

    Also that of what a call of the gradient gives, which it carries.
    """
    if call.op != "kept":
        told: Shape = slot_of(call).shape
        return told
    callee, args = callee_of(call), call.args[1:]
    if index is None and results_of(call):
        return facts.fresh()
    shape = callee.outcomes[index or 0].shape
    if shape is None:
        return facts.fresh()
    found = [_atom(facts, callee, atom, args) for atom in shape.atoms]
    known = [one for one in found if one is not None]
    return join(*known) if len(known) == len(found) else facts.fresh()


def _atom(
    facts: Facts, callee: Callee, atom: Atom, args: tuple[Expr, ...]
) -> Shape | None:
    if isinstance(atom, Whole) and atom.name in callee.params:
        return facts.of(args[callee.params.index(atom.name)])
    if isinstance(atom, Whole) and atom.name in callee.texts:
        return facts.of(args[callee.texts.index(atom.name)])
    if not isinstance(atom, Ranked):
        return None
    dims = (_dim(facts, callee, dim, args) for dim in atom.dims)
    return ranked(*(facts.fresh_dim() if dim is None else dim for dim in dims))


def _dim(facts: Facts, callee: Callee, dim: Dim, args: tuple[Expr, ...]) -> Dim | None:
    """A size of the function's as one of the caller's."""
    total = Dim(())
    for names, factor in dim.terms:
        product = Dim.of(factor)
        for name in names:
            if name not in callee.letters:
                return None
            place, axis = callee.letters[name]
            dims = facts.of(args[place]).dims
            if dims is None or axis >= len(dims):
                return None
            product = product * dims[axis]
        total = total + product
    return total
