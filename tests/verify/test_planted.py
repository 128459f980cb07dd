"""Planted faults are found, right gradients are not called wrong: counted by kind."""

from collections import Counter
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import gradgen
from gradgen.commands.order import Order, make
from gradgen.printer.header import read_header, text_hash
from gradgen.verify.judge import judge
from gradgen.verify.verdict import Verdict
from tests.verify.by_hand import HANDS, function

ROOT = Path(__file__).resolve().parents[2]
FAULTS = [(hand, kind, old, new) for hand in HANDS for kind, old, new in hand.faults]


@lru_cache(maxsize=None)
def made(at: int):
    """What gradgen emits for a function, with the command that a header has."""
    hand = HANDS[at]
    shape = tuple(f"{name}={fact}" for name, fact in hand.shapes.items())
    target = f"tests.verify.by_hand.{hand.primal.__name__}"
    return make(Order(target, wrt=hand.wrt, shape=shape, complex=hand.complex))


def committed(hand, source: str) -> str:
    """A file of gradgen's with another text, and a header that fits it."""
    text = made(HANDS.index(hand)).emitted.text
    header = read_header(text)
    body = "\n" + source
    text = text[: text.index(header["body"])] + body if header["body"] else text
    return text.replace(f"text {header['text']}", f"text {text_hash(source)}")


def is_rejected(hand, text: str, kind: str) -> bool:
    """Whether check_grads rejects a gradient."""
    dtypes = (np.float64, np.float32) if kind == "dtype" else (np.float64,)
    for dtype in dtypes:
        args = hand.arguments(0, dtype=dtype)
        try:
            gradgen.check_grads(hand.primal, function(text), args, hand.wrt)
        except gradgen.GradgenError as error:
            assert error.code in ("GG601", "GG603", "GG606", "GG607"), error
            return True
    return False


def verdict_on(hand, text: str, seed: int = 0) -> Verdict:
    verdict = Verdict("planted.py")
    judge(verdict, committed(hand, text), made(HANDS.index(hand)), seed)
    return verdict


def shares(found: Counter, every: Counter) -> str:
    rows = [f"{kind:<14}{found[kind]:>4} of {n}" for kind, n in sorted(every.items())]
    return "\n".join(rows)


def test_every_planted_fault_is_found_by_both():
    every = Counter(kind for _, kind, _, _ in FAULTS)
    assert len(FAULTS) >= 60 and len(HANDS) >= 12 and len(every) >= 14
    by_grads, by_check, missed = Counter(), Counter(), []
    for hand, kind, old, new in FAULTS:
        text = hand.planted(old, new)
        grads = is_rejected(hand, text, kind)
        verdict = verdict_on(hand, text)
        by_grads[kind] += grads
        by_check[kind] += bool(verdict.faults)
        if not (grads and verdict.faults):
            who = "check" if grads else "check_grads"
            missed.append(f"{who}: {hand.primal.__name__}: {kind}: {new}")
    print(f"\ncheck_grads\n{shares(by_grads, every)}")
    print(f"gradgen check\n{shares(by_check, every)}")
    assert not missed, "\n".join(missed)
    page = (ROOT / "docs" / "checking.md").read_text()
    for kind, n in every.items():
        assert f"| {kind} | {n} | {by_grads[kind]} | {by_check[kind]} |" in page


NAMES = [hand.primal.__name__ for hand in HANDS]


@pytest.mark.parametrize("hand", HANDS, ids=NAMES)
def test_the_right_text_agrees_for_several_seeds(hand):
    text = committed(hand, hand.source)
    assert text_hash(hand.source) == read_header(text)["text"]
    for seed in (0, 1):
        verdict = verdict_on(hand, hand.source, seed)
        assert verdict.judged and not verdict.faults, verdict.faults


WAYS = {
    "as it is": dict(),
    "small": dict(scale=1e-6),
    "large": dict(scale=30.0),
    "float32": dict(dtype=np.float32),
    "tiny": dict(scale=1e-9),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("hand", HANDS, ids=NAMES)
def test_a_right_gradient_is_accepted(hand, way):
    for seed in (1, 2):
        args = hand.arguments(seed, **WAYS[way])
        gradgen.check_grads(hand.primal, function(hand.source), args, hand.wrt)


@pytest.mark.parametrize("hand", HANDS, ids=NAMES)
def test_lists_are_accepted(hand):
    if hand.complex or hand.primal.__name__ == "rough":
        args = [list(arg) for arg in hand.arguments(3)]
    else:
        args = [np.asarray(arg).tolist() for arg in hand.arguments(3)]

    def primal(*lists):
        return hand.primal(*map(np.asarray, lists))

    def right(*lists):
        return function(hand.source)(*map(np.asarray, lists))

    def other(*lists):
        return 1.001 * right(*lists)

    if hand.source.count("d_out)"):  # the seed has no default
        ones = np.ones(np.shape(primal(*args)))
        right = lambda *lists: function(hand.source)(*map(np.asarray, lists), ones)  # noqa: E731
    gradgen.check_grads(primal, right, args, 0)
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.check_grads(primal, other, args, 0)
    assert caught.value.code == "GG601"
