"""The programs themselves: reproducible, varied, well conditioned, not dead."""

import re

import numpy as np

from tests.fuzz.case import Truth, case_of
from tests.fuzz.facts import LEVELS, facts
from tests.fuzz.generate import generate
from tests.fuzz.program import SAMPLES, run

MANY = 400


def test_same_seed_same_program():
    assert [generate(s).source for s in range(30)] == [
        generate(s).source for s in range(30)
    ]
    assert len({generate(s).source for s in range(30)}) == 30


def test_programs_run_at_both_sizes_and_in_float32():
    for seed in range(100):
        program = generate(seed)
        for sample in SAMPLES:
            assert run(program.function, program.arguments(sample)) is not None
            narrow = program.arguments(sample, np.float32)
            assert all(getattr(a, "dtype", "float32") == "float32" for a in narrow)
            assert run(program.function, narrow) is not None


def test_every_construct_occurs():
    text = "\n".join(generate(seed).source for seed in range(MANY))
    wanted = r"""
        \*\* \w / @ \.T\b -\w abs\( np\.maximum np\.minimum np\.where np\.arctan2 np\.hypot
        np\.sum \.sum\( np\.mean \.mean\( np\.max\( \.max\( np\.min\( np\.prod np\.std np\.var
        axis=-1 axis=\( \(1,.0\) keepdims=True np\.linalg\.norm reshape transpose expand_dims
        \[:,.None\] \[0,.0,.1\] \[:,.\[0,.0,.1\]\] \[0,.1,.0\],.\[1,.0,.1\] \[1:\] \[::-1\]
        concatenate stack matmul \.dot\( np\.outer np\.inner einsum \.shape\[0\] len\(
        \.mean\(axis=\S+,.keepdims=True\) \w+,.\w+.= 1e-3 np\.squeeze ravel np\.power logaddexp
    """.split()
    missing = [pattern for pattern in wanted if not re.search(pattern, text)]
    assert not missing


def test_every_kind_of_parameter_and_fact_occurs():
    programs = [generate(seed) for seed in range(MANY)]
    kinds = {p.fact or p.kind for program in programs for p in program.params}
    family = {"n d", "n 1", "1 d", "d", "1", "b 1 1", "b n d", "b 1 d", "d m"}
    assert family | {"array", "numpy", "float"} <= kinds
    told = [fact for p in programs for fact in facts(p, "half").values()]
    assert {"*s", "#n #d", "#d", ""} <= set(told)
    for program in programs:
        assert set(facts(program, "full")) == {p.name for p in program.params}
        assert facts(program, "none") == {}
    assert any(0 < len(facts(p, "half")) < len(p.params) for p in programs)


def test_requests_vary():
    cases = [case_of(generate(s), level) for s in range(60) for level in LEVELS]
    assert any(isinstance(case.wrt, str) for case in cases)
    assert any(isinstance(case.wrt, tuple) and len(case.wrt) == 1 for case in cases)
    orders = [case for case in cases if len(case.names) > 1]
    written = [[p.name for p in case.program.params] for case in orders]
    in_order = [
        list(c.names) == [n for n in w if n in c.names] for c, w in zip(orders, written)
    ]
    assert any(in_order) and not all(in_order)


def test_results_are_scalars_and_arrays():
    programs = [generate(seed) for seed in range(60)]
    shapes = [np.shape(p.function(*p.arguments(0))) for p in programs]
    assert 30 < sum(shape == () for shape in shapes) < 60


def test_most_gradients_can_be_measured_and_are_not_zero():
    measured, zero, total = 0, 0, 0
    for seed in range(60):
        program = generate(seed)
        truth, names = Truth(program), tuple(p.name for p in program.params)
        measured += truth.measures(names)
        total += len(names)
        zero += sum(not np.any(truth.gradient(0, name).value) for name in names)
    assert measured >= 58
    assert zero <= 0.3 * total
