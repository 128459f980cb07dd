"""The derivatives of every line's emitted gradient, by reverse and by forward mode."""

import importlib
import re
from pathlib import Path

import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.rules.checker import Line, by_turns, faults, shaped, unary
from tests.rules.second_order import first, second_faults

HERE = Path(__file__)
# tests without lines of their own, and tests of all of these lines
LEFT_OUT = (
    HERE.stem,
    "test_oracles",
    "test_hessians",
    "test_parameters",
    "test_aliases",
    "test_untold",
)
PLACES = "places that move have no forward form"
BLOCKS = "the sizes of blocks of blocks are not followed"
SPACING = "spacings of several axes have no forward form"
# lines whose second derivative is refused: the mode, and why
REFUSED = {
    "np.gradient(x, np.cumsum(np.abs(y) + 0.5))": ("forward", PLACES),
    "np.gradient(x, np.cumsum(np.abs(y) + 0.5), axis=1)": ("forward", PLACES),
    "np.gradient(x, np.cumsum(np.abs(y) + 0.5), axis=-2)": ("forward", PLACES),
    "np.gradient(x, 0.5, y)[1]": ("forward", SPACING),
    "linalg.expm_frechet(x, y, compute_expm=False)": ("reverse", BLOCKS),
    "np.gradient(x, y)[0] * np.gradient(x, y)[1]": ("forward", SPACING),
}


# functions whose own tests are not lines
REGULAR = "(x + 4 * np.eye(x.shape[-1], dtype=x.dtype))"
SYMMETRIC = "(x + np.swapaxes(x, -1, -2) + 5 * np.diag(np.arange(x.shape[-1])))"
DISTINCT = "(x + 5 * np.diag(np.arange(x.shape[-1])))"
MORE = [
    shaped(f"np.linalg.slogdet({REGULAR})[1]", "n n"),
    shaped(f"np.linalg.slogdet({REGULAR})[1]", "b n n"),
    shaped(f"np.linalg.eigh({SYMMETRIC})[0]", "n n"),
    shaped(f"np.linalg.eigh({SYMMETRIC})[1] ** 2", "n n"),
    shaped(f"np.linalg.eigh({SYMMETRIC})[1] ** 2", "b n n"),
    shaped(f"np.linalg.eig({DISTINCT})[0]", "n n"),
    shaped(f"np.linalg.eig({DISTINCT})[1] ** 2", "n n"),
    shaped("np.linalg.qr(x)[0]", "7 3"),
    shaped("np.linalg.qr(x)[1]", "7 3"),
    shaped("np.linalg.qr(x)[1]", "2 7 3"),
    shaped("np.linalg.qr(x, mode='r')", "7 3"),
    shaped("np.linalg.qr(x)[0] @ np.linalg.qr(x)[1] ** 2", "7 3"),
    shaped("np.linalg.svd(x, full_matrices=False)[0] ** 2", "3 5"),
    shaped("np.linalg.svd(x, full_matrices=False)[2] ** 2", "2 3 5"),
    shaped("np.linalg.svd(x, False)[2] ** 2", "5 3"),
    shaped("np.linalg.svd(x, full_matrices=False)[1]", "5 3"),
    shaped("np.linalg.lstsq(x, y)[1]", "d n", "d"),
    shaped("linalg.expm_frechet(x, y, compute_expm=False)", "n n", "n n"),
    unary("special.ive(1, x)", 0.3, 3),
    shaped("np.polyder(x)", "d"),
    shaped("np.vander(x, 4)", "d"),
    shaped("np.histogram([0.1, 0.4, 0.8], 2, (0, 1), weights=x)[0] ** 2", "3"),
    shaped("np.real(x) + np.imag(x) + np.conj(x) ** 2 + np.angle(x)", "n d"),
    shaped("np.real(np.fft.fft(x)) * np.imag(np.fft.fft(x))", "n d"),
    shaped("np.real(np.fft.ifft(x, axis=0)) ** 2", "n d"),
    shaped("np.abs(np.fft.rfft(x)) ** 2", "n d"),
    shaped("np.fft.irfft(x, 6) ** 2", "n d"),
    shaped("np.fft.hfft(x) ** 2", "n d"),
    shaped("np.real(np.fft.ihfft(x)) ** 2", "n d"),
    shaped("np.abs(np.fft.fft2(x)) ** 2", "n d"),
    shaped("np.abs(np.fft.fftn(x)) ** 2", "n d"),
    shaped("np.real(np.fft.ifft2(x)) ** 2", "n d"),
    shaped("np.real(np.fft.ifftn(x)) ** 2", "n d"),
    shaped("np.abs(np.fft.rfft2(x)) ** 2", "n d"),
    shaped("np.abs(np.fft.rfftn(x)) ** 2", "n d"),
    shaped("np.fft.irfft2(np.fft.rfft2(x), x.shape) ** 2", "n d"),
    shaped("np.fft.irfftn(x, (3, 4), axes=(0, 1)) ** 2", "n d"),
    shaped("np.fft.fftshift(x) ** 2", "n d"),
    shaped("np.fft.ifftshift(x, 0) ** 2", "n d"),
    shaped("np.fliplr(x) * np.flipud(x)", "n d"),
    shaped("np.copy(x) * np.array(x) * np.asarray(x)", "n d"),
    shaped("np.ascontiguousarray(x) * np.asanyarray(x)", "n d"),
    shaped("np.full_like(x, y) * x", "n d", ""),
    shaped("np.full(3, y) * x", "", "3"),
]


def lines_of_the_tests() -> list[Line]:
    """Every line of the rule tests, once for each first set of shapes."""
    found: dict[tuple, Line] = {}
    for path in sorted(HERE.parent.glob("test_*.py")):
        if path.stem in LEFT_OUT:
            continue
        module = importlib.import_module(f"tests.rules.{path.stem}")
        lists = [value for value in vars(module).values() if isinstance(value, list)]
        for line in (one for values in lists for one in values):
            if isinstance(line, Line) and line.shapes:
                found.setdefault((line.text, line.shapes[0], line.low), line)
    return list(found.values())


def label(line: Line) -> str:
    return f"{line.text} of {', '.join(line.shapes[0])} {line.low}"


LINES = [*lines_of_the_tests(), *MORE]


def some(lines: list[Line], first: int, always=()) -> list:
    """Each twelfth line from `first`, and those in `always`; the others are long."""
    turns = by_turns(lines, 12, first)
    return [a if a.text in always else b for a, b in zip(lines, turns, strict=True)]


@pytest.mark.parametrize("line", some(LINES, 0, REFUSED), ids=label)
def test_second_derivatives(line):
    found = dict(second_faults(line, gradgen))
    if line.text in REFUSED:
        mode, _ = REFUSED[line.text]
        report = found.pop(mode, "")
        assert re.search(r"GG(3\d\d no|401) ", report), (
            f"not refused any more: {line.text}"
        )
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


@pytest.mark.long
@pytest.mark.parametrize("line", lines_of_the_tests(), ids=label)
def test_every_form_with_all_facts(line):
    """The tests of rules take shapes and facts by turns."""
    found = faults(line, gradgen, whole=True)
    assert not found, found
