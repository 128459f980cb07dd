"""Statements of emitted gradients over those of the same gradients by hand."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import gradgen
from bench.workload import COUNT
from bench.workloads import WORKLOADS
from tests.ideal.twenty import sources
from tests.ideal.twenty.cases import CASES

TWENTY = Path(__file__).parent.parent / "tests" / "ideal" / "twenty"
HEAD = ["function", "by hand", "printed", "ratio", "named", "same text"]


def statements(text: str) -> int:
    """The statements of all functions of a text, docstrings and headers apart.

    A loop and a test count as one and what they hold; a tuple that is assigned to a
    tuple counts as one, as does a line of a return.
    """
    found = 0
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        body = function.body
        if ast.get_docstring(function) is not None:
            body = body[1:]
        found += sum(_within(one) for one in body)
    return found


def returned(text: str) -> int:
    """The results that a text computes in its returns: 2 of `return 1 - s, d @ X`."""
    found = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Return) and node.value is not None:
            waiting = [node.value]
            while waiting:
                value = waiting.pop()
                if isinstance(value, ast.Tuple):
                    waiting += value.elts
                else:
                    found += not isinstance(value, (ast.Name, ast.Constant))
    return found


def rows(told: bool = True, example: bool = False) -> list[list[str]]:
    """A line for each function, and the geometric means of both groups.

    Of texts that nothing is told for (not `told`), helpers and tests of what is assumed
    count like all statements. By `example` are the texts of the workloads alone.

    A printed text names its results, a gradient by hand may compute them in its
    return. "named" is the ratio where each result that is computed there counts as
    the statement that would name it.
    """
    lines = [HEAD]
    for group in (_examples(told, example), [] if example else _twenty(told)):
        ratios, named = [], []
        for name, hand, printed in group:
            by_hand, of_ours = statements(hand), statements(printed)
            ratios.append(of_ours / by_hand)
            named.append((of_ours + returned(printed)) / (by_hand + returned(hand)))
            same = "yes" if hand.strip() == printed.strip() else ""
            shown = f"{ratios[-1]:.2f}", f"{named[-1]:.2f}"
            lines.append([name, str(by_hand), str(of_ours), *shown, same])
        if not ratios:
            continue
        means = (f"{_mean(one):.2f}" for one in (ratios, named))
        lines.append(["geometric mean", "", "", *means, ""])
    return lines


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def _examples(told: bool, example: bool) -> Iterator[tuple[str, str, str]]:
    """The examples that bench has a gradient of by hand: name, that, and ours."""
    rng = np.random.default_rng(0)
    for workload in WORKLOADS:
        facts = {one: s for one, s in workload.shapes.items() if s != COUNT}
        printed = gradgen.emit(
            workload.primal,
            wrt=workload.wrt,
            shapes=facts if told else {},
            example=workload.inputs("small", rng) if example else None,
            value=True,
            **workload.options,
        )
        yield workload.name, inspect.getsource(workload.hand), _headless(printed)


def _twenty(told: bool) -> Iterator[tuple[str, str, str]]:
    for name, case in CASES.items():
        printed = gradgen.emit(
            getattr(sources, name),
            wrt=case.wrt,
            shapes=case.shapes if told else {},
            value=case.value,
        )
        hand = (TWENTY / f"{name}.txt").read_text(encoding="utf-8")
        yield name, hand, _headless(printed)


def _headless(text: str) -> str:
    lines = text.splitlines(keepends=True)
    while lines[0].startswith("#") or not lines[0].strip():
        del lines[0]
    return "".join(lines)


def _within(node: ast.stmt) -> int:
    """The statement and those in it; a nested function counts for itself."""
    if isinstance(node, ast.FunctionDef):
        return 1
    inside = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
    return 1 + sum(_within(one) for one in inside)
