"""An array that __init__ makes of numbers has one axis: np.array([x, y, yaw, v])."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Vehicle:
    def __init__(self, x=0, y=0.0, yaw=0, v: float = 1, wheelbase=2.5, dt=0.1):
        self.L, self.dt = wheelbase, dt
        self.state = np.array([x, y, yaw, v])

    def update(self, acceleration, steering):
        x, y, theta, v = self.state
        beta = np.arctan(0.5 * np.tan(steering))
        x += v * np.cos(theta + beta) * self.dt
        y += v * np.sin(theta + beta) * self.dt
        theta += v / self.L * np.sin(beta) * self.dt
        v += acceleration * self.dt
        self.state = np.array([x, y, theta, v])
        return self.state


@pytest.mark.parametrize("asked", ["steering", "acceleration", "self.state", "self.L"])
def test_a_state_that_is_taken_apart_and_added_to(asked):
    text, space = gradgen.emit(Vehicle.update, wrt=asked), {}
    exec(text, space)
    car, args = Vehicle(0.1, 0.2, 0.3, 2.0), [0.5, 0.1]
    seed = np.array([0.7, 1.1, 0.9, 1.3])
    name = asked.removeprefix("self.")

    def value(one):
        other, given = Vehicle(0.1, 0.2, 0.3, 2.0), list(args)
        if asked in ("acceleration", "steering"):
            given[asked == "steering"] = float(one)
        else:
            setattr(other, name, one)
        return seed @ other.update(*given)

    at = getattr(car, name) if asked[:5] == "self." else args[asked == "steering"]
    want = numeric_gradient(value, (at,), 0).value
    before = car.state.copy()
    got = space["grad_update"](car, *args, seed)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(car.state, before)
