"""What a function hands out: the leaves of its result, and arrays it leaves changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from gradgen.frontend.effects import Effects
from gradgen.frontend.fence import changed_arguments, own_nodes
from gradgen.frontend.jumps import FALSE, RESULT, TRUE
from gradgen.frontend.memory import Record, is_structure
from gradgen.frontend.records import unlike_its_fields
from gradgen.frontend.named import did_you_mean
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Const, Expr, Let, Origin, Ref, Var
from gradgen.ir.structure import LEAF, Structure
from gradgen.quoting import is_name


class Results(Effects):
    """Reads what is left when the function ends."""

    of: tuple[str, ...] = ()
    aux: bool = False

    def results(self) -> tuple[tuple[Expr, ...], Structure]:
        """The leaves of the result in order, and their nesting."""
        named: list[tuple[Expr, str]] = []
        structure = None
        value = self._returned()
        if value is not REFUSED and value is not None:
            structure = self._flatten(value, "", named)
        parts = [] if structure is None else [structure]
        for name in self.of:
            named.append((self._left_in(name), name))
            parts.append(LEAF)
        if not parts:
            return (), LEAF
        structure = parts[0] if len(parts) == 1 else Structure("tuple", tuple(parts))
        seen: set[Var] = set()
        several = len(named) > 1
        leaves = tuple(
            self._leaf(leaf, name if several else name or "out", i, seen)
            for i, (leaf, name) in enumerate(named)
        )
        return leaves, structure

    def _returned(self) -> Expr | None:
        """What the return statements give; None where there are none to be read."""
        nodes = own_nodes(self.source.node.body)
        returns = [n for n in nodes if isinstance(n, gast.Return)]
        if self.of and all(r.value is None for r in returns):
            return None
        if self.gone() == FALSE:
            self._no_result()
            return REFUSED
        if self.gone() != TRUE and not _never_ends(self.source.node.body[-1]):
            self._no_result()
        value = self.flag(RESULT)
        return REFUSED if value == FALSE else value

    def _no_result(self) -> None:
        returns = [n for n in gast.walk(self.source.node) if isinstance(n, gast.Return)]
        if any(r.value is not None for r in returns):
            self.problem(
                "GG111",
                f"{self.source.node.name} returns nothing on some path",
                self.source.node.body[-1],
                "return result, as the last statement",
            )

    def _flatten(self, value: Expr, name: str, found: list[Any]) -> Structure:
        """The nesting of a handle; adds its leaves, each with the name it wishes for."""
        known = self.contents(value)
        if known is None:
            count = self.facts.several(value) if isinstance(value, Ref) else None
            if not count:
                found.append((value, name))
                return LEAF
            items = tuple(self.item(value, Const(i), None) for i in range(count))
            return Structure("tuple", tuple(self._flatten(i, "", found) for i in items))
        if known.op == "slice":
            self.problem(
                "GG117",
                "a slice as result is not supported",
                self.source.node.body[-1],
                "a tuple, a list or a dict of its parts",
            )
            return LEAF
        keys = tuple(k.value for _, k in known.kwargs)
        names = [k if is_name(k) else "" for k in keys]
        names = names or [""] * len(known.args)
        pairs = zip(known.args, names, strict=True)
        parts = tuple(self._flatten(arg, word, found) for arg, word in pairs)
        if not isinstance(known, Record):
            return Structure(known.op, parts, keys)
        name = self._imported(known.cls)
        return Structure(known.op, parts, keys, name, cls=known.cls)

    def _imported(self, cls: type) -> str:
        """The name of a record's class in the text, which imports it where it is read."""
        return self.imported_class(cls, self.source.node.body[-1])

    def imported_class(self, cls: type, last: gast.AST) -> str:
        """The name of a class in the text, told at a node where it can have none."""
        name = cls.__name__
        reason = unlike_its_fields(cls)
        if reason:
            self.problem("GG246", f"{name} {reason}", last, "a tuple, or a dict")
        elif "." in cls.__qualname__:
            self.problem(
                "GG247",
                f"the class {name} stands inside another def, where no text finds it",
                last,
                f"{name} at the top of its module",
            )
        line = self.importing(cls.__module__, last, name)
        if name in self.root.locals or self.context.setdefault(name, line) != line:
            self.problem(
                "GG217",
                f"{name} is a class that the gradient imports, and another name here",
                last,
                f"another name for the other {name}",
            )
        return name

    def _leaf(self, handle: Expr, name: str, number: int, seen: set[Var]) -> Expr:
        """One leaf: a variable of its own, or a constant that is no number."""
        try:
            value = self.current(handle)
        except Refusal:
            return REFUSED
        plain = getattr(value, "value", None)
        if callable(plain) or is_structure(value):
            self.problem(
                "GG501",
                f"the result of {self.source.node.name} is a function, which has no "
                "gradient",
                self.source.node.body[-1],
                "a result computed in floating point",
            )
            return REFUSED
        if isinstance(value, Const) and type(plain) not in (int, float):
            return value
        wished = name or self._numbered(number)
        if isinstance(value, Ref):
            var = self.renamed.get(value.var.id, value.var)
            if var.origin is Origin.USER and var not in seen:
                seen.add(var)
                # a name that this function gives: none of what it calls, or of sum()
                own = var.name in self.root.locals or var.name.startswith(wished)
                if var.name == "out" and wished != "out" or not own:
                    var = self.wish(var, wished).var
                return Ref(var)
            value = Ref(var)
        var = self.supply.var(wished, Origin.USER)
        self.body.append(Let(var, value, self.note))
        return Ref(var)

    def _left_in(self, name: str) -> Expr:
        """What the function leaves in an array argument."""
        params = {var.name: var for var in self.arguments}
        var = params.get(name)
        if var is None:
            self.problem(
                "GG002",
                f"--of names {name}, which is no array argument of "
                f"{self.source.node.name}",
                None,
                did_you_mean(name, list(params)),
            )
            return REFUSED
        version = self.state.version(var)
        if version == Ref(var) or var in self.memory.numbers:
            changed = changed_arguments(self.source)
            self.problem(
                "GG029",
                f"{self.source.node.name} does not change its argument {name}",
                None,
                f"--of {','.join(changed)}" if changed else "no --of",
            )
            return REFUSED
        return Ref(var)

    def _numbered(self, number: int) -> str:
        return "out" if self.aux and not number else f"out_{number}"

    def wish_for_results(self, value: Expr, mark: int) -> None:
        """The names out, out_0, out_1 for what a return statement computes."""
        known = self.contents(value)
        leaves = list(self._own_leaves(value, mark, ""))
        if known is None:
            if leaves[0][0] is not None:
                self.wish(leaves[0][0], "out")
            return
        for i, (var, name) in enumerate(leaves):
            if var is not None:
                self.wish(var, name or self._numbered(i))

    def _own_leaves(
        self, value: Expr, mark: int, name: str
    ) -> Iterator[tuple[Any, ...]]:
        known = self.contents(value)
        if known is not None:
            keys = [getattr(k, "value", "") for _, k in known.kwargs]
            keys = [k if is_name(k) else "" for k in keys]
            for arg, word in zip(known.args, keys or [""] * len(known.args)):
                yield from self._own_leaves(arg, mark, word)
        else:
            own = isinstance(value, Ref) and self._is_own(value, mark)
            yield (value.var if own else None), name

    def _is_own(self, value: Ref, mark: int) -> bool:
        """Whether a variable was made by this statement and has no name yet."""
        var = self.renamed.get(value.var.id, value.var)
        return var.id > mark and var.origin is Origin.TEMP


def _never_ends(node: gast.AST) -> bool:
    """Whether a statement is a loop that only a return leaves."""
    if not isinstance(node, gast.While) or not isinstance(node.test, gast.Constant):
        return False
    return bool(node.test.value) and not any(map(_breaks, node.body))


def _breaks(node: gast.AST) -> bool:
    """Whether a statement may leave the loop that it stands in."""
    if isinstance(node, gast.Break):
        return True
    if isinstance(node, (gast.For, gast.While)):
        return any(map(_breaks, node.orelse))
    return any(map(_breaks, gast.iter_child_nodes(node)))
