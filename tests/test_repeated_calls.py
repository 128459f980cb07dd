"""Functions that are called in several places have one of their own in the text."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

PENDULUM = """
class Pendulum:
    def __init__(self, mass=1.3, length=0.8):
        self.mass, self.length = mass, length
        self.calls = 0
        self.last = np.zeros(2)

    def slope(self, state, torque=0.2):
        angle, speed = state
        inertia = self.mass * self.length ** 2
        lift = self.mass * 9.81 * self.length * np.sin(angle)
        drag = 0.3 * speed * np.abs(speed)
        return np.array([speed, (torque - lift - drag) / inertia])

    def counted(self, state):
        self.calls += 1
        return self.slope(state) * self.mass

    def stored(self, state):
        self.last[0] = state[0] * self.mass
        return self.slope(state) * self.last[0] + state[1] * np.cos(state[0])

    def step(self, state, dt):
        k1 = self.slope(state)
        k2 = self.slope(state + 0.5 * dt * k1)
        k3 = self.slope(state + 0.5 * dt * k2)
        k4 = self.slope(state + dt * k3)
        return np.sum((state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)) ** 2)

    def steps(self, state, dt):
        k1 = self.{name}(state)
        k2 = self.{name}(state + 0.5 * dt * k1)
        k3 = self.{name}(state + dt * k2)
        return np.sum((state + dt / 6 * (k1 + k2 + k3)) ** 2)
"""
FLIGHT = """
def way(lat1, lon1, lat2, lon2, radius=6.371):
    p1, p2 = np.radians(lat1), np.radians(lat2)
    dp, dl = p2 - p1, np.radians(lon2 - lon1)
    a = np.sin(dp / 2) ** 2 + np.cos(p1) * np.cos(p2) * np.sin(dl / 2) ** 2
    return 2 * radius * np.arcsin(np.sqrt(a))


def f(lat, lon, a, b, c):
    first = way(lat, lon, 10.0, 20.0) - a
    second = way(lat, lon, -5.0, 40.0) - b
    third = way(lat, lon, 30.0, -10.0, 6.4) - c
    return np.sum(first ** 2 + second ** 2 + third ** 2)
"""
ROUNDS = """
def slope(state, sigma=10.0, rho=28.0, beta=2.5):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def f(state, dt, n=4):
    for _ in range(n):
        k1 = slope(state)
        k2 = slope(state + dt / 2 * k1)
        k3 = slope(state + dt / 2 * k2)
        k4 = slope(state + dt * k3)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum(state ** 2)
"""
state, dt = np.array([0.4, -0.7]), 0.05
place = np.array([0.5, 30.0, 45.0]), np.array([1.0, -20.0, 60.0]), 1.0, 2.0, 1.5


def loaded(text):
    space = {}
    exec(compile(text, "<text>", "exec"), space)
    (name,) = (one for one in space if one.startswith("grad_"))
    return space[name]


def assert_right(text, function, args, *first):
    """The text's gradient in its first argument is that of differences."""
    got = loaded(text)(*first, *args)
    want = numeric_gradient(function, args, 0)
    assert np.shape(got) == np.shape(want.value)
    np.testing.assert_allclose(got, want.value, rtol=1e-8, atol=1e-9)


@pytest.fixture
def pendulum(tmp_path):
    def made(name="slope"):
        text = PENDULUM.replace("{name}", name)
        return written(text, tmp_path, f"pendulum_{name}", "Pendulum")

    return made


@pytest.mark.parametrize("shapes", [None, {"state": "3", "dt": ""}, {"state": "3"}])
def test_stages_of_a_step_are_calls_of_one_function(tmp_path, shapes):
    function = written(ROUNDS, tmp_path, "rounds")
    text = gradgen.emit(function, wrt="state", shapes=shapes)
    assert text.count("\ndef ") == 2
    assert "        k2, backprop_k2 = vjp_slope(state + dt / 2 * k1)\n" in text
    assert "def vjp_slope(state, sigma=10.0, rho=28.0, beta=2.5):" in text
    assert_right(text, function, (np.array([1.0, 0.5, 2.0]), 0.02))


@pytest.mark.parametrize("shapes", [None, {"state": "n", "dt": ""}])
def test_stages_that_are_a_method(pendulum, shapes):
    model = pendulum()()
    text = gradgen.emit(type(model).step, wrt="state", shapes=shapes)
    assert text.count("vjp_slope(self, ") == 5
    assert_right(text, model.step, (state, dt), model)


def test_what_broadcasts_to_a_shape_of_unknown_rank_does_so_in_the_function(tmp_path):
    function = written(FLIGHT, tmp_path, "flight")
    text = gradgen.emit(function, wrt=["lat", "lon"])
    assert "def vjp_way(" in text and "_unbroadcast" not in text
    assert "vjp_way(lat, lon, 30.0, -10.0, 6.4)" in text
    for i in (0, 1):
        got = loaded(text)(*place)[i]
        want = numeric_gradient(function, place, i).value
        np.testing.assert_allclose(got, want, rtol=1e-8)
    one = tuple(x[:1] if np.ndim(x) else x for x in place)
    for args in (one, (0.5, 1.0, 1.0, 2.0, 1.5)):
        got = loaded(text)(*args)[0]
        np.testing.assert_allclose(
            got, numeric_gradient(function, args, 0).value, rtol=1e-8
        )
    with pytest.raises(ValueError, match="expected lat"):
        loaded(text)(0.5, *place[1:])


@pytest.mark.parametrize("wrt", ["self.mass", ["state", "self.length"]])
def test_what_an_instance_holds_has_no_gradient_through_a_call(pendulum, wrt):
    model = pendulum()()
    text = gradgen.emit(type(model).step, wrt=wrt)
    assert "vjp_" not in text
    got = loaded(text)(model, state, dt)

    def moved(mass, length):
        return type(model)(mass, length).step(state, dt)

    by_mass, by_length = (
        numeric_gradient(moved, (model.mass, model.length), i).value for i in (0, 1)
    )
    if isinstance(wrt, str):
        np.testing.assert_allclose(got, by_mass, rtol=1e-8)
    else:
        np.testing.assert_allclose(got[1], by_length, rtol=1e-8)


@pytest.mark.parametrize("name", ["counted", "stored"])
def test_a_method_that_stores_into_its_instance_is_written_out(pendulum, name):
    model = pendulum(name)()
    text = gradgen.emit(type(model).steps, wrt="state", shapes={"state": "2", "dt": ""})
    assert f"vjp_{name}" not in text
    want = numeric_gradient(lambda s: pendulum(name)().steps(s, dt), (state,), 0).value
    np.testing.assert_allclose(loaded(text)(model, state, dt), want, rtol=1e-8)


def test_at_hand_all_calls_are_written_out(tmp_path):
    function = written(ROUNDS, tmp_path, "rounds")
    gradient = gradgen.grad(function, wrt="state")
    args = np.array([1.0, 0.5, 2.0]), 0.02
    np.testing.assert_allclose(
        gradient(*args), numeric_gradient(function, args, 0).value, rtol=1e-8
    )
    assert "vjp_" not in gradient.source


def test_the_same_with_all_calls_kept_assumes_what_is_assumed_without(tmp_path):
    function = written(ROUNDS, tmp_path, "rounds")
    text = gradgen.emit(function, wrt="state", keep_calls=True)
    assert "state is taken for a vector of 3" in text and "_unbroadcast" not in text
    assert_right(text, function, (np.array([1.0, 0.5, 2.0]), 0.02))


def test_a_function_that_is_called_with_arrays_of_several_ranks_has_several(tmp_path):
    text = """
    def energy(u, w):
        v = np.tanh(u * w) + 0.3 * u
        s = np.exp(-v * v) * np.cos(u)
        t = np.sqrt(1.0 + s * s + v * v)
        for k in range(3):
            t = t + 0.1 * np.sin(k * s) / np.sqrt(1.0 + v ** 2)
        m = np.mean(t, axis=-1, keepdims=True)
        s = s * (t - m) / np.sqrt(np.mean((t - m) ** 2) + 0.1)
        return np.sum(t * s - v / t) + np.sum(np.sin(t) * v)


    def f(x, y, w):
        first = energy(x, w) * energy(y, w[0]) + energy(x * x, w)
        return first + energy(2 * x, w) * energy(y * y, w[1]) + energy(y / 2, w[0])
    """
    function = written(text, tmp_path, "ranks")
    shapes = {"x": "n d", "y": "d", "w": "n d"}
    made = gradgen.emit(function, wrt=["x", "y"], shapes=shapes)
    assert "def vjp_energy(u, w):" in made and "def vjp_energy_2(u, w):" in made
    rng = np.random.default_rng(3)
    args = rng.normal(size=(2, 3)), rng.normal(size=3), rng.normal(size=(2, 3))
    for i in (0, 1):
        want = numeric_gradient(function, args, i).value
        np.testing.assert_allclose(loaded(made)(*args)[i], want, rtol=1e-8)


EPIDEMIC = """
def slope(y, p):
    s, i, r = y
    new = p["beta"] * s * i / (s + i + r)
    gone = p["gamma"] * i
    {line}
    return np.array([-new, new - gone, gone - p["wane"] * r])


def step(y, h, p):
    k1 = slope(y, p)
    k2 = slope(y + h / 2 * k1, p)
    k3 = slope(y + h / 2 * k2, p)
    k4 = slope(y + h * k3, p)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def f(y, h, p, n=3):
    for _ in range(n):
        y = step(y, h, p)
    return np.sum(y ** 2)
"""
SPREAD = np.array([0.9, 0.2, 0.1]), 0.1, {"beta": 0.7, "gamma": 0.2, "wane": 0.05}


def of_epidemic(tmp_path, line, name):
    return written(EPIDEMIC.replace("{line}", line), tmp_path, name)


def test_a_dictionary_goes_into_the_calls_as_it_is(tmp_path):
    function = of_epidemic(tmp_path, "pass", "epidemic")
    for shapes in (None, {"y": "3", "h": ""}):
        text = gradgen.emit(function, wrt="y", shapes=shapes)
        assert "        k1, backprop_k1 = vjp_slope(y, p)\n" in text
        assert_right(text, function, SPREAD)


def test_a_tuple_does_so_too(tmp_path):
    text = """
    def slope(y, args):
        a, b = args
        u, v = y
        return np.array([a * u - b * u * v + np.sin(u), b * u * v - a * np.cos(v)])


    def f(y, h, args):
        k1 = slope(y, args)
        k2 = slope(y + h / 2 * k1, args)
        k3 = slope(y + h / 2 * k2, args)
        k4 = slope(y + h * k3, args)
        return np.sum((y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)) ** 2)
    """
    function = written(text, tmp_path, "pairs")
    args = np.array([0.4, 0.8]), 0.1, (0.3, 1.2)
    shapes = {"y": "2", "h": "", "args": '("", "")'}
    for text in (
        gradgen.emit(function, example=args),
        gradgen.emit(function, shapes=shapes),
    ):
        assert text.count("vjp_slope(") == 5
        assert_right(text, function, args)


def test_what_a_dictionary_holds_has_no_gradient_through_a_call(tmp_path):
    function = of_epidemic(tmp_path, "pass", "epidemic")
    text = gradgen.emit(function, wrt='p["beta"]')
    assert "vjp_" not in text

    def moved(beta):
        return function(*SPREAD[:2], {**SPREAD[2], "beta": beta})

    got = loaded(text)(*SPREAD)
    want = numeric_gradient(moved, (0.7,), 0).value
    np.testing.assert_allclose(np.sum(got), want, rtol=1e-8)


def test_a_dictionary_that_changes_is_written_out(tmp_path):
    line, loop = 'p["beta"] = p["beta"] * 0.9', "for _ in range(n):\n        y"
    text = EPIDEMIC.replace("{line}", line).replace(loop, "y")
    function = written(text, tmp_path, "fading")
    shapes = {"y": "3", "h": "", "p": '{"beta": "", "gamma": "", "wane": ""}'}
    text = gradgen.emit(function, wrt="y", shapes=shapes)
    assert "vjp_" not in text

    def fresh(y, h, p):
        return function(y, h, dict(p))

    got = loaded(text)(*SPREAD[:2], dict(SPREAD[2]))
    want = numeric_gradient(fresh, SPREAD, 0).value
    np.testing.assert_allclose(got, want, rtol=1e-8)


def test_what_fits_a_shape_need_not_be_as_others_that_do(tmp_path):
    text = """
    def way(x, p, q):
        z = np.sin(p * q) + p
        u = np.tanh(x) * z + q ** 2
        v = u / np.sqrt(1.0 + x ** 2 + p ** 2)
        w = np.exp(-v * v) * np.cos(u + q)
        return np.sum(w * v - u) + np.sum(z * q)


    def f(x, p, q):
        return way(x, p, q) * way(2 * x, q, p) + way(x * x, p, 0.5 * q)
    """
    function = written(text, tmp_path, "fits")
    shapes = {"x": "n", "p": "<n", "q": "<n"}
    text = gradgen.emit(function, wrt=["p", "q"], shapes=shapes)
    assert "vjp_way(" in text
    rng = np.random.default_rng(5)
    for p, q in [((), ()), ((), (3,)), ((3,), ()), ((3,), (1,)), ((1,), (3,))]:
        args = rng.normal(size=3), rng.normal(size=p), rng.normal(size=q)
        for i, got in enumerate(loaded(text)(*args), 1):
            want = numeric_gradient(function, args, i).value
            assert np.shape(got) == np.shape(want)
            np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def swirl(t, y, a, b):
    x, yy, z = y
    return np.array([a * (yy - x), x * (b - z) - yy, x * yy - z + b * a])


def stepped_by_times(t, y, h, a, b):
    k1 = swirl(t, y, a, b)
    k2 = swirl(t + h / 2, y + h / 2 * k1, a, b)
    k3 = swirl(t + h / 2, y + h / 2 * k2, a, b)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + swirl(t + h, y + h * k3, a, b))


def stepped_from_zero(y, h, a, b):
    k1 = swirl(0.0, y, a, b)
    k2 = swirl(0.0 + h / 2, y + h / 2 * k1, a, b)
    k3 = swirl(h / 2, y + h / 2 * k2, a, b)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + swirl(h, y + h * k3, a, b))


@pytest.mark.parametrize("function", [stepped_by_times, stepped_from_zero])
def test_times_that_broadcast_are_no_reason_for_another_function(function):
    text = gradgen.emit(function, wrt="y")
    assert text.count("def vjp_swirl") == 1
    args = (0.1, np.array([0.5, -0.2, 0.8]), 0.05, 1.5, 2.0)
    args = args if function is stepped_by_times else args[1:]
    space: dict = {}
    exec(text, space)
    seed = np.array([1.0, -0.5, 2.0])
    found = space[f"grad_{function.__name__}"](*args, d_out=seed)
    place = int(function is stepped_by_times)

    def weighed(*own):
        return np.sum(seed * function(*own))

    want = numeric_gradient(weighed, args, place).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
