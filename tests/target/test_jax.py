"""Texts for jax give NumPy's numbers in float64, also compiled by jax.jit.

Needs jax, as the extra `libraries` installs it: python -m pytest -m libraries.
"""

import ast

import numpy as np
import pytest

from tests.target.elsewhere import fault, fetched, programs, result, taken
from tests.target.elsewhere import converted
from tests.target.place import within
from tests.target.texts import committed, defined, difference, quietly
from tests.test_generated import FILES, call

pytestmark = pytest.mark.libraries
REFUSED: set[str] = set()
# np.log(2 * np.pi) is float64 in NumPy; in jax it takes the dtype of what it meets
NARROWER = {"kalman_loglik", "binomial_option"}
# the places that a mask chooses are no array of a known length for jit
MASKED = {"masked_ratio"}


@pytest.fixture(scope="module")
def jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return taken("jax")


def test_the_files_that_are_refused(texts):
    assert set(FILES) - set(texts) == REFUSED


def test_each_equals_numpy(jax, texts):
    assert len(texts) >= 20
    faults = {
        name: fault(name, text, jax.numpy.asarray) for name, text in texts.items()
    }
    assert not any(faults.values()), {k: v for k, v in faults.items() if v}


def test_float32_stays_float32(jax, texts):
    for name, text in texts.items():
        found = fault(name, text, jax.numpy.asarray, dtype=np.float32, rtol=2e-3)
        if name in NARROWER:
            assert found == "[0]: float32 (), not float64 ()"
        else:
            assert not found, f"{name}: {found}"


def branches(text: str) -> bool:
    """Whether a text has a branch or a while loop: on data, it cannot be traced."""
    kinds = (ast.If, ast.While, ast.IfExp)
    return any(isinstance(node, kinds) for node in ast.walk(ast.parse(text)))


def test_compiled_they_are_the_same(jax, texts):
    compiled = 0
    for name, text in texts.items():
        if branches(text) or name in MASKED or FILES[name][1] == "callback":
            continue
        args, _, seed = call(name, 0)
        # what is no array is known when jax traces: counts, and numbers
        known = tuple(k for k, a in enumerate(args) if not isinstance(a, np.ndarray))
        known = tuple(
            k for k in known if not isinstance(args[k], (np.floating, list, dict))
        )
        function = jax.jit(defined(text), static_argnums=known)
        with quietly():
            got = function(*converted(args, jax.numpy.asarray), seed)
            want = result(committed(name, "numpy"), FILES[name][1], args, seed)
        assert not difference(fetched(got), fetched(want), within(1e-10)), name
        compiled += 1
    assert compiled >= 20


def test_programs_with_views(jax):
    tried = 0
    for name, text, want, args in programs("jax"):
        got = defined(text)(*map(jax.numpy.asarray, args))
        assert not difference(fetched(got), fetched(want), within(1e-12)), (
            f"{name}\n{text}"
        )
        tried += 1
    assert tried >= 10
