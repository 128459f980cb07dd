"""A text is the same in every process: nothing in it follows the order of a set.

What a set holds comes in another order in each process, as strings are hashed with a
number that Python draws at its start.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# arguments that nothing tells of, each with several that something is assumed of
NAMES = (
    "examples.losses:cosine_division",
    "examples.dynamics:rates",
    "examples.dynamics:rk4_lotka_volterra",
    "examples.dynamics:nbody_steps",
    "examples.networks:mlp_loss",
    "examples.masked:where_ratio",
    "examples.gp:gp_marginal_likelihood",
    "examples.filters:kalman_loglik",
    "tests.signature.test_sections_that_overlap:in_two_ways",
)
PRINTED = """
import sys, gradgen
for name in sys.argv[1:]:
    print(gradgen.emit(name))
"""


def printed(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", PRINTED, *NAMES]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_no_text_follows_the_order_of_a_set():
    first = printed("1")
    assert first.count("Assumed: ") == len(NAMES)
    assert printed("2") == first
