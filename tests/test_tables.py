"""Tables of operation names outside of the rules: fewer each time, and none at the end.

What an operation does is said by its rule, and asked of it (`rules/traits.py`). A set,
a tuple or a table of names is a second place, which drifts apart from the first.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "gradgen"
AT_HOME = ("rules/", "target/", "backport/", "ir/operators.py")
# How many each file has; a number may only become smaller.
CEILING = {
    "derive/batch.py": 1,
    "derive/integers.py": 1,
    "derive/shifts.py": 1,
    "facts/matrices.py": 2,
    "frontend/language/conditions.py": 1,
    "frontend/lowering/contiguous.py": 1,
    "frontend/control/decisions.py": 1,
    "frontend/calls/outs.py": 1,
    "frontend/lowering/recursion.py": 1,
    "frontend/lowering/sharing.py": 4,
    "frontend/language/stores.py": 2,
    "guard/factors.py": 3,
    "guard/given.py": 2,
    "guard/nonzero.py": 3,
    "guard/positions.py": 3,
    "guard/selecting.py": 1,
    "ir/boxes.py": 1,
    "ir/liveness.py": 1,
    "ir/sharing.py": 4,
    "ir/temporaries.py": 2,
    "shapes/complexes.py": 2,
    "shapes/indexing.py": 1,
    "shapes/kinds.py": 3,
    "simplify/again.py": 1,
    "simplify/cached.py": 1,
    "simplify/masks_ahead.py": 2,
    "simplify/recompute.py": 1,
    "simplify/stable.py": 2,
    "simplify/stretch.py": 1,
    "simplify/ties.py": 2,
}


def is_name(node: ast.expr | None) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("numpy.")
    )


def tables(node: ast.AST) -> Iterator[ast.AST]:
    """The collections of two or more names, and words that a comprehension names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Set, ast.Tuple, ast.List, ast.Dict)):
            keys = child.keys if isinstance(child, ast.Dict) else child.elts
            if sum(map(is_name, keys)) >= 2:
                yield child
                continue
        if isinstance(child, (ast.SetComp, ast.DictComp, ast.ListComp)):
            key = child.key if isinstance(child, ast.DictComp) else child.elt
            first = key.values[0] if isinstance(key, ast.JoinedStr) else None
            if first is not None and is_name(first):
                yield child
                continue
        yield from tables(child)


@cache
def counted() -> dict[str, int]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(AT_HOME):
            text = path.read_text(encoding="utf-8")
            if re.search(r"[\"']numpy\.", text):  # else it has no name of an operation
                found[name] = len(list(tables(ast.parse(text))))
    return {name: count for name, count in found.items() if count}


def test_no_file_has_more_tables_than_before():
    found = counted()
    more = {name: n for name, n in found.items() if n > CEILING.get(name, 0)}
    assert not more, f"ask the rule of the operation (rules/traits.py): {more}"


def test_a_table_that_is_gone_is_off_the_list():
    found = counted()
    fewer = {name: n for name, n in CEILING.items() if n > found.get(name, 0)}
    assert not fewer, f"lower the ceiling of {fewer}"


def test_tables_are_found():
    def count(text: str) -> int:
        return len(list(tables(ast.parse(text))))

    assert count('VIEWS = {"numpy.transpose", "numpy.ravel"}') == 1
    assert count('x = op in ("numpy.sum", "numpy.mean")') == 1
    assert count('X = {f"numpy.{n}" for n in "sum mean".split()}') == 1
    assert count('X = {"numpy.sum": f, "numpy.mean": g}') == 1
    assert count('x = op == "numpy.sum"') == 0
