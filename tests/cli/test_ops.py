"""`gradgen ops`: the table of rules, and the text of one."""

import re
from pathlib import Path

from gradgen.rules.load import operations
from tests.cli.command import ROOT, gradgen, refused


def test_the_table_has_a_line_for_every_function(tmp_path):
    done = gradgen("ops", cwd=tmp_path)
    assert (done.code, done.err) == (0, "") and "\x1b" not in done.out
    heading, *lines = done.out.splitlines()
    assert heading.split() == [
        "function", "kind", "parameters", "differentiable", "forward", "second",
        "order", "complex", "not", "for", "convention",
    ]  # fmt: skip
    listed = [line.split()[0] for line in lines]
    assert listed == [
        op.removeprefix("numpy.") for op in operations() if op[:7] != "helper."
    ]
    by_name = dict(zip(listed, lines))
    assert "elementwise" in by_name["abs"] and "0 at 0" in by_name["abs"]
    assert "  a, axis=, " in by_name["sum"] and " keepdims=" in by_name["sum"]
    assert by_name["argmax"].split()[-5:] == ["-", "-", "-", "no", "integers"]
    assert by_name["matmul"].split()[-2:] == ["yes", "yes"]
    assert all(line == line.rstrip() for line in lines)


def test_one_rule_is_shown_as_its_file_says_it(tmp_path):
    done = gradgen("ops", "sum", cwd=tmp_path)
    assert done.code == 0
    place, *text = done.out.splitlines()
    facts = [line for line in text if line.startswith("# ")]
    assert facts == [
        "# kind: general",
        "# modes: reverse, forward, second order, complex",
        "# differentiable: a, initial",
    ]
    text = text[len(facts) :]
    assert place.startswith("# templates/reductions.py, lines ")
    first, last = map(int, re.findall(r"\d+", place))
    lines = Path(ROOT, "templates", "reductions.py").read_text().splitlines()
    assert text == lines[first - 1 : last]
    assert text[:2] == ["@general", "@holomorphic"]
    assert text[2].startswith("def sum(z, a,")


def test_a_rule_is_found_by_all_its_names(tmp_path):
    for name in ("numpy.sum", "np.sum"):
        assert "def sum(" in gradgen("ops", name, cwd=tmp_path).out
    absolute = gradgen("ops", "absolute", cwd=tmp_path).out
    assert "def abs(" in absolute and "\n# convention: 0 at 0\n" in absolute
    assert "numpy.linalg.norm" in gradgen("ops", "norm", cwd=tmp_path).out


def test_an_unknown_function_is_refused(tmp_path):
    assert refused(gradgen("ops", "sun", cwd=tmp_path), "GG205", "did you mean sum?")
    assert refused(gradgen("ops", "fft.dft", cwd=tmp_path), "GG205")
