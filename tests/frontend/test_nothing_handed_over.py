"""Calls of no arguments, and names of packages that are not there: refused."""

import numpy as np
import pytest

import gradgen


class Missing:
    """What stands for a package that is not installed, and says so when it is looked at."""

    def __getattribute__(self, name):
        raise ImportError("no module named shapes_of_land")


land = Missing()


def hinted(x: land):
    return np.sum(x**2)


def asked(x):
    if isinstance(x, land.Polygon):
        return x.area
    return np.sum(x**2)


def called(x):
    return np.sum(x) * land.scale(x)


@pytest.mark.parametrize("f", [hinted, asked, called])
def test_a_package_that_is_missing(f):
    with pytest.raises(
        gradgen.GradgenError, match="no module named shapes_of_land"
    ) as e:
        gradgen.emit(f)
    assert e.value.code == "GG104" and e.value.line


NAMES = "atleast_1d atleast_2d atleast_3d broadcast_arrays meshgrid ix_ result_type"


@pytest.mark.parametrize("name", NAMES.split())
def test_numpy_of_no_arguments(name, tmp_path):
    path = tmp_path / "none.py"
    path.write_text(
        "import numpy as np\n\n\ndef f(x, *args):\n"
        f"    found = np.{name}(*args)\n    return np.sum(x) * len(found)\n"
    )
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(f"{path}:f")
    assert caught.value.line == 5
