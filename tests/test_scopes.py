"""No text reads a variable of a round or of an arm where that is not."""

import contextlib
from dataclasses import replace

import pytest

import gradgen
from gradgen.frontend.lower import lower
from gradgen.frontend.source.source import find
from gradgen.ir.nodes import Let, Loop, Note, Origin, Ref, Role, Supply
from tests.fuzz.imperative import imperative
from tests.fuzz.profiles import callables
from tests.fuzz.program import imported
from tests.scopes import unknown, watched

SEEDS = range(3900, 3940)


def in_a_round(x):
    t = 0.0
    for v in x:
        w = v * v if v > 0 else v + 1
        t += w * v
    return t


def test_what_a_round_computes_is_found_behind_the_loop():
    supply = Supply()
    function = lower(find(in_a_round), supply)
    assert unknown(function) == []
    loop = next(stmt for stmt in function.body if isinstance(stmt, Loop))
    inside = next(stmt for stmt in loop.body if isinstance(stmt, Let))
    late = Let(supply.var("late", Origin.TEMP), Ref(inside.var), Note(Role.FORWARD))
    assert unknown(replace(function, body=(*function.body, late))) == [inside.var.name]
    branch = next(stmt for stmt in loop.body if not isinstance(stmt, Let))
    hidden = next(stmt for stmt in (*branch.then, *branch.orelse))
    late = replace(late, value=Ref(hidden.var))
    body = replace(loop, body=(*loop.body, late))
    changed = tuple(body if stmt is loop else stmt for stmt in function.body)
    assert unknown(replace(function, body=changed)) == [hidden.var.name]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_read_nothing_out_of_its_place(seed):
    if seed % 2:
        function = imported(callables.Writer(seed).text(), "f")
    else:
        function = imperative(seed).function
    with watched() as found:
        for mode in ("reverse", "forward", "hvp", "jacobian"):
            with contextlib.suppress(gradgen.GradgenError):
                gradgen.emit(function, mode=mode)
    assert not found
