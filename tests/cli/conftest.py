"""What several tests of the commands ask for."""

import pytest

from tests.cli.command import IMPORT, LOSS, gradgen


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The text of the gradient of f, of a module called m."""
    place = tmp_path_factory.mktemp("wanted")
    (place / "m.py").write_text(IMPORT + LOSS)
    return gradgen("emit", "m.f", cwd=place).out
