"""`gradgen check --against`: hand-written backward passes at random arguments."""

import json
import re

import pytest

from tests.cli.command import gradgen, gradgens, refused

SOURCE = """import numpy as np


def cosine_loss(X, Y):
    xnorm = np.sqrt(np.sum(X * X))
    ynorm = np.sqrt(np.sum(Y * Y))
    similarity = np.sum(X * Y) / (xnorm * ynorm)
    return 1 - similarity


def cosine_loss_v3(X, Y):
    XY_dot = (X * Y).sum()
    X_norm = np.sqrt((X * X).sum())
    Y_norm = np.sqrt((Y * Y).sum())
    similarity = XY_dot / (X_norm * Y_norm)
    loss = 1 - similarity

    def get_dX(d_loss):
        d_XY_dot = -d_loss / similarity
        d_X_norm = d_loss * XY_dot / (similarity**2)
        return d_XY_dot * Y + d_X_norm * (2.0 * X_norm)

    return loss, get_dX


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def softmax_backward(x, dout):
    s = softmax(x)
    return s * (dout - np.sum(dout * s, axis=-1, keepdims=True))


def softmax_transposed(dout, x):
    return softmax_backward(x, dout).T


def softmax_wide(x, dout):
    return softmax_backward(x, dout).astype(np.float64)


def softmax_none(x, dout):
    pass


def softmax_fails(x, dout):
    return dout @ x


def fit(params, x, *, scale=2.0):
    return scale * np.sum((x @ params["W"] + params["b"]) ** 2)


def grad_fit(params, x, scale=2.0):
    d = 2 * scale * (x @ params["W"] + params["b"])
    return {"W": x.T @ d, "b": np.sum(d, axis=0)}


def grad_fit_wrong(params, x, scale=2.0):
    d = 2 * scale * (x @ params["W"] + params["b"])
    return {"W": x.T @ d, "b": d[0]}


def rows(x, w):
    return np.sum((x @ w) ** 2)


def rows_squeezed(x, w):
    grad = np.squeeze(2 * x.T @ (x @ w)[:, None])
    return grad if len(x) > 1 else 2 * grad


def rows_of_squares(x, w):
    outer = 2 * np.outer(x @ w, w)
    return outer.T if outer.shape == outer.T.shape else outer


def nowhere(x):
    return np.sum(np.log(-x * x))


def held(x):
    weights = np.exp(x)
    return np.sum(weights * x)


def grad_held(x):
    return np.exp(x)
"""
COSINE = ["--shape", "X=n", "--shape", "Y=n"]
SOFTMAX = ["--shape", "x=n d"]
FIT = ["--shape", 'params={"W": "n m", "b": "m"}', "--shape", "x=k n"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("against")
    (folder / "losses.py").write_text(SOURCE)
    (folder / "generated").mkdir()
    emits = [
        ["losses.cosine_loss", "--wrt", "X,Y", *COSINE],
        ["losses.softmax", *SOFTMAX, "--style", "callback"],
        ["losses.fit", "--value", *FIT],
        ["losses.held", "--stop", "weights", "--shape", "x=n"],
    ]
    names = ["cosine", "softmax", "fit", "held"]
    commands = [
        ["emit", *words, "-q", "-o", f"generated/{name}.py"]
        for name, words in zip(names, emits, strict=True)
    ]
    assert [done.code for done in gradgens(commands, folder)] == [0] * 4
    return folder


def test_the_clean_up_by_hand_is_caught_with_its_term_and_the_generated_line(folder):
    path = "generated/cosine.py"
    words = ["--against", "losses.cosine_loss_v3", "--wrt", "X", "--seed", "5"]
    done = gradgen("check", path, *words, cwd=folder)
    assert (done.code, done.out) == (1, "")
    row = SOURCE.splitlines().index("        d_XY_dot = -d_loss / similarity") + 1
    found = re.search(
        r"GG601 cosine_loss_v3: d_X\[(\d)\] is (\S+), and differences give (\S+) for "
        r"cosine_loss;.*\n"
        rf"    losses\.py:{row}: d_XY_dot = -d_loss / similarity\n"
        r"    d_XY_dot is (\S+), and differences give (\S+)\n"
        r"    generated/cosine\.py, line (\d+): (d_X = .*)\n"
        r"    d_XY_dot \* Y is (\S+) times (.*)\n",
        done.err,
    )
    assert found, done.err
    line = (folder / path).read_text().splitlines()[int(found[6]) - 1].strip()
    assert line == found[7] and found[9] in line
    ratio = float(found[4]) / float(found[5])
    assert float(found[8]) == pytest.approx(ratio, rel=1e-4)
    command = f"again: gradgen check {path} --against losses.cosine_loss_v3 --seed 5"
    assert command in done.err and "float64, seed 5" in done.err
    assert gradgen("check", path, *words, cwd=folder).err == done.err
    other = gradgen("check", path, *words[:-1], "6", cwd=folder)
    assert other.code == 1 and other.err != done.err


def test_right_and_wrong_ones(folder):
    def check(target, hand, *words):
        return ["check", target, "--against", f"losses.{hand}", *words]

    right = [
        check("losses.softmax", "softmax_backward", *SOFTMAX),
        check("losses.softmax", "softmax_backward"),
        check("generated/softmax.py", "softmax_backward"),
        check("generated/fit.py", "grad_fit"),
        check("losses.fit", "grad_fit", *FIT),
        check("losses.fit", "grad_fit", "--wrt", "params", *FIT),
        check("generated/held.py", "grad_held"),
    ]
    for command, done in zip(right, gradgens(right, folder), strict=True):
        assert done.code == 0, (command, done.err)
        assert re.search(
            r"losses\.\w+: agrees with differences at \d+ points", done.err
        )
    rows = ["--shape", "x=n d", "--shape", "w=d"]
    wrong = {
        "at n=1, d=1, float64": check(
            "losses.rows", "rows_squeezed", "--wrt", "w", *rows
        ),
        "at n=3, d=3, float64": check("losses.rows", "rows_of_squares", *rows),
        "d_x is (4, 3), not (3, 4)": check(
            "losses.softmax", "softmax_transposed", *SOFTMAX
        ),
        "the dtype of d_x is float64, not float32": check(
            "generated/softmax.py", "softmax_wide"
        ),
        'params["b"]': check("generated/fit.py", "grad_fit_wrong"),
        "differences give": check("losses.held", "grad_held", "--shape", "x=n"),
    }
    for (words, command), done in zip(
        wrong.items(), gradgens(list(wrong.values()), folder), strict=True
    ):
        assert done.code == 1 and "again: gradgen check" in done.err, done.err
        if not command[1].endswith("softmax"):
            assert words in done.err


def test_the_verdict_as_data_and_as_an_annotation(folder):
    to = ["check", "generated/softmax.py", "--against"]
    right, wrong = f"{to[-1]}=losses.softmax_backward", f"{to[-1]}=losses.softmax_wide"
    missing = f"{to[-1]}=losses.softmax_back"
    commands = [
        [*to[:2], hand, "--output", output]
        for output in ("json", "github")
        for hand in (right, wrong, missing)
    ]
    done = gradgens(commands, folder)
    assert [one.code for one in done] == [0, 1, 2] * 2
    good, bad, none = (json.loads(one.out) for one in done[:3])
    assert good["wrong"] == 0 and good["files"][0]["state"] == "right"
    assert good["files"][0]["said"].startswith("agrees with differences at ")
    assert bad["wrong"] == 1 and bad["files"][0]["file"] == "losses.softmax_wide"
    (fault,) = bad["files"][0]["faults"]
    assert fault["message"].startswith(
        "GG601 softmax_wide: the dtype of d_x is float64"
    )
    assert "again: gradgen check generated/softmax.py --against" in fault["message"]
    place = {key: fault[key] for key in ("kind", "code", "file", "line")}
    assert place == {
        "kind": "wrong gradient",
        "code": "GG601",
        "file": "losses.py",
        "line": None,
    }
    assert none["errors"][0]["code"] == "GG102"
    assert done[3].out == "" and "agrees with differences" in done[3].err
    line = "::error file=losses.py,title=gradgen check::GG601 softmax_wide: the dtype"
    assert done[4].out.startswith(line) and done[4].out.count("\n") == 1
    assert done[5].out.startswith("::error title=GG102::losses has no function")


def test_what_cannot_be_compared_is_refused(folder):
    to = ["--against", "losses.softmax_backward"]
    commands = {
        ("losses.softmax", "--against", "losses.softmax_none"): "GG603",
        ("losses.nowhere", "--against", "losses.nowhere"): "GG604",
        ("losses.softmax", "--against", "losses.soft"): "did you mean",
        ("losses.softmax", "--against", "losses.np"): "GG101",
        ("generated", *to): "not a folder",
        (*to,): "one emitted file, or the function",
        ("generated/none.py", *to): "there is no generated/none.py",
        ("generated/softmax.py", *to, *SOFTMAX): "a file has its own",
        ("generated", "--wrt", "x"): "go with --against",
        (
            "losses.softmax",
            "--against",
            "losses.softmax_fails",
            *SOFTMAX,
        ): "GG606 softmax_fails",
    }
    found = gradgens([["check", *words] for words in commands], folder)
    for (command, words), done in zip(commands.items(), found, strict=True):
        assert refused(done, words), (command, done)


LAYERS = """import numpy as np


def layer(x, W, b):
    return np.sum(np.tanh(x @ W + b))


def back(x, W, b):
    d = 1 - np.tanh(x @ W + b) ** 2
    dW = x.T @ d
    db = d.sum(axis=0)
    return dW, db


def back_of_all(x, W, b):
    d = 1 - np.tanh(x @ W + b) ** 2
    return d @ W.T, x.T @ d, d.sum(axis=0)


def back_by_shapes(x, W, b):
    d = 1 - np.tanh(x @ W + b) ** 2
    return x.T @ d, np.sum(d, axis=0)


def back_of_one(x, W, b):
    d = 1 - np.tanh(x @ W + b) ** 2
    grad_b = d.sum(axis=0)
    return grad_b


def back_with_value(x, W, b):
    h = np.tanh(x @ W + b)
    d = 1 - h**2
    d_W, d_b = x.T @ d, d.sum(axis=0)
    return h.sum(), (d_W, d_b)


def back_wrong(x, W, b):
    d = 1 - np.tanh(x @ W + b)
    dW = x.T @ d
    db = d.sum(axis=0)
    return dW, db
"""
LAYER = ["--shape", "x=n d", "--shape", "W=d h", "--shape", "b=h"]


def test_the_results_tell_what_they_are_gradients_of(tmp_path):
    (tmp_path / "nets.py").write_text(LAYERS)
    right = ("back", "back_of_all", "back_by_shapes", "back_of_one", "back_with_value")
    check = ["check", "nets.layer", "--against"]
    commands = [[*check, f"nets.{hand}", *LAYER] for hand in right]
    wrong = [*check, "nets.back_wrong"]
    *fine, off = gradgens([*commands, [*wrong, *LAYER]], tmp_path)
    for hand, done in zip(right, fine, strict=True):
        assert done.code == 0, (hand, done.err)
        of = {"back_of_all": "d_x", "back_of_one": "d_b"}.get(hand, "d_W")
        assert f"{of} " in done.err and "agrees with differences" in done.err
        assert ("d_x " in done.err) == (hand == "back_of_all")
    # Each gradient that is wrong is told of, not the first alone.
    assert off.code == 1 and "GG601 back_wrong: d_W[" in off.err
    assert "    and back_wrong: d_b[" in off.err


ROWS = """import numpy as np


def scaled(x, y):
    return np.sum(np.exp(x) * y)


def back(x, y):
    e = np.exp(x)
    return e * y, e.sum(axis=0)


def back_wrong(x, y):
    return np.exp(x) * y + 1, np.exp(x).sum(axis=0)


def back_of_all(x, y):
    return np.exp(x) * y, np.exp(x)
"""


def test_nothing_is_judged_at_guessed_shapes(tmp_path):
    (tmp_path / "nets.py").write_text(ROWS)
    check = ["check", "nets.scaled", "--against"]
    told = ["--shape", "x=n d", "--shape", "y=d"]
    right, unknown, wrong, known, alike = gradgens(
        [
            [*check, "nets.back", *told],
            [*check, "nets.back"],
            [*check, "nets.back_wrong"],
            [*check, "nets.back_wrong", *told],
            [*check, "nets.back_of_all"],
        ],
        tmp_path,
    )
    assert right.code == 0 and known.code == 1 and "GG601" in known.err
    for done, name in ((unknown, "back"), (wrong, "back_wrong")):
        assert done.code == 2 and f"GG604 {name} is not judged" in done.err, done.err
        assert '--shape x="n d" --shape y="n d"' in done.err
    assert alike.code == 0 and "agrees with differences" in alike.err
