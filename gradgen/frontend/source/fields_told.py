"""What the fields of an instance are, of which its class's text alone tells."""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import Any

from gradgen.frontend.source.holding import Held, setting
from gradgen.shapes.spec import LISTED

UNKNOWN = Held("unknown")
# what may be None as well
OPTIONAL = Held("unknown", rank=(None,))
NONE = setting(None)
LEAVES_OR_SETTINGS = {"number", "unknown", "setting"}
# what a class or a signature may have as a value of a field
PLAIN = (bool, int, float, str)


def plain(value: Any) -> Held:
    """A float as a number of the instance's, another value as a setting."""
    return Held("number", fact="") if isinstance(value, float) else setting(value)


def is_count(held: Held) -> bool:
    """Whether an argument of __init__ is a whole number: n: int, n=4, Layer(4)."""
    value = held.value.value if held.kind == "setting" else None
    return held.fact == ":int" or type(value) is int


def either(before: Held | None, held: Held) -> Held:
    """What an attribute is that an arm assigns: as before, or that.

    before:  self.b = np.ones(n)
             if not bias: self.b = 0.0
    after:   self.b may be anything
    """
    if before is None or before == held and before.fact == held.fact:
        return held
    kinds = {before.kind, held.kind}
    return held if kinds == {"setting"} or kinds - LEAVES_OR_SETTINGS else UNKNOWN


def optional(held: Held) -> Held:
    """What a method compares with None: an argument that may be None."""
    return OPTIONAL if is_none(held) or held == UNKNOWN else held


def is_none(held: Held) -> bool:
    """Whether an attribute is None."""
    return held.kind == "setting" and held.value.value is None


def is_number(held: Held) -> bool:
    """Whether an attribute is a number, of any kind, by what __init__ sets."""
    return held.kind == "number" and held.fact == "" or is_count(held)


def is_flag(held: Held | None) -> bool:
    """Whether an attribute is true or false by what __init__ sets."""
    return (
        held is not None and held.kind == "setting" and type(held.value.value) is bool
    )


def opened(held: Held) -> Held:
    """A flag or a whole number as an argument, those in a container too."""
    if held.kind in ("list", "tuple", "dict"):
        return replace(held, parts=tuple(map(opened, held.parts)))
    value = held.value.value if held.kind == "setting" else None
    if not isinstance(value, (bool, int)):
        return held
    return Held("unknown", fact=f":{type(value).__name__}")


def without_facts(held: Held) -> Held:
    """The tree with nothing told of its arrays; itself where nothing is."""
    fact = held.fact if held.fact in ("", ":bool", ":str", ":int") else None
    parts = held.parts
    if held.kind == "several":
        fact = f"{LISTED} *"
    else:
        parts = tuple(map(without_facts, held.parts))
    same = all(map(is_, parts, held.parts))
    return held if same and fact == held.fact else replace(held, fact=fact, parts=parts)
