"""What stands where a function should: arrays, and objects that compare as they like."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError, InternalError
from tests.frontend.writing import written


class Compares:
    """Neither equal nor unequal to anything, and in no dictionary."""

    __hash__ = None

    def __eq__(self, other):
        raise ValueError("no truth")

    def __call__(self, *args):
        raise ValueError("no call")


VALUES = {
    "array": np.array([1.0, 2.0]),
    "objects": np.array([None, "a"], dtype=object),
    "list": [1.0, [2.0]],
    "dict": {"a": np.ones(2)},
    "instance": Compares(),
    "instances": [Compares(), np.ones(2)],
    "nothing": None,
    "text": "sum",
}
FORMS = """
T()|T(x)|T(x).y|T(x)[0]|T().sum()|T(x, y=x)|T.a(x)|T[0](x)|T(*[x])|T(**{})|T(T)|x + T()
max(T, T(x))|sum(T(x))|len(T(x))|list(T(x))|list(map(T, x))|sorted(x, key=T)|str(T)|str(T(x))
np.sum(T(x))|np.vectorize(T)(x)|isinstance(T, type(x))|callable(T)|T is None|T == None|T != T
T in (None, 1)|x in T|T and x|T or x|not T|x if T else 2 * x|[t for t in T(x)]|{T: x}[T]
hasattr(T, "a")|getattr(T, "a")(x)|(lambda f: f(x))(T)|(lambda f: f)(T)(x)|functools.partial(T, x)()
functools.reduce(T, [x, x])|itertools.chain(T(x), x)|np.clip(x, 0, 1, out=T(x))|T(x) if T else T()
"""
HEAD = "import functools\nimport itertools\n\nimport numpy as np\n\nT = None\n"
PROGRAM = "\n\ndef f(x):\n    a = {}\n    return np.sum(x * x)\n"
LOOPS = "\n\ndef f(x):\n    for a in {}:\n        pass\n    return np.sum(x * x)\n"


@pytest.mark.parametrize("name", VALUES)
def test_right_or_refused(name, tmp_path):
    """A value that may not be compared is told of as another one is."""
    x = np.array([0.5, -1.5, 2.0])
    texts = [one for line in FORMS.split("\n") for one in line.split("|") if one]
    told = []
    for i, text in enumerate(texts):
        for j, program in enumerate((PROGRAM, LOOPS)):
            f = written(HEAD + program.format(text), tmp_path, f"odd_{name}_{i}_{j}")
            f.__globals__["T"] = VALUES[name]
            try:
                found = gradgen.grad(f)(x)
            except InternalError as error:
                told.append(f"{text}: {error}")
            except GradgenError as error:
                assert "GG" in str(error)
            except Exception as error:
                told.append(f"{text}: {type(error).__name__}: {error}")
            else:
                np.testing.assert_array_equal(found, 2 * x, text)
    assert not told, "\n".join(told)
