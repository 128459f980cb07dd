"""Copies of a call's arguments, with which the function is run beside its text."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from types import ModuleType
from typing import Any


def copied(value: Any) -> Any:
    """A copy of a value and of all in it; what nothing can copy is in both.

    An instance may hold a module, an open file or a lock beside its arrays.

    before:  instance with W, an array, and random, a module
    after:   another instance with a copy of W, and the same module
    """
    try:
        return copy.deepcopy(value)
    except Exception:
        memo: dict[int, Any] = {}
        _keep(value, memo, set())
        return copy.deepcopy(value, memo)


def _keep(value: Any, memo: dict[int, Any], seen: set[int]) -> None:
    """Notes in a memo of copies the smallest parts of a value that have none."""
    if id(value) in seen or _is_copied(value, memo):
        return
    seen.add(id(value))
    for part in _parts(value):
        _keep(part, memo, seen)
    if not _is_copied(value, memo):
        memo[id(value)] = value


def _is_copied(value: Any, memo: dict[int, Any]) -> bool:
    """Whether a value can be copied, where what a memo has stays as it is."""
    try:
        copy.deepcopy(value, dict(memo))
    except Exception:
        return False
    return True


def _parts(value: Any) -> Iterable[Any]:
    """What a container or an instance holds."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if isinstance(value, (ModuleType, type)):
        return ()
    return list(getattr(value, "__dict__", {}).values())
