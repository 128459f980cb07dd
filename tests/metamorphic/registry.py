"""REWRITINGS: every rewriting by its name, and rewritten(), which applies some."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from random import Random

import numpy as np

from tests.metamorphic.originals import Original
from tests.metamorphic.patterns import table
from tests.metamorphic.scene import Scene
from tests.metamorphic.tables_assignments import ASSIGNMENTS
from tests.metamorphic.tables_blocks import BLOCKS
from tests.metamorphic.tables_classes import CLASSES
from tests.metamorphic.tables_functions import FUNCTIONS
from tests.metamorphic.tables_loops import LOOPS
from tests.metamorphic.tables_memory import MEMORY
from tests.metamorphic.tables_scopes import SCOPES
from tests.metamorphic.tables_shapes import SHAPES
from tests.metamorphic.tables_values import VALUES
from tests.metamorphic.wholes import WHOLES

importlib.import_module("tests.metamorphic.parts")  # which enters its rewritings there

WRITTEN = (
    *(VALUES, SHAPES, FUNCTIONS, CLASSES, BLOCKS),
    *(ASSIGNMENTS, LOOPS, MEMORY, SCOPES),
)
TABLES = tuple(one for text in WRITTEN for one in table(text))
REWRITINGS: dict[str, Callable[[Scene], bool]] = {
    one.name: one for one in TABLES
} | WHOLES
MODULES = (
    "abc collections contextlib copy dataclasses enum functools itertools logging math "
    "operator time types typing warnings"
).split()
SAME = 1e-9  # of the largest entry: what another order of sums may change
TRIES = 4


def rewritten(
    original: Original, name: str, rng: Random
) -> tuple[Original, str] | None:
    """The function rewritten and the way; None unless its value is the same."""
    for _ in range(TRIES):
        scene = Scene(original, rng)
        if not scene.is_a_def:
            return None
        scene.observe()
        try:
            if not REWRITINGS[name](scene):
                return None
            imported(scene)
            found = scene.written()
        except (SyntaxError, KeyError):  # a name that is none, in this function
            continue
        if same(found.value(), original.value()):
            return found, scene.way
    return None


def imported(scene: Scene) -> None:
    """Imports what the new text names, and the old one does not."""
    read = {n.id for n in ast.walk(scene.tree) if isinstance(n, ast.Name)}
    wanted = [name for name in MODULES if name in read - scene.module_names]
    text = "\n".join(f"import {name}" for name in wanted)
    if "Fraction" in read - scene.module_names:
        text += "\nfrom fractions import Fraction"
    if "np" in read and "import numpy as np" not in scene.original.text:
        text += "\nimport numpy as np"
    scene.tree.body[:0] = ast.parse(text).body


def same(value: object, other: object) -> bool:
    """Whether two results are the same numbers in the same structure."""
    if isinstance(value, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(value) == len(other) and all(map(same, value, other))
    try:
        one, two = np.asarray(value), np.asarray(other)
        room = SAME * np.max(np.abs(two), initial=0.0)
        return one.shape == two.shape and bool(np.all(np.abs(one - two) <= room))
    except Exception:  # no numbers
        return False
