"""Complex arguments as users name them: options, annotations, examples, defaults."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.shapes.spec import is_complex_annotation
from tests.cli.command import gradgen as command
from tests.cli.command import refused
from tests.frontend.writing import written

ENERGY = """
def f(z, x):
    return np.sum(np.abs(z * x) ** 2)
"""
Z = np.array([1 + 2j, -0.5j, 0.25])
X = np.array([2.0, 1.0, -1.0])


def test_a_complex_argument_is_named_once_and_stays_in_the_command(tmp_path):
    f = written(ENERGY, tmp_path)
    text = gradgen.emit(f, wrt=("x", "z"), complex=("z",), stop=())
    assert "gradgen emit primal.f --wrt x,z --complex z" in text
    g = gradgen.grad(f, complex="z")
    assert np.allclose(g(Z, X), 2 * np.conj(Z) * X**2) and g(Z, X).dtype == complex
    value, both = gradgen.value_and_grad(f, wrt=("z", "x"), complex="z")(Z, X)
    assert np.isclose(value, f(Z, X)) and both[1].dtype == float
    value, pullback = gradgen.vjp(f, complex="z")(Z, X)
    assert np.allclose(pullback(2.0), 4 * np.conj(Z) * X**2)
    value, change = gradgen.jvp(f, complex="z")(Z, X, Z)
    assert np.isclose(change, 2 * value) and not np.iscomplexobj(change)


def test_an_example_tells(tmp_path):
    f = written(ENERGY, tmp_path)
    text = gradgen.emit(f, example=(Z, X))
    assert "--complex z --shape z=n --shape x=n" in text
    assert np.allclose(gradgen.grad(f, example=(Z, X))(Z, X), 2 * np.conj(Z) * X**2)


@pytest.mark.parametrize(
    "annotation",
    ["complex", "np.complex128", "NDArray[np.complex64]", 'Complex[np.ndarray, "n"]'],
)
def test_an_annotation_tells(tmp_path, annotation):
    source = f"def f(z: {annotation!r}):\n    return np.sum((z * z).real)\n"
    f = written(source, tmp_path)
    text = gradgen.emit(f)
    assert "d_z = 2 * " in text and "--complex" not in text
    z = 1 - 2j if annotation in ("complex", "np.complex128") else Z
    assert np.allclose(gradgen.grad(f)(z), 2 * z)


def test_other_annotations_do_not():
    for annotation in (None, "float", "Float[np.ndarray, 'n']", "NDArray[np.float64]"):
        assert not is_complex_annotation(annotation)


def test_a_complex_default_tells(tmp_path):
    f = written("def f(x, phase=1j):\n    return np.sum((x * phase).imag)\n", tmp_path)
    assert np.allclose(gradgen.grad(f)(X), 1)
    assert np.allclose(gradgen.grad(f)(X, 2.0 + 3j), 3)


def test_arguments_are_complex_as_they_are_given(tmp_path):
    f = written(ENERGY, tmp_path)
    told = gradgen.grad(f, wrt=("z", "x"), complex="z")(Z, X)
    for made in (gradgen.grad(f, ("z", "x")), gradgen.value_and_grad(f, ("z", "x"))):
        made(np.abs(Z), X)
        found = made(Z, X)
        found = found[1] if made.maker == "value_and_grad" else found
        assert all(map(np.array_equal, found, told))
        assert np.iscomplexobj(found[0]) and not np.iscomplexobj(found[1])
    assert gradgen.grad(f, wrt="x")(x=X, z=2j).dtype == X.dtype


def test_a_complex_array_for_an_argument_that_is_told_to_be_real_is_refused(tmp_path):
    f = written(ENERGY, tmp_path)
    facts = {"z": "n", "x": "n"}
    for made in (gradgen.grad(f, shapes=facts), gradgen.vjp(f, shapes=facts)):
        with pytest.raises(GradgenError, match="GG504 the argument z is complex") as e:
            made(Z, X)
        assert "--complex z" in str(e.value)
    with pytest.raises(GradgenError, match="GG504 the argument z is complex"):
        gradgen.jvp(f, shapes=facts)(Z, X, Z)
    with pytest.raises(GradgenError, match="GG504 the argument z is real, and"):
        gradgen.grad(f, complex="z")(X, X)
    assert np.allclose(gradgen.grad(f, complex="z")(2, X), 0 * 1j + 4 * np.sum(X**2))


def test_a_name_that_is_no_argument_is_refused(tmp_path):
    f = written(ENERGY, tmp_path)
    with pytest.raises(GradgenError, match="GG406 --complex names zz"):
        gradgen.emit(f, complex="zz")


def test_the_seed_of_a_complex_result_has_no_default(tmp_path):
    f = written("def f(z, x):\n    return np.sum(z * x)\n", tmp_path)
    text = gradgen.emit(f, complex="z", shapes={"z": "n", "x": "n"})
    assert "def grad_f(z, x, d_out):" in text
    g = gradgen.grad(f, complex="z")
    with pytest.raises(GradgenError, match="GG506.*complex, and no seed"):
        g(Z, X)
    # A number as seed is that of the real part.
    assert np.allclose(g(Z, X, seed=1.0), X)
    assert np.allclose(g(Z, X, seed=-1j), -1j * X)
    assert g(Z, X, seed=1.0).dtype == complex


def test_complex64_stays_so(tmp_path):
    f = written(ENERGY, tmp_path)
    z, x = Z.astype(np.complex64), X.astype(np.float32)
    g = gradgen.grad(f, wrt=("z", "x"), complex="z")(z, x)
    assert [a.dtype for a in g] == [np.complex64, np.float32]


def test_check_grads_perturbs_both_parts():
    def f(z):
        return np.sum(np.abs(z) ** 2)

    gradgen.check_grads(f, lambda z: 2 * np.conj(z), (Z,))
    with pytest.raises(GradgenError, match="GG601"):
        gradgen.check_grads(f, lambda z: 2 * z, (Z,))
    with pytest.raises(GradgenError, match="GG601"):
        gradgen.check_grads(f, lambda z: 2 * z.real, (Z,))

    def g(z):
        return z**2

    gradgen.check_grads(g, lambda z: (z**2, lambda d: 2 * d * z), (Z,))
    with pytest.raises(GradgenError, match="GG601"):
        gradgen.check_grads(g, lambda z: (z**2, lambda d: 2 * d * np.conj(z)), (Z,))


SOURCE = "import numpy as np\n\n\ndef f(z, x):\n    return np.sum(np.abs(z * x) ** 2)\n"


def test_the_command_line(tmp_path):
    (tmp_path / "waves.py").write_text(SOURCE)
    shapes = ["--shape", "z=n", "--shape", "x=n"]
    target = ["emit", "waves.f", "--wrt", "z,x", "--complex", "z", *shapes]
    for mode in ("reverse", "forward"):
        done = command(*target, "--mode", mode, "-o", f"{mode}.py", cwd=tmp_path)
        assert (done.code, done.out) == (0, "")
        text = (tmp_path / f"{mode}.py").read_text()
        assert " --complex z --shape z=n --shape x=n\n" in text
        checked = command("check", f"{mode}.py", cwd=tmp_path)
        assert checked.code == 0 and "agrees with differences" in checked.err
    wrong = (tmp_path / "reverse.py").read_text().replace("np.conj(", "np.positive(")
    (tmp_path / "reverse.py").write_text(wrong)
    checked = command("check", "reverse.py", cwd=tmp_path)
    assert checked.code == 1 and "wrong gradient" in checked.err
    example = "(np.ones(3, complex), np.ones(3))"
    done = command("emit", "waves.f", "--example", example, cwd=tmp_path)
    assert "--complex z" in done.out and "--shape z=n --shape x=n" in done.out
    assert refused(command("emit", "waves.f", "--complex", "y", cwd=tmp_path), "GG406")
