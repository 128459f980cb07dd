"""A try block whose handler computes something else: a branch at run time.

The text keeps the try, with a name that tells whether its body ended; the gradient asks
that name which arm was taken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast
import numpy

from gradgen.frontend.jumps import FALSE, TRUE
from gradgen.frontend.memory import Poison
from gradgen.frontend.names import assigned
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Branch, Const, Ref
from gradgen.rules.load import operation_of

if TYPE_CHECKING:
    from gradgen.frontend.matching import Matching

# what a text raises wherever the function does, by a routine that both call
CHECKED = "checked "  # a name that no user can have
CAUGHT: dict[type, str] = {numpy.linalg.LinAlgError: "np.linalg.LinAlgError"}


def is_fallback(node: gast.Try, caught: list[Any], kinds: tuple[type, ...]) -> bool:
    """Whether a try block has one handler that goes on, of what a text raises too."""
    return len(caught) == 1 and bool(kinds) and all(one in CAUGHT for one in kinds)


def fall_back(writer: Matching, node: gast.Try, handler: Any, kinds: Any) -> None:
    """Writes a try block with a handler that computes something else.

    before:  try:                                after:  try:
                 y = np.linalg.inv(A)                        y = np.linalg.inv(A)
             except np.linalg.LinAlgError:                   went = True
                 y = np.linalg.pinv(A)                   except np.linalg.LinAlgError:
                                                             y = np.linalg.pinv(A)
                                                             went = False
    """
    writer.start(node, "", "try:")
    note = writer.note
    before, mark = writer.state, writer.mark()
    key = writer.frame.number, f"%went.{mark}"
    unsure = _bound_again(writer, node)

    def tried() -> None:
        writer.block([_asked(writer, one) for one in node.body])
        writer.state.names[key] = TRUE

    def handled() -> None:
        for name in unsure:
            gone = f"{name} is read where the try block may have bound it anew"
            poison = Poison("GG113", gone, f"another name for {name} in the try block")
            writer.state.names[writer.frame.number, name] = poison
        if handler.name:
            writer.state.names[writer.frame.number, handler.name.id] = REFUSED
        writer.block(handler.body)
        writer.state.names[key] = FALSE

    then, orelse = writer.arm(before, tried), writer.arm(before, handled)
    if any(
        then.state.version(one) != before.version(one)
        for one in then.state.versions
        if one.id < mark
    ):
        writer.fail(
            "GG113",
            "a try block that stores before it may raise is not supported",
            node,
            "the new values under a name of their own, stored behind the try",
        )
    place = len(writer.body)
    test = Apply("try", tuple(Const(one, CAUGHT[one]) for one in kinds))
    writer.close(test, then, orelse, mark, note)
    flag = writer.state.names.pop(key, None)
    branch = writer.body[place]
    if not isinstance(branch, Branch) or not isinstance(flag, Ref):
        writer.fail(
            "GG113",
            "a try block after which a name has a value on one way alone is not "
            "supported",
            node,
            "a value for each name before the try",
        )
    own = [merge for merge in branch.merges if merge.var == flag.var]
    others = [merge for merge in branch.merges if merge.var != flag.var]
    writer.body[place] = replace(branch, merges=(*own, *others))
    if node.orelse:
        _otherwise(writer, node, flag)


def _asked(writer: Matching, node: gast.AST) -> gast.AST:
    """A call that stands for what it raises as an assignment.

    before:  np.linalg.cholesky(A)         after:  checked = np.linalg.cholesky(A)
    """
    call = node.value if isinstance(node, gast.Expr) else None
    if not isinstance(call, gast.Call) or any(k.arg == "out" for k in call.keywords):
        return node
    if id(writer.resolve(call.func)) not in operation_of():
        return node
    target = gast.copy_location(gast.Name(CHECKED, gast.Store(), None, None), node)
    made = gast.Assign(targets=[target], value=call)
    return gast.copy_location(made, node)


def _otherwise(writer: Matching, node: gast.Try, flag: Ref) -> None:
    """The statements behind else: where the body has ended."""
    note, before, mark = writer.note, writer.state, writer.mark()
    then = writer.arm(before, lambda: writer.block(node.orelse))
    orelse = writer.arm(before, lambda: None)
    writer.close(flag, then, orelse, mark, note)


def _bound_again(writer: Matching, node: gast.Try) -> list[str]:
    """The names that a body may have bound anew before it raises.

    Calls raise; what stands behind the last of them does not.
    """
    places = [i for i, one in enumerate(node.body) if _may_raise(one)]
    last = places[-1] if places else 0
    whole = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Return, gast.Expr)
    behind = last if isinstance(node.body[last], whole) else last + 1
    names = assigned(node.body[:behind])
    return [name for name in names if writer.lookup(name) is not None]


def _may_raise(node: gast.AST) -> bool:
    kinds = gast.Call, gast.Raise, gast.Attribute, gast.Subscript
    return any(isinstance(one, kinds) for one in gast.walk(node))
