"""Arguments whose values a text is made for: an axis, a mode, a dtype, a table.

Nothing is fixed that need not be: a text for all values is tried first, and a whole
number is left open where a text for all of them is found after all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from gradgen.errors import GradgenError
from gradgen.shapes.statics import static_fact


def fixed_facts(values: Mapping[str, Any], others: Collection[str]) -> dict[str, str]:
    """The static facts of arguments; of `others`, which are differentiated, none."""
    known = {name: static_fact(v) for name, v in values.items() if name not in others}
    return {name: fact for name, fact in known.items() if fact is not None}


def with_fixed(
    facts: Mapping[str, str],
    values: Mapping[str, Any],
    emit: Callable[[Mapping[str, str]], Any],
) -> tuple[Any, dict[str, str]]:
    """What is emitted with as few arguments fixed as may be, and which these are.

    Raises GradgenError where it is refused with all of them.
    """
    facts = dict(facts)
    found = emit(facts)
    for name in [name for name in facts if type(values[name]) is int]:
        fewer = {other: fact for other, fact in facts.items() if other != name}
        try:
            found, facts = emit(fewer), fewer
        except GradgenError:
            continue
    return found, facts
