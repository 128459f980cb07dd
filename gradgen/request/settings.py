"""[tool.gradgen] of the nearest pyproject.toml: its folder, rules, guards, Python."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from gradgen.errors import GradgenError
from gradgen.frontend.source.named import did_you_mean
from gradgen.frozen import dataclass
from gradgen.request.options import OPTIONS, Option

KEYS = ("rules", *(one.name for one in OPTIONS if one.setting), "emit")
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


def settled(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a request with what the project says where one is None."""
    found = dict(given)
    asked = [one for one in OPTIONS if one.setting and found.get(one.name, "") is None]
    project = nearest(here()) if asked else None
    for one in asked:
        found[one.name] = _setting(one, project)
    return found


def setting(one: Option) -> Any:
    """What holds for an option in the working directory."""
    return _setting(one, nearest(here()))


def _setting(one: Option, project: Project | None) -> Any:
    """What a project says of an option, or what holds without."""
    if project is None or one.name not in project.table:
        return one.default
    value = project.table[one.name]
    if one.sort == "size" and not isinstance(value, (bool, int, float)):
        message, advice = "no truth value and no number", "true"
    elif one.sort == "flag" and not isinstance(value, bool):
        message, advice = "no truth value", "true"
    elif one.sort == "choice" and value not in (one.default, *one.choices):
        message = "none of " + ", ".join(one.choices)
        advice = f'"{one.choices[0]}", a string'
    else:
        return value
    project.refuse("GG020", f"{one.name} is {message}", f"{one.name} = {advice}")


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
    for folder in (start, *start.parents):
        if os.path.isfile(f"{folder}/{FILE}"):
            break
    else:
        return None
    project = _read(folder / FILE)
    for key in project.table:
        if key not in KEYS:
            near = did_you_mean(key, list(KEYS))
            project.refuse("GG020", f"[tool.gradgen] has no setting {key}", near)
    return project


def _read(file: Path) -> Project:
    try:
        text = file.read_text(encoding="utf-8")
        tool = _parsed(text).get("tool", {})
    except (ValueError, RecursionError) as error:
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
    import tomllib  # where there is a project alone

    return tomllib.loads(text)


def _shown(file: Path) -> str:
    """The file from the working directory, where it is below."""
    place = here()
    return (file.relative_to(place) if place in file.parents else file).as_posix()
