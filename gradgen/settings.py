"""[tool.gradgen] of the nearest pyproject.toml: folders of rules, and guards."""

from __future__ import annotations

import tomllib
from pathlib import Path

from gradgen.errors import GradgenError
from gradgen.rules import load

KEYS = ("rules", "guard")
FILE = "pyproject.toml"


def use_settings() -> None:
    """Reads the settings that hold in the working directory, and applies them.

    Raises GradgenError for a setting that does not exist, or is none.
    """
    load.use(rule_folders(_here()))


def rule_folders(start: Path) -> tuple[Path, ...]:
    """The folders that `rules` names in the nearest pyproject.toml, from there."""
    file, settings = _nearest(start)
    if file is None:
        return ()
    names = settings.get("rules", [])
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        _refuse(file, "rules is not a list of folders", 'rules = ["rules/"]')
    folders = tuple((file.parent / name).resolve() for name in names)
    for name, folder in zip(names, folders, strict=True):
        if not folder.is_dir():
            _refuse(file, f"there is no folder {name}", "a folder of rule files")
    return folders


def guard_setting() -> bool | float:
    """The guard that holds in the working directory: False, True or a number."""
    file, settings = _nearest(_here())
    value = settings.get("guard", False)
    if file is not None and not isinstance(value, (bool, int, float)):
        _refuse(file, "guard is no truth value and no number", "guard = true")
    return value


def _here() -> Path:
    """The working directory; the root where that is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


def _nearest(start: Path) -> tuple[Path | None, dict]:
    """The nearest pyproject.toml from a folder upwards, and its settings."""
    file = next(
        (p / FILE for p in (start, *start.parents) if (p / FILE).is_file()), None
    )
    if file is None:
        return None, {}
    settings = _table(file)
    for key in settings:
        if key not in KEYS:
            advice = "rules = [...], or guard = true"
            _refuse(file, f"[tool.gradgen] has no setting {key}", advice)
    return file, settings


def _table(file: Path) -> dict:
    try:
        tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        _refuse(file, f"this is not TOML: {error}", "")
    table = tool.get("gradgen", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        _refuse(file, "tool.gradgen is not a table", "[tool.gradgen]")
    return table


def _refuse(file: Path, message: str, advice: str):
    here = _here()
    name = file.relative_to(here) if here in file.parents else file
    raise GradgenError("GG020", message, advice=advice, file=name.as_posix())
