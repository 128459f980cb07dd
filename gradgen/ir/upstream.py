"""What a value is computed of: a walk along use-def chains, each variable once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from gradgen.ir.nodes import Apply, Expr, Ref, Var

Through = Callable[[Apply], Iterable[Expr] | None]


def upstream(
    value: Expr, definitions: Mapping[Var, Expr], through: Through
) -> Iterator[Expr]:
    """The ends of what a value is computed of, in reading order.

    `through` gives the operands of an operation that the walk goes on with; None ends it
    there. A variable is yielded as it is read, not as it is computed.

    before:  h = a * b; y = h + h @ c        # through products of entries and sums
    after:   a, b, h @ c

    Each variable is visited once, however often it is read, and nothing recurses: in
    `h = h * h` of sixty lines there are 2 ** 60 ways to the first h.
    """
    seen: set[Var] = set()
    stack = [value]
    while stack:
        one = stack.pop()
        made: Expr | None = one
        if isinstance(one, Ref):
            if one.var in seen:
                continue
            seen.add(one.var)
            made = definitions.get(one.var)
            if isinstance(made, Ref):
                stack.append(made)
                continue
        onward = through(made) if isinstance(made, Apply) else None
        if onward is None:
            yield one
        else:
            stack += reversed(tuple(onward))
