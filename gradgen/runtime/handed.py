"""Arguments as a call hands them over: refused by name, or made what the text takes.

A list of numbers is an array to the text, and its gradient a list again. That is
right where the function computes the same with both, which is tried: `2 * x` of a
list is another one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from gradgen.errors import GradgenError, words_of
from gradgen.ir.handled import Handled
from gradgen.ir.plain import why_not_plain
from gradgen.ir.structure import Structure, path_text
from gradgen.request.parts import of_fields, part_of, path_of
from gradgen.runtime.caught import unless_caught, unless_handled
from gradgen.runtime.alike import OTHERWISE, PLAIN, difference, told_as_lists
from gradgen.runtime.arguments import leaves_of, refuse_integers
from gradgen.runtime.arithmetic import refusals
from gradgen.runtime.copied import copied
from gradgen.runtime.other_keys import refuse_no_container, refuse_other_keys

SEQUENCES = (list, tuple, range)
Args = tuple[Any, ...]


def refuse_kinds(what: str, value: object, code: str = "GG510") -> None:
    """Raises GradgenError for what computes otherwise than an array, in containers too.

    `what` is what the value is to the caller: "the argument x".
    """
    if type(value) in PLAIN:
        return
    for leaf in leaves_of(value):
        found = why_not_plain(leaf)
        if found is not None:
            kind, way = found
            verb = "is" if leaf is value else "holds"
            advice = way.format(what.split()[-1])
            raise GradgenError(code, f"{what} {verb} {kind}", advice=advice)


def refuse_asked(name: str, value: object, default: object) -> None:
    """Raises GradgenError for integers and None, of which a gradient is asked.

    An argument that is None by default may be so: it has no gradient then.
    """
    if getattr(getattr(value, "dtype", None), "kind", "f") in "biu":
        refuse_integers(name, value)
    if value is None and default is not None:
        _refuse_no_number(name, value)


def native(value: Any) -> Any:
    """An array in the machine's byte order: NumPy's functions take no other dtype=."""
    if type(value) is np.ndarray and not value.dtype.isnative:
        return value.astype(value.dtype.newbyteorder("="))
    return value


def restored(value: Any, gradient: Any) -> Any:
    """A gradient in the form of its argument: a list for a list, of the same dtype."""
    if type(value) is type(gradient) is np.ndarray and value.dtype == gradient.dtype:
        return gradient
    if isinstance(value, SEQUENCES):
        items = [restored(one, part) for one, part in zip(value, gradient)]
        if hasattr(value, "_fields"):
            return type(value)(*items)
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, PLAIN) and not isinstance(value, np.generic):
        found = gradient[()] if isinstance(gradient, np.ndarray) else gradient
        return float(found) if isinstance(found, np.floating) else found
    wanted = getattr(value, "dtype", None)
    if wanted is None or gradient is None:
        return gradient
    own = getattr(gradient, "dtype", None)
    if own is None and type(gradient) in (float, complex):  # of a number
        own, gradient = np.dtype(type(gradient)), np.asarray(gradient)[()]
    is_other = own is not None and own != wanted and own.kind == wanted.kind
    found = gradient.astype(wanted) if is_other else gradient
    # np.zeros_like of a number of NumPy's is an array of rank 0
    is_number = isinstance(value, np.generic) and isinstance(found, np.ndarray)
    return found[()] if is_number and not found.ndim else found


def in_parts(structure: Structure, value: Any, gradient: Any) -> Any:
    """The gradient in a container, each part in the form of the argument's part."""
    if not structure:
        return restored(value, gradient)
    try:
        pairs = zip(structure.items(value), structure.items(gradient), strict=True)
    except (ValueError, AttributeError):
        return gradient  # an instance whose parts have other names in the text
    old = structure.items(gradient)
    new = [in_parts(part, *pair) for part, pair in zip(structure.parts, pairs)]
    is_record = structure.sort == "dataclass" and is_dataclass(type(value))
    in_form = not is_record or type(gradient) is type(value)
    if in_form and all(one is other for one, other in zip(old, new)):
        return gradient
    if structure.sort == "dict":
        return dict(zip(structure.keys, new, strict=True))
    if structure.sort in ("list", "tuple"):
        return type(gradient)(new)
    if structure.sort == "namedtuple":
        return gradient._replace(**dict(zip(structure.keys, new, strict=True)))
    if is_record:
        return of_fields(type(value), dict(zip(structure.keys, new, strict=True)))
    made = copy.copy(gradient)
    for key, one in zip(structure.keys, new, strict=True):
        object.__setattr__(made, str(key), one)
    return made


class Handing:
    """What a derivative does with the arguments of each call.

    `names` are the function's own parameters, `bundles` those whose structure is
    told, `told` those that a fact is told of, `wrt` what the derivative is in.
    """

    def __init__(
        self,
        primal: Callable[..., Any],
        names: Iterable[str],
        bundles: Iterable[tuple[str, Structure]],
        wrt: Iterable[str],
        told: Iterable[str] = (),
        fixed: Iterable[str] = (),
        handled: Iterable[Handled] = (),
    ) -> None:
        self.primal, self.names = primal, tuple(names)
        self.bundles, self.told = dict(bundles), frozenset(told)
        # those that the text is made for one value of
        self.fixed = frozenset(fixed)
        # try blocks of which the text has the bodies alone
        self.handled = tuple(handled)
        self.wrt = tuple(wrt)
        self.paths = tuple(path_of(name) for name in self.wrt)
        self.bases = frozenset(base for base, _ in self.paths)

    def refuse(self, args: Args, kwargs: Mapping[str, Any]) -> None:
        """Raises GradgenError for an argument of a kind that is no array of numbers."""
        for name, value in (*zip(self.names, args), *kwargs.items()):
            kind = type(value)
            plain = kind is np.ndarray and value.dtype.kind in "fciub" or kind in PLAIN
            if not plain:
                refuse_kinds(f"the argument {name}", value)
            if name in self.bundles:
                refuse_no_container(name, self.bundles[name], value)
                if not plain:
                    _refuse_lists(name, self.bundles[name], value)
            elif name in self.bases and not plain:
                _refuse_no_number(name, value)
        if self.bundles:
            given = dict(zip(self.names, args)) | dict(kwargs)
            called = self._called(len(args), kwargs)
            refuse_other_keys(given, self.bundles, called, self.bases)

    def _called(
        self, places: int, keywords: Iterable[str]
    ) -> Callable[[Mapping[str, Any]], Any]:
        """The function of arguments by name, as a call gives them."""
        order, named = self.names[:places], tuple(keywords)
        return lambda one: self.primal(
            *(one[name] for name in order), **{name: one[name] for name in named}
        )

    def arrays(self, args: Args, kwargs: dict[str, Any]) -> tuple[Args, dict[str, Any]]:
        """The arguments with sequences of numbers as arrays.

        Raises GradgenError where the function computes otherwise with these.
        """
        if not any(isinstance(one, SEQUENCES) for one in (*args, *kwargs.values())):
            return args, kwargs
        given = dict(zip(self.names, args)) | kwargs
        sequences = {
            name: value
            for name, value in given.items()
            if isinstance(value, SEQUENCES) and name not in self.bundles
            if name not in self.fixed
        }
        made = {name: self._array(name, value) for name, value in sequences.items()}
        changed = {name: array for name, array in made.items() if array is not None}
        if not changed:
            return args, kwargs
        taken = given | changed
        call = self._called(len(args), kwargs)
        found = difference(call, given, taken, self.bases)
        if found:
            each = [f"{n} is a {type(given[n]).__name__}" for n in changed]
            raise GradgenError(
                "GG511",
                f"the argument {' and '.join(each)}, {found}",
                advice=_as_arrays_or_lists(
                    found, {name: given[name] for name in changed}
                ),
            )
        own = tuple(taken[name] for name in self.names[: len(args)])
        return (*own, *args[len(own) :]), {name: taken[name] for name in kwargs}

    def _array(self, name: str, value: Any) -> np.ndarray | None:
        """A sequence of numbers as an array; None for a held one of something else."""
        leaves = [] if isinstance(value, range) else list(leaves_of(value))
        sorts = (*PLAIN, np.number, np.bool_, np.ndarray)
        try:
            if not all(isinstance(leaf, sorts) for leaf in leaves):
                raise ValueError
            array = np.asarray(value)
        except ValueError:
            # of entries of an array it is known that they are no None and no string
            asked = any(leaf is None or isinstance(leaf, str) for leaf in leaves)
            if name not in self.bases and not asked:
                return None
            raise GradgenError(
                "GG511",
                f"the argument {name} is a {type(value).__name__} that makes no array "
                "of numbers, and its structure is not told",
                advice=f'shapes={{"{name}": [...]}} with the shape of each part',
            ) from None
        if name in self.bases and array.dtype.kind not in "fc":
            return array.astype(float)
        return array

    def _again(self, args: Args, kwargs: Mapping[str, Any]) -> Callable[[], Any]:
        """Runs the function at these arguments, which stay as they are."""
        own, named = copied((args, dict(kwargs)))
        return lambda: self.primal(*own, **named)

    def run(
        self, call: Callable[[], Any], args: Args, kwargs: Mapping[str, Any]
    ) -> Any:
        """What a text returns; what it raises is the function's own error, or refused.

        Where the function raises as well, its error says more. Where it does not, the
        text was made for arrays, and got a number that no fact tells of, or an array
        without entries.
        """
        try:
            with refusals():
                found = call()
            if self.handled:
                unless_caught(self._again(args, kwargs), self.handled)
            return found
        except GradgenError:
            raise
        except Exception as error:
            unless_handled(self._again(args, kwargs), error)
            if isinstance(error, NotImplementedError):  # of what a library is read as
                raise GradgenError(
                    "GG302",
                    f"no gradient with these arguments: {error}",
                    advice="the options that are the defaults, or another function",
                ) from error
            given = dict(zip(self.names, args)) | dict(kwargs)
            odd = [n for n, v in given.items() if n not in self.told and _is_odd(v)]
            if not odd or isinstance(error, NameError):  # a fault of the text
                raise
            facts = ", ".join(f'"{n}": "{_axes(given[n])}"' for n in odd)
            raise GradgenError(
                "GG512",
                f"the argument {odd[0]} is {_called(given[odd[0]])}, which the text of "
                f"the derivative does not take: {words_of(error)}",
                advice=f"shapes={{{facts}}}",
            ) from error

    def results(self, given: Mapping[str, Any], found: Any) -> Any:
        """The gradients in the form of their arguments."""
        if len(self.wrt) == 1:
            return self._result(0, given, found)
        return tuple(self._result(i, given, one) for i, one in enumerate(found))

    def _result(self, i: int, given: Mapping[str, Any], gradient: Any) -> Any:
        base, keys = self.paths[i]
        if base not in given:
            return gradient
        if base in self.bundles and not keys:
            return in_parts(self.bundles[base], given[base], gradient)
        return restored(part_of(given[base], keys), gradient)


def _as_arrays_or_lists(found: str, lists: Mapping[str, Any]) -> str:
    """What to write for lists with which a function computes otherwise, as it told."""
    arrays = ", ".join(f"np.asarray({name})" for name in lists)
    if not found.startswith(OTHERWISE):
        return arrays
    told = told_as_lists(lists)
    return f"{arrays}, or {told}" if found == OTHERWISE else told


def _is_odd(value: Any) -> bool:
    """Whether a value is a number, a list, or an array without entries."""
    if isinstance(value, (*PLAIN, *SEQUENCES, np.generic)):
        return True
    return isinstance(value, np.ndarray) and (value.ndim == 0 or value.size == 0)


def _axes(value: Any) -> str:
    """The fact of a value, with a letter for each axis."""
    return " ".join("nmkl"[i % 4] for i in range(np.ndim(value)))


def _called(value: Any) -> str:
    """What a value is, in words."""
    if isinstance(value, np.ndarray) and value.ndim:
        return "an array without entries"
    return f"a {type(value).__name__}"


def _refuse_no_number(name: str, value: Any) -> None:
    """Refuses what is neither a number nor an array, in wrt."""
    fine = (*PLAIN, *SEQUENCES, np.ndarray, np.generic, Mapping)
    if isinstance(value, fine) or hasattr(type(value), "__dataclass_fields__"):
        return
    if hasattr(value, "nnz"):
        return  # a sparse matrix, which may be held constant
    kind = "None" if value is None else f"a {type(value).__name__}"
    raise GradgenError(
        "GG510",
        f"the argument {name} is {kind}, which has no gradient",
        advice="a float, or an array of floats",
    )


def _refuse_lists(name: str, structure: Structure, value: Any) -> None:
    """Refuses a list where the fact of a container tells an array."""
    try:
        leaves = structure.flatten(value)
    except (ValueError, AttributeError):
        return  # of another structure, which the facts refuse
    for leaf, (path, told) in zip(leaves, structure.leaves()):
        is_array = told.fact is not None and not told.fact.startswith(":")
        if is_array and isinstance(leaf, SEQUENCES):
            part = path_text(name, path)
            raise GradgenError(
                "GG511",
                f"{part} is a {type(leaf).__name__}, and its fact is {told.fact!r}",
                advice=f"np.asarray({part})",
            )
