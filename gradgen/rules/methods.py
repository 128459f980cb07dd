"""Which operation a method of a library's object is: stats.norm.logpdf."""

from __future__ import annotations

import sys

from gradgen.rules.load import operations


def operation_of_method(owner: object, method: str) -> str | None:
    """The operation of a method of an object that a module offers under a name.

    Each access makes another bound method, so that the object's identity and the
    method's name are compared.
    """
    for op in operations():
        holder, _, name = op.rpartition(".")
        if name == method and holder and _offered(holder) is owner:
            return op
    return None


def has_operations(value: object) -> bool:
    """Whether methods of an object are operations: those of stats.norm."""
    if type(value).__module__.partition(".")[0] != "scipy":
        return False
    holders = {op.rpartition(".")[0] for op in operations()} - {""}
    return any(_offered(holder) is value for holder in holders)


def _offered(dotted: str) -> object:
    """What scipy.stats.norm leads to, where its module has been imported."""
    module, _, name = dotted.rpartition(".")
    return getattr(sys.modules.get(module), name, None) if module else None
