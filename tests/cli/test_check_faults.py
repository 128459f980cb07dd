"""`gradgen check` fails on every fault that is planted in a committed gradient.

The faults stand in copies of the files in generated/, in a repository of their own.
Their headers are forged to fit the text, so that no hash gives them away, and what
the numbers say is read apart from what drift says; check_grads, which knows nothing
of drift, sees the same faults.
"""

import re
import shutil

import numpy as np
import pytest

import gradgen as library
from examples import distances, losses, networks
from gradgen.printer.header import read_header, text_hash
from gradgen.verify.gradients import function_in
from tests.cli.command import ROOT, gradgen

# file, what stands in its text, what is planted, what the numbers say of it
SIGNS = [
    ("cosine_loss", "d_xnorm = -d_similarity", "d_xnorm = d_similarity", "d_X["),
    ("mlp_loss", "d_log_probs + d_total", "d_log_probs - d_total", "d_W1["),
    ("pairwise_distances", "d_Y = -np.sum", "d_Y = np.sum", "d_Y["),
    ("rnn_loss_hvp", "v_d_h - 2", "v_d_h + 2", "d_Wh["),
    ("log_cosh_loss_hessian", "= -np.tanh", "= np.sinh", "d_w["),
    ("softmax_layer_jacobian", "(d_out - np", "(d_out + np", "d_x["),
]
TERMS = [
    ("cosine_loss", " + d_xnorm / xnorm * X", "", "d_X["),
    ("mlp_loss", "d_log_probs + d_total * scores", "d_log_probs", "d_W1["),
    ("layer_norm_loss", " - np.mean(d_centred, axis=-1, keepdims=True)", "", "d_x["),
    ("cosine_loss_callback", " + d_ynorm / ynorm * Y", "", "d_Y["),
    ("rnn_loss_hvp", "np.outer(v_hs[t], d_h_in) + ", "", "d_Wh["),
    ("layer_norm", " - np.mean(d_centred, axis=-1, keepdims=True)", "", "d_x["),
]
TRANSPOSED = [
    ("mlp_loss", "d_W2 = h.T @ d_logits", "d_W2 = d_logits.T @ h", "shape of d_W2 is"),
    ("rnn_loss", "return d_Wx, d_Wh,", "return d_Wx, d_Wh.T,", "d_Wh["),
    ("pairwise_distances", "return d_X, d_Y", "return d_X.T, d_Y", "shape of d_X is"),
    ("softmax_layer_jacobian", "return J", "return J.T", "it fails with ValueError"),
    ("rnn_loss_hvp", "return v_d_Wh", "return v_d_Wh.T", "d_Wh["),
]
WIDE = [
    (file, f"return {name}\n", f"return np.float64(1) * {name}\n", "the dtype of ")
    for file, name in [
        ("cosine_loss", "d_X"),
        ("softmax_layer_jacobian", "J"),
        ("rnn_loss_hvp", "v_d_Wh"),
        ("spread_callback", "d_X"),
    ]
]
WIDE += [("mlp_loss", "(d_W1, ", "(d_W1.astype(np.float64), ", "dtype of d_W1")]
PLANTED = {
    f"{kind}_{file}": (file, old, new, words)
    for kind, faults in [
        ("sign", SIGNS),
        ("term", TERMS),
        ("transposed", TRANSPOSED),
        ("wide", WIDE),
    ]
    for file, old, new, words in faults
}


def planted(file: str, old: str, new: str) -> str:
    """A committed text with a fault, under a header whose hash fits it."""
    text = (ROOT / "generated" / f"{file}.py").read_text()
    # Names differ from text to text: what is planted may be cut after a name.
    assert old in text, (file, old)
    at = text.rindex(old)
    text = text[:at] + new + text[at + len(old) :]
    header = read_header(text)
    return text.replace(f"text {header['text']}", f"text {text_hash(header['body'])}")


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "generated").mkdir()
    for name, (file, old, new, _) in PLANTED.items():
        (folder / "generated" / f"{name}.py").write_text(planted(file, old, new))
    shutil.copy(ROOT / "generated" / "dot.py", folder / "generated" / "right.py")
    return folder


@pytest.fixture(scope="module")
def told(repository):
    """What one `gradgen check` says of each file."""
    done = gradgen("check", "--seed", "3", cwd=repository)
    assert (done.code, done.out) == (1, "")
    assert done.err.endswith(f"{len(PLANTED) + 1} checked, {len(PLANTED)} wrong\n")
    parts = re.split(r"^generated/(\w+)\.py: ", done.err, flags=re.M)[1:]
    said: dict[str, list[str]] = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        said.setdefault(name, []).append(text)
    return said


@pytest.mark.parametrize("name", PLANTED)
def test_the_numbers_alone_find_it(name, told):
    drift, wrong = told[name]
    # A forged hash does not hide that the text is another ...
    assert drift.startswith("drift: gradgen writes it differently now")
    # ... and would it, the numbers are wrong.
    assert wrong.startswith("wrong gradient: ")
    assert PLANTED[name][3] in wrong
    assert ", seed 3\n" in wrong
    assert f"again: gradgen check generated/{name}.py --seed 3" in wrong


def test_what_is_right_passes_beside_them(told):
    (said,) = told["right"]
    assert said.startswith("agrees with differences")


RNG = np.random.default_rng(2)
VECTORS = np.random.default_rng(1).uniform(0.5, 1.5, (2, 5))
SIZES = {"W1": (3, 4), "b1": 4, "W2": (4, 2), "b2": 2, "X": (5, 3), "Y": (5, 2)}
LAYERS = [RNG.normal(size=n) for n in SIZES.values()]
ROWS = [RNG.normal(size=n) for n in ((3, 2), (4, 2))]


@pytest.mark.parametrize(
    "name, primal, args, wrt",
    [
        ("sign_cosine_loss", losses.cosine_loss, VECTORS, "X"),
        ("term_cosine_loss", losses.cosine_loss, VECTORS, "X"),
        ("term_cosine_loss_callback", losses.cosine_loss, VECTORS, ("X", "Y")),
        ("wide_cosine_loss", losses.cosine_loss, VECTORS.astype(np.float32), "X"),
        ("sign_mlp_loss", networks.mlp_loss, LAYERS, ("W1", "b1", "W2", "b2")),
        ("transposed_mlp_loss", networks.mlp_loss, LAYERS, ("W1", "b1", "W2", "b2")),
        ("sign_pairwise_distances", distances.pairwise_distances, ROWS, ("X", "Y")),
    ],
)
def test_check_grads_finds_it(name, primal, args, wrt):
    file, old, new, words = PLANTED[name]
    right = function_in((ROOT / "generated" / f"{file}.py").read_text())
    library.check_grads(primal, right, args, wrt)
    with pytest.raises(library.GradgenError) as caught:
        library.check_grads(primal, function_in(planted(file, old, new)), args, wrt)
    assert caught.value.code == "GG601" and words in str(caught.value)


def test_an_edited_comment(repository, tmp_path):
    shutil.copytree(repository / "examples", tmp_path / "examples")
    text = (ROOT / "generated" / "dot.py").read_text()
    line = next(line for line in text.splitlines() if "# Grad of: " in line)
    path = tmp_path / "dot.py"
    path.write_text(text.replace(line, line + ", which is linear"))
    done = gradgen("check", "dot.py", cwd=tmp_path)
    assert done.code == 1 and "dot.py: drift: it was edited by hand" in done.err
    assert f"-{line}, which is linear" in done.err and f"+{line}" in done.err
    assert "wrong gradient" not in done.err and "agrees with differences" in done.err


def test_a_renamed_primal(repository, tmp_path):
    shutil.copytree(repository / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "generated" / "dot.py", tmp_path / "dot.py")
    source = tmp_path / "examples" / "losses.py"
    source.write_text(source.read_text().replace("def dot(", "def dots("))
    done = gradgen("check", "dot.py", cwd=tmp_path)
    assert done.code == 1 and "Traceback" not in done.err
    assert "dot.py: it cannot be made again" in done.err
    assert "has no function dot" in done.err and "did you mean dots?" in done.err
