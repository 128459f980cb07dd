"""What a loop takes for equal, and is in an example: the text compares it."""

import subprocess
import sys

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(3)


def real(*shape):
    return 0.5 * RNG.normal(size=shape)


def recurrent(U, W, xs, h):
    for x in xs:
        h = np.tanh(W @ h + U @ x)
    return np.sum(h**2)


def chain(emissions, moves):
    a = emissions[0]
    for t in range(1, len(emissions)):
        a = emissions[t] + np.log(np.sum(np.exp(a[:, None] + moves), axis=0))
    return np.max(a)


def stencil(a, b, steps):
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        b[1:-1] = a[:-2] + a[2:]
        a[1:-1] = 0.5 * b[1:-1]
    return np.sum(a**2)


def chosen(A, x, turned):
    if turned:
        y = A.T @ x
    else:
        y = A @ x
    return np.sum(y**2)


# (function, an example, arguments of other lengths, those that are not of its lengths)
CASES = [
    (
        recurrent,
        (real(3, 2), real(3, 3), real(4, 2), real(3)),
        (real(5, 2), real(5, 5), real(3, 2), real(5)),
        [
            (real(5, 2), real(5, 4), real(3, 2), real(4)),
            (real(1, 2), real(3, 3), real(3, 2), real(3)),
        ],
    ),
    (
        chain,
        (real(4, 3), real(3, 3)),
        (real(2, 5), real(5, 5)),
        [(real(4, 3), real(1, 3)), (real(4, 3), real(3, 1))],
    ),
    (
        stencil,
        (real(6), real(6), 2),
        (real(9), real(9), 3),
        [(real(6), real(7), 0)],
    ),
    (
        chosen,
        (real(3, 3), real(3), False),
        (real(4, 4), real(4), True),
        [(real(3, 4), real(4), False), (real(3, 4), real(3), True)],
    ),
]
IDS = [case[0].__name__ for case in CASES]


def made(text, function):
    names: dict = {}
    exec(text, names)
    return names[f"grad_{function.__name__}"]


@pytest.mark.parametrize("function, example, args, others", CASES, ids=IDS)
def test_the_text_is_right_for_other_lengths(function, example, args, others):
    gradient = made(gradgen.emit(function, example=example), function)
    for given in (example, args):
        found, want = gradient(*given), numeric_gradient(function, given, 0).value
        assert np.shape(found) == np.shape(want)
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("function, example, args, others", CASES, ids=IDS)
def test_it_raises_where_they_differ(function, example, args, others):
    gradient = made(gradgen.emit(function, example=example), function)
    for given in others:
        with pytest.raises(ValueError, match="expected "):
            gradient(*given)


@pytest.mark.parametrize("function, example, args, others", CASES, ids=IDS)
def test_no_helper_is_left_and_the_command_makes_it_again(
    function, example, args, others, tmp_path
):
    text = str(gradgen.emit(function, example=example))
    assert "def _" not in text
    assert "--compare" in text
    lines = text.splitlines()
    command = lines[1].removeprefix("# Regenerate: gradgen ").split("'''")[0]
    command += " " + lines[2].removeprefix("#") if lines[2].startswith("#") else ""
    import shlex

    done = subprocess.run(
        [sys.executable, "-m", "gradgen", *shlex.split(command)],
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == text.strip(), done.stderr


def test_what_is_told_is_not_compared():
    facts = {"emissions": "n m", "moves": "m m"}
    assert "raise" not in gradgen.emit(chain, shapes=facts)
    text = gradgen.emit(chain, shapes=facts, compare="m")
    assert "if moves.shape != (emissions.shape[1], emissions.shape[1]):" in text
    assert 'raise ValueError("expected emissions (n, m), moves (m, m)")' in text


def of_rounds_of_another_length(x, y, k):
    out = y
    for _ in range(2):
        out = np.arange(3.0) * k
    return np.sum(x * out)


def test_a_length_that_is_no_letters_is_not_compared():
    example = np.ones(3), np.ones(3), 2.0
    gradient = made(
        gradgen.emit(of_rounds_of_another_length, example=example),
        of_rounds_of_another_length,
    )
    for y in (np.ones(3), np.ones(5)):
        given = np.array([1.0, 2.0, 3.0]), y, 0.5
        want = numeric_gradient(of_rounds_of_another_length, given, 0).value
        np.testing.assert_allclose(gradient(*given), want, rtol=1e-6)
