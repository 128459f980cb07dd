"""Names: the user's as written, reused when dead, never taken by the compiler."""

import textwrap

import gradgen
from tests.frontend.writing import written


def body(source: str, tmp_path, **options) -> list[str]:
    text = gradgen.emit(written(source, tmp_path), **options)
    lines = text.split('"""\n')[-1].splitlines()
    return [line.strip() for line in lines if line and "#" not in line]


def test_a_name_is_used_again_when_its_value_is_dead(tmp_path):
    source = """
    def f(x):
        x = x + 1
        return np.sum(x * x)
    """
    assert body(source, tmp_path) == ["x = x + 1", "d_x = 2 * d_out * x", "return d_x"]


def test_a_value_that_is_read_later_keeps_its_name(tmp_path):
    source = """
    def f(x):
        x = np.sin(x) * x
        return np.sum(x * x)
    """
    assert body(source, tmp_path)[:2] == ["x_sin = np.sin(x)", "x_new = x_sin * x"]


def test_adjoints_do_not_take_the_users_names(tmp_path):
    source = """
    def f(x, d_x):
        d_out = x * d_x
        return np.sum(d_out * d_out)
    """
    facts = {"x": "n", "d_x": "n"}
    lines = body(source, tmp_path, wrt=("x", "d_x"), shapes=facts)
    assert lines == [
        "d_out = x * d_x",
        "d_d_out = 2 * d_out_2 * d_out",
        "d_x_2 = d_d_out * d_x",
        "d_d_x = d_d_out * x",
        "return d_x_2, d_d_x",
    ]


def test_a_parameter_called_np_changes_the_import(tmp_path):
    source = """
    def f(np):
        return np * np
    """
    text = gradgen.emit(written(source, tmp_path), shapes={"np": "n"})
    assert "import" not in text.split('"""')[0].replace("# ", "")
    source = """
    import numpy as xp

    def f(np):
        return xp.sin(np)
    """
    text = gradgen.emit(written(source, tmp_path, "other"), shapes={"np": "n"})
    assert "import numpy\n" in text
    assert "d_np = d_out * numpy.cos(np)" in text


def test_the_inner_function_of_a_callback_has_names_of_its_own(tmp_path):
    source = """
    def f(x):
        d_y = np.exp(x)
        return np.sum(d_y * d_y)
    """
    text = gradgen.emit(written(source, tmp_path), style="callback")
    inner = textwrap.dedent(text[text.index("    def backprop") :])
    assigned = [
        line.split(" = ")[0].strip() for line in inner.splitlines() if " = " in line
    ]
    outer = text[: text.index("def backprop")]
    taken = {
        line.split(" = ")[0].strip() for line in outer.splitlines() if " = " in line
    }
    assert not set(assigned) & taken
