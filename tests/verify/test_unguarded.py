"""gradgen check of a text that is no number where it divides by 0, and has no guard."""

import pytest

from tests.cli.command import gradgen

SPRINGS = """import numpy as np


def springs(x, first, second):
    gaps = x[first] - x[second]
    return np.sum(np.sqrt(np.sum(gaps * gaps, axis=1)))
"""
FACTS = ("--shape", "x=n d", "--shape", "first=n:int", "--shape", "second=n:int")


@pytest.mark.parametrize("guard", [(), ("--guard",)])
def test_check_says_what_is_not_guarded(tmp_path, guard):
    (tmp_path / "lines.py").write_text(SPRINGS)
    ask = ("emit", "lines.springs", "--wrt", "x", *FACTS, *guard, "-o", "out.py")
    assert gradgen(*ask, cwd=tmp_path).code == 0
    done = gradgen("check", "out.py", cwd=tmp_path)
    told = done.out + done.err
    if guard:
        assert done.code == 0, told
    else:
        # an entry of first and second is the same: its length is 0 wherever x is
        assert done.code == 1 and "is nan, and differences give" in told
        assert "not guarded: " in told and "--guard keeps the text finite" in told
