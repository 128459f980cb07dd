"""A choice is written as a select: 0 times inf is nan, and a select is 0."""

import ast
from pathlib import Path

import numpy as np
import pytest

import gradgen
from tests.guard.functions import FUNCTIONS
from tests.guard.test_properties import text_of

ROOT = Path(__file__).resolve().parents[2]
GENERATED = sorted((ROOT / "generated").glob("*.py"))
TEMPLATES = sorted((ROOT / "templates").glob("*.py"))
LOGIC = ("isnan", "isfinite", "isinf", "logical_and", "logical_or", "logical_not")


def is_mask(node: ast.expr, masks: set[str]) -> bool:
    """Whether an expression is true or false, or 1 or 0."""
    if isinstance(node, ast.Name):
        return node.id in masks
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Invert) or is_mask(node.operand, masks)
    if isinstance(node, ast.BinOp):
        logic = isinstance(node.op, ast.BitAnd | ast.BitOr)
        return logic and (is_mask(node.left, masks) or is_mask(node.right, masks))
    if isinstance(node, ast.Subscript):
        return is_mask(node.value, masks)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr == "astype":
        return is_mask(node.func.value, masks)
    if node.func.attr == "where" and len(node.args) == 3:
        ways = [way.value for way in node.args[1:] if isinstance(way, ast.Constant)]
        return sorted(ways) == [0, 1]
    return node.func.attr in LOGIC


def products_with_masks(text: str, first: int = 0) -> list[str]:
    """The products of a text, from a line on, that have a mask as a factor."""
    found, masks = [], set()
    nodes = [n for n in ast.walk(ast.parse(text)) if hasattr(n, "lineno")]
    for node in sorted(nodes, key=lambda n: n.lineno):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            masks = masks | {name} if is_mask(node.value, masks) else masks - {name}
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            sides = (node.left, node.right)
            if node.lineno >= first and any(is_mask(side, masks) for side in sides):
                found.append(ast.unparse(node))
    return found


def gradient_half(text: str) -> int:
    """The line where the user's own statements end."""
    lines = text.splitlines()
    return next(i for i, line in enumerate(lines, 1) if "# Grad of" in line)


@pytest.mark.parametrize("path", GENERATED, ids=lambda p: p.stem)
def test_committed_gradients(path):
    text = path.read_text(encoding="utf-8")
    assert "nan_to_num" not in text
    first = gradient_half(text) if "# Grad of" in text else 0
    assert products_with_masks(text, first) == []


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_functions_of_the_property_tests(function):
    text = text_of(function, False)
    assert "nan_to_num" not in text
    assert products_with_masks(text, gradient_half(text)) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: p.stem)
def test_rules(path):
    text = path.read_text(encoding="utf-8")
    assert products_with_masks(text) == []


def test_a_product_with_a_mask_is_found():
    text = "hits = x == m\nk = ~np.isnan(y)\n"
    text += "a = d * hits\nb = np.where(k, 1.0, 0) * d\nc = (d * e) * (x > 0)\n"
    assert len(products_with_masks(text)) == 3
    text = "hits = x == m\na = np.where(hits, d * e, 0)\nb = np.where(hits, 2, 1) * d\n"
    assert products_with_masks(text) == []


def root_of_middle(x):
    return np.sqrt(np.quantile(x, 0.5))


def root_of_both(x):
    return np.sum(np.sqrt(np.percentile(x, [0, 100])))


def test_an_infinite_adjoint_stays_with_what_was_selected():
    x = np.array([3.0, 0.0, 0.0, 0.0, 5.0])
    with np.errstate(divide="ignore"):
        got = gradgen.grad(root_of_middle, shapes={"x": "n"})(x)
        assert np.array_equal(got, [0, np.inf, np.inf, np.inf, 0])
        got = gradgen.grad(root_of_both, shapes={"x": "n"})(x)
    assert np.array_equal(got[1:4], [np.inf] * 3) and got[0] == 0
    assert got[4] == 0.5 / np.sqrt(5)
