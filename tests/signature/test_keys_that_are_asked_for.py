"""Texts of functions that ask a dictionary for a key, where nothing tells its keys."""

import numpy as np
import pytest

import gradgen

SOURCE = """
def membership(x, options):
    if "shift" in options:
        return 2 * x + options["shift"]
    return 3 * x


def the_other_way(x, options):
    if "shift" not in options:
        return 3 * x
    return 2 * x + options["shift"]


def by_turns(x, options):
    for name in ("first", "second"):
        x = x + options[name] if name in options else 2 * x
    return x


def nested(x, options):
    if "shift" in options["more"]:
        return 2 * x + options["more"]["shift"]
    return 3 * x


def any_at_all(x, options):
    if options:
        return 2 * x + options["shift"]
    return 3 * x


def handed_on(x, fixed):
    found, i = {}, 0
    for name in ("first", "second"):
        if name in fixed:
            found[name] = fixed[name]
        else:
            found[name] = x[i]
            i = i + 1
    return found["first"] * 2 + found["second"]
"""
GIVEN = {
    "membership": ({"shift": 1.0}, {}),
    "the_other_way": ({"shift": 1.0}, {"other": 1.0}),
    "by_turns": ({"first": 1.0, "second": 2.0}, {"first": 1.0}),
    "nested": ({"more": {"shift": 1.0}}, {"more": {}}),
    "any_at_all": ({"shift": 1.0}, {}),
    "handed_on": ({"first": 1.0, "second": 2.0}, {"first": 1.0}),
}


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    place = tmp_path_factory.mktemp("asked") / "asked.py"
    place.write_text("import numpy as np\n" + SOURCE)
    space = {"__name__": "asked"}
    exec(compile(place.read_text(), str(place), "exec"), space)
    return space


# options that are empty are no dictionary of "shift"
RAISING = ("any_at_all",)


@pytest.mark.parametrize("name", GIVEN)
def test_with_the_keys_and_without_them_it_is_right_or_raises(functions, name):
    function = functions[name]
    made = {}
    exec(gradgen.emit(function, wrt="x"), made)
    grad = made[f"grad_{name}"]
    x = np.array([0.7, 1.9])
    for options in GIVEN[name]:
        shape = np.shape(function(x, options))
        seed = np.linspace(0.5, 1.5, 2).reshape(shape) if shape else 1.0
        if options is GIVEN[name][1] and name in RAISING:
            with pytest.raises((KeyError, ValueError)):
                grad(x, options, seed)
            continue
        got = grad(x, options, seed)
        for i in range(2):
            moved = np.eye(2)[i] * 1e-6
            up, down = function(x + moved, options), function(x - moved, options)
            np.testing.assert_allclose(
                got[i], np.sum(seed * (up - down)) / 2e-6, atol=1e-8
            )


@pytest.mark.parametrize("name", GIVEN)
def test_at_hand_each_call_has_its_own(functions, name):
    function = functions[name]
    x = np.array([0.7, 1.9])
    for options in GIVEN[name]:
        got = gradgen.grad(function, wrt="x")(x, options)
        for i in range(2):
            moved = np.eye(2)[i] * 1e-6
            up, down = function(x + moved, options), function(x - moved, options)
            np.testing.assert_allclose(got[i], np.sum(up - down) / 2e-6, atol=1e-8)
