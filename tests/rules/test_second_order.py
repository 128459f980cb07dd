"""The derivatives of every line's emitted gradient, by reverse and by forward mode."""

import importlib
import re
from pathlib import Path

import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.rules.checker import Line
from tests.rules.second_order import first, second_faults

HERE = Path(__file__)
NO_FACT = "the size of its seed, n - 1, is no shape fact"
COMPUTED = "the index of np.insert is computed, len(x) - 1"
LISTED = "the rank of np.diff of a list is not known"
SPACING = "spacings of several axes have no forward form"
# lines whose second derivative is refused: the mode, and why
REFUSED = {
    "np.delete(x, 1)": ("reverse", NO_FACT),
    "np.delete(x, 1, axis=0)": ("reverse", NO_FACT),
    "np.diag(x, 2)": ("reverse", NO_FACT),
    "np.diag(x, k=-1)": ("reverse", NO_FACT),
    "np.delete(x, -1)": ("reverse", COMPUTED),
    "np.delete(x, -2, axis=1)": ("reverse", COMPUTED),
    "np.interp(x, [-1.0, 0.0, 1.0], y[0] * np.arange(3.0))": ("reverse", LISTED),
    "np.interp(x, (-1.0, 0.0, 1.0), y[:3])": ("reverse", LISTED),
    "np.gradient(x, 0.5, y)[1]": ("forward", SPACING),
    "np.gradient(x, y)[0] * np.gradient(x, y)[1]": ("forward", SPACING),
}


def lines_of_the_tests() -> list[Line]:
    """Every line of the rule tests, once for each first set of shapes."""
    found: dict[tuple, Line] = {}
    for path in sorted(HERE.parent.glob("test_*.py")):
        if path.stem in (HERE.stem, "test_oracles"):
            continue
        module = importlib.import_module(f"tests.rules.{path.stem}")
        lists = [value for value in vars(module).values() if isinstance(value, list)]
        for line in (one for values in lists for one in values):
            if isinstance(line, Line) and line.shapes:
                found.setdefault((line.text, line.shapes[0], line.low), line)
    return list(found.values())


def label(line: Line) -> str:
    return f"{line.text} of {', '.join(line.shapes[0])} {line.low}"


LINES = lines_of_the_tests()


@pytest.mark.parametrize("line", LINES, ids=label)
def test_second_derivatives(line):
    found = dict(second_faults(line, gradgen))
    if line.text in REFUSED:
        mode, _ = REFUSED[line.text]
        report = found.pop(mode, "")
        assert re.search(r"GG3\d\d no ", report), f"not refused any more: {line.text}"
    if found:
        pytest.fail("\n".join(found.values()), pytrace=False)


def test_each_refusal_is_of_a_line():
    assert set(REFUSED) <= {line.text for line in LINES}


class Faulty:
    """gradgen, but one of its public functions leaves a factor out."""

    def __init__(self, broken: str):
        self.broken = broken

    def __getattr__(self, name):
        made = getattr(gradgen, name)
        if name != self.broken:
            return made

        def wrong(*args, **kwargs):
            function = made(*args, **kwargs)

            def result(*args, **kwargs):
                found = function(*args, **kwargs)
                if name == "jvp":
                    return found[0], 2 * found[1]
                return tuple(2 * part for part in found)

            result.source = function.source
            return result

        return wrong


@pytest.mark.parametrize("broken, mode", [("grad", "reverse"), ("jvp", "forward")])
def test_a_wrong_second_derivative_is_found(broken, mode):
    line = next(line for line in LINES if line.text == "np.sin(x)")
    assert [found for found, _ in second_faults(line, Faulty(broken))] == [mode]


def test_a_first_gradient_that_is_refused_is_said():
    with pytest.raises(GradgenError, match="GG205"):
        first(Line("np.nextafter(x, 2.0)", (("n",),)), gradgen, "x")
