"""Imperative programs: reproducible, varied, well conditioned; faults in them show."""

import re
from functools import cache

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient
from tests.fuzz.campaign import explained, verdicts
from tests.fuzz.case import Case, Truth
from tests.fuzz.imperative import Imperative, imperative
from tests.fuzz.judge import examine
from tests.fuzz.program import SAMPLES, Parameter, run
from tests.fuzz.prune import smaller
from tests.fuzz.reduce import reduced
from tests.fuzz.stand_in import StandIn
from tests.fuzz.watch import MARGIN, Watched

MANY = 400
drawn = cache(imperative)
X = Parameter("x", ("n",))
C = Parameter("c", (), "float")


def program(text, *params, preamble=""):
    lines = tuple(line[4:] for line in text.splitlines() if line.strip())
    return Imperative(params, lines, 7, preamble=preamble)


def case(text, *params, preamble="", wrt=None):
    made = program(text, *params, preamble=preamble)
    shapes = {p.name: p.fact for p in params}
    return Case(made, shapes, wrt or tuple(p.name for p in params), narrow=True)


def test_same_seed_same_program():
    sources = [drawn(s).source for s in range(30)]
    assert sources == [imperative(s).source for s in range(30)]
    assert len(set(sources)) == 30


def test_programs_run_at_both_sizes_and_in_float32():
    for seed in range(60):
        made = drawn(seed)
        for sample in SAMPLES:
            assert run(made.function, made.arguments(sample)) is not None
            assert run(made.function, made.arguments(sample, np.float32)) is not None
            assert made.twin.margin(made.arguments(sample)) >= MARGIN


@pytest.mark.long
def test_every_construct_occurs():
    wanted = r"""
        for.\w+.in.range\(\w+\): range\(1,.n\) range\(n.-.1,.-1,.-1\) range\(\w.\+.1,.n\)
        reversed\( enumerate\( zip\( for.line.in for.c.in.\(0.5 while.\w+.<
        while.True while.change elif else: break continue assert raise :=
        \w\[\w+,.\w+\].[-+*/]= \[1:-1\].= \[:,.\w+\].= mask\].= \[\[0,.2\]\].= \[idx\].=
        np.add.at out= \.copy\(\) np.zeros\(n\) np.empty np.full np.zeros_like
        cur,.nxt.=.nxt,.cur (\w+),.(\w+).=.\2,.\1 items.append items.=.\[.*for sum\(.*for
        def.local lambda both_of\( applied\( relax\(|sweep\( return.*\n\s+\w+ errstate
        =.\w+\[1:-1\]\n =.\w+\n =.\w+\.T\n =.\w+\[0\]\n %.n\] if.*else
        \[i.-.1\] -0.5.<.*<.0 .and. .or. not.flag terms\[ \*rest steps \].=.\w+\[.*\].=
    """.split()
    missing = wanted
    for seed in range(MANY):
        text = f"{drawn(seed).source}\n"
        missing = [pattern for pattern in missing if not re.search(pattern, text)]
        if not missing:
            return
    assert not missing


def test_the_twin_measures_what_differences_measure():
    compared = 0
    for seed in range(25):
        made = drawn(seed)
        truth = Truth(made)
        for i, param in enumerate(made.params):
            if param.differentiable:
                found = made.measured(0, i, truth.seed(0))
                args = made.arguments(0)
                want = numeric_gradient(made.function, args, i, truth.seed(0))
                scale = np.max(np.abs(want.value), initial=1.0)
                assert np.allclose(found.value, want.value, atol=1e-7 * scale, rtol=0)
                compared += 1
    assert compared > 25


def test_narrow_decisions_are_seen():
    source = "def f(x):\n    if x > 0.5:\n        return x\n    return abs(x - 2.0)\n"
    watched = Watched(source, "f")
    assert watched.margin([0.75]) == 0.25
    assert watched.margin([0.4]) == pytest.approx(0.1)
    assert watched.margin([0.499]) == pytest.approx(1e-3)
    assert np.imag(watched.function(0.4 + 1e-30j)) == -1e-30


def test_a_program_without_an_end_is_none():
    text = """
    k = 0
    while k < 3:
        x = 0.5 * x
    return np.sum(x)
    """
    assert not program(text, X).fits()


@pytest.mark.parametrize("seed", range(12))
def test_generator_and_judge_agree_without_a_compiler(seed):
    for _, verdict in verdicts(seed, StandIn(), "A"):
        assert not verdict.faults and verdict.measured and not verdict.refusal


LOOP = """
    y = x.copy()
    for i in range(1, len(x)):
        y[i] += 0.5 * y[i - 1] * c
        if y[i] > 0.3:
            y[i] = np.sin(y[i])
    return np.sum(y * y)
    """


class OtherText(StandIn):
    """Measures a program that one replacement of text has changed."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def prepare(self, function):
        import inspect

        text = inspect.getsource(function).replace(self.old, self.new)
        names = {"np": np}
        exec(text, names)
        return names[function.__name__]


@pytest.mark.parametrize(
    "old, new",
    [
        ("+= 0.5", "= 0.5"),  # an augmented store taken for a store
        ("x.copy()", "np.zeros_like(x)"),  # an entry value that is lost
        ("np.sin(y[i])", "np.cos(y[i])"),  # the other branch
        ("range(1,", "range(2,"),  # a round that is missing
        ("y[i - 1]", "x[i - 1]"),  # the value before the store
    ],
)
def test_what_a_wrong_gradient_may_look_like_is_found(old, new):
    verdict = examine(case(LOOP, X, C), OtherText(old, new))
    assert "value" in {fault.kind for fault in verdict.faults}


class Mutating(StandIn):
    def grad(self, function, wrt, shapes, stop=(), strict=False):
        gradient = super().grad(function, wrt, shapes)

        def changed(*args, seed=1.0):
            found = gradient(*args, seed=seed)
            function(*args)
            return found

        changed.source = "..."
        return changed


def test_an_argument_that_changes_is_found():
    text = """
    x[1:-1] = 0.5 * x[2:]
    return np.sum(x * x)
    """
    verdict = examine(case(text, X), Mutating(), companions=False)
    assert "argument changed" in {fault.kind for fault in verdict.faults}


def test_failures_are_reduced_by_statements_and_parts():
    text = """
    y = x.copy()
    total = 0.0
    for i in range(1, len(x)):
        if x[i] > 0.0:
            total += helper(x[i])
        else:
            total -= 0.5 * x[i] + c
        y[i] += 0.5 * np.tanh(y[i - 1]) * c
    z = np.sin(y)
    return np.sum(z * z) + total
    """
    helper = "def helper(u):\n    return np.cos(u)"
    first = case(text, X, C, preamble=helper)

    def fails(smaller_case):
        return "tanh" in smaller_case.program.source and "for " in (
            smaller_case.program.source
        )

    small = reduced(first, fails)
    assert "helper" not in small.program.source
    assert len(small.program.lines) <= 3
    assert small.program.fits()


def test_every_smaller_program_is_smaller_or_simpler():
    made = drawn(11)
    sizes = [len(other.source) for other in smaller(made)]
    assert len(sizes) > 20 and min(sizes) < len(made.source)


def test_a_report_shows_the_program_and_its_helpers():
    lines = "\n    return np.sum(helper(x) * c)\n"
    first = case(lines, X, C, preamble="def helper(u):\n    return np.cos(u)")
    verdict = examine(first, StandIn(), companions=False)
    said = explained(first, verdict, StandIn())
    assert "def program(" in said and "def helper(" in said
