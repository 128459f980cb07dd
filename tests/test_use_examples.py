"""Emitted gradients at work: scipy.optimize, a Thinc model, a sampler, a controller."""

import ast
import importlib
import runpy
from pathlib import Path

import numpy as np
import pytest

from examples.use import control, hmc, minimize
from examples.use.models import gated_layer, logistic_loss
from generated.log_posterior import value_and_grad_log_posterior

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples/use"


def test_a_fit_with_the_gradient_takes_far_fewer_calls():
    X, y = minimize.data()
    exact, differences = minimize.fits(X, y)
    assert exact.success
    np.testing.assert_allclose(exact.x, differences.x, atol=1e-4)
    assert exact.fun == pytest.approx(logistic_loss(exact.x, X, y), rel=1e-14)
    # by differences each gradient is a call for each feature, and one more
    assert differences.nfev >= 0.8 * (X.shape[1] + 1) * exact.nfev
    # at the optimum the slope of the loss is 0 in closed form
    chance = 1 / (1 + np.exp(-X @ exact.x))
    slope = X.T @ (chance - y) / len(X) + 0.01 * exact.x
    np.testing.assert_allclose(slope, 0, atol=2e-5)


def test_a_thinc_model_learns_through_an_emitted_callback():
    thinc_layer = importlib.import_module("examples.use.thinc_layer")
    model, losses = thinc_layer.train(120)
    assert losses[0] == pytest.approx(np.log(2), rel=1e-3)
    assert losses[-1] < 0.02
    X, Y = thinc_layer.spirals(100, seed=7)
    assert np.mean(model.predict(X).argmax(axis=1) == Y.argmax(axis=1)) > 0.95


def test_the_layer_hands_on_the_gradients_that_thinc_expects():
    """Its forward pass is the function; its gradients are measured."""
    thinc_layer = importlib.import_module("examples.use.thinc_layer")
    rng = np.random.default_rng(3)
    X = rng.standard_normal((6, 4)).astype("float32")
    layer = thinc_layer.Gated(3, 4).initialize(X=X)
    own = {name: layer.get_param(name) for name in ("W", "b", "G")}
    Y, finish = layer.begin_update(X)
    assert Y.dtype == np.float32
    np.testing.assert_array_equal(Y, gated_layer(X, own["W"], own["b"], own["G"]))
    seed = rng.standard_normal(Y.shape).astype("float32")
    found = {"X": finish(seed)} | {name: layer.get_grad(name) for name in own}
    wide = {"X": X.astype(float)} | {n: v.astype(float) for n, v in own.items()}
    for name, gradient in found.items():
        direction = rng.standard_normal(wide[name].shape)
        ends = []
        for step in (1e-5, -1e-5):
            moved = wide | {name: wide[name] + step * direction}
            values = (moved[one] for one in ("X", "W", "b", "G"))
            ends.append(np.sum(seed * gated_layer(*values)))
        slope = (ends[0] - ends[1]) / 2e-5
        assert np.sum(gradient * direction) == pytest.approx(slope, rel=1e-3, abs=1e-4)


def test_the_sampler_finds_the_known_posterior():
    given = hmc.data()
    mean, covariance = hmc.posterior(*given)
    found, accepted = hmc.sample(
        lambda w: value_and_grad_log_posterior(w, *given), np.zeros(3), 3000
    )
    deviation = np.sqrt(np.diag(covariance))
    assert 0.6 < accepted < 1
    np.testing.assert_allclose(found.mean(axis=0), mean, atol=0.12 * deviation.max())
    scaled = np.cov(found.T) / np.outer(deviation, deviation)
    np.testing.assert_allclose(
        scaled, covariance / np.outer(deviation, deviation), atol=0.12
    )


def test_the_controller_keeps_the_pendulum_upright():
    angles = control.controlled()
    assert angles[0] == 0.6 and np.abs(angles[-40:]).max() < 1e-3
    # left alone it falls
    angle, speed = 0.6, 0.0
    for _ in range(40):
        speed = speed + control.DT * 9.8 * np.sin(angle)
        angle = angle + control.DT * speed
    assert angle > 2


def test_the_controller_reads_as_python_3_9():
    for path in (FOLDER / "control.py", ROOT / "generated/swing_cost.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
        modules = {
            node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
        }
        assert modules <= {"numpy", "generated.swing_cost"}


@pytest.mark.parametrize("name", ["minimize", "hmc", "thinc_layer", "control"])
def test_each_runs_as_a_script(name, capsys):
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out.count("\n") >= 2
