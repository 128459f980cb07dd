"""Planted faults: each is found, under its own name, and nothing else ever is."""

import numpy as np
import pytest

from gradgen.errors import GradgenError
from tests.fuzz.campaign import campaign, explained
from tests.fuzz.case import Case
from tests.fuzz.judge import examine
from tests.fuzz.program import Parameter, Program
from tests.fuzz.reduce import reduced
from tests.fuzz.stand_in import StandIn

X = Parameter("x", ("n", "d"))
ROW = Parameter("row", ("1", "d"))
SQUARE = Parameter("s", ("n", "n"))
NUMBER = Parameter("c", (), "float")


def case(line, *params, wrt=None, told=True):
    program = Program(params, (f"return {line}",), seed=7)
    shapes = {p.name: p.fact for p in params} if told else {}
    return Case(program, shapes, wrt or tuple(p.name for p in params), told)


PRODUCT = case("np.sum(x * row)", X, ROW)
ARRAY = case("x / (2 + row * row)", X, ROW)
MEAN = case("np.mean(row) + np.sum(x * x)", X, ROW)
MATRIX = case("np.sum(s @ s @ x)", SQUARE, X)
GATHERED = case("np.sum(x[[0, 0, 1]] ** 2)", X)
KEPT = case("x - x.mean(axis=-1, keepdims=True)", X)
SCALED = case("np.sum(c * x)", NUMBER, X)


class Planted(StandIn):
    """One fault, in the gradients handed out."""

    def __init__(self, plant):
        self.plant = plant

    def finish(self, g, arg, seed, result):
        return self.plant(super().finish(g, arg, seed, result), arg, seed)


def stretched(g, arg, seed):
    """The gradient as it is before summing over the axes that were stretched."""
    return g * np.ones((3, 1)) if g.shape[0] == 1 else g


def lost_axis(g, arg, seed):
    return g[0] if g.shape[0] == 1 else g


def lost_multiplicity(g, arg, seed):
    return g / 3 if g.shape[0] == 1 else g


def one_entry(g, arg, seed):
    g.flat[0] *= 1 + 1e-5
    return g


def transposed(g, arg, seed):
    return g.T.copy()


def swapped_rows(g, arg, seed):
    return g[::-1].copy()


def writes_argument(g, arg, seed):
    arg *= 2
    return g


def writes_seed(g, arg, seed):
    seed *= 2
    return g


GRADIENTS = [
    ("shape", PRODUCT, stretched),
    ("shape", PRODUCT, lost_axis),
    ("shape", PRODUCT, transposed),
    ("value", PRODUCT, lost_multiplicity),
    ("value", PRODUCT, one_entry),
    ("value", PRODUCT, lambda g, arg, seed: 0 * g),
    ("value", PRODUCT, lambda g, arg, seed: g * np.nan),
    ("value", MATRIX, lambda g, arg, seed: g.T.copy() if len(set(g.shape)) == 1 else g),
    ("value", MATRIX, swapped_rows),
    ("value", GATHERED, lambda g, arg, seed: g / np.array([2, 1, 1])[: len(g), None]),
    ("dtype", PRODUCT, lambda g, arg, seed: g.astype(np.float64)),
    ("dtype", SCALED, lambda g, arg, seed: g.astype(np.float32)),
    ("shape", SCALED, lambda g, arg, seed: g * np.ones(1) if g.ndim == 0 else g),
    ("read-only", PRODUCT, lambda g, arg, seed: np.broadcast_to(g, g.shape)),
    ("shared memory", case("np.sum(x * x) / 2", X), lambda g, arg, seed: arg),
    ("shared memory", case("+x", X), lambda g, arg, seed: seed),
    ("shared memory", case("x.T", X), lambda g, arg, seed: seed.T),
    ("argument changed", PRODUCT, writes_argument),
    ("argument changed", ARRAY, writes_seed),
]


@pytest.mark.parametrize("kind, victim, plant", GRADIENTS)
def test_planted_gradient_is_found(kind, victim, plant):
    kinds = {fault.kind for fault in examine(victim, Planted(plant)).faults}
    assert kind in kinds


def test_one_array_as_two_gradients_is_found():
    held = {}

    def plant(g, arg, seed):
        return held.setdefault(g.shape, g)

    both = case("np.sum(x + y)", X, Parameter("y", ("n", "d")))
    assert "shared memory" in {f.kind for f in examine(both, Planted(plant)).faults}


def test_a_text_for_one_size_is_found():
    def plant(g, arg, seed):
        return g if g.shape[-1] == 5 else g * 5 / g.shape[-1]

    [fault, *_] = examine(MEAN, Planted(plant)).faults
    assert fault.kind == "value" and "d=2" in fault.detail


class OneBuffer(StandIn):
    """Hands out the same array at every call."""

    def grad(self, function, wrt, shapes, stop=(), strict=False):
        fresh, held = super().grad(function, wrt, shapes), {}

        def gradient(*args, seed=1.0):
            key = tuple(np.shape(a) for a in args), np.sum(args[0]), np.sum(seed)
            return held.setdefault(key, fresh(*args, seed=seed))

        gradient.source = self.text
        return gradient


class ForgetsSeed(StandIn):
    def grad(self, function, wrt, shapes, stop=(), strict=False):
        fresh = super().grad(function, wrt, shapes)

        def gradient(*args, seed=None):
            return fresh(*args, seed=2.0 if seed is None else seed)

        gradient.source = self.text
        return gradient


class RoundedValue(StandIn):
    def value_and_grad(self, function, wrt, shapes, stop=()):
        both = super().value_and_grad(function, wrt, shapes)

        def rounded(*args, seed=1.0):
            value, gradients = both(*args, seed=seed)
            return np.nextafter(value, np.inf), gradients

        return rounded


class PoppedList(StandIn):
    """A pullback that uses up what the forward part saved."""

    def vjp(self, function, wrt, shapes, stop=()):
        forward = super().vjp(function, wrt, shapes)

        def popping(*args):
            result, pullback = forward(*args)
            saved = [1.0]
            return result, lambda seed: pullback(seed * (saved.pop() if saved else 0))

        return popping


class Helper(StandIn):
    text = "def _unbroadcast(g, x):\n    ...\n"


class Stretching(StandIn):
    text = "    d_x = np.broadcast_to(d, X.shape)\n"


class RefusesStrict(StandIn):
    def grad(self, function, wrt, shapes, stop=(), strict=False):
        if strict:
            raise GradgenError("GG999", "a helper is needed")
        return super().grad(function, wrt, shapes)


class Breaks(StandIn):
    def grad(self, function, wrt, shapes, stop=(), strict=False):
        raise KeyError("node")


class Bare(StandIn):
    """One gradient where a tuple of one was asked for."""

    def grad(self, function, wrt, shapes, stop=(), strict=False):
        return super().grad(function, wrt[0] if len(wrt) == 1 else wrt, shapes)


ENGINES = [
    ("unrepeatable", PRODUCT, OneBuffer()),
    ("default seed", ARRAY, ForgetsSeed()),
    ("default seed", PRODUCT, ForgetsSeed()),
    ("primal value", ARRAY, RoundedValue()),
    ("callback, second call", KEPT, PoppedList()),
    ("helper", PRODUCT, Helper()),
    ("helper", PRODUCT, Stretching()),
    ("strict refusal", PRODUCT, RefusesStrict()),
    ("internal error", PRODUCT, Breaks()),
    ("form", case("np.sum(x)", X, wrt=("x",)), Bare()),
]


@pytest.mark.parametrize("kind, victim, engine", ENGINES)
def test_planted_engine_is_found(kind, victim, engine):
    found = [fault.kind for fault in examine(victim, engine).faults]
    assert kind in found


def test_helper_is_allowed_where_facts_are_missing():
    untold = case("np.sum(x * row)", X, ROW, told=False)
    assert examine(untold, Helper()).faults == []


def test_refusal_is_no_fault_but_counted():
    class Refuses(StandIn):
        def grad(self, function, wrt, shapes, stop=(), strict=False):
            raise GradgenError("GG101", "not this one", file="f.py", line=3)

    verdict = examine(PRODUCT, Refuses())
    assert verdict.faults == [] and "GG101" in verdict.refusal
    tally = campaign(range(3), Refuses())
    assert len(tally.refused) == 9 and "9  GG101 not this one" in tally.refusals


def test_nothing_is_found_without_a_fault():
    for victim in (PRODUCT, ARRAY, MEAN, MATRIX, GATHERED, KEPT, SCALED):
        verdict = examine(victim, StandIn())
        assert verdict.measured and verdict.faults == []
    tally = campaign(range(4), StandIn())
    assert (
        tally.line
        == "12 cases: 0 wrong, 0 internal errors, 0 refused, 0 not measurable"
    )


def test_random_programs_find_a_forgotten_unbroadcast():
    """The generator's own strength: how many programs notice one classic fault."""

    def plant(g, arg, seed):
        ones = [k for k, size in enumerate(g.shape) if size == 1]
        return g / 3 if ones else g

    tally = campaign(range(8), Planted(plant))
    assert len(tally.faulty) >= 4


def test_failure_is_reduced_and_readable():
    lines = ("t = np.sin(x) + 1", "z = np.sum(t * row, axis=0)", "u = z * 2")
    program = Program((X, ROW), (*lines, "return np.sum(u + z) + np.sum(t)"), seed=7)
    long = Case(program, {"x": "n d", "row": "1 d"}, ("x", "row"), True)
    engine = Planted(lost_multiplicity)
    text = explained(long, examine(long, engine), engine)
    assert "(of 4 lines)" in text
    for part in ("def program(row)", "wrt=('row',)", "got", "want", "row: 1 d"):
        assert part in text


def test_reduction_keeps_what_fails_and_little_else():
    def fails(case):
        return "tanh" in case.program.source

    lines = (
        "a = np.exp(x) * 3",
        "b = a + np.tanh(row + a) * 2",
        "return np.sum(b * b)",
    )
    small = reduced(Case(Program((X, ROW), lines), {}, ("x", "row")), fails)
    [name] = small.names
    assert len(small.program.lines) <= 2
    assert small.program.lines[0].endswith(f"np.tanh({name})")
