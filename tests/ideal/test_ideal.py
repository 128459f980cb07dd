"""The gradients that were written by hand first are printed byte for byte."""

import re
from pathlib import Path

import pytest

import gradgen

HERE = Path(__file__).parent
MLP = {"W1": "d h", "b1": "h", "W2": "h c", "b2": "c", "X": "n d", "Y": "n c"}
RNN = {"Wx": "n m", "Wh": "m m", "b": "m", "X": "t n", "target": "m"}
CASES = {
    "cosine_loss_joint": ("cosine_loss", {"wrt": "X", "shapes": {"X": "n", "Y": "n"}}),
    "cosine_loss_value": (
        "cosine_loss",
        {"wrt": "X", "value": True, "shapes": {"X": "n", "Y": "n"}},
    ),
    "cosine_loss_callback": (
        "cosine_loss",
        {"wrt": ("X", "Y"), "style": "callback", "shapes": {"X": "n", "Y": "n"}},
    ),
    "L2_norm_joint": ("L2_norm", {}),
    "cossim_rows": (
        "cossim_rows",
        {"wrt": "yh", "value": True, "shapes": {"yh": "n d", "y": "n d"}},
    ),
    "mlp_loss": (
        "mlp_loss",
        {
            "wrt": ("W1", "b1", "W2", "b2"),
            "value": True,
            "stop": "shift",
            "shapes": MLP,
        },
    ),
    "jacobi_1d": (
        "jacobi_1d",
        {"wrt": ("A", "B"), "shapes": {"A": "n", "B": "n"}},
    ),
    "rnn_loss": ("rnn_loss", {"wrt": ("Wx", "Wh", "b"), "shapes": RNN}),
    "soft_length": (
        "soft_length",
        {"wrt": ("x", "limit"), "value": True, "shapes": {"x": "n"}},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_text_is_the_hand_written_one(name, monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    function, options = CASES[name]
    text = gradgen.emit(f"sources.{function}", **options)
    # The hand-written texts have no hashes.
    text = re.sub(r"(source|text) [0-9a-f]{12}", r"\1 000000000000", text)
    assert text == (HERE / f"{name}.txt").read_text(encoding="utf-8")


def test_every_text_is_compared():
    assert {path.stem for path in HERE.glob("*.txt")} == set(CASES)
