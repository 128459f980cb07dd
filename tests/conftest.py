"""What the tests of several folders use."""

import sys

import pytest

from tests.refusals import HEAD, TAIL

# Sources are rewritten within a second here: a stale .pyc would be believed.
sys.dont_write_bytecode = True


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
