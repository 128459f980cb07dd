"""The library that a text computes with: its module, its name, how arrays change."""

from __future__ import annotations

from gradgen.frozen import dataclass

# the modules of scipy that rules and texts speak of by their last names
SCIPY = "fft integrate linalg optimize signal spatial special stats".split()


@dataclass(frozen=True)
class Library:
    """How the functions of NumPy and SciPy are called in a text.

    `module` is imported as `alias`, and scipy's modules come from `scipy`. In a
    library that is `pure` arrays do not change: x = x.at[i].set(y). One that is
    `given` is a parameter of each function instead of an import. With `index_put`
    np.add.at(x, i, y) is x.index_put_((i,), y, accumulate=True). With a
    `chooser` it is what that call returns: xp = get_array_module(x). `array` is
    the type of arrays, "" where it has no name. `methods` are the names of methods
    that are called otherwise.
    Each function of the text has the `decorator`, whose module is imported.
    """

    module: str = "numpy"
    alias: str = "np"
    scipy: str = "scipy"
    pure: bool = False
    given: bool = False
    index_put: bool = False
    array: str = "ndarray"
    chooser: str = ""
    methods: tuple[tuple[str, str], ...] = ()
    decorator: str = ""

    @property
    def aliases(self) -> tuple[str, ...]:
        """The names that the module may have, the first that is free is taken."""
        other = () if "." in self.module else (self.module,)
        return self.alias, *other, f"_{self.alias}", f"_{self.alias}_"

    def imported(self, alias: str) -> str:
        """The line that imports the module under a name."""
        return f"import {self.module}" + (f" as {alias}" * (alias != self.module))


NUMPY = Library()


def chosen_by(chooser: str) -> Library:
    """The module that a call chooses by its arrays, as the text itself calls it."""
    return Library("xp", "xp", given=True, array="", chooser=chooser)
