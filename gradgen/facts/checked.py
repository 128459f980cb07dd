"""What is assumed of arguments is looked at: a text raises where it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

import numpy

from gradgen.facts.assumed import Assumed
from gradgen.facts.compared import Compared
from gradgen.facts.fitting import ITS
from gradgen.facts.lengths import size_of
from gradgen.facts.required import asked_for_none
from gradgen.facts.rows_apart import rows_apart
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Function,
    Note,
    Ref,
    Role,
    Var,
)
from gradgen.ir.operators import call, getitem
from gradgen.shapes.shape import ShapeConflict
from gradgen.shapes.spec import FITS, read_size

# libraries with np.broadcast, which costs a quarter of np.broadcast_shapes
BROADCAST = ("numpy", "cupy")
# so long a message fits into a line of its own
LONGEST = 74
# an argument, and one of its axes; -1 of a whole number
Place = tuple[str, int]


def looked_at(
    primal: Function,
    found: tuple[Assumed, ...],
    shared: Collection[str] = (),
    library: str = "numpy",
    longer: Collection[str] = (),
    also: Compared = Compared(),
    told: Mapping[str, str] | None = None,
    sized: Mapping[str, str] | None = None,
) -> Function:
    """The function, which raises where an argument has another rank than is assumed.

    So it does where axes are not of one length that are taken for equal: those of the
    letters that are `shared`, with arguments whose axes are `told` as well, and of the
    whole numbers that are `sized`; and where one is 1 of the lengths that are to be
    `longer`; and where one of `also` is true.

    before:  return np.mean(r * r) + ridge * np.sum(w * w)
    after:   if np.ndim(ridge) != 0:
                 raise ValueError("ridge is taken for a number")
             return np.mean(r * r) + ridge * np.sum(w * w)
    """
    if not found and not also.tests:
        return primal
    by_name = {param.label: param.var for param in primal.params}
    may_be_none = asked_for_none(primal)
    given = {
        param.label
        for param in primal.params
        if param.default != "None"
        and param.var not in may_be_none
        and not param.in_arms
    }
    left_out = [one for one in found if one.name not in given]
    sure = tuple(one for one in found if one not in left_out)
    how = by_name, shared, library in BROADCAST, rows_apart(primal)
    asked = told or {}, sized or {}
    tests = [*also.tests, *_tests(sure, *how, longer, *asked)]
    ranked = tuple(one for one in sure if not one.fits)
    before = tuple(_tests(ranked, *how, (), *asked))
    letters = {x for one in ranked for x in one.length.split()}
    for one in left_out:  # looked at by itself, where it is given
        alike = one if one.fits else replace(one, fits=one.length, alike=True)
        if not one.fits and not all(_is_size(x, letters) for x in one.length.split()):
            alike = one  # of a length of its own
        more = [*_tests((*ranked, alike), *how, (), *asked)]
        differs = _any([test for test in more if test not in before])
        there = Ref(by_name[one.name]), Const(None)
        is_given = Apply("is_not", there, (), "operator")
        tests.append(Apply("and", (is_given, differs), (), "operator"))
    test = _any(tests)
    note = Note(Role.FORWARD)
    taken = ", ".join(f"{one.name} for {_called(one, shared)}" for one in found)
    first, _, rest = taken.partition(" for ")
    rest += "".join(f", {word} for more than 1" for word in longer)
    message = f"{first} is taken for {rest}"
    if len(message) > LONGEST or also.names:
        main = {one.main for one in found} - {"", *(one.name for one in found)}
        whole = [*also.names, *(f"{name} ({ITS})" for name in sorted(main))]
        message = f"expected {', '.join([*whole, *map(_expected, found)])}"
    args = Const(ValueError, "ValueError"), Const(message)
    fail = Branch(test, (Effect(Apply("raise", args), note),), (), (), note)
    named = {one.name for one in found}
    params = tuple(
        replace(param, assumed=True) if param.label in named else param
        for param in primal.params
    )
    return replace(primal, params=params, body=(fail, *primal.body))


def _called(one: Assumed, shared: Collection[str]) -> str:
    """A number; (n, m) of an array whose axes are those of others."""
    letters = one.length.split()
    counted = len(letters) > 1 and any(map(str.isdecimal, letters))
    if counted or shared and set(letters) & set(shared):
        return f"({', '.join(letters)})"
    return one.called


def _expected(one: Assumed) -> str:
    """X (n, d); params, a tuple, of a container."""
    if one.told:
        return f"{one.name}, {one.told}"
    within = FITS if one.fits and not (one.alike or one.is_row) else ""
    sort = " int" if one.whole else ""
    return f"{one.name} ({within}{', '.join((one.fits or one.length).split())}){sort}"


def _tests(
    found: tuple[Assumed, ...],
    by_name: Mapping[str, Var],
    shared: Collection[str],
    at_once: bool,
    apart: Collection[Var],
    longer: Collection[str],
    told: Mapping[str, str],
    sized: Mapping[str, str],
) -> Iterator[Expr]:
    """What is true where something that is assumed does not hold, in order.

    A whole number, or else the first array of a letter, tells its length; one of the
    same axes as another before it is held against that.
    """
    places: dict[str, Place] = {letter: (name, -1) for name, letter in sized.items()}
    alike: dict[tuple[str, ...], str] = {}
    largest = [one for one in found if one.fits]
    found = tuple(one for one in found if not one.fits)
    # of what others broadcast to, numbers are looked at where they are lengths of arrays
    shared = {
        *shared,
        *places,
        *(x for one in largest for x in one.fits.split() if x.isdecimal()),
    }
    lengths = *told.items(), *((one.name, one.length) for one in found)
    for name, fact in lengths:
        for axis, letter in enumerate(fact.split()):
            places.setdefault(letter, (name, axis))
    seen = {*told, *sized}

    def length(letter: str) -> Expr:
        if letter not in places:  # that of an argument which may be None
            raise ShapeConflict(f"the length {letter} is told by none that is given")
        name, axis = places[letter]
        return Ref(by_name[name]) if axis < 0 else length_of(Ref(by_name[name]), axis)

    for one in found:
        given, letters = Ref(by_name[one.name]), tuple(one.length.split())
        yield from _of_kind(one, given)
        if one.whole and one.name not in sized:  # a mask reads other places
            dtype = Apply("numpy.asarray", (given,))
            dtype = Apply("dtype", (dtype,), spelling="attribute:dtype")
            yield Apply("numpy.equal", (dtype, Const(bool, "bool")), (), "operator")
        held = [x for x in letters if x in shared and places[x][0] in seen]
        seen.add(one.name)
        twice = len(set(letters)) < len(letters) and bool(set(letters) & set(shared))
        shape = Apply("numpy.shape", (given,))
        is_held = all(x in shared or x.isdecimal() for x in letters)
        if len(letters) > 1 and letters in alike and is_held:
            yield _differ(shape, Apply("numpy.shape", (Ref(by_name[alike[letters]]),)))
            continue
        if len(letters) > 1:
            alike.setdefault(letters, one.name)
        if not all(map(_is_plain, letters)):
            yield from _of_rank(one, given, apart)
            for axis, letter in enumerate(() if one.is_counted else letters):
                first = _is_alone(letter) and places[letter] == (one.name, axis)
                is_told = letter in shared or letter.isdecimal()
                if is_told and _is_size(letter, places) and not first:
                    yield _differ(length_of(given, axis), _size(letter, length))
            continue
        if not held and not twice:
            yield from _of_rank(one, given, apart)
            continue
        if any(places[letter][0] == one.name for letter in letters):
            yield from _of_rank(one, given, apart)
            for axis, letter in enumerate(letters):
                if places[letter] != (one.name, axis):
                    yield _differ(length_of(given, axis), length(letter))
            continue
        yield _differ(shape, Apply("tuple", tuple(map(length, letters))))
    for word in longer:
        yield Apply("numpy.equal", (_size(word, length), Const(1)), (), "operator")
    arrays = {tuple(fact.split()): name for name, fact in reversed(lengths)}
    fitting: dict[tuple[str, ...], list[Ref]] = {}
    for one in largest:
        letters = tuple(one.fits.split())
        if one.is_row:
            size = _size(letters[-1], length)
            rows = Apply("tuple", (size,)), Apply("tuple", (Const(1), size))
            shape = Apply("numpy.shape", (Ref(by_name[one.name]),))
            yield Apply("not_in", (shape, Apply("tuple", rows)), (), "operator")
            continue
        if one.fits == ITS:
            arrays[letters] = one.main
        smaller = Ref(by_name[one.name])
        if one.alike and (one.main or letters in arrays):
            both = smaller, Ref(by_name[one.main or arrays[letters]])
            yield _differ(*(Apply("numpy.shape", (given,)) for given in both))
        elif one.alike:
            whole = Apply("tuple", tuple(_size(word, length) for word in letters))
            yield _differ(Apply("numpy.shape", (smaller,)), whole)
        else:
            fitting.setdefault(letters, []).append(smaller)
    for letters, others in fitting.items():
        like = Ref(by_name[arrays[letters]]) if letters in arrays else None
        if like is not None and at_once:
            made = Apply("numpy.broadcast", (like, *others))
            whole = Apply("numpy.shape", (made,), (), "attribute:shape")
            yield _differ(whole, Apply("numpy.shape", (like,)))
        else:
            base = (
                Apply("tuple", tuple(_size(word, length) for word in letters))
                if like is None
                else Apply("numpy.shape", (like,))
            )
            shapes = (Apply("numpy.shape", (given,)) for given in others)
            yield _differ(Apply("numpy.broadcast_shapes", (base, *shapes)), base)


def length_of(given: Expr, axis: int) -> Expr:
    """len(x), or np.shape(x)[1]."""
    if axis == 0:
        return Apply("len", (given,), (), "name:len")
    return getitem(Apply("numpy.shape", (given,)), axis)


def _size(word: str, length: Callable[[str], Expr]) -> Expr:
    """A length of others: n, 3, n - 2, 3 * k, or n - d + 1."""
    if word.isdecimal():
        return Const(int(word))
    size = read_size(word)
    if size is None or size.symbol is not None:
        return length(word)
    return size_of(size, length)


def _is_plain(letter: str) -> bool:
    return letter.isidentifier()


def _is_alone(letter: str) -> bool:
    """Whether a length is one letter, whatever it is called: neither 3 nor n - 2."""
    size = read_size(letter)
    return not letter.isdecimal() and (size is None or size.symbol is not None)


def _is_size(letter: str, known: Collection[str]) -> bool:
    """Whether a length is told by known letters: n, 3, or n-2."""
    size = read_size(letter)
    return size is not None and size.names <= set(known)


# what is told of a list, which no array may be that gets a gradient
A_LIST = "a list"
A_MASK = "a mask"
A_VECTOR = "a mask of one axis"
# what entries are read by, if it is no mask
PLACES = "an array of integers"


def _of_kind(one: Assumed, given: Ref) -> Iterator[Expr]:
    """Tests that an argument is no array, or is one."""
    kinds: tuple[Expr, Expr]
    if one.told in (A_MASK, A_VECTOR):
        dtype = Apply("dtype", (call("numpy.asarray", given),), (), "attribute:dtype")
        yield _differ(dtype, Const(bool, "bool"))
    elif one.told == PLACES:
        dtype = Apply("dtype", (call("numpy.asarray", given),), (), "attribute:dtype")
        yield Apply("numpy.equal", (dtype, Const(bool, "bool")), (), "operator")
    elif one.array and one.told == A_LIST:
        kinds = given, Const(numpy.ndarray, "np.ndarray")
        yield Apply("isinstance", kinds, (), "name:isinstance")
    elif one.array and one.rank < 0:
        kinds = given, Apply("tuple", (Const(list, "list"), Const(tuple, "tuple")))
        yield Apply("isinstance", kinds, (), "name:isinstance")
    elif one.array:
        kind = given, Const(numpy.ndarray, "np.ndarray")
        known = Apply("isinstance", kind, (), "name:isinstance")
        yield Apply("not", (known,), (), "operator")


def _of_rank(one: Assumed, given: Ref, apart: Collection[Var]) -> Iterator[Expr]:
    """Tests of an argument's rank; of an empty list whose items are taken apart none."""
    if one.is_counted:
        shape = Apply("numpy.shape", (given,))
        yield _differ(shape, Const((int(one.length),)))
    elif one.rank == 2 and given.var in apart:
        ranks = Apply("numpy.ndim", (given,)), Const(one.rank)
        yield Apply("numpy.greater", ranks, (), "operator")
    elif one.rank >= 0:
        yield _differ(Apply("numpy.ndim", (given,)), Const(one.rank))


def _any(tests: list[Expr]) -> Expr:
    return tests[0] if len(tests) == 1 else Apply("or", tuple(tests), (), "operator")


def _differ(one: Expr, other: Expr) -> Expr:
    return Apply("numpy.not_equal", (one, other), (), "operator")
