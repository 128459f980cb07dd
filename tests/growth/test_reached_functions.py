"""What a method may call is looked through once a function, however many there are."""

import cProfile

import pytest

from gradgen.frontend.source.reach import attributes, reach
from tests.fuzz.program import imported


def module(count):
    """Functions that each call the next, and read an attribute of their own."""
    lines = ["class Base:", "    def first(self, x):", "        return f0(self, x)", ""]
    lines += ["class Net(Base):", "    pass", ""]
    for i in range(count):
        following = f"f{i + 1}(o, x)" if i + 1 < count else "x"
        lines += [f"def f{i}(o, x):", f"    return o.a{i} * {following}", ""]
    return "\n".join(lines)


def calls(count):
    """How many calls looking through so many functions takes, and what is read."""
    cls = imported(module(count), "Net")
    attributes.cache_clear()
    profile = cProfile.Profile()
    found = profile.runcall(reach, cls.first, [cls])
    return sum(one.callcount for one in profile.getstats()), found


@pytest.mark.parametrize("count", [200])
def test_twice_the_functions_take_twice_the_calls(count):
    calls(10)  # what is loaded at the first call
    once, found = calls(count)
    twice, more = calls(2 * count)
    assert len(found.read) == count and len(more.read) == 2 * count
    assert twice < 2.4 * once
