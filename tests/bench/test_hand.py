"""The hand-written gradients are right, and the benchmark's machinery runs."""

import json
import sys

import numpy as np
import pytest

from bench import generation, report, tape, tuned
from bench.rows import Row, agree, bundle, candidates, measured
from bench.timing import geometric_mean, interleaved
from bench.workloads import LOOPS, STRAIGHT, WORKLOADS
from gradgen.verify.finite import numeric_gradient


def each(workloads):
    return pytest.mark.parametrize("workload", workloads, ids=lambda w: w.name)


each_workload = each(WORKLOADS)


def small_inputs(workload, seed=0):
    return workload.inputs("small", np.random.default_rng(seed))


def as_dtype(args, dtype):
    """Arrays and scalars alike in the given type; counts, places and masks as are."""
    return tuple(
        np.asarray(arg).astype(dtype)[()] if np.asarray(arg).dtype.kind == "f" else arg
        for arg in args
    )


def central_difference(function, args, place, step=1e-5):
    """Gradient with respect to one argument, in extended precision where it exists."""
    args = list(as_dtype(args, np.longdouble))
    point = np.array(args[place])
    gradient = np.zeros(point.shape)
    for index in np.ndindex(point.shape):
        sides = []
        for sign in (1, -1):
            moved = point.copy()
            moved[index] += sign * step
            sides.append(function(*args[:place], moved[()], *args[place + 1 :]))
        gradient[index] = (sides[0] - sides[1]) / (2 * step)
    return gradient


def measured_gradient(function, args, place):
    """The gradient by differences; numpy.linalg knows no extended precision."""
    try:
        return central_difference(function, args, place)
    except TypeError:
        return numeric_gradient(function, args, place, 1.0).value


@each_workload
@pytest.mark.parametrize("seed", [1, 2])
def test_gradient_equals_central_difference(workload, seed):
    args = small_inputs(workload, seed)
    _, gradients = workload.hand(*args)
    for name, found in zip(workload.wrt, bundle(gradients), strict=True):
        place = list(workload.shapes).index(name)
        expected = measured_gradient(workload.pure, args, place)
        np.testing.assert_allclose(
            found, expected, rtol=1e-6, atol=1e-7 * np.max(np.abs(expected))
        )


@each(STRAIGHT)
def test_tuned_gradient_equals_the_hand_written_one(workload):
    args = small_inputs(workload, 4)
    agree("tuned", workload, getattr(tuned, workload.name), args, workload.hand(*args))


@each_workload
def test_value_has_the_bits_of_the_primal(workload):
    for size in workload.sizes:
        args = workload.inputs(size, np.random.default_rng(3))
        value, _ = workload.hand(*args)
        assert value == workload.pure(*args)


@each_workload
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_shape_and_dtype_follow_the_argument(workload, dtype):
    args = as_dtype(small_inputs(workload), dtype)
    value, gradients = workload.hand(*args)
    assert np.asarray(value).dtype == np.asarray(workload.pure(*args)).dtype
    for name, found in zip(workload.wrt, bundle(gradients), strict=True):
        argument = args[list(workload.shapes).index(name)]
        assert np.shape(found) == np.shape(argument)
        assert found.dtype == dtype


@each_workload
def test_arguments_stay_and_gradients_belong_to_the_caller(workload):
    args = small_inputs(workload)
    before = [np.copy(arg) for arg in args]
    _, gradients = workload.hand(*args)
    for arg, copy in zip(args, before, strict=True):
        np.testing.assert_array_equal(arg, copy)
    for gradient in bundle(gradients):
        assert not any(np.shares_memory(gradient, arg) for arg in args)


def test_every_row_has_a_name_of_its_own():
    assert {w.name for w in WORKLOADS} >= {w.name for w in (*STRAIGHT, *LOOPS)}
    assert len({w.name for w in WORKLOADS}) == len(WORKLOADS) >= 29


@each([w for w in WORKLOADS if w.taped and not w.in_place])
def test_autograd_agrees(workload):
    pytest.importorskip("autograd")
    args = small_inputs(workload)
    agree(
        "autograd", workload, tape.value_and_grad(workload), args, workload.hand(*args)
    )


def test_shapes_name_the_parameters_in_order():
    for workload in WORKLOADS:
        code = workload.primal.__code__
        assert tuple(workload.shapes) == code.co_varnames[: code.co_argcount]
        assert set(workload.wrt) <= set(workload.shapes)


def test_disagreement_is_an_error():
    workload = WORKLOADS[0]
    args = small_inputs(workload)
    value, gradient = expected = workload.hand(*args)
    wrong = {
        "value": (value + 1e-6, gradient),
        "is off by": (value, gradient * (1 + 1e-6)),
        "has shape": (value, gradient[None]),
        "off by nan": (value, gradient * np.nan),
    }
    for message, answer in wrong.items():
        with pytest.raises(AssertionError, match=message):
            agree("wrong", workload, lambda *args: answer, args, expected)


def test_a_row_is_measured_with_the_generated_gradient():
    workload = WORKLOADS[2]
    functions = candidates(workload)
    assert {"generated", "hand", "tuned"} <= set(functions)
    assert functions["generated"].__name__ == "value_and_grad_logistic_regression"

    row = measured(workload, functions, "small", rounds=3, seconds=1e-4)
    assert set(row.seconds) == {"primal", *functions}
    assert all(seconds > 0 for seconds in row.seconds.values())


def test_interleaved_calls_every_function_with_the_arguments():
    calls = []
    functions = {
        "first": lambda x: calls.append(("first", x)),
        "second": lambda x: calls.append(("second", x)),
    }
    medians = interleaved(functions, (7,), rounds=2, seconds=1e-5)
    assert list(medians) == ["first", "second"]
    assert set(calls) == {("first", 7), ("second", 7)}


def test_geometric_mean():
    assert geometric_mean([2, 8]) == pytest.approx(4)
    assert np.isnan(geometric_mean([]))


SMALL = {"primal": 1e-6, "generated": 2e-6, "hand": 1e-6, "tuned": 1e-6, "fast": 5e-7}
LARGE = {"primal": 1e-3, "generated": 2e-3, "hand": 4e-3, "tuned": 1e-3, "fast": 8e-3}
ROWS = [Row("f", "small", {"n": 3}, SMALL), Row("f", "large", {"n": 9}, LARGE)]


def test_table_shows_ratios_and_their_means():
    lines = report.table(ROWS).splitlines()
    assert lines[1].split() == [
        "f",
        "small",
        "1.0",
        "2.00",
        "1.00",
        "-",
        "2.00",
        "0.50",
        "2.00",
    ]
    assert lines[2].split() == [
        "f",
        "large",
        "1000.0",
        "2.00",
        "4.00",
        "-",
        "0.50",
        "2.00",
        "2.00",
    ]
    assert lines[3].split() == [
        "geometric",
        "mean",
        "all",
        "2.00",
        "2.00",
        "-",
        "1.00",
        "1.00",
        "2.00",
    ]
    assert len({len(line) for line in lines[:6]}) == 1
    assert np.__version__ in lines[-1]


def test_json_holds_the_rows_and_the_means():
    content = json.loads(report.as_json(ROWS))
    assert content["rows"][0]["ratios"]["generated/hand"] == pytest.approx(2)
    assert content["rows"][1]["lengths"] == {"n": 9}
    assert content["geometric_means"]["large"]["generated/hand"] == pytest.approx(0.5)
    assert content["environment"]["numpy"] == np.__version__


def test_chain_module_computes_and_is_removed():
    with generation.imported("chain_3", generation.chain_source("chain_3", 3)) as chain:
        x = np.array([0.5, 2.0])
        expected = x
        for _ in range(3):
            expected = np.sin(expected) * expected
        assert chain(x) == np.sum(expected)
    assert "chain_3" not in sys.modules


def test_chain_seconds_emits_each_function_once():
    names = []

    def emit(function, *, wrt):
        names.append(function.__name__)
        assert wrt == "x"

    assert generation.chain_seconds(emit, 4, repetitions=2) >= 0
    assert names == ["chain_4_0", "chain_4_1"]
