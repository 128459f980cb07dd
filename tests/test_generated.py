"""The committed gradients: numpy alone runs them, and the numbers are right.

The files run in a process of their own in which only numpy can be imported; what
they compute is held against measured gradients here.
"""

import ast
import copy
import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from examples.chain import chain, normalise, spread
from gradgen.printer.header import read_header, text_hash
from gradgen.verify.finite import numeric_gradient
from tests.loop_examples import COMMITTED

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "generated"

# The sizes of the arguments at the first of two draws; at the second, one more.
COSINE = {"X": (5,), "Y": (5,)}
SPECTRUM = {"subbands": (2, 2, 3, 4)}
SIGNALS = {"x": (2, 8), "y": (2, 8)}
ROWS = {"yh": (4, 3), "y": (4, 3)}
LAYER = {"x": (4, 3), "gamma": (3,), "beta": (3,)}
LAYER_LOSS = LAYER | {"target": (4, 3)}
HEAD = {"Q": (3, 2), "K": (4, 2), "V": (4, 5)}
HEAD_LOSS = HEAD | {"target": (3, 5)}
HEADS = {"Q": (2, 1, 3, 2), "K": (2, 1, 4, 2), "V": (2, 1, 4, 5)}
PROCESS = {"X": (4, 2), "y": (4,), "lengthscale": (2,), "amplitude": (), "noise": ()}
PAIRS = {"X": (3, 2), "Y": (4, 2)}
MLP = {"W1": (3, 4), "b1": (4,), "W2": (4, 2), "b2": (2,), "X": (5, 3), "Y": (5, 2)}
REGRESSION = {"w": (3,), "b": (), "X": (5, 3), "y": (5,)}
WEIGHTS = {"w": (3,), "X": (5, 3), "y": (5,)}
POSTERIOR = WEIGHTS | {"noise": ()}
PLAN = {"forces": (4,), "angle": (), "speed": (), "dt": ()}
GATED = {"X": (5, 3), "W": (3, 2), "b": (2,), "G": (3, 2)}
PATCHES = {"patches": (4, 3)}
RATIO = {"a": (5,), "b": (5,), "c": (5,), "selected": (5,)}
SCALED = {"a": (5,), "b": ()}
SCALARS = {"XY_dot": (), "X_norm": (), "Y_norm": ()}

# file: primal, form, arguments with their shapes, names differentiated
FILES = {
    "cosine_loss": ("losses.cosine_loss", "joint", COSINE, "X"),
    "cosine_loss_value": ("losses.cosine_loss", "value", COSINE, "X"),
    "cosine_loss_callback": ("losses.cosine_loss", "callback", COSINE, "X Y"),
    "L2_norm": ("losses.L2_norm", "joint", {"X": (5,)}, "X"),
    "L2_norm_callback": ("losses.L2_norm", "callback", {"X": (5,)}, "X"),
    "dot": ("losses.dot", "joint", COSINE, "X Y"),
    "cosine_division": ("losses.cosine_division", "joint", SCALARS, " ".join(SCALARS)),
    "get_cossim_loss": ("losses.get_cossim_loss", "value", ROWS, "yh"),
    "find_phase": ("phase.find_phase", "joint", SPECTRUM, "subbands"),
    "phase_energy": ("phase.phase_energy", "joint", SPECTRUM, "subbands"),
    "spectral_loss": ("spectral_loss.spectral_loss", "value", SIGNALS, "x"),
    "mlp_loss": ("networks.mlp_loss", "value", MLP, "W1 b1 W2 b2"),
    "logistic_regression": ("networks.logistic_regression", "joint", REGRESSION, "w b"),
    "layer_norm": ("networks.layer_norm", "joint", LAYER, "x gamma beta"),
    "layer_norm_loss": (
        "networks.layer_norm_loss",
        "joint",
        LAYER_LOSS,
        "x gamma beta",
    ),
    "attention": ("networks.attention", "joint", HEAD, "Q K V"),
    "attention_loss": ("networks.attention_loss", "joint", HEAD_LOSS, "Q K V"),
    "attention_einsum": ("attention_einsum.attention_einsum", "joint", HEADS, "Q K V"),
    "gp_marginal_likelihood": (
        "gp.gp_marginal_likelihood",
        "value",
        PROCESS,
        "lengthscale amplitude noise",
    ),
    "where_exp": ("masked.where_exp", "joint", {"x": (5,)}, "x"),
    "where_ratio": ("masked.where_ratio", "joint", RATIO, "a c"),
    "nansum_scaled": ("masked.nansum_scaled", "joint", SCALED, "b"),
    "nanmean_scaled": ("masked.nanmean_scaled", "joint", SCALED, "b"),
    "masked_ratio": ("masked.masked_ratio", "joint", {"x": (5,), "div": (5,)}, "x"),
    "phase": ("phase.phase", "joint", {"re": (5,), "im": (5,)}, "re im"),
    "cosine_rows": ("losses.cosine_rows", "joint", ROWS, "yh"),
    "distances_above": ("distances.distances_above", "joint", {"X": (4, 2)}, "X"),
    "inner_contrast": ("borders.inner_contrast", "joint", PATCHES, "patches"),
    "pairwise_distances": ("distances.pairwise_distances", "joint", PAIRS, "X Y"),
    "pairwise_energy": ("distances.pairwise_energy", "joint", PAIRS, "X Y"),
    "normalise_callback": ("chain.normalise", "callback", {"X": (5,)}, "X"),
    "squared_cosines": (
        "cosine_similarity_of_derivatives.squared_cosines",
        "joint",
        {"W": (4, 3), "b": (4,), "v": (4,), "z": (3,)},
        "W",
    ),
    "squared_cosines_of_networks": (
        "cosine_similarity_of_derivatives.squared_cosines_of_networks",
        "joint",
        {"W": (4, 3), "b": (4,), "v": (2,), "V": (2, 4), "z": (3,)},
        "W b",
    ),
    "validation_loss": (
        "unrolled.validation_loss",
        "value",
        {
            "X": (5, 3),
            "y": (5,),
            "log_strength": (),
            "X_valid": (4, 3),
            "y_valid": (4,),
        },
        "log_strength",
    ),
    "spread_callback": ("chain.spread", "callback", {"X": (5,)}, "X"),
    "logistic_loss": ("use.models.logistic_loss", "value", WEIGHTS, "w"),
    "log_posterior": ("use.models.log_posterior", "value", POSTERIOR, "w"),
    "swing_cost": ("use.models.swing_cost", "value", PLAN, "forces"),
    "gated_layer_callback": ("use.models.gated_layer", "callback", GATED, "X W b G"),
}
# texts of methods, which tests/methods measures
METHODS = ["network_loss"]
FILES |= {
    name: (example.primal, example.form, example.names, example.wrt)
    for name, example in COMMITTED.items()
}
# Hessians and Jacobians: tests/test_generated_modes.py
MATRICES = ["log_cosh_loss_hessian", "rnn_loss_hvp", "softmax_layer_jacobian"]
# Statements of the body, return included.
STATEMENTS = {"cosine_loss": 7, "L2_norm": 6, "dot": 3, "cosine_division": 6}

ALONE = """
import pickle, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("gradgen", "gast", "astor", "click", "rich"):
            raise ImportError(name + " is blocked")

sys.meta_path.insert(0, Blocked())
calls = pickle.load(sys.stdin.buffer)
answers = []
for path, form, args, seed in calls:
    names = {"__name__": "alone"}
    exec(compile(open(path, encoding="utf-8").read(), path, "exec"), names)
    *_, function = [f for n, f in names.items() if n.startswith(("grad_", "value_", "vjp_"))]
    if form == "callback":
        value, backprop = function(*args)
        answers.append((value, backprop(seed), backprop(seed)))
    elif form == "value":
        answers.append((*function(*args, seed), None))
    else:
        answers.append((None, function(*args, seed), None))
pickle.dump(answers, sys.stdout.buffer)
"""


def primal(name: str):
    module, _, function = FILES[name][0].rpartition(".")
    return getattr(importlib.import_module(f"examples.{module}"), function)


def call(name: str, draw: int, dtype=np.float64):
    """Random arguments and a seed for one file."""
    _, _, shapes, _ = FILES[name]
    rng = np.random.default_rng([draw, len(name)])
    if name in COMMITTED:
        args = [cast(arg, dtype) for arg in COMMITTED[name].arguments(draw, rng)]
        return args, *outcome(name, args, rng)
    more = [n + draw for n in range(10)]
    args = []
    for shape in shapes.values():
        if name in ("find_phase", "phase_energy"):  # two parts, whatever the draw
            shape = (more[shape[0]], 2, *(more[n] for n in shape[2:]))
        else:
            shape = tuple(more[n] for n in shape)
        value = rng.uniform(0.3, 1.7, shape) * rng.choice([-1, 1], shape)
        args.append(value.astype(dtype) if shape else dtype(value))
    return args, *outcome(name, args, rng)


def cast(arg, dtype):
    """Arrays and floats in the dtype; counts as they are."""
    if isinstance(arg, np.ndarray):
        return arg.astype(dtype)
    return dtype(arg) if isinstance(arg, float) else arg


def outcome(name: str, args: list, rng):
    """The primal's result, and a seed for it; the arguments stay as they are."""
    result = primal(name)(*copy.deepcopy(args))
    seed = rng.uniform(0.5, 1.5, np.shape(result))
    seed = seed.astype(result.dtype) if np.ndim(result) else float(seed)
    return result, seed


@pytest.fixture(scope="module")
def answers():
    """What each file computes at two draws in float64, and in float32."""
    keys, calls = [], []
    for name, (_, form, _, _) in FILES.items():
        for draw, dtype in ((0, np.float64), (1, np.float64), (0, np.float32)):
            args, _, seed = call(name, draw, dtype)
            keys.append((name, draw, dtype))
            calls.append((str(FOLDER / f"{name}.py"), form, args, seed))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", ALONE],
        input=pickle.dumps(calls),
        capture_output=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr.decode()
    return dict(zip(keys, pickle.loads(done.stdout)))


def test_every_file_is_known_here():
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted(
        [*FILES, *MATRICES, *METHODS]
    )


@pytest.mark.parametrize("name", FILES)
def test_numbers(name, answers):
    names = FILES[name][3].split()
    order = list(FILES[name][2])
    for draw in (0, 1):
        args, result, seed = call(name, draw)
        value, *found = answers[name, draw, np.float64]
        if value is not None:
            assert np.asarray(value).tobytes() == np.asarray(result).tobytes()
        for gradients in found:
            if gradients is None:
                continue
            gradients = gradients if isinstance(gradients, tuple) else (gradients,)
            for which, got in zip(names, gradients, strict=True):
                want = numeric_gradient(primal(name), args, order.index(which), seed)
                assert np.shape(got) == want.value.shape, which
                scale = np.max(np.abs(want.value))
                assert np.max(np.abs(got - want.value)) <= 1e-8 * scale, which


@pytest.mark.parametrize("name", FILES)
def test_float32_stays_float32(name, answers):
    args, _, _ = call(name, 0, np.float32)
    _, found, again = answers[name, 0, np.float32]
    _, wide, _ = answers[name, 0, np.float64]
    found, wide = (x if isinstance(x, tuple) else (x,) for x in (found, wide))
    for got, want in zip(found, wide, strict=True):
        # A number has the dtype that arithmetic gives it: float64 beside integers.
        lifted = isinstance(got, float)
        # A number that no branch contributes to is a Python number: d_limit = 0.0.
        plain = type(got) is float and type(want) is float and got == want == 0
        if plain:
            continue
        assert lifted or got.dtype == np.float32
        assert np.shape(got) == np.shape(want)
        assert np.allclose(got, want, rtol=1e-3, atol=1e-4)


def tree(name: str) -> ast.Module:
    return ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def statements(text: str) -> int:
    """The statements of the gradient's body, the docstring left out."""
    (function,) = (n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef))
    return len(function.body) - 1


@pytest.mark.parametrize("name", STATEMENTS)
def test_length(name):
    text = (FOLDER / f"{name}.py").read_text()
    assert statements(text) <= STATEMENTS[name]


def test_length_of_both_gradients_of_the_cosine_loss():
    import gradgen
    from examples.losses import cosine_loss

    text = gradgen.emit(cosine_loss, ("X", "Y"), shapes={"X": "n", "Y": "n"})
    assert statements(text) <= 9


@pytest.mark.parametrize("name", FILES)
def test_a_file_holds_one_function_and_imports_numpy_alone(name):
    kinds = (ast.FunctionDef, ast.Import, ast.Assign)
    body = tree(name).body
    assert all(isinstance(node, kinds) for node in body)
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    # What hangs on counts alone has a helper: binomial_option.
    helpers = [one for one in functions if one.startswith("_")]
    called = ["vjp_intensity", "vjp_simpson"] if name == "dose" else []
    assert functions[len(helpers) : -1] == called
    assert helpers == ([] if name != "binomial_option" else ["_unbroadcast"])
    imports = [ast.unparse(node) for node in body if isinstance(node, ast.Import)]
    assert imports in ([], ["import numpy as np"])


@pytest.mark.parametrize("name", FILES)
def test_the_header_is_whole(name):
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    header = read_header(text)
    assert header is not None
    assert text_hash(header["body"].lstrip("\n")) == header["text"]
    assert header["command"].startswith(f"gradgen emit {header['name']}")
    assert str(ROOT) not in text and text.endswith("\n") and "\r" not in text


def test_formatters_change_nothing():
    pytest.importorskip("black")
    pytest.importorskip("ruff")
    for command in ("black --check", "ruff format --check", "ruff check --select F,E9"):
        done = subprocess.run(
            [sys.executable, "-m", *command.split(), str(FOLDER)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(k, marks=pytest.mark.long) for k in range(1, 16))]
)
def test_check_finds_nothing_wrong(part):
    """Each sixteenth file; test_numbers measures the gradients of all of them."""
    files = [str(FOLDER / f"{name}.py") for name in sorted(FILES)[part::16]]
    done = subprocess.run(
        [sys.executable, "-m", "gradgen", "check", "-q", *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    unmeasured = [line.split(":")[0] for line in done.stderr.splitlines()]
    assert (done.returncode, unmeasured) == (0, [])


def function(name: str):
    names: dict = {}
    exec((FOLDER / f"{name}.py").read_text(), names)
    return next(f for n, f in names.items() if n.startswith("vjp_"))


def test_callbacks_compose():
    both = chain(function("normalise_callback"), function("spread_callback"))
    for draw in range(3):
        X = np.random.default_rng(draw).normal(size=6)
        value, backprop = both(X)
        want = numeric_gradient(lambda X: spread(normalise(X)), (X,), 0, 1.7)
        assert value == spread(normalise(X))
        for _ in range(2):
            assert np.allclose(backprop(1.7), want.value, rtol=1e-9, atol=1e-12)
