"""Whole numbers among the arguments that are lengths of arrays: np.zeros(n)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import replace

from gradgen.facts.compared import Compared, length_along
from gradgen.facts.lengths import size_of
from gradgen.ir.nodes import Apply, Expr, Function, Param, Ref, Var
from gradgen.ir.walk import lets
from gradgen.rules.load import operations
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.spec import read_size

WORD = re.compile(r"[A-Za-z_]\w*")


def whole_lengths(
    primal: Function, facts: Facts, told: Iterable[str] = ()
) -> dict[str, str]:
    """The arguments that arrays are made as long as, each with a letter for that length.

    What such an array meets is as long, where nothing else is known of it. The letter is
    none of the shapes that are `told`: n of --shape x=n may be another length.

    before:  h = np.zeros(hidden)
             for t in range(len(X)): h = np.tanh(X[t] + W @ h)    # W (n, d)
    after:   W (hidden, hidden)
    """
    of = {param.var: param for param in primal.params if _may_be_length(param)}
    untold = lengths_untold(primal)
    words = [*told]
    for given in primal.params:
        dims = facts.shapes[given.var].dims or ()
        words += [given.fact or "", given.annotation or "", *map(str, dims)]
    taken = set(WORD.findall(" ".join(words)))
    found: dict[str, str] = {}
    sizes = (one for let in lets(primal.body) for one in _lengths(let.value))
    for one in sizes:
        param = of.get(one.var)
        if param is None or not (facts.is_index(one) or one.var in untold):
            continue
        if param.label not in found:  # n of self.encoder and of self.decoder are two
            found[param.label] = _letter(param, primal, taken, found.values())
    return found


def _letter(
    param: Param, primal: Function, taken: Set[str], others: Collection[str]
) -> str:
    """What an argument is called, or by what its class calls such axes.

    Where the text can look at one of these; else it is another length.
    """
    own = param.label.rpartition(".")[2]
    if own not in others and next(_axes_of(own, primal), None) is not None:
        return own
    name = param.var.name
    while name in taken or name in others:
        name += "_"
    return name


def _may_be_length(param: Param) -> bool:
    return param.var.name.isidentifier() and param.default != "None"


def _lengths(value: Expr) -> Iterator[Ref]:
    """The variables that a new array is as long as: n and k of np.zeros((n, k))."""
    if not isinstance(value, Apply) or not value.args:
        return
    rule = operations().get(value.op)
    if rule is None or rule.kind != "creation":
        return
    first = value.args[0]
    several = isinstance(first, Apply) and first.op in ("tuple", "list")
    sizes = first.args if isinstance(first, Apply) and several else value.args[:1]
    yield from (one for one in sizes if isinstance(one, Ref))


def with_lengths(primal: Function, sized: Mapping[str, str]) -> Function:
    """The function, in which arguments are the lengths that these letters stand for."""
    if not sized:
        return primal
    params = tuple(
        replace(param, size=sized.get(param.label, "")) for param in primal.params
    )
    return replace(primal, params=params)


def as_long_as_told(
    also: Compared, primal: Function, sized: Mapping[str, str]
) -> Compared:
    """What is looked at besides: an array whose axes a class tells is as long.

    before:  self.W (n_hidden, n_in) of an __init__ that sets self.n_hidden as well
    after:   if len(self.W) != self.n_hidden: raise ValueError(...)
    """
    whole = {letter: label for label, letter in sized.items()}
    of = {param.label: param.var for param in primal.params}
    tests, names = [], []
    for letter in whole:
        found = next(_axes_of(letter, primal), None)
        if found is not None:
            param, axis, size = found
            long = size_of(size, lambda one: Ref(of[whole[one]]))
            both = length_along(param.var, axis), long
            tests.append(Apply("numpy.not_equal", both, (), "operator"))
            names.append(f"{param.label} ({', '.join((param.fact or '').split())})")
    every = (*also.tests, *tests), (*also.names, *dict.fromkeys(names))
    return Compared(*every) if tests else also


def _axes_of(letter: str, primal: Function) -> Iterator[tuple[Param, int, Dim]]:
    """The axes of arrays that a class tells of, and that are as long or a multiple."""
    for param in primal.params:
        told = "" if param.assumed or not param.bundle else param.fact or ""
        for axis, word in enumerate(told.split()):
            size = read_size(word)
            if size is not None and size.names == {letter}:
                yield param, axis, size


def lengths_untold(primal: Function) -> set[Var]:
    """The arguments that surely are lengths of new arrays, and so whole numbers.

    Not `shape` of np.zeros(shape), which may be several.
    """
    alone = {
        one.var
        for let in lets(primal.body)
        for one in _lengths(let.value)
        if not (_is_alone(let.value, one) and _are_several(one.var.name))
    }
    return {param.var for param in primal.params} & alone


def _are_several(name: str) -> bool:
    return name in ("size", "dims") or name.endswith("shape")


def _is_alone(value: Expr, one: Ref) -> bool:
    return isinstance(value, Apply) and value.args[0] == one
