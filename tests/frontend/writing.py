"""Source text -> a function that gradgen can read."""

import importlib.util
import textwrap


def written(source: str, tmp_path, name: str = "primal", function: str = "f"):
    """The function of a module written to a file, numpy imported at its top."""
    path = tmp_path / f"{name}.py"
    path.write_text("import numpy as np\n\n\n" + textwrap.dedent(source))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)
