"""What torch has under another name, or in another form, is written so.

These read texts and need no torch; tests/target/test_torch.py runs such texts.
"""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.cli.command import ROOT, gradgens, refused


def greatest(x):
    return x[np.argmax(x)] ** 2


def least_of_rows(x):
    return np.sum(x[np.arange(len(x)), np.argmin(x, axis=1)] ** 2)


def clipped(x):
    return np.sum(np.clip(x, 0, 1) ** 2)


def clipped_above(x):
    return np.sum(np.clip(x, None, 1) ** 2)


def clipped_between(x, y):
    return np.sum(np.clip(x, y, 1) ** 2)


def of_matrix(x, y):
    return np.sum(np.dot(x, y) ** 2)


def of_vectors(x, y):
    return np.dot(x, y) ** 2


def paired(x, y):
    return np.vdot(x, y) ** 2


def contracted(x, y):
    return np.sum(np.tensordot(x, y, axes=1) ** 2)


def stacked(x):
    return np.sum(np.vstack([x, 2 * x]) ** 2) + np.sum(np.hstack([x, x]) ** 3)


WORDS = [
    (greatest, {"x": "n"}, "torch.argmax(x)"),
    (least_of_rows, {"x": "n m"}, "torch.argmin(x, axis=1)"),
    (clipped, {"x": "n"}, "torch.clamp(x, min=0, max=1)"),
    (clipped_above, {"x": "n"}, "torch.clamp(x, max=1)"),
    (clipped_between, {"x": "n", "y": "n"}, "torch.clamp(torch.maximum(x, y), max=1)"),
    (of_matrix, {"x": "n m", "y": "m"}, "x @ y"),
    (of_vectors, {"x": "n", "y": "n"}, "x @ y"),
    (paired, {"x": "n", "y": "n"}, "torch.sum(x * y)"),
    (contracted, {"x": "n m", "y": "m k"}, "torch.tensordot(x, y, 1)"),
    (stacked, {"x": "n"}, "torch.vstack([x, 2 * x])"),
]


def named(value):
    """What a test is called by: an address differs from process to process."""
    return getattr(value, "__name__", str(value))[:24]


@pytest.mark.parametrize("function, shapes, words", WORDS, ids=named)
def test_it_is_written_as_torch_has_it(function, shapes, words):
    text = gradgen.emit(function, shapes=shapes, target="torch", value=True)
    assert words in text
    code = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
    assert not any("np." in line for line in code)


def test_what_another_rank_would_mean_otherwise_is_refused():
    for function in (of_matrix, paired):
        with pytest.raises(GradgenError, match="GG70"):
            gradgen.emit(
                function,
                shapes={"x": "b n m", "y": "b m k"},
                target="torch",
                value=True,
            )


LACKING = {
    "np.diff": ("np.sum(np.diff(v) ** 2)", "GG701 np.diff on torch: torch's function of this name is another one"),
    "np.sort": ("np.sum(np.sort(v) * v)", "GG701 np.sort on torch: torch's function of this name is another one"),
    "np.linspace": ("np.sum(np.linspace(0, 1, 5)) * np.sum(v * v)", "GG702 torch is not known to have np.linspace (as of 2.13.0+cpu)"),
    "np.pad": ("np.sum(np.pad(v, 1) ** 2)", "GG702 torch is not known to have np.pad (as of 2.13.0+cpu)"),
}  # fmt: skip


def test_what_the_list_lacks_is_not_said_to_be_missing(tmp_path):
    """The list is of what was called with torch 2.13.0: torch may have more."""
    text = "import numpy as np\n"
    for i, (line, _) in enumerate(LACKING.values()):
        text += f"\n\ndef f{i}(v):\n    return {line}\n"
    (tmp_path / "lacking.py").write_text(text)
    options = ["--target", "torch", "--shape", "v=n"]
    asked = [["emit", f"lacking.f{i}", *options] for i in range(len(LACKING))]
    for (name, (_, said)), one in zip(LACKING.items(), gradgens(asked, tmp_path)):
        assert refused(one, said), (name, one.err)
    page = (ROOT / "docs" / "targets.md").read_text()
    assert all(f"`{name}`" in page for name in LACKING)
