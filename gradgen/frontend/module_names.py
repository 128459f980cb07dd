"""Names of a module that a function binds: global MODE; MODE = "strict".

What they hold is known while the text is made, and the text binds nothing: by the end
each has to hold what it held before. So it is with a mode that a with block sets.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import gast

from gradgen.frontend.fence import own_nodes, refused_statement
from gradgen.frontend.matching import Matching
from gradgen.frontend.memory import Key, Poison
from gradgen.frontend.names import NO_VALUE, is_plain, nonlocals
from gradgen.frontend.writer import REFUSED, Frame, Refusal
from gradgen.ir.nodes import Const, Expr

# calls have numbers from 0, modules from here downwards
FIRST = -1
# what is not known: a name that has no plain value before
UNKNOWN = Poison(
    "GG113", "what this name of a module holds is not known here", "a parameter"
)
ASSIGNED = (gast.Assign, gast.AnnAssign, gast.AugAssign)


class ModuleNames(Matching):
    """Reads and binds names of modules."""

    # how often one has been bound that nothing surely binds back where it is raised
    loose = 0

    if TYPE_CHECKING:

        def named(self, value: Expr, name: str, mark: int) -> Expr: ...

    def write_Global(self, node: gast.Global) -> None:
        """global MODE, of a name that plain assignments bind, or that is only read."""
        if set(node.names) & _bound_otherwise(self.frame.node.body):
            self.problems.append(refused_statement(self.source, node))

    def bind_name(self, target: gast.Name, value: Expr, mark: int) -> Expr:
        """Binds a name of the call, or of its module; the handle of what it is."""
        outer = self._outer_key(target.id)
        if outer is not None:
            self._bind_outer(outer, value, target)
            return value
        value = self.named(value, target.id.strip(), mark)
        number = self._binding(target.id)
        self.state.names[number, target.id] = value
        self.bound(number, target.id)
        return value

    def _binding(self, name: str) -> int:
        """The call whose name is bound; a walrus in a comprehension binds around it."""
        frame = self.frame
        while frame.parent and name not in frame.locals:
            if frame.note is None and name not in nonlocals(frame.node):
                break
            frame = frame.parent
        return frame.number

    def _outer_key(self, name: str) -> Key | None:
        """The place of a name that the call around declares global."""
        frame: Frame | None = self.frame
        while frame is not None and name not in frame.locals:
            if name in frame.shared:
                table = frame.source.globals
                found = self._place_of(table, name)
                if found is None:
                    self.callees.binds(table, name)
                return found
            frame = frame.parent
        return None

    def _place_of(self, table: dict[str, Any], name: str) -> Key | None:
        for place, (known, own) in enumerate(self.callees.outer):
            if own == name and known is table:
                return FIRST - place, name
        return None

    def hold_outer(self) -> None:
        """Notes what the names that functions bind hold before the call."""
        for place, (table, name) in enumerate(self.callees.outer):
            value = table.get(name, NO_VALUE)
            known = Const(value) if is_plain(value) else UNKNOWN
            self.state.names[FIRST - place, name] = known

    def _bind_outer(self, key: Key, value: Expr, node: gast.AST) -> None:
        """Binds a name of a module.

        before:  global MODE              after:  nothing, and MODE is "strict"
                 MODE = "strict"                  where it is read from here on
        """
        name = key[1]
        if value is REFUSED:
            self.state.names[key] = REFUSED
            return
        self.loose += 1
        plain = self.value_known(value)
        if not is_plain(plain):
            self.fail(
                "GG113",
                f"a global statement for {name}, whose value is not known here, is not "
                "supported",
                node,
                f"{name} as a parameter",
            )
        self.state.names[key] = Const(plain)

    def bound_outside(self) -> list[str]:
        """The names of modules that hold something else by now than before the call."""
        found = []
        for place, (table, name) in enumerate(self.callees.outer):
            now = self.state.names.get((FIRST - place, name), UNKNOWN)
            if not _is_same(getattr(now, "value", NO_VALUE), table.get(name)):
                found.append(name)
        return found

    def refuse_bound(self) -> None:
        """Refuses a function that leaves a name of a module bound to another value."""
        for name in self.bound_outside():
            self.problem(
                "GG113",
                f"a global statement for {name}, which holds another value by the end, "
                "is not supported",
                self.source.node,
                f"{name} as a result, or as a parameter",
            )

    # reading

    def name(self, node: gast.Name) -> Expr:
        known = self._outer(node.id)
        return super().name(node) if known is None else self._said(known, node)

    def resolve(self, node: gast.AST) -> Any:
        """The Python object of a dotted name, also of one that is bound anew."""
        if isinstance(node, gast.Name):
            known = self._outer(node.id)
        else:
            known = self._of_module(node)
        if known is not None:
            return getattr(self._said(known, node), "value", NO_VALUE)
        return super().resolve(node)

    def constant_of(self, node: gast.Attribute) -> Expr | None:
        known = self._of_module(node)
        return super().constant_of(node) if known is None else self._said(known, node)

    def _outer(self, name: str) -> Expr | None:
        if not self.callees.outer or self.is_local(name) or name in self.source.closure:
            return None
        return self._bound_to(self.source.globals, name)

    def _bound_to(self, table: dict[str, Any], name: str) -> Expr | None:
        """What a name of a module holds, where some function binds it."""
        key = self._place_of(table, name)
        return None if key is None else self.state.names.get(key, UNKNOWN)

    def _of_module(self, node: gast.AST) -> Expr | None:
        """The same of module.NAME."""
        if not isinstance(node, gast.Attribute) or not self.callees.outer:
            return None
        base = self.resolve(node.value)
        if not isinstance(base, types.ModuleType):
            return None
        return self._bound_to(vars(base), node.attr)

    def _said(self, known: Expr, node: gast.AST) -> Expr:
        """What a name of a module holds; refused where it depends on a branch."""
        if isinstance(known, Const) and known is not REFUSED:
            return known
        if known is REFUSED:
            raise Refusal
        word = "what this name of a module holds is not known here"
        if isinstance(known, Poison):
            word = known.message
        self.fail("GG113", word, node, "a parameter")


def _bound_otherwise(body: list[Any]) -> set[str]:
    """The names that statements bind in another way than by name = value."""
    plain: set[int] = set()
    found: set[str] = set()
    for one in own_nodes(body):
        if isinstance(one, ASSIGNED):
            targets = getattr(one, "targets", None) or [one.target]
            plain |= {id(target) for target in targets}
    for one in own_nodes(body):
        if isinstance(one, gast.Name):
            if not isinstance(one.ctx, gast.Load) and id(one) not in plain:
                found.add(one.id)
        elif isinstance(one, (gast.Import, gast.ImportFrom)):
            words = (alias.asname or alias.name for alias in one.names)
            found |= {word.partition(".")[0] for word in words}
        elif isinstance(getattr(one, "name", None), str):
            found.add(one.name)  # a def, a class, a pattern
    return found


def _is_same(value: Any, before: Any) -> bool:
    """Whether two plain values are alike, as far as a function can tell."""
    if not is_plain(before) or type(value) is not type(before):
        return False
    return repr(value) == repr(before)
