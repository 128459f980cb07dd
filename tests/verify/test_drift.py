"""drift: what counts as another text, and the reason that is given."""

import pytest

from gradgen.printer.header import header
from gradgen.verify.drift import drift

BODY = '''import numpy as np


def grad_f(X, d_out=1.0):
    """Gradient of f."""
    # Forward
    y = np.exp(X)

    # Grad of: y = np.exp(X)
    d_X = d_out * y  # the user's remark
    return d_X
'''


def text(body: str, source: str = "0" * 12, of: str | None = None) -> str:
    """A module with a header; `of` is the body that the header's hash is of."""
    top = header("m.f", source, BODY if of is None else of, "gradgen emit m.f", [])
    return f"{top}\n{body}"


@pytest.mark.parametrize(
    "old, new",
    [
        ("d_out * y  #", "(d_out*y) #"),
        ("np.exp(X)\n\n", "np.exp(\n        X,\n    )\n"),
        ("# Grad of: y = np.exp(X)", "#Grad of: y=np.exp( X )"),
        ("# Grad of: y = np.exp(X)", "# Grad of: y = np.e..."),
        ('"""Gradient of f."""', "'''Gradient of f.'''"),
        ("import numpy as np\n\n\n", "import numpy as np\n"),
    ],
)
def test_formatting_is_no_drift(old, new):
    assert old in BODY
    assert drift(text(BODY.replace(old, new)), text(BODY)) is None


@pytest.mark.parametrize(
    "old, new",
    [
        ("d_out * y", "y * d_out"),
        ("y)", "y, 2)"),
        ("    # Forward\n", ""),
        ("    # Forward\n    y = np.exp(X)\n", "    y = np.exp(X)\n    # Forward\n"),
        ("  # the user's remark", "\n    # the user's remark"),
        ("# Grad of: y = np.exp(X)", "# Grad of: y = np.exp(Y)"),
        ("Gradient of f", "Gradient of g"),
        ("1.0", "1"),
    ],
)
def test_all_else_is_drift(old, new):
    body = BODY.replace(old, new, 1)
    if body != BODY:
        assert drift(text(body, of=body), text(BODY)) is not None


def test_the_reason():
    other = BODY.replace("d_out * y", "y * d_out")
    assert "edited by hand" in drift(text(other), text(BODY)).reason
    assert "writes it differently" in drift(text(other, of=other), text(BODY)).reason
    changed = drift(text(other, of=other), text(BODY, source="1" * 12))
    assert changed.reason == "m.f has changed since"
    assert "no longer Python" in drift(text("def f(:\n"), text(BODY)).reason


def test_a_text_without_a_header_is_a_mistake():
    with pytest.raises(ValueError):
        drift(BODY, text(BODY))
