"""Texts for cupy run in the strict stand-in, and give NumPy's numbers; or are refused.

Every file of generated/, every line of the rule tests, the functions of the guard tests
and programs with views. What is refused is counted by its reason: a new refusal fails,
and so does one that is gone.
"""

import re
from collections import Counter
from collections.abc import Iterator
from inspect import signature

import numpy as np
import pytest

from gradgen.errors import GradgenError
from gradgen.target.links import links, missing
from tests.fuzz.program import Program
from tests.guard.functions import FUNCTIONS
from tests.rules.checker import Line, parameters
from tests.rules.test_second_order import LINES
from tests.target.device_array import fetched
from tests.target.place import ON_GPU, cupy_here, given, within
from tests.target.programs import FACTS, PROGRAMS
from tests.target.texts import ROOT, Asked, committed, defined, difference, quietly
from tests.test_generated import FILES, call
from tests.loop_examples import rnn

# the texts of generated/ that no example of tests/test_generated.py calls
OTHERS = sorted({one.stem for one in (ROOT / "generated").glob("*.py")} - {*FILES})
# the refusals of the rule lines: the reason, and of how many lines it is
REFUSED = {
    "GG701 np.argpartition on cupy: the other entries lie in another order": 1,
    "GG701 np.choose on cupy: its choices are one array there": 1,
    "GG701 np.linalg.eig on cupy: its eigenvalues are complex": 2,
    "GG701 np.linalg.eigvals on cupy: its eigenvalues are complex": 2,
    "GG701 np.partition on cupy: the other entries lie in another order": 4,
    "GG702 cupy has no cp.fmax.reduce": 1,
    "GG702 cupy has no cp.maximum.reduce": 1,
    "GG702 cupy has no cp.minimum.reduce": 1,
    "GG702 cupy has no np.average with weights along some axes of several": 2,
    "GG702 cupy has no np.block": 2,
    "GG702 cupy has no np.hypot.reduce": 1,
    "GG702 cupy has no np.insert": 4,
    "GG702 cupy has no np.linalg.matrix_norm": 6,
    "GG702 cupy has no np.linalg.solve of stacks that are stretched": 1,
    "GG702 cupy has no np.linalg.vector_norm": 4,
    "GG702 cupy has no np.logaddexp.reduce": 3,
    "GG702 cupy has no np.logaddexp2.reduce": 1,
    "GG702 cupy has no np.matvec": 3,
    "GG702 cupy has no np.polyder": 2,
    "GG702 cupy has no np.unstack": 1,
    "GG702 cupy has no np.vecmat": 3,
    "GG702 cupy has no scipy.linalg.cho_factor": 2,
    "GG702 cupy has no scipy.linalg.cho_solve": 6,
    "GG702 cupy has no scipy.linalg.cholesky": 2,
    "GG702 cupy has no scipy.linalg.eigh": 5,
    "GG702 cupy has no scipy.linalg.expm_frechet": 1,
    "GG702 cupy has no scipy.linalg.inv": 1,
    "GG702 cupy has no scipy.linalg.solve": 11,
    "GG702 cupy has no scipy.linalg.solve_banded": 7,
    "GG702 cupy has no scipy.special.dawsn": 1,
    "GG702 cupy has no scipy.special.iv": 2,
    "GG702 cupy has no scipy.special.ive": 2,
    "GG702 cupy has no scipy.special.jv": 2,
    "GG702 cupy has no scipy.stats.norm.logcdf": 4,
    "GG702 cupy has no scipy.stats.norm.logsf": 4,
    "GG702 cupy has no scipy.stats.norm.pdf": 4,
    "GG702 cupy has no scipy.stats.norm.ppf": 4,
    "GG702 cupy has no scipy.stats.uniform.logpdf": 3,
    "GG703 cupy has no initial= of np.nanmax": 1,
    "GG703 cupy has no rtol= of np.linalg.pinv": 1,
    "GG703 cupy has no stable= of np.argsort": 1,
    "GG703 cupy has no upper= of np.linalg.cholesky": 2,
    "GG703 cupy has no where= of np.mean": 14,
    "GG703 cupy has no where= of np.nanmean": 1,
    "GG703 cupy has no where= of np.nanmin": 13,
    "GG703 cupy has no where= of np.nanstd": 1,
    "GG703 cupy has no where= of np.std": 7,
}
# cupy computes them with float32 numbers
WINDOWS = ("bartlett", "blackman", "hamming", "hanning", "kaiser")
# functions of the guard tests with a branch on a value
BRANCHES = {"branch", "branch_in_a_loop"}
# the Hessians and Jacobians of generated/, which have no seed
MATRICES = {
    "log_cosh_loss_hessian": lambda rng: [rng.normal(size=s) for s in (3, (5, 3), 5)],
    "softmax_layer_jacobian": lambda rng: [rng.normal(size=s) for s in (3, (4, 3), 4)],
    "rnn_loss_hvp": lambda rng: [*rnn(0, rng), rng.normal(size=rnn(0, rng)[1].shape)],
}


@pytest.fixture(scope="module", autouse=True)
def cupy():
    with cupy_here() as module, quietly():
        yield module


def reason(error: GradgenError) -> str:
    """The first refusal, without its place: "GG702 cupy has no np.insert"."""
    return re.search(r"GG7\d\d [^(\n,]*[^(\n, ]", str(error))[0]


def faults(
    text: str, plain: str, args: list, seeds: tuple = (), rtol: float = 1e-12
) -> str:
    """How the text for cupy differs from numpy's, in what it names and what it gives."""
    lacking = missing(text, links("cupy"), "cp", "cupyx.scipy")
    if lacking or "numpy" in text.split('"""')[0]:
        return f"not of cupy: {lacking}"
    want = defined(plain)(*args, *seeds)
    if ON_GPU and any(f"cp.{name}(" in text for name in WINDOWS):
        rtol = max(rtol, 1e-6)
    got = defined(text)(*map(given, args), *map(given, seeds))
    return difference(fetched(got), want, within(rtol))


@pytest.mark.parametrize("name", OTHERS)
def test_a_committed_text_of_another_form(name):
    """The gradient of a method, whose settings are read on the host, and others."""
    text = (ROOT / f"generated/cupy/{name}.py").read_text(encoding="utf-8")
    assert committed(name, "cupy") == text


@pytest.mark.parametrize("name", FILES)
def test_a_committed_gradient(name):
    form = FILES[name][1]
    try:
        text = committed(name, "cupy")
    except GradgenError as error:
        listed = (ROOT / "generated/cupy/refused.txt").read_text(encoding="utf-8")
        assert f"{name}: " in listed and "GG707" in str(error)
        return
    assert text == (ROOT / f"generated/cupy/{name}.py").read_text(encoding="utf-8")
    plain = committed(name, "numpy")
    for draw, dtype in ((0, np.float64), (1, np.float64), (0, np.float32)):
        args, _, seed = call(name, draw, dtype)
        rtol = 1e-12 if dtype is np.float64 else 1e-3
        if form != "callback":
            found = faults(text, plain, args, (seed,), rtol)
            assert not found, f"{found}\n{text}"
            continue
        value, pullback = defined(plain)(*args)
        got, again = defined(text)(*map(given, args))
        for _ in range(2):
            found = difference(
                fetched(again(given(seed))), pullback(seed), within(rtol)
            )
            assert not found and not difference(fetched(got), value, within(rtol)), text


@pytest.mark.parametrize("name", MATRICES)
def test_a_committed_matrix(name):
    args = MATRICES[name](np.random.default_rng(0))
    found = faults(committed(name, "cupy"), committed(name, "numpy"), args)
    assert not found, found


def of_line(line: Line) -> tuple[Asked, list, tuple]:
    """The gradient of a line in all its arguments, its arguments, and a seed."""
    program = Program(
        parameters(line, line.shapes[0]), (f"return {line.text}",), seed=1
    )
    facts = {param.name: param.fact for param in program.params}
    asked = Asked(program.function, tuple(facts), facts, {})
    value = program.function(*program.arguments(0))
    seed = np.random.default_rng(5).uniform(0.5, 1.5, np.shape(value))[()]
    return asked, program.arguments(0), (seed,)


def faults_of_lines(lines: list[Line], refused: Counter) -> Iterator[str]:
    for line in lines:
        asked, args, seeds = of_line(line)
        try:
            text = asked.text("cupy")
        except GradgenError as error:
            refused[reason(error)] += 1
            continue
        try:
            found = faults(text, asked.text(), args, seeds)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found:
            yield f"{line.text}: {found}\n{text}"


def shown(wrong: list[str]) -> str:
    """The first line of each, and a few of them whole."""
    firsts = "\n".join(one.partition("\n")[0] for one in wrong)
    return f"{len(wrong)} lines:\n{firsts}\n\n" + "\n".join(wrong[:3])


@pytest.mark.parametrize("start", range(2))
def test_some_lines_of_the_rule_tests(start):
    """Every eighth line; all of them are a long test."""
    refused: Counter = Counter()
    wrong = list(faults_of_lines(LINES[8 * start :: 16], refused))
    assert not wrong, shown(wrong)
    assert set(refused) <= set(REFUSED)


@pytest.mark.long
def test_the_lines_of_the_rule_tests():
    refused: Counter = Counter()
    wrong = list(faults_of_lines(LINES, refused))
    assert not wrong, shown(wrong)
    assert dict(refused) == REFUSED


@pytest.mark.parametrize("guard", [False, True])
def test_the_functions_of_the_guard_tests(guard):
    rng = np.random.default_rng(3)
    for function in FUNCTIONS:
        names = list(signature(function).parameters)
        shapes = {name: "n 2" if name.isupper() else "n" for name in names}
        asked = Asked(function, tuple(names), shapes, {"guard": guard})
        args = []
        for name in names:
            shape = (6, 2) if name.isupper() else 6
            values = rng.choice([0.0, -0.0, 0.5, 1.0, -2.0], shape)
            args.append(np.abs(values) if name in "uvUV" else values)
        seed = np.ones(np.shape(function(*args)))[()]
        if function.__name__ in BRANCHES:
            with pytest.raises(GradgenError, match="GG707"):
                asked.text("cupy")
            continue
        found = faults(asked.text("cupy"), asked.text(), args, (seed,))
        assert not found, f"{function.__name__}: {found}\n{asked.text('cupy')}"


FORMS = {
    "joint": {},
    "callback": {"style": "callback"},
    "value": {"value": True},
    "tangent": {"mode": "forward"},
    "hvp": {"mode": "hvp"},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_a_program_with_views(function, form):
    """With facts and without; where NumPy's text is refused, cupy's is as well."""
    x, v = np.array([0.5, -1.2, 0.8, 2.0]), np.array([0.3, 0.1, -0.7, 0.4])
    names = list(signature(function).parameters)
    args = [x, x > 0][: len(names)]
    compared = 0
    told = {name: FACTS[name] for name in names}
    for shapes in (told, {k: fact for k, fact in told.items() if ":" in fact}):
        asked = Asked(function, ("x",), shapes, FORMS[form], tuple(names))
        more = [v] if "mode" in FORMS[form] else []
        try:
            plain = asked.text()
        except GradgenError:
            with pytest.raises(GradgenError):
                asked.text("cupy")
            continue
        try:
            want = defined(plain)(*args, *more)
        except ValueError as look:  # of what is transposed a matrix is assumed
            assert "is taken for" in str(look) and shapes != told
            continue
        try:
            text = asked.text("cupy")
        except GradgenError as refusal:  # an entry of a vector is a view in cupy
            assert refusal.code == "GG220" and shapes != told
            continue
        got = defined(text)(*map(given, args), *map(given, more))
        if form == "callback":
            value, pullback = got
            assert not difference(fetched(value), function(*args), within(1e-12))
            got, again, want = pullback(1.0), pullback(1.0), want[1](1.0)
            assert not difference(fetched(again), fetched(got), within(1e-12))
        assert not difference(fetched(got), want, within(1e-12)), text
        compared += 1
    assert compared or form == "hvp", "refused with facts and without"


def of_numbers(x, a):
    held = [a]
    for _ in range(3):
        held.append(held[-1] * a + 1.0)
    return held[-1] * np.sum(x) + held[1]


def of_numbers_in_turn(x, a):
    held = [a, 2 * a]
    for i in range(x.shape[0]):
        held.append(held[i] * 0.5)
    total = 0.0
    for one in held:
        total = total + one * one
    return total * np.sum(x)


def of_a_number_and_entries(x, a):
    held = [a]
    for i in range(x.shape[0]):
        held.append(held[-1] * x[i])
    return held[-1] + held[2] ** 2


@pytest.mark.parametrize(
    "function", [of_numbers, of_numbers_in_turn, of_a_number_and_entries]
)
def test_zeros_of_a_list_of_python_numbers(function):
    """cp.zeros_like takes arrays alone: [0.0] * len(held)."""
    asked = Asked(function, ("x", "a"), {"x": "n", "a": ""}, {})
    text, args = asked.text("cupy"), [np.array([0.5, -1.2, 0.8]), 0.7]
    assert "[0.0] * len(held)" in text
    found = faults(text, asked.text(), args)
    assert not found, f"{found}\n{text}"


def close_enough(x):
    for _ in range(5):
        close = np.sum(x * x) < 1.0
        if close:
            break
        x = 0.5 * x
    return np.sum(x)


def carried_test(x):
    going = True
    while going:
        x = 0.5 * x
        going = np.sum(x * x) > 1.0
    return np.sum(x)


def computed_bound(x):
    last = np.argmax(x)
    total = 0.0
    for i in range(last):
        total += x[i]
    return total


@pytest.mark.parametrize("function", [close_enough, carried_test, computed_bound])
def test_a_name_for_what_the_host_would_read_is_refused(function):
    asked = Asked(function, ("x",), {"x": "n"}, {})
    for library in ("cupy", "dask"):
        with pytest.raises(GradgenError, match="GG707"):
            asked.text(library)
