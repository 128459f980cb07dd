"""Ten functions with docstrings emit without a flag what they emit with all facts told."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "described"
ENTRIES = {
    Path(entry["out"]).stem: entry
    for entry in tomllib.loads((FOLDER / "pyproject.toml").read_text())["tool"][
        "gradgen"
    ]["emit"]
}
TOLD = {
    "ridge": dict(w="n_features", X="n_samples n_features", y="n_samples", strength=""),
    "logistic": dict(w="d", X="n d", y="n", bias=""),
    "huber": dict(prediction="n", target="n", width=""),
    "softmax_cross_entropy": dict(
        logits="n_samples n_classes", targets="n_samples n_classes"
    ),
    "gaussian_log_density": dict(x="d", mean="d", precision="d d"),
    "total_variation": dict(image="height width", weight=""),
    "affine": dict(W="outputs inputs", x="inputs", b="outputs"),
    "contrastive": dict(anchor="d", others="k d", temperature=""),
    "smoothed": dict(y="n", z="n", roughness=""),
    "decayed": dict(start="d", inputs="d", rate="", steps=""),
}
SIZES = {"d": 3, "n": 5, "k": 4, "n_features": 3, "n_samples": 5, "n_classes": 4}
SIZES |= {"height": 4, "width": 5, "outputs": 2, "inputs": 3}


def emitted(name, shapes=None):
    """The text of an example, and the part of it below the header."""
    target = f"{FOLDER / 'models.py'}:{name}"
    text = gradgen.emit(target, wrt=ENTRIES[name].get("wrt"), shapes=shapes)
    return text, text.partition("\n\n")[2]


def test_there_are_ten_and_no_entry_tells_a_shape():
    assert len(TOLD) == 10 and ENTRIES.keys() == TOLD.keys()
    assert not {"shape", "example", "calls"} & {k for e in ENTRIES.values() for k in e}


@pytest.mark.parametrize("name", TOLD)
def test_a_docstring_tells_as_much_as_flags(name):
    text, body = emitted(name)
    told = {k: v for k, v in TOLD[name].items() if k != "steps"}
    assert body == emitted(name, told)[1]
    assert "def _" not in text and "Assumed" not in text and "ndim" not in text
    committed = (FOLDER / "generated" / f"{name}.py").read_text()
    assert "--shape" not in committed and committed.partition("\n\n")[2] == body


@pytest.mark.parametrize("name", TOLD)
def test_the_committed_text_is_right(name):
    names, primal = {}, {}
    exec((FOLDER / "generated" / f"{name}.py").read_text(), names)
    exec((FOLDER / "models.py").read_text(), primal)
    rng = np.random.default_rng(0)
    args = [
        3
        if argument == "steps"
        else rng.uniform(0.2, 1.4, [SIZES[axis] for axis in shape.split()])
        if shape
        else 0.3
        for argument, shape in TOLD[name].items()
    ]
    if name == "affine":
        args.append(rng.uniform(size=2))  # the seed of its result
    own = args[: len(TOLD[name])]
    got = names[f"grad_{name}"](*args)
    wrt = ENTRIES[name].get("wrt", list(TOLD[name])[:1])
    for argument, found in zip(wrt, got if len(wrt) > 1 else (got,)):
        seed = args[-1] if name == "affine" else 1.0
        i = list(TOLD[name]).index(argument)
        want = numeric_gradient(primal[name], own, i, seed).value
        assert np.shape(found) == np.shape(want)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
