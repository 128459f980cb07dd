"""The shapes of the values in a line, which the page shows where it is pointed at."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gradgen.explain.account import Account
from gradgen.explain.colours import words
from gradgen.explain.originals import Original
from gradgen.explain.record import Recorded
from gradgen.ir.nodes import Function, Origin, Var
from gradgen.ir.walk import all_defined, defined, statements
from gradgen.shapes.display import letters_of, show_shape
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

Sizes = Mapping[str, tuple[str, ...]]


def of_originals(account: Account) -> dict[Original, Sizes]:
    """For each original the shapes of its names; a name may have several in turn."""
    found: dict[Original, dict[str, dict[str, None]]] = {}
    if account.record.read is None:
        return {}
    function, facts = account.record.read
    letters = letters_of(function, facts)
    own = found.setdefault(account.originals.all[0], {})
    for param in function.params:
        _add(own, param.var.name, param.var, facts, letters)
    for stmt in statements(function.body):
        for line in stmt.note.lines:
            home = account.originals.places.get((line.number, line.text))
            if home is None:
                continue
            names = found.setdefault(home, {})
            for var in defined(stmt):
                if var.origin is Origin.USER:
                    _add(names, var.name, var, facts, letters)
    return {home: _settled(names) for home, names in found.items()}


def of_text(account: Account) -> dict[int, Sizes]:
    """For each line of the text, from 1, the shapes of the names in its function."""
    tree = ast.parse(account.emitted.text)
    by_name = {one.rendered.name: one for one in account.functions}
    found: dict[int, Sizes] = {}
    for node in tree.body:
        recorded = by_name.get(getattr(node, "name", ""))
        if recorded is not None and recorded.rendered.function is not None:
            sizes = _of_function(recorded, recorded.rendered.function)
            rows = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            found.update(dict.fromkeys(rows, sizes))
    return found


def told(text: str, sizes: Mapping[int, Sizes]) -> list[str]:
    """For each line of a text what is told of its names: "h (n, m), X (n, d)"."""
    lines = []
    for number, names in enumerate(words(text), start=1):
        known = sizes.get(number, {})
        shown = [
            f"{name} {' or '.join(known[name])}" for name in names if name in known
        ]
        lines.append(", ".join(dict.fromkeys(shown)))
    return lines


def _of_function(recorded: Recorded, function: Function) -> Sizes:
    found: dict[str, dict[str, None]] = {}
    letters = letters_of(function, recorded.facts)
    for var in _variables(function):
        name = recorded.rendered.names.get(var)
        if name is not None:
            _add(found, name, var, recorded.facts, letters)
    return _settled(found)


def _variables(function: Function) -> Iterator[Var]:
    yield from (param.var for param in function.params)
    yield from function.seeds
    yield from all_defined(function.body)


def _add(
    found: dict[str, dict[str, None]],
    name: str,
    var: Var,
    facts: Facts,
    letters: dict[str, str],
) -> None:
    shape = facts.shapes.get(var)
    # a callback, a string or None has no shape to tell of
    if shape is not None and facts.kinds.get(var) is not Kind.OTHER:
        found.setdefault(name, {})[show_shape(shape, letters)] = None


def _settled(found: dict[str, dict[str, None]]) -> Sizes:
    return {name: tuple(shapes) for name, shapes in found.items()}
