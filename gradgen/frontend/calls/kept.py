"""Calls that stay calls: of functions that call themselves, and with --keep-calls."""

from __future__ import annotations

import functools
import types
from dataclasses import replace
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.calls.given_instances import INSTANCE, given_instance
from gradgen.frontend.calls.given_instances import is_as_given, texts_of
from gradgen.frontend.calls.given_instances import with_instances
from gradgen.frontend.control.module_names import bound_outside
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.callees import Unkept, numbers, plain
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import is_structure
from gradgen.frontend.source.lookup import among, part_of
from gradgen.frontend.source.source import Source
from gradgen.ir.callee import Callee
from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref
from gradgen.ir.operators import getitem
from gradgen.shapes.callees import described

# decorators that keep what a function has computed
CACHES = (functools.lru_cache, functools.cache)


def kept(
    lowering: Lowering, source: Source, bound: dict[str, Expr], node: Any
) -> Expr | None:
    """The handle of a call's result; None where it has to be written out.

    before:  y = power(x, 3) ** 2
    after:   power_value = kept(power, x, 3)
             y = power_value ** 2
    """
    body, problems, state = (
        len(lowering.body),
        len(lowering.problems),
        lowering.state.copy(),
    )
    try:
        return _kept(lowering, source, bound, node)
    except Unkept as reason:
        why = str(reason)
    except GradgenError as error:
        if lowering.callees.must_stay(source):
            lowering.problems.append(error)
            raise Refusal from None
        why = ""
    if lowering.callees.must_stay(source):
        lowering.fail(
            "GG250",
            f"{source.node.name} calls itself, when it ends is not known, and the "
            f"calls cannot stay calls: {why}",
            node,
            "a loop",
        )
    del lowering.body[body:], lowering.problems[problems:]
    lowering.state = state
    return None


def _kept(
    lowering: Lowering, source: Source, bound: dict[str, Expr], node: Any
) -> Expr:
    spec = source.node.args
    if spec.vararg is not None or spec.kwarg is not None:
        raise Unkept("it has starred parameters")
    if getattr(spec, "posonlyargs", []):
        raise Unkept("it has positional-only parameters")
    if _is_worth_its_cache(source):
        raise Unkept("what it has computed is kept in a cache")
    if bound_outside(lowering):
        raise Unkept("names of a module hold other values here")
    static: dict[str, Const] = {}
    handles: dict[str, Expr] = {}
    instances: dict[str, Expr] = {}
    # as the callee takes them, whatever the order of keywords in the call
    order = [arg.id for arg in (*spec.args, *spec.kwonlyargs)]
    for name, handle in sorted(bound.items(), key=lambda one: order.index(one[0])):
        own = given_instance(lowering, handle)
        if own is not None:
            instances[name] = handles[name] = own
        elif isinstance(handle, Const) and _is_static(lowering, handle):
            # written out: a name of the caller's module says nothing in the callee
            named = callable(handle.value)
            static[name] = handle if named else replace(handle, text=None)
        else:
            handles[name] = handle
    args = tuple(
        handle if name in instances else _handed_over(lowering, handle, node)
        for name, handle in handles.items()
    )
    facts = zip(handles, described(lowering.facts, args), strict=True)
    texts = tuple(INSTANCE if name in instances else text for name, text in facts)
    names = tuple(handles)
    if all((text or "").startswith(":") for text in texts):
        raise Unkept("it is given no number that could have a gradient")
    read = functools.partial(_read_callee, lowering, instances)
    callee = lowering.callees.found(source, static, names, texts, read)
    given = any(outcome.given for outcome in callee.outcomes)
    if given and not lowering.callees.must_stay(source):
        raise Unkept("it returns what it is given")  # inlined, it is known
    value = Apply("kept", (Const(callee), *args))
    lowering.context |= _context_of(lowering, callee)
    return _results_of(lowering, callee, value, list(handles.values()), node)


def _is_worth_its_cache(source: Source) -> bool:
    """Whether a function calls itself more than once, and a cache has its results.

    Other decorators are in the function that a call of it leads to, or change nothing.
    """
    called = [one.func for one in gast.walk(source.node) if isinstance(one, gast.Call)]
    names = [getattr(func, "id", getattr(func, "attr", "")) for func in called]
    every = (_named(source, one) for one in source.node.decorator_list)
    cached = any(among(one, CACHES) for one in every)
    return cached and names.count(source.node.name) > 1


def _named(source: Source, decorator: Any) -> Any:
    """What a decorator is by its name: functools.lru_cache of @lru_cache(maxsize=8)."""
    base = decorator.func if isinstance(decorator, gast.Call) else decorator
    if isinstance(base, gast.Attribute):
        module = source.globals.get(getattr(base.value, "id", ""))
        return part_of(module, base.attr, None)
    return source.globals.get(getattr(base, "id", ""))


def _is_static(lowering: Lowering, handle: Const) -> bool:
    """Whether an argument is known here and no number: a function, a string."""
    value = handle.value
    if callable(value) and not isinstance(value, (types.FunctionType, type(None))):
        raise Unkept("it is given a function that stands in another")
    if callable(value) and value.__closure__:
        raise Unkept("it is given a function that stands in another")
    return not isinstance(value, (int, float)) or isinstance(value, bool)


def _handed_over(lowering: Lowering, handle: Expr, node: Any) -> Expr:
    """The current value of an argument that is an array or a number."""
    if handle is REFUSED or isinstance(handle, Const):
        return lowering.current(handle, node)
    if not isinstance(handle, Ref) or is_structure(handle):
        raise Unkept("it is given a container")
    known = contents(lowering, handle)
    value = lowering.current(handle, node)
    if known is not None or lowering.facts.is_list(value) or not isinstance(value, Ref):
        raise Unkept("it is given a container")
    return value


def _read_callee(
    lowering: Lowering,
    instances: dict[str, Expr],
    callee: Callee,
    static: dict[Any, Any],
) -> tuple[Function, object]:
    """The function itself, read for arguments of its facts."""
    texts = {
        name: text
        for name, text in zip(callee.params, callee.texts)
        if text is not None and name not in instances
    }
    source = replace(plain(callee.source), described=False)
    if instances:
        source = with_instances(lowering, source, instances)
        texts |= texts_of(lowering, instances)
    inner = Lowering(source, lowering.supply, texts)
    inner.callees, inner.static = lowering.callees, static
    inner.outermost = lowering.outermost or lowering.root.source.node.name
    function = inner.lowered().told(dict(source.assumed))
    if not is_as_given(inner):
        raise Unkept("it changes what its instance holds")
    for var in inner.arguments:
        stored = inner.state.version(var) != Ref(var)
        if stored and var not in inner.memory.numbers:
            raise Unkept(f"it changes its argument {var.name}")
    return function, numbers(function.body, inner.memory.numbers)


def _context_of(lowering: Lowering, callee: Callee) -> dict[str, str]:
    """The lines of its module that a function needs."""
    function = callee.function
    lines = {} if function is None else dict(function.context)
    for name, line in lines.items():
        if lowering.context.get(name, line) != line:
            raise Unkept(f"its module has another {name}")
    return lines


def _results_of(
    lowering: Lowering, callee: Callee, value: Apply, handles: list[Any], node: Any
) -> Expr:
    """A handle for the result of a call, or a tuple of several."""
    made = lowering.emit(value, f"{callee.name}_value", node)
    if len(callee.outcomes) == 1:
        refs = [made]
    else:
        count = range(len(callee.outcomes))
        name = callee.name
        refs = [lowering.emit(getitem(made, i), f"{name}_{i}", node) for i in count]
    for ref, outcome in zip(refs, callee.outcomes, strict=True):
        if outcome.number:
            lowering.memory.numbers.add(ref.var)
            continue
        for place in outcome.shared:
            base = handles[place]
            if isinstance(base, Ref):
                lowering.memory.join(ref.var, lowering.memory.reach(base.var))
    return refs[0] if len(refs) == 1 else Apply("tuple", tuple(refs))


def through_itself(lowering: Lowering) -> Expr:
    """The result of a call of the function itself with its own parameters."""
    node = lowering.source.node
    names = [arg.id for arg in (*node.args.args, *node.args.kwonlyargs)]
    bound = {name: lowering.state.names[0, name] for name in names}
    value = kept(lowering, lowering.source, bound, node)
    assert value is not None  # one that must stay a call is never written out
    return value
