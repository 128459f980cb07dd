"""Where torch has NumPy's words and gives other values: dtypes, memory, keys.

Each was seen with torch 2.13: it makes float32 of integers and of Python numbers where
NumPy makes float64, copies entry by entry within the same memory, and takes the numbers
of a key before its arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Let, Param, Ref
from gradgen.ir.operators import STORES
from gradgen.ir.sharing import Sharing, shared_with
from gradgen.ir.walk import rewrite, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.host import Host, array_like

DOUBLE = Const("float64", "np.float64")
# these are told their dtype in words of their own, or make none
TOLD = tuple(
    f"numpy.{name}"
    for name in (
        "arange array asarray astype empty eye full full_like identity linspace ones "
        "ones_like size zeros zeros_like"
    ).split()
)
# what makes an array of nothing but numbers: torch makes it on the host
MAKING = tuple(f"numpy.{name}" for name in "arange eye ones tensor zeros".split())
# of integers these give floating numbers, and so do those that are not listed below
MEANS = ("numpy.mean", "numpy.std", "numpy.var")
# of integers these give integers: of two, and of one
OF_TWO = tuple(
    f"numpy.{name}"
    for name in (
        "add floor_divide maximum minimum multiply outer remainder subtract"
    ).split()
)
OF_ONE = tuple(
    f"numpy.{name}"
    for name in (
        "abs arange array broadcast_to concatenate copy cumsum expand_dims flip "
        "negative prod ravel repeat reshape roll squeeze stack sum swapaxes tile transpose"
    ).split()
)


class TorchValues:
    """Writes out what NumPy does by itself, or refuses it."""

    def __init__(
        self, facts: Facts, host: Host, sharing: Sharing, params: Iterable[Param]
    ):
        self.facts, self.host, self.sharing = facts, host, sharing
        self.beside = _array_of(params, facts)

    def changed(self, expr: Expr) -> Expr:
        """An expression with its dtypes as NumPy's."""
        for part in subexpressions(expr):
            if getattr(part, "op", "") == "numpy.array" and len(part.args) > 1:
                return expr  # np.array(list, x.dtype), made of the primal's arrays
        return rewrite(expr, self._in_double)

    def placed(self, node: Expr) -> Expr:
        """What is made of numbers, where the arguments are: on a GPU, or not.

        before:  torch.zeros(n, dtype=torch.float64)
        after:   torch.zeros(n, dtype=torch.float64, device=x.device)
        """
        if self.beside is None or not isinstance(node, Apply) or node.op not in MAKING:
            return node
        if "device" in dict(node.kwargs):
            return node
        device = Apply("device", (self.beside,), spelling="attribute:device")
        return replace(node, kwargs=(*node.kwargs, ("device", device)))

    def _in_double(self, node: Expr) -> Expr:
        """An operation on integers that gives floating numbers, as float64.

        before:  np.arange(n) / n
        after:   np.arange(n).astype(np.float64) / n
        """
        if not isinstance(node, Apply) or not node.op.startswith("numpy."):
            return node
        if node.op in TOLD:
            return node
        if node.op == "numpy.where" and len(node.args) == 3:
            return self._chosen(node)
        floating = self.facts.kind(node) > Kind.INTEGER or node.op in MEANS
        if not floating or self._is_whole(node):
            return node
        if not all(map(self._has_no_width, node.args)):
            return node
        return replace(node, args=tuple(map(self._double, node.args)))

    def _double(self, arg: Expr) -> Expr:
        if not self._is_whole(arg) or not self.host.is_array(arg):
            return arg
        return Apply("numpy.astype", (arg, DOUBLE), spelling="method:astype")

    def _has_no_width(self, arg: Expr) -> bool:
        """Whether an operand leaves torch to choose: a Python number, or integers."""
        return self.facts.kind(arg) <= Kind.WEAK or self._is_whole(arg)

    def _is_whole(self, expr: Expr) -> bool:
        """Whether a value is an integer, or an array of them."""
        if isinstance(expr, Apply) and "dtype" in dict(expr.kwargs):
            return False
        if isinstance(expr, Ref):
            made = self.facts.definitions.get(expr.var)
            if made is not None and self._is_whole(made):
                return True
        elif isinstance(expr, Apply):
            if expr.op in ("list", "tuple", *OF_TWO):
                return all(map(self._is_whole, expr.args))
            if expr.op in ("getitem", *OF_ONE) and self._is_whole(expr.args[0]):
                return True
            if expr.op in MEANS:
                return False
        return self.facts.kind(expr) in (Kind.BOOLEAN, *INTEGRAL)

    def _chosen(self, node: Apply) -> Expr:
        """np.where(c, 0.1, 0.3), of which torch makes float32."""
        condition, x, y = node.args
        if not all(map(self._has_no_width, (x, y))):
            return node
        if self._is_whole(x) and self._is_whole(y):
            return node
        if self.host.is_array(x):
            return replace(node, args=(condition, self._double(x), y))
        made = Apply("numpy.tensor", (x,), (("dtype", DOUBLE),))
        return replace(node, args=(condition, made, self._double(y)))

    def stored(self, let: Let) -> Let:
        """What is stored into memory that it lies in itself, copied first.

        before:  x[1:] = x[:-1]
        after:   x[1:] = x[:-1].copy()
        """
        value = let.value
        in_place = value.op == "accumulate" or value.spelling == "augmented"
        if value.op not in STORES and not in_place or self.facts.is_list(value.args[0]):
            return let
        k = 1 if in_place else 2
        base, new = value.args[0], value.args[k]
        roots = {self.sharing.root(var) for var in shared_with(base)}
        apart = roots.isdisjoint(map(self.sharing.root, shared_with(new)))
        if apart or value.op == "setitem" and self.facts.rank(new) == 0:
            return let
        copied = Apply("numpy.copy", (new,), spelling="method:copy")
        args = (*value.args[:k], copied, *value.args[k + 1 :])
        return replace(let, value=replace(value, args=args))


def _array_of(params: Iterable[Param], facts: Facts) -> Ref | None:
    """A parameter that is an array, surely or else as far as is known."""
    refs = [Ref(param.var) for param in params]
    refs = [ref for ref in refs if not facts.is_list(ref) and array_like(ref, facts)]
    sure = [ref for ref in refs if facts.rank(ref)]
    open_ones = [ref for ref in refs if facts.rank(ref) is None]
    return next(iter(sure + open_ones), None)


def refuse_key(node: Apply, facts: Facts, library: str) -> None:
    """Refuses a key that torch and dask read otherwise than NumPy.

    They take its numbers first: x[0, :, places] has other axes than in NumPy, where
    the places come before the slice. Raises GradgenError.
    """
    if facts.is_list(node.args[0]):
        return
    key = node.args[1]
    parts = key.args if getattr(key, "op", "") == "tuple" else (key,)
    arrays = [k for k, part in enumerate(parts) if _is_array(part, facts)]
    numbers = [k for k, part in enumerate(parts) if facts.is_index(part)]
    if node.op == "add_at" and len(arrays) < len(parts):
        raise GradgenError(
            "GG704",
            f"{library} adds up at arrays of places alone, not at slices or numbers",
            advice="an index for each axis",
        )
    places = sorted(arrays + numbers)
    if arrays and numbers and places[-1] - places[0] >= len(places):
        raise GradgenError(
            "GG704",
            f"{library} has other axes than NumPy where a slice stands between a "
            "number and an array in a key",
            advice="x[0][:, places] instead of x[0, :, places]",
        )


def _is_array(part: Expr, facts: Facts) -> bool:
    op = getattr(part, "op", "")
    if op in ("slice", "tuple", "chain") or isinstance(part, Const):
        return False
    return op == "list" or facts.rank(part) != 0
