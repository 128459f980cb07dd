"""Functions that move, repeat, cut and join: each form, and what is refused."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.rules.load import operation_of
from tests.frontend.writing import written
from tests.fuzz.program import Program
from tests.rules.checker import binary, faults, parameters, ranked, shaped, unary

# a diagonal whose place is computed
COMPUTED = [
    shaped("np.diag(x, x.shape[1] - 2)", "n d"),
    shaped("np.diag(x, 1 - x.shape[0])", "n d"),
    shaped("np.diag(x, x.shape[0] - 2)", "n"),
    shaped("np.diagflat(x, 1 - x.shape[0])", "n d"),
    shaped("np.diagonal(x, x.shape[1] - 2)", "n d"),
    shaped("x.diagonal(offset=1 - x.shape[0])", "n d"),
    shaped("np.diagonal(x, 1 - x.shape[0], axis1=2, axis2=0)", "b n d"),
    shaped("np.linalg.diagonal(x, offset=1 - x.shape[1])", "b n d"),
    shaped("np.trace(x, x.shape[1] - 2)", "n d"),
    shaped("np.trace(x, 1 - x.shape[1], axis1=2, axis2=1)", "b n d"),
    shaped("x.trace(offset=1 - x.shape[0])", "n d"),
    shaped("np.linalg.trace(x, offset=x.shape[2] - 2)", "b n d"),
]
MOVING = [
    shaped("np.moveaxis(x, 0, -1)", "b n d"),
    shaped("np.moveaxis(x, (0, 1), (1, 2))", "b n d"),
    shaped("np.moveaxis(x, [2, 0], [0, 1])", "b n d"),
    shaped("np.rollaxis(x, 2)", "b n d"),
    shaped("np.rollaxis(x, -1)", "b n d"),
    shaped("np.rollaxis(x, 0, 3)", "b n d"),
    ranked("np.rollaxis(x, 0, -1)", "b n d"),
    ranked("np.rollaxis(x, -3, 2)", "b n d"),
    shaped("np.roll(x, 1)", "n d"),
    shaped("np.roll(x, -2, axis=0)", "n d"),
    shaped("np.roll(x, y.shape[0], axis=-1)", "n d", "m"),
    shaped("np.roll(x, (1, -1), axis=(0, 1))", "n d"),
    shaped("np.rot90(x)", "n d"),
    shaped("np.rot90(x, 2)", "n d"),
    shaped("np.rot90(x, k=-1, axes=(1, 2))", "b n d"),
    shaped("np.permute_dims(x, (1, 2, 0))", "b n d"),
    shaped("np.permute_dims(x, axes=(1, 0))", "n d"),
    shaped("np.matrix_transpose(x)", "b n d"),
    shaped("np.atleast_1d(x)", ""),
    shaped("np.atleast_1d(x)", "n"),
    shaped("np.atleast_2d(x)", "d"),
    shaped("np.atleast_2d(x)", ""),
    shaped("np.atleast_3d(x)", "n d"),
    shaped("np.atleast_3d(x)", "d"),
    shaped("np.atleast_3d(x)", "b n d"),
    shaped("np.reshape(x, (-1, x.shape[0]), order='F')", "n d"),
    shaped("x.reshape(x.shape[1], -1, order='F')", "n d"),
    shaped("np.reshape(x, (1, 1))", ""),
    shaped("np.expand_dims(x, 0)", ""),
    shaped("np.ravel(x)", ""),
    shaped("np.ravel(x, 'F')", "n d"),
    shaped("x.ravel(order='F')", "n d"),
    shaped("x.flatten('F')", "b n d"),
    shaped("np.real_if_close(x)", "n d"),
    shaped("x.astype(np.float64)", "n d"),
    shaped("x.astype('float64', copy=False)", ""),
    shaped("x.astype('float') * y", "n", ""),
    shaped("np.astype(x, y.dtype) * y", "n", "n"),
    shaped("x * (x > 0).astype(x.dtype)", "n d"),
    shaped("x * (x > 0).astype(np.float64)", "n d"),
    shaped("x + x.astype('int')", "n d"),
    shaped("x * x.astype('bool')", "n d"),
    shaped("x[y.astype('int') * 0]", "n", "n"),
]

WINDOWS = [
    shaped("np.lib.stride_tricks.sliding_window_view(x, 3)", "7"),
    shaped("np.lib.stride_tricks.sliding_window_view(x, (2, 3))", "5 7"),
    shaped("np.lib.stride_tricks.sliding_window_view(x, 2, axis=1)", "2 5 3"),
    shaped("np.lib.stride_tricks.sliding_window_view(x, 2, -1)", "3 5"),
    shaped("np.lib.stride_tricks.sliding_window_view(x, (2, 2), (0, 0))", "5 3"),
    shaped("np.lib.stride_tricks.sliding_window_view(x, (2, 3), axis=(2, 1))", "2 5 3"),
    ranked("np.lib.stride_tricks.sliding_window_view(x, 1)", "n"),
]

REPEATING = [
    ranked("np.tile(x, 3)", "d"),
    ranked("np.tile(x, 2)", "b n d"),
    ranked("np.tile(x, (2, 1))", "d"),
    ranked("np.tile(x, (2, 3))", "n d"),
    ranked("np.tile(x, [1, 1, 2])", "n d"),
    ranked("np.tile(x, (1, 3, 1))", "n d"),
    ranked("np.tile(x, (3, 1, 1))", "n d"),
    ranked("np.tile(x, (2, 1, 1, 3))", "n d"),
    ranked("np.tile(x, (2, 3))", ""),
    ranked("np.tile(x, (y.shape[0], 1)) * y", "d", "n d"),
    ranked("np.tile(x, y.shape[0])", "d", "n d"),
    shaped("np.repeat(x, 3)", "n d"),
    shaped("np.repeat(x, 3)", "d"),
    shaped("np.repeat(x, 3)", ""),
    ranked("np.repeat(x, 3, axis=0)", "n d"),
    ranked("np.repeat(x, 2, axis=-1)", "n d"),
    ranked("x.repeat(2, axis=1)", "b n d"),
    ranked("np.repeat(x, y.shape[0], 0)", "n d", "m"),
    ranked("np.repeat(x, np.arange(x.shape[0]))", "d"),
    shaped("np.repeat(x, np.arange(x.shape[0]), axis=0)", "n d"),
    shaped("np.repeat(x, np.arange(x.shape[2]), axis=-1)", "b n d"),
]

PADDING = [
    ranked("np.pad(x, 1)", "n d"),
    ranked("np.pad(x, (1, 2))", "n d"),
    ranked("np.pad(x, ((1, 2),))", "n d"),
    ranked("np.pad(x, ((0, 0), (1, 2)))", "n d"),
    ranked("np.pad(x, [[0, 1], [0, 0]], 'constant')", "n d"),
    ranked("np.pad(x, ((0, 0), (0, 0)))", "n d"),
    ranked("np.pad(x, y.shape[0])", "n", "m"),
    ranked("np.pad(x, 2, constant_values=3)", "d"),
    ranked("np.pad(x, 2, constant_values=y)", "d", ""),
    ranked("np.pad(x, 1, mode='edge')", "n d"),
    ranked("np.pad(x, 1, 'reflect')", "d"),
    ranked("np.pad(x, ((0, 0), (2, 1)), mode='wrap')", "n d"),
    ranked("np.pad(x, (7, 9), mode='wrap')", "d"),
    ranked("np.pad(x, (4, 5), mode='reflect')", "d"),
    ranked("np.pad(x, ((1, 0), (0, 0), (2, 1)), mode='symmetric')", "b n d"),
]

JOINING = [
    ranked("np.hstack([x, y])", "n", "d"),
    ranked("np.hstack((x, y, x))", "n d", "n m"),
    ranked("np.hstack([y, x, y])", "d", ""),
    ranked("np.hstack([x, 1.0])", "n"),
    ranked("np.hstack([x, y])", "n", "float"),
    ranked("np.vstack([x, y])", "d", "d"),
    ranked("np.vstack([x, y, x])", "d", "n d"),
    ranked("np.vstack((x, y))", "b n d", "m n d"),
    ranked("np.dstack([x, y])", "d", "d"),
    ranked("np.dstack([x, y])", "n d", "n d"),
    ranked("np.dstack([x, y])", "n d b", "n d"),
    ranked("np.column_stack([x, y])", "n", "n"),
    ranked("np.column_stack([x, y, x])", "n", "n d"),
    shaped("np.append(x, y)", "n", "d"),
    shaped("np.append(x, y)", "n", ""),
    shaped("np.append(x, 1)", "n d"),
    shaped("np.append(x, y)", "n d", "b 1"),
    shaped("np.append(x, y, axis=0)", "n d", "m d"),
    shaped("np.append(x, y, -1)", "n d", "n m"),
    ranked("np.insert(x, 1, y)", "d", ""),
    ranked("np.insert(x, -1, 0)", "d"),
    ranked("np.insert(x, 1, y, axis=0)", "n d", "d"),
    ranked("np.insert(x, -2, y, axis=1)", "n d", ""),
    ranked("np.insert(x, -1, y, axis=-1)", "n d", "n"),
    ranked("np.insert(x, [1, 3], y)", "m", "2"),
    ranked("np.insert(x, (0, 2), y)", "m", ""),
    ranked("np.insert(x, [0, 2], y, axis=1)", "n m", "n 2"),
    ranked("np.insert(x, [1], y, axis=0)", "n d", "d"),
    ranked("np.delete(x, [0, 2])", "m"),
    ranked("np.delete(x, [0, -1], axis=1)", "n d"),
    shaped("np.concatenate([x, y], axis=None)", "n d", "m"),
    shaped("np.delete(x, 1)", "n d"),
    shaped("np.delete(x, -1)", "d"),
    shaped("np.delete(x, 1, axis=0)", "n d"),
    shaped("np.delete(x, -2, axis=1)", "n d"),
]

DIAGONAL = shaped("np.diagflat(x, -2)", "")
TRIANGLES = [
    ranked("np.diag(x)", "n"),
    ranked("np.diag(x, 2)", "n"),
    ranked("np.diag(x, k=-1)", "n"),
    ranked("np.diag(x)", "n n"),
    ranked("np.diag(x)", "n d"),
    ranked("np.diag(x, 1)", "n n"),
    ranked("np.diag(x, -1)", "n d"),
    shaped("np.diagflat(x)", "n"),
    shaped("np.diagflat(x, 1)", "n d"),
    # NumPy before 2.0 makes a number of a number, and not the right one
    *([DIAGONAL] if hasattr(np, "concat") else []),
    shaped("np.diagonal(x)", "n n"),
    shaped("np.diagonal(x)", "n d"),
    shaped("x.diagonal(1)", "n d"),
    shaped("np.diagonal(x, -1)", "n n"),
    shaped("np.diagonal(x)", "b n d"),
    shaped("np.diagonal(x, 0, axis1=1, axis2=0)", "n n"),
    shaped("np.diagonal(x, axis1=-2, axis2=-1)", "b n n"),
    ranked("np.diagonal(x, 0, 1, 2)", "b n d"),
    ranked("np.diagonal(x, 0, 0, 2)", "b n d"),
    ranked("np.diagonal(x, 1, 2, 0)", "b n d"),
    ranked("np.trace(x, 1)", "n d"),
    ranked("x.trace(offset=-1)", "n d"),
    ranked("np.trace(x)", "n d b"),
    ranked("np.trace(x, 0, 1, 2)", "b n d"),
    ranked("np.trace(x, offset=-1, axis1=2, axis2=0)", "b n d"),
    ranked("np.trace(x, 1, -2, -1)", "m b n d"),
    shaped("np.tril(x)", "n n"),
    shaped("np.tril(x, -1)", "n d"),
    shaped("np.triu(x, k=1)", "b n d"),
    shaped("np.triu(x)", "d"),
]

# The array API's names, where NumPy has them, are the same objects.
ALIASES = [
    unary("np.acos(x)", -0.9, 0.9),
    unary("np.asin(x)", -0.9, 0.9),
    unary("np.atan(x)", -3, 3),
    unary("np.acosh(x)", 1.2, 3),
    unary("np.asinh(x)", -3, 3),
    unary("np.atanh(x)", -0.9, 0.9),
    binary("np.atan2(x, y)", -2, 2, (0.3, 2)),
    binary("np.pow(x, y)", 0.3, 2, (-2, 2)),
    shaped("np.concat([x, y])", "n d", "m d"),
]
NAMES = (
    "absolute acos acosh amax amin asin asinh atan atan2 atanh bitwise_invert "
    "bitwise_not concat degrees fabs max min mod permute_dims pow radians true_divide"
).split()

LINES = [
    *MOVING,
    *COMPUTED,
    *WINDOWS,
    *REPEATING,
    *PADDING,
    *JOINING,
    *TRIANGLES,
    *ALIASES,
]


def has_its_functions(line) -> bool:
    """Whether this NumPy has the functions, some of which came with 2.0 and 2.1."""
    new = "acos asin atan acosh asinh atanh atan2 pow concat permute_dims astype"
    names = [name for name in new.split() if f"np.{name}(" in line.text]
    names += ["matrix_transpose"] * ("np.matrix_transpose" in line.text)
    return all(hasattr(np, name) for name in names)


@pytest.mark.parametrize(
    "line", LINES, ids=lambda line: f"{line.text} of {', '.join(line.shapes[0])}"
)
def test_line(line):
    if not has_its_functions(line):
        pytest.skip("this NumPy lacks the function")
    found = faults(line, gradgen, forward=True)
    if found:
        pytest.fail(found, pytrace=False)


REFUSED = [
    (ranked("np.pad(x, 1, mode='median')", "n"), None, "np.pad with this mode="),
    (
        ranked("np.pad(x, 1, constant_values=(1, y))", "n", ""),
        None,
        "several constant_values",
    ),
    (ranked("np.pad(x, ((1, 1), (2, 2)))", "n"), None, "np.pad with this pad_width"),
    (ranked("np.vstack(x)", "n d"), None, "not written out one by one"),
    (ranked("np.vstack([x, y])", "n", "b n d"), None, "arrays of different ranks"),
    (ranked("np.insert(x, [2, 1], 2.0)", "n"), None, "np.insert at these places"),
    (ranked("np.rollaxis(x, 0, -1)", "n d"), {}, "np.rollaxis with this start"),
    (ranked("x.astype('datetime64[s]')", "n"), None, "a cast to this dtype"),
    (ranked("np.reshape(x, -1, order='A')", "n d"), None, "in an order of memory"),
]


@pytest.mark.parametrize("line, shapes, said", REFUSED, ids=lambda v: str(v)[:40])
def test_refusal(line, shapes, said):
    program = Program(parameters(line, line.shapes[0]), (f"return {line.text}",), 1)
    told = {param.name: param.fact for param in program.params}
    with pytest.raises(GradgenError, match=said):
        gradgen.grad(
            program.function,
            wrt=line.names,
            shapes=told if shapes is None else shapes,
        ).source


@pytest.mark.skipif(hasattr(np, "concat"), reason="NumPy 2 makes a matrix of a number")
def test_what_numpy_made_no_matrix_of_is_refused():
    program = Program(parameters(DIAGONAL, ("",)), (f"return {DIAGONAL.text}",), 1)
    with pytest.raises(GradgenError, match="np.diagflat of a number before NumPy 2"):
        gradgen.grad(program.function, shapes={"x": ""}).source


def test_aliases_are_the_functions_themselves():
    table = operation_of()
    found = {
        name
        for name in dir(np)
        if not name.startswith("_")
        and id(getattr(np, name)) in table
        and table[id(getattr(np, name))].startswith("numpy.")
    }
    missing = [name for name in NAMES if hasattr(np, name) and name not in found]
    assert not missing


def narrowed(x, w):
    return np.sum(x.astype(np.float32) * w)


def test_a_cast_to_float32_is_undone():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 4))
    for shapes in ({"x": "n", "w": "n"}, {}):
        d_x, d_w = gradgen.grad(narrowed, wrt=("x", "w"), shapes=shapes)(x, w)
        assert d_x.dtype == d_w.dtype == np.float64
        np.testing.assert_allclose(d_x, w, rtol=1e-12)
        np.testing.assert_allclose(d_w, x.astype(np.float32), rtol=1e-12)


def rounded_down(x):
    return np.sum(x.astype(int) * x)


def test_a_cast_to_integers_has_no_slope():
    x = np.array([0.5, 1.5, -2.5])
    gradient = gradgen.grad(rounded_down, wrt="x", shapes={"x": "n"})
    np.testing.assert_array_equal(gradient(x), [0, 1, -2])


AGAINST = [
    ("np.tile(x, (2, 3))", "n d"),
    ("np.repeat(x, 2, axis=1)", "n d"),
    ("np.roll(x, 2, axis=0)", "n d"),
    ("np.rot90(x)", "n d"),
    ("np.moveaxis(x, 0, 1)", "n d"),
    ("np.pad(x, ((1, 2), (0, 1)), 'constant')", "n d"),
    ("np.trace(x)", "n n"),
    ("np.triu(x, 1)", "n d"),
    ("np.diag(x)", "n"),
    ("np.vstack([x, 2 * x])", "n"),
]


@pytest.mark.parametrize("text, fact", AGAINST)
def test_as_autograd(text, fact):
    autograd = pytest.importorskip("autograd")
    line = shaped(text, fact)
    program = Program(parameters(line, (fact,)), (f"return np.sum(np.sin({text}))",), 1)
    (x,) = program.arguments(0)
    scope = {"np": autograd.numpy}
    exec(program.source.replace("import numpy as np", ""), scope)
    theirs = autograd.grad(scope["program"])(x)
    ours = gradgen.grad(program.function, wrt="x", shapes={"x": fact})(x)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def test_a_tuple_of_the_module_is_an_array_of_its_length(tmp_path):
    source = "T = (1.0, 2.0)\n\n\ndef f(x):\n    return np.sum(x * np.array(T))\n"
    f = written(source, tmp_path)
    for shapes in ({"x": ""}, None):
        g = gradgen.grad(f, shapes=shapes)(np.float32(2.0))
        assert np.shape(g) == () and g == 3
    x = np.ones((3, 2), np.float32)
    for shapes in ({"x": "n 2"}, {"x": "3 2"}, None):
        g = gradgen.grad(f, shapes=shapes)(x)
        assert g.dtype == np.float32 and np.array_equal(g, np.full((3, 2), [1, 2]))
    refused = written(source.replace("np.array(T)", "T"), tmp_path)
    with pytest.raises(GradgenError, match="GG214"):
        gradgen.grad(refused).source
