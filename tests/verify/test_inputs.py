"""layouts: the arguments that are made from shape facts."""

import numpy as np

from gradgen.verify.inputs import Parameter, layouts, related


def shapes(*facts, wrt=("a",)):
    """The shapes at both sizes for parameters a, b, ... with these facts."""
    parameters = [Parameter("abcdef"[i], fact) for i, fact in enumerate(facts)]
    return [layout.shapes for layout in layouts(parameters, wrt)]


def test_named_axes_agree_and_differ():
    first, second = shapes("n d", "d", "m 2 n", "")
    assert first == ((3, 4), (4,), (2, 2, 3), ())
    assert second == ((5, 2), (2,), (4, 2, 5), ())


def test_an_axis_that_may_be_1_is_both():
    assert shapes("#n d", "n d") == [((3, 4), (3, 4)), ((1, 2), (5, 2))]


def test_a_whole_shape_is_the_same_for_all():
    first, second = shapes("*s", "*s")
    assert first == ((3, 4), (3, 4)) and second == ((5,), (5,))


def test_what_is_not_known_is_guessed_alike():
    found = shapes(None, None, "n")
    assert ((4,), (4,), (3,)) in found and ((), (), (3,)) in found
    assert ((3, 4), (3, 4), (5,)) in found


def test_values():
    parameters = (
        Parameter("a", "n"),
        Parameter("s", ""),
        Parameter("k", None, sort="int"),
        Parameter("mode", None, default="mean"),
        Parameter("eps", None, default=1e-8),
    )
    first, second = layouts(parameters, ("a",))
    rng = np.random.default_rng(0)
    a, s, k, mode, eps = first.arguments(rng, np.float64, (-1.7, 1.7))
    assert a.dtype == np.float64 and np.min(np.abs(a)) >= 0.2
    assert (type(s), k, mode, eps) == (float, 3, "mean", 1e-8)
    a, s, *_ = second.arguments(rng, np.float32, (0.3, 1.7))
    assert a.dtype == np.float32 and np.all(a > 0.29)
    assert type(s) is np.float32


def test_lengths_that_hang_together():
    parameters = [Parameter("a", "m k"), Parameter("b", "k"), Parameter("c", "m")]
    pairs = [[one.shapes for one in several] for several in related(parameters, ("a",))]
    assert [((3, 12), (12,), (3,)), ((5, 20), (20,), (5,))] in pairs
    assert [((3, 2), (2,), (3,)), ((5, 4), (4,), (5,))] in pairs
    sums = [Parameter(x, x) for x in "abc"]
    found = [[one.shapes for one in several] for several in related(sums, ("a",))]
    assert [((3,), (4,), (7,)), ((5,), (2,), (7,))] in found
    assert list(related([Parameter("a", "m")], ("a",))) == []
