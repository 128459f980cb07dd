"""What the command loads, and what it leaves until it is asked for."""

import subprocess
import sys

import pytest

from gradgen.errors import GradgenError
from gradgen.request.parts import path_of
from tests.surroundings import surroundings

LOADED = """
import gc, sys
import numpy
before = set(sys.modules)
import gradgen.cli
print(gc.isenabled(), *sorted({"LATER"} & (set(sys.modules) - before)))
"""
LATER = ("numpy.random", "multiprocessing", "tomllib")


def test_the_command_loads_no_module_that_few_commands_need():
    names = '", "'.join(LATER)
    done = subprocess.run(
        [sys.executable, "-c", LOADED.replace("LATER", names)],
        env=surroundings(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == ["True"], done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("x", ("x", ())),
        (" x ", ("x", ())),
        ("\N{LATIN SMALL LIGATURE FI}t", ("fit", ())),
        ("match", ("match", ())),
        ("params.W", ("params", ("W",))),
        ('layers[0]["b"]', ("layers", (0, "b"))),
    ],
)
def test_a_name_alone_is_read_as_python_reads_it(text, path):
    assert path_of(text) == path


@pytest.mark.parametrize("text", ["", "lambda", "None", "1", "x y", "f(x)"])
def test_what_is_no_path_is_refused(text):
    with pytest.raises(GradgenError) as refusal:
        path_of(text)
    assert refusal.value.code == "GG002"
