"""refusal(target): the error that a request ends in, its form checked."""

import re

import pytest

import gradgen
from gradgen import GradgenError

# What stands above and below the function f of a test's source.
HEAD = "import numpy as np\nfrom math import sin\nfrom numpy import exp\n\n"
TAIL = "\n\n\nTABLE = np.ones(3)\nTABLE[1] = 2.0\n\n\ndef other(x):\n    return x\n"


def refusal(target, *args, **options) -> GradgenError:
    """The error of gradgen.emit; the test fails when there is none."""
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(target, *args, **options)
    error = caught.value
    assert re.fullmatch(r"GG\d\d\d", error.code)
    assert "Traceback" not in str(error)
    return error
