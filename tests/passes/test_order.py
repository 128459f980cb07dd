"""After each pass nothing is read that is assigned behind it, whatever the mode."""

import numpy as np
import pytest

import gradgen
from bench.workload import COUNT
from bench.workloads import WORKLOADS
from gradgen.ir.nodes import Branch, Effect, Let, Loop
from gradgen.ir.walk import own_expressions, reads
from gradgen.pipeline import passes
from gradgen.verify.finite import numeric_gradient

MODES = ("reverse", "forward", "hvp")


def ahead(body, known):
    """The variables of a block that are read before they are assigned."""
    for stmt in body:
        if isinstance(stmt, (Let, Effect)):
            yield from (var for var in reads(stmt.value) if var not in known)
            known |= {stmt.var} if isinstance(stmt, Let) else set()
        elif isinstance(stmt, Branch):
            first = stmt.test
            yield from (var for var in reads(first) if var not in known)
            inside = [set(known), set(known)]
            for block, own in zip((stmt.then, stmt.orelse), inside):
                yield from ahead(block, own)
            for merge in stmt.merges:
                for value, own in zip((merge.then, merge.orelse), inside):
                    yield from (var for var in reads(value) if var not in own)
            known |= {merge.var for merge in stmt.merges}
        elif isinstance(stmt, Loop):
            for slot in stmt.carried:
                yield from (var for var in reads(slot.entry) if var not in known)
            own = known | {slot.inner for slot in stmt.carried} | {stmt.index}
            yield from ahead(stmt.body, own)
            for slot in stmt.carried:
                yield from (var for var in reads(slot.next) if var not in own)
            known |= {slot.exit for slot in stmt.carried} | {stmt.count}
            if stmt.over is not None:
                yield from (var for var in reads(stmt.over) if var not in known)


@pytest.fixture
def broken(monkeypatch):
    """The passes that left something read before it is assigned, with its name."""
    after, found = passes._after, []

    def watched(one, function, context, watch):
        made = after(one, function, context, watch)
        if made is not function:
            own = {param.var for param in made.params}
            read = {v for s in made.body for e in own_expressions(s) for v in reads(e)}
            assert read  # the function is read as it was meant
            before = {var.name for var in ahead(function.body, set(own))}
            for var in ahead(made.body, own):
                if var.name not in before:
                    found.append((one.run.__name__, var.name))
        return made

    monkeypatch.setattr(passes, "_after", watched)
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("one", WORKLOADS, ids=lambda one: one.name)
def test_workloads(one, mode, broken):
    shapes = {name: shape for name, shape in one.shapes.items() if shape != COUNT}
    try:
        gradgen.emit(one.primal, wrt=one.wrt, shapes=shapes, mode=mode)
    except gradgen.GradgenError as refusal:
        assert "GG251" in str(refusal) or mode != "reverse", refusal
    assert not broken


def round_before(x, n=3):
    inv = 1.0
    for _ in range(n):
        x = np.sin(x) * inv + x
        s = np.sqrt(np.sum(x**2) + 1)
        inv = 1 / s
    return np.sum(x * inv)


def same_name(x):
    inv = np.exp(-x)
    y = x * inv
    s = np.sqrt(np.var(y) + 1e-5)
    inv = 1 / s
    return np.sum((y - y.mean()) * inv * np.arange(3))


def layer_norm(x):
    s = np.sqrt(np.var(x) + 1e-5)
    inv = 1 / s
    return np.sum((x - x.mean()) * inv * np.arange(3))


def cosine(x):
    y = np.array([1.0, 0.5, -1.0])
    nx, ny = np.sqrt(x @ x), np.sqrt(y @ y)
    ix, iy = 1 / nx, 1 / ny
    return (x @ y) * ix * iy


def powers(x):
    r = np.sqrt(x**2 + 1)
    q = x / r
    p = q**3
    w = x**3 / r**3
    return np.sum(p * w + q)


def weights(x):
    e = np.exp(x - np.max(x))
    total = np.sum(e)
    p = e / total
    inv = 1 / total
    return np.sum(p * np.log(p) * inv)


def products(x):
    m = np.array([[0.3, -0.7, 0.4], [0.9, 0.2, -0.5], [0.1, 0.8, 0.6]])
    y = m @ x
    z = np.log(y**2 + 1) / y
    w = y / np.sqrt(y @ y + 1)
    return np.sum(z * w) + x @ y


def quotients(x):
    a = 0.7
    w = np.sin(x / a) ** 2 + (x / a) ** 3
    z = x / a
    x = np.sin(w) + z
    return np.sum(np.sin(x) * z)


CASES = (
    round_before,
    same_name,
    layer_norm,
    cosine,
    powers,
    weights,
    products,
    quotients,
)


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_tangents_among_what_is_named(f, broken):
    x, t = np.array([0.3, -0.7, 1.1]), np.array([1.0, 0.5, -1.0])
    gradient = gradgen.grad(f)
    want = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradient(x), want, rtol=1e-6, atol=1e-8)
    found = gradgen.jvp(f)(x, t)[1]
    np.testing.assert_allclose(found, want @ t, rtol=1e-6, atol=1e-8)
    h = 1e-5
    moved = (gradient(x + h * t) - gradient(x - h * t)) / (2 * h)
    for second in (gradgen.hvp(f)(x, t), gradgen.hessian(f)(x) @ t):
        np.testing.assert_allclose(second, moved, rtol=1e-5, atol=1e-7)
    assert not broken
