"""Every committed gradient in the other modes, and differentiated once more.

At random arguments of each header's facts forward and reverse mode are adjoint, the
Hessian is symmetric and the derivative of the gradient, and the gradient of the emitted
gradient is what differences of it say.
"""

import copy
import functools
import importlib.util

import numpy as np
import pytest

import gradgen
from gradgen.commands.emitted import made_again
from gradgen.verify.finite import directional
from tests.test_generated import FILES, FOLDER, call, primal

JOINT = [name for name, (_, form, *_) in FILES.items() if form != "callback"]
SMALL = 10  # entries of an argument, up to which the whole Hessian is made

# What is refused, with the reason.
NO_FORWARD = {"dose": "GG315 .*simpson, which calls itself"}
NO_HVP = {"dose": "GG315 .*simpson, which calls itself"}
NO_SECOND = {"dose": "GG501 .*vjp_simpson is a function"}


@functools.cache
def made(name: str):
    """The request in a file's header."""
    path = FOLDER / f"{name}.py"
    return made_again(str(path), path.read_text(encoding="utf-8"))


def options(name: str) -> dict:
    asked = made(name).request
    return {
        "shapes": dict(asked.shapes),
        "stop": asked.stop,
        "guard": asked.guard,
    }


def places(name: str) -> list[int]:
    order = list(FILES[name][2])
    return [order.index(one) for one in made(name).wrt]


def tangents(name: str, args: list, seed: int) -> list:
    """A random tangent for each argument that is differentiated."""
    rng = np.random.default_rng([seed, len(name)])
    found = []
    for k in places(name):
        size = rng.uniform(0.5, 1.5, np.shape(args[k]))
        signed = size * rng.choice([-1, 1], np.shape(args[k]))
        found.append(signed if np.ndim(args[k]) else float(signed))
    return found


def along(name: str, args: list, given: list) -> list:
    """The tangents at the places of their arguments, None at the others."""
    chosen = dict(zip(places(name), given))
    return [chosen.get(k) for k in range(len(args))]


def dot(some, others) -> float:
    return sum(float(np.sum(a * b)) for a, b in zip(some, others, strict=True))


def as_tuple(found) -> tuple:
    return found if isinstance(found, tuple) else (found,)


def close(found, want, tolerance: float, size: float = 0.0) -> None:
    scale = max(np.max(np.abs(want), initial=0.0), size, 1e-12)
    assert np.max(np.abs(np.asarray(found) - want), initial=0.0) <= tolerance * scale


def refused(name: str, reasons: dict, make):
    """What `make` makes; None where it is refused for the reason that is told."""
    if name in reasons:
        with pytest.raises(gradgen.GradgenError, match=reasons[name]):
            make().source  # of which the text is made
        return None
    return make()


@pytest.mark.parametrize("name", JOINT)
def test_forward_and_reverse_are_adjoint(name):
    wrt = made(name).wrt
    forward = refused(
        name, NO_FORWARD, lambda: gradgen.jvp(primal(name), wrt, **options(name))
    )
    if forward is None:
        return
    gradient = gradgen.grad(primal(name), wrt, **options(name))
    for draw in (0, 1):
        args, result, seed = call(name, draw)
        given = tangents(name, args, draw)
        value, change = forward(*copy.deepcopy(args), *given)
        assert np.asarray(value).tobytes() == np.asarray(result).tobytes()
        want = directional(primal(name), args, along(name, args, given))
        close(change, want.value, 1e-7)
        back = gradient(*copy.deepcopy(args), seed=seed)
        size = dot(map(np.abs, back), map(np.abs, given))
        assert abs(np.sum(change * seed) - dot(back, given)) <= 1e-9 * size


SCALAR = [name for name in JOINT if np.ndim(call(name, 0)[1]) == 0]


@pytest.mark.parametrize("name", SCALAR)
def test_the_hessian_times_a_vector(name):
    wrt = made(name).wrt
    times = refused(
        name, NO_HVP, lambda: gradgen.hvp(primal(name), wrt, **options(name))
    )
    if times is None:
        return
    gradient = gradgen.grad(primal(name), wrt, **options(name))
    args, *_ = call(name, 0)
    u, v = tangents(name, args, 3), tangents(name, args, 4)
    Hu = as_tuple(times(*copy.deepcopy(args), *u))
    Hv = as_tuple(times(*copy.deepcopy(args), *v))
    size = dot(map(np.abs, u), map(np.abs, Hv)) + 1e-12
    assert abs(dot(u, Hv) - dot(v, Hu)) <= 1e-8 * size
    largest = max(np.max(np.abs(one), initial=0.0) for one in Hv)
    for k, found in enumerate(Hv):
        want = directional(lambda *a, k=k: gradient(*a)[k], args, along(name, args, v))
        assert np.shape(found) == np.shape(args[places(name)[k]])
        close(found, want.value, 1e-6, largest)


@pytest.mark.parametrize("name", [one for one in SCALAR if one not in NO_HVP])
def test_a_small_hessian_is_its_products(name):
    args, *_ = call(name, 0)
    for k, which in zip(places(name), made(name).wrt):
        size = np.size(args[k])
        if size > SMALL:
            continue
        H = gradgen.hessian(primal(name), which, **options(name))(*copy.deepcopy(args))
        assert np.shape(H) == np.shape(args[k]) * 2
        H = np.reshape(H, (size, size))
        close(H, H.T, 1e-8)
        times = gradgen.hvp(primal(name), which, **options(name))
        for unit, row in zip(np.eye(size), H):
            vector = unit.reshape(np.shape(args[k])) if np.ndim(args[k]) else 1.0
            close(np.ravel(times(*copy.deepcopy(args), vector)), row, 1e-9, np.max(H))


def emitted(name: str, tmp_path):
    """The committed gradient as a function of a module of its own."""
    path = tmp_path / f"first_{name}.py"
    path.write_text((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [f for n, f in vars(module).items() if n.startswith(("grad_", "value_and"))]
    return found[-1]


def second_forms() -> list:
    """Each file in one of two styles, in turn; the other one is a long test."""
    every = [(name, style) for name in JOINT for style in ("joint", "callback")]
    always = (0, 3)  # of two files' four
    return [
        pytest.param(*one, marks=[] if at % 4 in always else pytest.mark.long)
        for at, one in enumerate(every)
    ]


@pytest.mark.parametrize("name, style", second_forms())
def test_the_gradient_of_the_committed_gradient(name, style, tmp_path):
    first = emitted(name, tmp_path)
    wrt, shapes = made(name).wrt, dict(made(name).request.shapes)
    maker = gradgen.grad if style == "joint" else gradgen.vjp
    second = refused(name, NO_SECOND, lambda: maker(first, wrt, shapes=shapes))
    if second is None:
        return
    args, _, seed = call(name, 0)
    args = [*args, seed]
    results = leaves(first(*copy.deepcopy(args)))
    rng = np.random.default_rng(len(name))
    seeds = [np.asarray(rng.uniform(0.5, 1.5, np.shape(r)))[()] for r in results]
    whole = nested(first(*copy.deepcopy(args)), iter(seeds))
    if style == "joint":
        found = second(*copy.deepcopy(args), seed=whole)
    else:
        _, pullback = second(*copy.deepcopy(args))
        found, again = pullback(whole), pullback(whole)
        for one, other in zip(found, again):
            assert np.array_equal(one, other)
    given = tangents(name, args, 5)
    ways = along(name, args, given)
    want = sum(
        np.sum(
            weight * directional(lambda *a, k=k: leaves(first(*a))[k], args, ways).value
        )
        for k, weight in enumerate(seeds)
    )
    size = dot(map(np.abs, found), map(np.abs, given)) + 1e-9
    assert abs(dot(found, given) - want) <= 1e-6 * size


def leaves(result) -> list:
    """The arrays and numbers of a result, which may be tuples of tuples."""
    if isinstance(result, tuple):
        return [leaf for part in result for leaf in leaves(part)]
    return [result]


def nested(result, seeds):
    if isinstance(result, tuple):
        return tuple(nested(part, seeds) for part in result)
    return next(seeds)
