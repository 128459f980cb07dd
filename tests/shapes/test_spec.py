"""Shape facts as text, and as annotations."""

import numpy as np
import pytest

from gradgen.errors import GradgenError
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.shape import SCALAR, ranked, whole
from gradgen.shapes.spec import read_annotation, read_shape, shape_of_example

N = Dim.of("n")


@pytest.mark.parametrize(
    "text, shape",
    [
        ("n d", ranked("n", "d")),
        ("(n, d)", ranked("n", "d")),
        ("3 n", ranked(3, "n")),
        ("1 d", ranked(1, "d")),
        ("#n", ranked("#n")),
        ("", SCALAR),
        ("()", SCALAR),
        ("*s", whole("*s")),
        ("d 4*h", ranked("d", Dim.of(4) * Dim.of("h"))),
        ("d+h", ranked(Dim.of("d") + Dim.of("h"))),
        ("n-1 2*n*m+3", ranked(N - ONE, Dim.of(2) * N * Dim.of("m") + Dim.of(3))),
    ],
)
def test_text(text, shape):
    assert read_shape(text) == shape


@pytest.mark.parametrize(
    "text", ["-n", "2-3", "n+-1", "4h", "4*#h", "n/2", "n *", "2.5", "n d!", "*s n"]
)
def test_text_that_is_no_shape(text):
    with pytest.raises(GradgenError, match="GG402") as caught:
        read_shape(text)
    assert "write instead" in str(caught.value)


@pytest.mark.parametrize(
    "annotation, text",
    [
        ('Float[np.ndarray, "n d"]', "n d"),
        ("Float[np.ndarray, 'n d']", "n d"),
        ('Float32[Array, ""]', ""),
        ("float", ""),
        ("np.ndarray", None),
        ("int", None),
        ('Float[np.ndarray, "..."]', None),
        ('Float[np.ndarray, "*batch n"]', None),
        ('Float[np.ndarray, "*s"]', "*s"),
        ('Float[np.ndarray, "*#s"]', None),
        # any length, of which nothing else may be taken to be the same
        ('Float[np.ndarray, "_ _"]', None),
        ('Float[np.ndarray, "_n"]', None),
        ('Float[np.ndarray, "?n"]', None),
        ('Float[np.ndarray, "n+1"]', None),
        ('jaxtyping.Int32[np.ndarray, "n"]', "n:int"),
        ("\"Float[np.ndarray, 'n']\"", "n"),
        # texts that are no axes
        ('Annotated[np.ndarray, "weights"]', None),
        ('Literal["mean", "sum"]', None),
        ('Union[float, "Vector"]', None),
        ('Float[np.ndarray, "n"] | Float[np.ndarray, "m n"]', None),
        ('Union[Float[np.ndarray, "n"], Float[np.ndarray, "m n"]]', None),
        (None, None),
    ],
)
def test_annotation(annotation, text):
    assert read_annotation(annotation) == text


def test_example():
    assert shape_of_example(np.ones((3, 4))) == "3 4"
    assert shape_of_example(2.0) == ""
