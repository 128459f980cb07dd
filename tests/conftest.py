"""What the tests of several folders use."""

import compileall
import gc
import os
import sys
from pathlib import Path

# Before NumPy is loaded: the matrices of tests are small, and threads that wait for one
# another cost a product of four by four the time of a thousand. The workers of a run
# and the commands that tests start inherit it.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import pytest  # noqa: E402

from tests.refusals import HEAD, TAIL  # noqa: E402
from tests.shares import share_out  # noqa: E402

# Sources are rewritten within a second here: a stale .pyc would be believed.
sys.dont_write_bytecode = True


# What `-m quick` runs: the stages one by one, and one line for each rule, but what is
# marked as long.
QUICK = ("passes", "shapes", "simplify", "ideal", "printer", "test_architecture.py")


def pytest_configure(config):
    """Compiles gradgen once, for the many processes that tests start.

    They write no .pyc of their own, so that each would compile all that it imports.
    """
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(__file__).parents[1] / "gradgen", quiet=2)


def pytest_configure_node(node):
    """Tells a worker whether tests were named, which it cannot see."""
    node.workerinput["named"] = _are_named(node.config)


def _are_named(config):
    """Whether files or tests were named, and not the whole suite asked for."""
    if hasattr(config, "workerinput"):
        return config.workerinput["named"]
    return config.args_source is pytest.Config.ArgsSource.ARGS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Marks the quick tests, and those of many cases that are not for each run."""
    folder, rules = Path(__file__).parent, set()
    for item in items:
        parts = item.path.relative_to(folder).parts
        first = "::test_line[" in item.nodeid and parts == ("rules", "test_rules.py")
        rule = item.name.partition("(")[0]
        chosen = parts[0] in QUICK or first and rule not in rules
        if chosen and not item.get_closest_marker("long"):
            item.add_marker(pytest.mark.quick)
        if first:
            rules.add(rule)
    if not _are_named(config):
        share_out(items, folder)


def pytest_collection_finish(session):
    """Takes what has been collected out of the sight of the garbage collector.

    It stays until the end, and would be gone through again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """write(text) is the name of the function f in a file of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    numbers = iter(range(10**6))

    def written(text: str) -> str:
        file = f"source_{next(numbers)}.py"
        (tmp_path / file).write_text(HEAD + text + TAIL)
        return f"{file}:f"

    return written
