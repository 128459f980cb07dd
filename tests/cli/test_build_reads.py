"""What `gradgen build` takes note of: no text is left alone that would be another."""

from tests.cli.command import ROOT, gradgen

HEAD = "import importlib.util\nimport os\nimport sys\nfrom pathlib import Path\n\n"
LOSS = "\n\ndef loss(x):\n    return K * (x @ x)\n"
BY_PATH = (
    'spec = importlib.util.spec_from_file_location("told", "told.py")\n'
    "told = importlib.util.module_from_spec(spec)\n"
    "spec.loader.exec_module(told)\n"
    "K = told.K"
)
OTHER = "import sys\n\n\nclass Settings:\n    K = {}\n\n\nsys.modules[__name__] = Settings()\n"

# How a module comes to its constant K, the files before, and those that change it:
# each is 2.0 at first, and 75.0 afterwards.
WAYS = {
    "a module that is loaded by its path": (
        BY_PATH,
        {"told.py": "K = 2.0\n"},
        {"told.py": "K = 75.0\n"},
    ),
    "a module that puts something else in its place": (
        "import other\n\nK = other.K",
        {"other.py": OTHER.format("2.0")},
        {"other.py": OTHER.format("75.0")},
    ),
    "a file that is only looked for": (
        'K = 75.0 if os.path.exists("flag") else 2.0',
        {},
        {"flag": ""},
    ),
    "a file that pathlib looks for": (
        'K = 75.0 if Path("mark").is_file() else 2.0',
        {},
        {"mark": ""},
    ),
    "a file that may be read": (
        'K = 75.0 if os.access("may", os.R_OK) else 2.0',
        {},
        {"may": ""},
    ),
    "a folder that is listed": (
        'K = 2.0 if len(os.listdir("listed")) == 1 else 75.0',
        {"listed/a": ""},
        {"listed/b": ""},
    ),
    "a folder that pathlib lists": (
        'K = 2.0 if len(list(Path("walked").iterdir())) == 1 else 75.0',
        {"walked/a": ""},
        {"walked/b": ""},
    ),
    "a part of a package that was missing": (
        "from fast import K",
        {
            "fast/__init__.py": "try:\n    from .quick import K\n"
            "except ImportError:\n    from .slow import K\n",
            "fast/slow.py": "K = 2.0\n",
        },
        {"fast/quick.py": "K = 75.0\n"},
    ),
    "a package in the place of a part of a package": (
        "from deep.part import K",
        {"deep/__init__.py": "", "deep/part.py": "K = 2.0\n"},
        {"deep/part/__init__.py": "K = 75.0\n"},
    ),
    "a module that is asked for, not imported": (
        'K = 75.0 if importlib.util.find_spec("extra") else 2.0',
        {},
        {"extra.py": ""},
    ),
    "a module before one of Python's own": (
        'import this_way\nimport colorsys\n\nK = getattr(colorsys, "K", 2.0)',
        {"this_way.py": ""},
        {"colorsys.py": "K = 75.0\n"},
    ),
    "a finder that leads to another file": (
        "import led\n\nK = led.K",
        {"one/led.py": "K = 2.0\n", "two/led.py": "K = 75.0\n", "way.txt": "one"},
        {"way.txt": "two"},
    ),
    "the environment in bytes": (
        'K = float(os.environb.get(b"CONSTANT", b"2.0"))',
        {},
        {},
    ),
}
# Such as an editable installation has: it is read when Python starts.
FINDER = """
import importlib.util
import sys
from pathlib import Path

FOLDER = Path({folder!r})
WAY = FOLDER / (FOLDER / "way.txt").read_text()


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "led":
            return importlib.util.spec_from_file_location(name, WAY / "led.py")


sys.meta_path.append(Finder)
"""


def fill(folder, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def project(folder, heads: dict[str, str]) -> None:
    """A module and an entry for each head of a module."""
    entries = ""
    for name, head in heads.items():
        fill(folder, {f"{name}.py": HEAD + head + LOSS})
        entries += f'[[tool.gradgen.emit]]\nfunction = "{name}.loss"\n'
        entries += f'out = "out/{name}.py"\nshape.x = "n"\n'
    fill(folder, {"pyproject.toml": entries})


def test_whatever_a_constant_comes_from_is_noticed(tmp_path):
    names = {f"way{i}": way for i, way in enumerate(WAYS.values())}
    project(tmp_path, {name: head for name, (head, _, _) in names.items()})
    for _, before, _ in names.values():
        fill(tmp_path, before)
    site = tmp_path.parent / "site"
    fill(site, {"sitecustomize.py": FINDER.format(folder=str(tmp_path))})
    path = f"{site}:{ROOT}"

    def build(*options: str, **more: str):
        # Compiled copies of modules are written, and read the next time.
        more = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "", **more}
        return gradgen("build", *options, cwd=tmp_path, **more)

    for options in ((), ("--force",), ()):
        done = build(*options)
        assert done.code == 0, done.err
    assert f"{len(names)} unchanged ({len(names)} not made again)" in done.err
    for _, _, after in names.values():
        fill(tmp_path, after)
    done = build(CONSTANT="75.0")
    assert done.code == 0, done.err
    for what, name in zip(WAYS, names, strict=True):
        assert "150 * d_out * x" in (tmp_path / f"out/{name}.py").read_text(), what


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path):
    head = 'file = Path("k.txt")\nK = float(file.read_text())\nfile.write_text("7.0")'
    project(tmp_path, {"hasty": head})
    fill(tmp_path, {"k.txt": "2.0"})
    assert gradgen("build", cwd=tmp_path).code == 0
    assert "4 * d_out * x" in (tmp_path / "out/hasty.py").read_text()
    assert gradgen("build", cwd=tmp_path).code == 0
    assert "14 * d_out * x" in (tmp_path / "out/hasty.py").read_text()
