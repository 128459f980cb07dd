"""Functions that name classes of an installed package: all of it is not looked through."""

import sys
import textwrap

import numpy as np
import pytest

import gradgen
from gradgen.runtime.environment import Environment

MANY = 30


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of classes, each of which names all others in a method of its own."""
    place = tmp_path / "site-packages" / "algebra_of_many"
    place.mkdir(parents=True)
    lines = []
    for i in range(MANY):
        named = ", ".join(f"Part{j}" for j in range(MANY))
        lines.append(
            f"class Part{i}:\n    factor = {i}.0\n\n"
            f"    def scaled(self, x):\n        return self.factor * x**2\n\n"
            f"    def method_{i}(self):\n        return {named}, self.field_{i}\n"
        )
    lines.append("class Under(Part7):\n    pass\n")
    lines.append("class Table:\n    weights = [1.0, 2.0]\n")
    (place / "__init__.py").write_text("\n\n".join(lines))
    (tmp_path / "waves.py").write_text(
        textwrap.dedent(
            """
            import math
            import algebra_of_many as algebra
            import numpy as np

            SCALE = 2.0


            class Wave:
                factor = 3.0

                def at(self, x):
                    return np.sin(self.factor * x)


            def cosine(t):
                if isinstance(t, algebra.Part3):
                    return algebra.Part4()
                return SCALE * math.cos(t)


            def sine(x):
                return np.sum(Wave().at(x))


            def set_elsewhere(x):
                return np.sum(algebra.Part3.factor * x**2)


            def inherited(x):
                return np.sum(algebra.Under.factor * x**2)


            def weighted(x):
                return np.sum(algebra.Table.weights[0] * x**2)


            PART = algebra.Part5()


            def of_an_instance(x):
                return np.sum(PART.scaled(x))
            """
        )
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield __import__("waves")
    for name in ("waves", "algebra_of_many"):
        sys.modules.pop(name, None)


def test_a_class_that_is_only_asked_for(package):
    gradient = gradgen.grad(package.cosine)
    np.testing.assert_allclose(gradient(0.3), -2.0 * np.sin(0.3), rtol=1e-12)
    assert len(Environment(package.cosine).names) < 50
    package.SCALE = 4.0
    np.testing.assert_allclose(gradient(0.3), -4.0 * np.sin(0.3), rtol=1e-12)


def test_classes_of_ones_own_are_looked_at(package):
    gradient = gradgen.grad(package.sine)
    x = np.array([0.2, 1.1])
    np.testing.assert_allclose(gradient(x), 3.0 * np.cos(3.0 * x), rtol=1e-12)
    package.Wave.factor = 5.0
    np.testing.assert_allclose(gradient(x), 5.0 * np.cos(5.0 * x), rtol=1e-12)


def test_what_is_set_in_classes_of_an_installed_package(package):
    x = np.array([0.2, 1.1])
    for f, cls in (
        (package.set_elsewhere, package.algebra.Part3),
        (package.of_an_instance, package.algebra.Part5),
        (package.inherited, package.algebra.Under),
    ):
        gradient = gradgen.grad(f)
        np.testing.assert_allclose(gradient(x), 2 * cls.factor * x, rtol=1e-12)
        cls.factor = 0.5
        np.testing.assert_allclose(gradient(x), x, rtol=1e-12)
        assert len(Environment(f).names) < 200
    gradient = gradgen.grad(package.weighted)
    np.testing.assert_allclose(gradient(x), 2 * x, rtol=1e-12)
    package.algebra.Table.weights[0] = 3.0
    np.testing.assert_allclose(gradient(x), 6 * x, rtol=1e-12)
