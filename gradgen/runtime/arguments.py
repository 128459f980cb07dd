"""Arguments of functions: examples as facts, and those that cannot be differentiated."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.source.holding import attributes_of
from gradgen.frontend.source.source import Source
from gradgen.runtime.cyclic import refuse_cyclic
from gradgen.request.parts import part_of, path_of
from gradgen.shapes.spec import shape_of_example
from gradgen.shapes.statics import named_fact
from gradgen.shapes.tree import example_of, tree_text


def example_arguments(
    values: Sequence[Any], parameters: Sequence[str]
) -> dict[str, object]:
    """The numbers, arrays, rows of numbers and words among example arguments.

    Raises GradgenError when there are too many.
    """
    if len(values) > len(parameters):
        raise GradgenError(
            "GG015",
            f"the example has {len(values)} arguments, "
            f"and the function takes {len(parameters)}",
            advice=f"a tuple for ({', '.join(parameters)})",
        )
    named = tuple(zip(parameters, values))
    for name, value in named:
        refuse_cyclic(name, value)
    return {
        name: v
        for name, v in named
        if not isinstance(v, enum.Enum)
        and (isinstance(v, (*NUMBERS, str)) or is_container(v) or _is_row(v))
    }


def named_arguments(
    values: Sequence[Any], parameters: Sequence[str], source: Source
) -> dict[str, str]:
    """The facts of members of enums and of functions, which the text is made for.

    Those that the function's module has by name, and that are no defaults. Raises
    GradgenError for one of another that has a default: the text would be for that.
    """
    facts: dict[str, str] = {}
    for name, value in zip(parameters, values):
        own = source.defaults.get(name, values)
        if value is own:
            continue
        fact = named_fact(value, source.globals)
        if fact is not None:
            facts[name] = fact
        elif isinstance(own, enum.Enum) or callable(own):
            raise GradgenError(
                "GG208",
                f"the example's {name} is nothing that the module of {source.name} has "
                "by a name",
                advice="a function or a member of the module's",
            )
    return facts


NUMBERS = (np.ndarray, np.generic, int, float, complex)


def is_container(value: object) -> bool:
    """Whether a value is a container of arrays; a list of numbers is an array."""
    if hasattr(value, "_fields") or hasattr(type(value), "__dataclass_fields__"):
        return True
    if isinstance(value, Mapping):
        return True
    if not isinstance(value, (tuple, list)):
        return False
    return any(isinstance(v, np.ndarray) or is_container(v) for v in value)


def _is_row(value: object) -> bool:
    """Whether a value is a list of numbers, or one of rows of one length."""
    if not isinstance(value, (list, tuple, range)):
        return False
    try:
        return np.asarray(value).dtype.kind in "biufc"
    except ValueError:  # rows of several lengths
        return False


def fact_of_example(value: object) -> str:
    """The fact of an example argument: its sizes become numbers."""
    if is_container(value):
        return tree_text(example_of(value))
    return shape_of_example(value)


def leaves_of(value: object, around: tuple[int, ...] = ()) -> Iterator[object]:
    """The leaves of a value: of a container all that is in it, else itself.

    What holds itself has been gone through: `around` is what a part stands in.
    """
    own = (*around, id(value))
    if isinstance(value, Mapping):
        value = list(value.values())
    elif hasattr(type(value), "__dataclass_fields__"):
        value = [one for _, one in attributes_of(value)]
    if isinstance(value, (tuple, list)):
        for item in value:
            if id(item) not in own:
                yield from leaves_of(item, own)
    else:
        yield value


def refuse_integer_leaves(name: str, values: Mapping[str, object]) -> None:
    """Raises GradgenError for an array, or one in a container, without gradient.

    `name` may be that of a part of one of the arguments in `values`, or of what an
    instance holds: these have it by that name, self.W.
    """
    argument, keys = path_of(name)
    held = [value for label, value in values.items() if path_of(label) == path_of(name)]
    for leaf in leaves_of(held[0] if held else part_of(values.get(argument), keys)):
        refuse_integers(name, leaf)


def complex_arguments(examples: Mapping[str, Any]) -> set[str]:
    """The arguments that are complex in an example."""
    return {
        name
        for name, value in examples.items()
        if not is_container(value) and np.iscomplexobj(value)
    }


def refuse_complex(name: str, value: object) -> None:
    """Raises GradgenError for complex numbers in an argument that counts as real."""
    for leaf in leaves_of(value):
        sorts = (np.ndarray, np.generic, complex)
        if isinstance(leaf, sorts) and np.iscomplexobj(leaf):
            raise GradgenError(
                "GG504",
                f"the argument {name} is complex, and counts as real",
                advice=f'complex=("{name}",), --complex {name}, or an annotation',
            )


def refuse_integers(name: str, value: object) -> None:
    """Raises GradgenError for an array that has no gradient; a Python int has one."""
    dtype = getattr(value, "dtype", None)
    if dtype is not None and dtype.kind not in "fc":
        raise GradgenError(
            "GG502",
            f"the argument {name} is an array of {dtype}, which has no gradient",
            advice=f"{name}.astype(float)",
        )
