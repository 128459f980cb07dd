"""The facts of a request checked against the arguments of a call: shapes, complex."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.structure import Structure, path_text
from gradgen.request.parts import path_of
from gradgen.runtime.arguments import refuse_complex
from gradgen.runtime.surroundings import Surroundings
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import entries_of_row
from gradgen.shapes.spec import FITS, OR_ROW, read_shape, read_size
from gradgen.shapes.statics import is_static, static_fact
from gradgen.signature.abstract import abstract, complex_parts

# the letters of the dtypes that a fact's sort allows
ENTRIES = {"int": "iu", "bool": "b", "array": "fc"}


class Facts:
    """The facts of a request, checked against the arguments of each call.

    `facts` are what was told of arguments and their leaves: name, path, text.
    `complexes` are the arguments that may be complex, `factors` those that may be
    sparse matrices, `changed` those that the function changes in place, `numbers`
    those that it can only take as numbers.
    """

    def __init__(
        self,
        facts: tuple[tuple[str, tuple[Any, ...], str], ...],
        names: Sequence[str],
        complexes: Sequence[str] = (),
        factors: Sequence[str] = (),
        changed: Sequence[str] = (),
        numbers: Sequence[str] = (),
        bundles: Iterable[tuple[str, Structure]] = (),
        around: Surroundings | None = None,
    ) -> None:
        self.names, self.complexes, self.factors = names, complexes, factors
        self.changed, self.numbers = changed, numbers
        self.bundles = dict(bundles)
        # what the function reads around it, where it changes arguments
        self.around = around
        order = {name: i for i, name in enumerate(names)}
        self.axes = [
            (name, path, order.get(name, len(order)), text, axes.split(), sort.strip())
            for name, path, text in facts
            for axes, _, sort in [text.partition(":")]
            if not is_static(text)
        ]
        # arguments that the text is made for one value of
        self.statics = {name: text for name, _, text in facts if is_static(text)}

    def _refuse_shared(self, given: Iterable[tuple[str, object]]) -> None:
        """Refuses arrays that share memory where the function changes one of them."""
        if not self.changed:
            return
        given = tuple(given)
        if self.around is not None:
            self.around.refuse(given, self.changed, self._labelled)
        arrays = [one for name, value in given for one in self._labelled(name, value)]
        for i, (name, array) in enumerate(arrays):
            for other, second in arrays[i + 1 :]:
                changes = name in self.changed or other in self.changed
                if changes and np.shares_memory(array, second):
                    raise GradgenError(
                        "GG507",
                        f"the arguments {name} and {other} share memory, and the "
                        f"function changes {name if name in self.changed else other}",
                        advice=f"{other}.copy()",
                    )

    def _labelled(self, name: str, value: object) -> Iterator[tuple[str, np.ndarray]]:
        """The arrays in an argument, with what each is called in `changed`."""
        if name not in self.bundles:
            yield from ((name, array) for array in _arrays(value))
            return
        for path, leaf in self.bundles[name].leaves():
            part = _part(name, value, path) if leaf.fact != ":str" else None
            if isinstance(part, np.ndarray):
                yield path_text(name, path), part

    def _are_told(self, name: str, value: object) -> bool:
        """Whether parts of a container are told to be complex, and no others are."""
        told = {one for one in self.complexes if path_of(one)[0] == name}
        return bool(told) and set(complex_parts(name, abstract(value))) <= told

    def check(self, args: tuple[Any, ...], kwargs: dict[Any, Any]) -> None:
        """Raises GradgenError for an argument of another shape or sort than was said."""
        for name, value in (*zip(self.names, args), *kwargs.items()):
            if name not in self.complexes and not self._are_told(name, value):
                refuse_complex(name, value)
            if name not in self.factors and _is_sparse(value):
                raise GradgenError(
                    "GG505",
                    f"the argument {name} is a sparse matrix, which may only be held "
                    "constant and multiplied by @ or .dot here",
                    advice=f"{name}.toarray()",
                )
        if self.statics:
            self._refuse_others((*zip(self.names, args), *kwargs.items()))
        self._refuse_shared((*zip(self.names, args), *kwargs.items()))
        sizes: dict[str, int] = {}
        wholes: dict[str, tuple[int, ...]] = {}
        open_axes, made_axes, largest = [], [], []
        for name, path, at, text, words, sort in self.axes:
            if at >= len(args) and name not in kwargs:
                continue
            value = args[at] if at < len(args) else kwargs[name]
            value = _part(name, value, path)
            shape = np.shape(value)
            if value is None:
                self._refuse_none(path_text(name, path), text)
            name = path_text(name, path)
            if sort and np.asarray(value).dtype.kind not in ENTRIES[sort]:
                self._refuse_entries(name, value, text)
            if text.startswith("*"):
                if shape != wholes.setdefault(words[0], shape):
                    self._refuse(name, shape, text)
                continue
            if text.startswith(FITS) or OR_ROW in text:
                largest.append((name, shape, text))
                continue
            if len(shape) != len(words):
                self._refuse(name, shape, text)
            for word, length in zip(words, shape):
                if word[0] == "#":
                    open_axes.append((name, shape, text, word[1:], length))
                elif not word.isidentifier() and not word.isdecimal():
                    made_axes.append((name, shape, text, read_size(word), length))
                elif length != (
                    int(word) if word.isdecimal() else sizes.setdefault(word, length)
                ):
                    self._refuse(name, shape, text)
        for name, shape, text, size, length in _settled(made_axes, sizes):
            if size.at(sizes).number != length:
                self._refuse(name, shape, text)
        for name, shape, text, word, length in open_axes:
            if length != 1 and length != sizes.setdefault(word, length):
                self._refuse(name, shape, text)
        for name, shape, text in largest:
            if not _fits(shape, text.removeprefix(FITS), sizes):
                self._refuse(name, shape, text)

        for name, value in (*zip(self.names, args), *kwargs.items()):
            if name in self.numbers and np.ndim(value):
                raise GradgenError(
                    "GG503",
                    f"the argument {name} has the shape {np.shape(value)}, and the "
                    "function compares it, or counts with it, as a number",
                    advice=f"{name}.item(), where it has one entry",
                )

    def _refuse_others(self, given: Iterable[tuple[str, object]]) -> None:
        """Refuses other values than those that were told."""
        for name, value in given:
            told = self.statics.get(name)
            if told is not None and static_fact(value) != told:
                raise GradgenError(
                    "GG503",
                    f"the argument {name} is {value!r}, and its fact is {told!r}",
                    advice="the facts that hold, or none",
                )

    def _refuse_none(self, name: str, text: str) -> None:
        raise GradgenError(
            "GG512",
            f"the argument {name} is None, and its fact is {text!r}",
            advice="the facts that hold, or none",
        )

    def _refuse_entries(self, name: str, value: object, text: str) -> None:
        raise GradgenError(
            "GG503",
            f"the argument {name} holds {np.asarray(value).dtype} numbers, and its fact "
            f"is {text!r}",
            advice="the facts that hold, or none",
        )

    def _refuse(self, name: str, shape: tuple[int, ...], text: str) -> None:
        raise GradgenError(
            "GG503",
            f"the argument {name} has the shape {shape}, and its fact is {text!r}",
            advice="the facts that hold, or none",
        )


def _fits(shape: tuple[int, ...], text: str, sizes: Mapping[str, int]) -> bool:
    """Whether a shape broadcasts to the one that a fact tells, or is a row of it."""
    told = read_shape(text)
    entries = entries_of_row(told)
    if entries is not None:
        length = entries[0].at(dict(sizes)).number
        is_row = len(shape) > 0 and shape[:-1] in ((), (1,))
        return is_row and length in (None, shape[-1])
    dims = told.dims or ()
    lengths = [dim.at(dict(sizes)).number for dim in dims][len(dims) - len(shape) :]
    return len(shape) <= len(dims) and all(
        n == 1 or length is None or n == length for n, length in zip(shape, lengths)
    )


def _settled(axes: list[Any], sizes: dict[str, int]) -> Iterator[Any]:
    """The axes whose sizes are made of others, once all that they are made of is known.

    A name that stands nowhere else is what its axis says: h where 4*h is 12. What
    is still open at the end, two such names in one size, is not checked.
    """
    left = list(axes)
    while left:
        known = [axis for axis in left if len(axis[3].at(sizes).names) <= 1]
        if not known:
            return
        for axis in known:
            size, length = axis[3].at(sizes), axis[4]
            for name in size.names:
                rest = Dim.of(length) - size.at({name: 0})
                slope = size.at({name: 1}) - size.at({name: 0})
                found = rest.divided_by(slope)
                if found is not None and found.number is not None:
                    sizes[name] = found.number
                else:
                    sizes[name] = -1  # no length gives this one
            yield axis
        left = [axis for axis in left if axis not in known]


def _arrays(value: object) -> Iterator[np.ndarray]:
    """The arrays in a value, those in containers too."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _arrays(item)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays(item)
    elif dataclasses.is_dataclass(value):
        for one in dataclasses.fields(value):
            yield from _arrays(getattr(value, one.name))


def _part(name: str, value: Any, path: tuple[Any, ...]) -> Any:
    """The part of an argument at a path. Raises GradgenError when there is none."""
    for i, (structure, key) in enumerate(path):
        is_field = structure.is_record or (
            structure.sort == "dict" and not isinstance(value, Mapping)
        )
        try:
            if (
                not is_field
                and not structure.keys
                and len(value) != len(structure.parts)
            ):
                raise IndexError
            value = getattr(value, key) if is_field else value[key]
        except (AttributeError, KeyError, IndexError, TypeError):
            raise GradgenError(
                "GG503",
                f"the argument {name} has not the structure of its fact: "
                f"no {path_text(name, path[: i + 1])}, or more than that",
                advice="the facts that hold",
            ) from None
    return value


def _is_sparse(value: object) -> bool:
    """Whether a value is one of scipy.sparse's, whose * and ** are not an array's."""
    return type(value).__module__.partition(".")[0] == "scipy" and hasattr(value, "nnz")
