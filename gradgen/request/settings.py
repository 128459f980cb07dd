"""[tool.gradgen] of the nearest pyproject.toml: its folder, rules, guards, Python."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from gradgen.errors import GradgenError
from gradgen.frontend.named import did_you_mean
from gradgen.request.request import PYTHONS
from gradgen.rules import load

KEYS = ("rules", "guard", "python", "emit")
FILE = "pyproject.toml"


@dataclass(frozen=True)
class Project:
    """A pyproject.toml, its text, and what it says under [tool.gradgen]."""

    file: Path
    text: str
    table: dict[Any, Any]

    @property
    def folder(self) -> Path:
        return self.file.parent

    def refuse(
        self, code: str, message: str, advice: str = "", line: int | None = None
    ) -> NoReturn:
        """Raises GradgenError for what the file says."""
        raise self.error(code, message, advice, line)

    def error(
        self, code: str, message: str, advice: str = "", line: int | None = None
    ) -> GradgenError:
        """The error for what the file says, at a line of it."""
        return GradgenError(
            code, message, advice=advice, file=_shown(self.file), line=line
        )


def use_settings() -> None:
    """Reads the settings that hold in the working directory, and applies them.

    Raises GradgenError for a setting that does not exist, or is none.
    """
    load.use(rule_folders(here()))


def rule_folders(start: Path) -> tuple[Path, ...]:
    """The folders that `rules` names in the nearest pyproject.toml, from there."""
    project = nearest(start)
    if project is None:
        return ()
    names = project.table.get("rules", [])
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        project.refuse("GG020", "rules is not a list of folders", 'rules = ["rules/"]')
    folders = tuple((project.folder / name).resolve() for name in names)
    for name, folder in zip(names, folders, strict=True):
        if not folder.is_dir():
            advice = "a folder of rule files"
            project.refuse("GG020", f"there is no folder {name}", advice)
    return folders


def guard_setting() -> bool | float:
    """The guard that holds in the working directory: False, True or a number."""
    project = nearest(here())
    if project is None:
        return False
    value = project.table.get("guard", False)
    if not isinstance(value, (bool, int, float)):
        advice = "guard = true"
        project.refuse("GG020", "guard is no truth value and no number", advice)
    return value


def python_setting() -> str:
    """The Python that texts are for in the working directory, "" for any."""
    project = nearest(here())
    if project is None:
        return ""
    value = project.table.get("python", "")
    if not isinstance(value, str) or value not in ("", *PYTHONS):
        advice = f'python = "{PYTHONS[0]}", a string'
        project.refuse("GG020", f"python is none of {', '.join(PYTHONS)}", advice)
    return value


def here() -> Path:
    """The working directory; the root where that is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


def nearest(start: Path) -> Project | None:
    """The nearest pyproject.toml from a folder upwards.

    Raises GradgenError where it is no TOML, or has a setting that does not exist.
    """
    file = next(
        (p / FILE for p in (start, *start.parents) if (p / FILE).is_file()), None
    )
    if file is None:
        return None
    project = _read(file)
    for key in project.table:
        if key not in KEYS:
            near = did_you_mean(key, list(KEYS))
            project.refuse("GG020", f"[tool.gradgen] has no setting {key}", near)
    return project


def _read(file: Path) -> Project:
    try:
        text = file.read_text(encoding="utf-8")
        tool = _parsed(text).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        Project(file, "", {}).refuse("GG020", f"this is not TOML: {error}")
    except OSError as error:
        Project(file, "", {}).refuse("GG020", f"it cannot be read: {error.strerror}")
    table = tool.get("gradgen", {}) if isinstance(tool, dict) else {}
    project = Project(file, text, table)
    if not isinstance(table, dict):
        project.refuse("GG020", "tool.gradgen is not a table", "[tool.gradgen]")
    return project


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """A text as TOML; each gradient asks for the same one."""
    return tomllib.loads(text)


def _shown(file: Path) -> str:
    """The file from the working directory, where it is below."""
    place = here()
    return (file.relative_to(place) if place in file.parents else file).as_posix()
