"""Functions that leave their results in a dictionary: outputs["y"] = ..."""

import numpy as np
import pytest

import gradgen
from gradgen.cli import run

SOURCE = '''
import numpy as np


class Lift:
    """An explicit component, as optimisers of designs are made of."""

    def __init__(self, slope):
        self.slope = slope

    def compute(self, inputs, outputs):
        speed, angle = inputs["speed"], inputs["angle"]
        outputs["pressure"] = 0.5 * inputs["rho"] * speed**2
        outputs["lift"] = np.sum(outputs["pressure"] * self.slope * np.sin(angle))


def squares(inputs, outputs):
    outputs["y"] = inputs["x"] ** 2


def stored_into(inputs, outputs):
    outputs["y"][:] = inputs["x"] ** 2


def rates(params, x):
    scale = params.get("scale", 2.0)
    if "shift" in params:
        x = x + params["shift"]
    return np.sum(np.tanh(x * scale) * params["w"])
'''
INPUTS = {"speed": np.array([3.0, 4.0]), "angle": np.array([0.1, 0.2]), "rho": 1.2}
SEEDS = {"pressure": np.array([0.5, -1.0]), "lift": 2.0}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    found = tmp_path_factory.mktemp("keys") / "components.py"
    found.write_text(SOURCE)
    return found


@pytest.fixture(scope="module")
def space(place):
    names = {"__name__": "components"}
    exec(compile(SOURCE, str(place), "exec"), names)
    return names


def differences(component, name):
    def total(value):
        outputs = {}
        component.compute({**INPUTS, name: value}, outputs)
        return sum(np.sum(SEEDS[key] * outputs[key]) for key in SEEDS)

    value = np.asarray(INPUTS[name], float)
    found = np.zeros(value.shape)
    for at in np.ndindex(value.shape):
        step = np.zeros(value.shape)
        step[at] = 1e-6
        found[at] = (total(value + step) - total(value - step)) / 2e-6
    return found


def test_calls(space):
    lift = space["Lift"](5.7)
    for outputs in ({}, {"pressure": np.zeros(2), "lift": 0.0}):
        gradient = gradgen.grad(lift.compute, wrt="inputs", of="outputs")
        got = gradient(INPUTS, outputs, seed=SEEDS)
        for name in INPUTS:
            np.testing.assert_allclose(got[name], differences(lift, name), rtol=1e-6)
    value, pullback = gradgen.vjp(lift.compute, wrt="inputs", of="outputs")(INPUTS, {})
    wanted = {}
    lift.compute(INPUTS, wanted)
    np.testing.assert_array_equal(value["pressure"], wanted["pressure"])
    assert value["lift"] == wanted["lift"]
    np.testing.assert_allclose(
        pullback(SEEDS)["rho"], differences(lift, "rho"), rtol=1e-6
    )


def test_texts(space):
    lift = space["Lift"](5.7)
    for text in (
        gradgen.emit(space["Lift"].compute, wrt="inputs", of="outputs"),
        gradgen.emit(lift.compute, wrt="inputs", of="outputs", example=(INPUTS, {})),
    ):
        names = {}
        exec(text, names)
        got = names["grad_compute"](
            lift, INPUTS, {}, d_pressure=SEEDS["pressure"], d_lift=SEEDS["lift"]
        )
        for name in INPUTS:
            np.testing.assert_allclose(got[name], differences(lift, name), rtol=1e-6)


def test_entries_of_arrays_that_are_given_are_refused(space):
    """A dictionary that is empty has none."""
    with pytest.raises(gradgen.GradgenError):
        gradgen.emit(space["stored_into"], wrt="inputs", of="outputs")


@pytest.mark.parametrize(
    "words",
    [
        ["squares", "--wrt", "inputs", "--of", "outputs"],
        ["Lift.compute", "--wrt", "inputs", "--of", "outputs"],
        ["rates", "--wrt", "params,x"],
    ],
)
def test_the_command_judges_what_it_assumes_of_dictionaries(
    place, tmp_path, capsys, words
):
    out = tmp_path / "gradient.py"
    name, *options = words
    assert run(["emit", f"{place}:{name}", *options, "-o", str(out)]) == 0
    assert run(["check", str(out)]) == 0
    assert "agrees with differences" in capsys.readouterr().err
