"""An item of a nest from an expression, and names for what stands before it."""

from __future__ import annotations


from gradgen.frozen import dataclass
from gradgen.ir.liveness import Liveness
from gradgen.ir.nodes import Apply, Expr, Let, Note, Origin, Ref, Supply, Var
from gradgen.ir.temporaries import temporary_name
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.target.numba_scalars import Entries, NotScalar
from gradgen.target.numba_tokens import Item


@dataclass
class Making:
    """What items are made with; `index` are the variables of the loops."""

    facts: Facts
    supply: Supply
    live: Liveness
    index: tuple[Var, ...]
    note: Note | None = None

    def entries(self) -> tuple[Entries, list[Let]]:
        before: list[Let] = []

        def hoist(expr: Expr) -> Expr:
            return self.named(expr, before)

        return Entries(self.facts, hoist, hoist), before

    def named(self, expr: Expr, before: list[Let]) -> Expr:
        """A name for what is computed before the nest."""
        for let in before:
            if let.value == expr:
                return Ref(let.var)
        assert isinstance(expr, Apply) and self.note is not None
        var = self.supply.var(temporary_name(expr, ""), Origin.TEMP)
        self.facts.shapes[var] = self.facts.of(expr)
        self.facts.kinds[var] = self.facts.kind(expr)
        before.append(Let(var, expr, self.note))
        return Ref(var)

    def places(self, rank: int) -> tuple[Expr, ...]:
        """i, j of a nest so deep."""
        return tuple(Ref(var) for var in self.index[:rank])

    def item(
        self,
        kind: str,
        value: Expr,
        dims: tuple[Dim, ...],
        of: Var,
        base: Var | None,
        place: tuple[Expr, ...],
        entries: tuple[Entries, list[Let]] | None = None,
    ) -> Item:
        if len(dims) > len(self.index):
            raise NotScalar
        writer, before = entries or self.entries()
        scalar = writer.of(value, self.places(len(dims)), dims)
        assert self.note is not None
        return Item(
            kind,
            dims,
            of,
            base,
            place,
            scalar,
            self.note,
            tuple(writer.read),
            tuple(before),
        )
