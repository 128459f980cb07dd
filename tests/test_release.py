"""The version stands in one place; the sdist and the wheel have what they need."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.search(
    r'^__version__ = "(.+)"$', (ROOT / "gradgen/__init__.py").read_text(), re.M
)[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the sdist, and the wheel that is made of the unpacked sdist."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run([*build, "-t", "sdist"], cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(folder / f"gradgen-{VERSION}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    unpacked = folder / f"gradgen-{VERSION}"
    command = [*build, "-t", "wheel"]
    subprocess.run(command, cwd=unpacked, check=True, capture_output=True)
    return folder


def wheel(folder: Path) -> zipfile.ZipFile:
    (file,) = folder.glob("*.whl")
    return zipfile.ZipFile(file)


def below(folder: str, ending: str) -> set[str]:
    """The committed files of a folder, from the root."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split() if name.endswith(ending)}


def test_the_version_is_a_semantic_one_and_stands_once():
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", VERSION)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project and project["dynamic"] == ["version"]
    assert VERSION in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_wheel_has_all_of_the_package_the_rules_and_the_type_marker(built):
    names = set(wheel(built).namelist())
    package = below("gradgen", "")
    templates = {f"gradgen/{name}" for name in below("templates", ".py")}
    assert len(package) > 200 and len(templates) > 20
    assert package | templates <= names
    assert "gradgen/py.typed" in names
    assert {name.split("/")[0] for name in names} == {
        "gradgen",
        f"gradgen-{VERSION}.dist-info",
    }


@pytest.mark.long
def test_the_metadata_says_what_is_needed(built):
    place = f"gradgen-{VERSION}.dist-info"
    told = message_from_string(wheel(built).read(f"{place}/METADATA").decode())
    assert told["Version"] == VERSION
    assert told["License-Expression"] == "Apache-2.0"
    needed = {line for line in told.get_all("Requires-Dist") if "extra ==" not in line}
    packages = {re.match(r"[\w-]+", line)[0] for line in needed}
    assert packages == {"numpy", "gast", "astor", "click", "rich"}
    scripts = wheel(built).read(f"{place}/entry_points.txt").decode()
    assert "gradgen = gradgen.cli:main" in scripts


@pytest.mark.long
def test_the_sdist_has_what_a_build_takes(built):
    with tarfile.open(built / f"gradgen-{VERSION}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert below("templates", ".py") <= names
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} <= names
    assert not any("__pycache__" in name for name in names)


@pytest.mark.long  # .ci/run builds both and asks twine
def test_twine_finds_no_fault(built):
    files = [str(file) for file in built.iterdir() if file.is_file()]
    assert len(files) == 2
    command = [sys.executable, "-m", "twine", "check", "--strict", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2
