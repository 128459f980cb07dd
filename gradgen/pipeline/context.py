"""What a pass may read beside the function: facts, and how the text is asked for."""

from __future__ import annotations

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Supply, Var
from gradgen.shapes.infer import Facts
from gradgen.target.table import Target, target_named

# A line saved is worth so many operations on numbers in joint style. A callback
# may be called often, and shares what it can.
LINE = 2


@dataclass(frozen=True)
class Context:
    """What a pass may read beside the function.

    `facts` are those of shapes and kinds, `supply` makes new variables. The others
    are how the text is asked for: what a loop keeps (`save`), whether the derivative
    is a callback, what is guarded, the library that it is written for, `twice`, the
    parts that the user has written more than once, whether it is to be `fast`, and
    whether something is assumed of arguments, which the text looks at.
    """

    facts: Facts
    supply: Supply
    save: str = "values"
    callback: bool = False
    guard: bool | float = False
    target: Target = target_named("numpy", "")
    twice: frozenset[Var] = frozenset()
    fast: bool = False
    is_assumed: bool = False

    @property
    def is_guarded(self) -> bool:
        """Whether guards are asked for."""
        return self.guard is not False

    @property
    def is_unguarded(self) -> bool:
        """Whether no guards are asked for."""
        return not self.is_guarded

    @property
    def epsilon(self) -> float | None:
        """The user's own epsilon for guards; None for selects."""
        return None if isinstance(self.guard, bool) else self.guard

    @property
    def line(self) -> int:
        """How many operations on numbers a line more is worth."""
        return 0 if self.callback else LINE

    @property
    def is_numpy(self) -> bool:
        """Whether the text is for NumPy itself."""
        return self.target.name == "numpy"

    @property
    def has_halves(self) -> bool:
        """Whether the library computes functions of masks in 16 bits, as NumPy does."""
        return self.target.name in ("numpy", "cupy")

    @property
    def is_joint(self) -> bool:
        """Whether the seed is there before the function runs."""
        return not self.callback

    @property
    def is_alike(self) -> bool:
        """Whether the library multiplies vectors of two dtypes, as NumPy does."""
        return self.target.name not in ("torch", "numba")

    @property
    def is_compiled(self) -> bool:
        """Whether the text is compiled by numba."""
        return self.target.compiled

    @property
    def is_interpreted(self) -> bool:
        """Whether Python runs the text."""
        return not self.target.compiled

    @property
    def entry_views(self) -> bool:
        """Whether an entry of an array of the library is a view of it."""
        return self.target.entry_views
