"""A module of the profile `commands`, loud and silent, and what every command has to keep."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.fuzz.case import Case, Truth, tolerance
from tests.fuzz.commanded import Ran, ran
from tests.fuzz.judge import Fault
from tests.fuzz.noises import Noise

OLDER = "import numpy as np\n\n\ndef {f}(x):\n    return np.sum(np.sin(x) * x)\n"


@dataclass
class Scene:
    """A module, loud and silent, and what its gradient is."""

    engine: object
    place: Path
    case: Case
    noise: Noise
    made: str = ""  # the silent module's text, "" where it is refused
    older: str = ""
    refusal: str = ""
    number: int = 0
    options: list[str] = field(default_factory=list)

    @property
    def target(self) -> str:
        return f"m.{self.case.program.name}"

    @property
    def loud(self) -> str:
        return self.noise.around(self.case.program.source)

    @property
    def quiet(self) -> str:
        return self.noise.around(self.case.program.source, quiet=True)

    def prepare(self) -> None:
        """Emits the silent module's text, and one of another function of its name."""
        if self.case.wrt is not None:
            self.options = ["--wrt", ",".join(self.case.names)]
        for name, fact in self.case.shapes.items():
            self.options += ["--shape", f"{name}={fact}"]
        folder = self.folder(self.quiet)
        done = self.run(["emit", self.target, *self.options], folder)
        if done.code == 0:
            self.made = done.out.decode()
        else:
            found = re.search(r"GG\d{3}[^\n]*", done.err)
            self.refusal = found.group() if found else done.err or "no end"
        name = self.case.program.name
        folder = self.folder(OLDER.replace("{f}", name))
        self.older = self.run(["emit", self.target], folder).out.decode()

    def faults(self) -> list[Fault]:
        """Whether the text, run alone, finds the measured gradient."""
        if not self.made:
            return [] if "GG" in self.refusal else [Fault("crash", self.refusal)]
        space: dict = {}
        exec(compile(self.made, "<emitted>", "exec"), space)
        names = [n for n in space if n.startswith("grad_")]
        truth, found = Truth(self.case.program), []
        with np.errstate(all="ignore"):
            got = space[names[-1]](*self.case.program.arguments(0), truth.seed(0))
        got = (got,) if len(self.case.names) == 1 else got
        for name, one in zip(self.case.names, got):
            want = truth.gradient(0, name)
            if np.any(want.error > tolerance(want.value) / 4):
                continue
            if not np.all(np.abs(one - want.value) <= tolerance(want.value)):
                found.append(Fault("wrong gradient", f"{name}: {one}, {want.value}"))
        return found

    def folder(self, text: str) -> Path:
        """A folder of its own with a module m of this text."""
        self.number += 1
        folder = self.place / f"project{self.number}"
        folder.mkdir()
        (folder / "m.py").write_text(text)
        return folder

    def away(self) -> Path:
        away = self.place / f"away{self.number}"
        away.mkdir()
        return away

    def run(self, words: list[str], folder: Path, **more) -> Ran:
        return ran(self.engine, words, folder, self.place, **more)


# what every command has to keep


def kept(scene: Scene, done: Ran, fails: bool) -> Iterator[Fault]:
    """What holds of every command. `fails` tells whether it has to."""
    end = scene.noise.end
    if done.code is None:
        yield Fault("too long", "the command has no end")
        return
    if "internal error" in done.err or done.code == 3:
        yield Fault("internal error", done.err[-1500:])
    wanted = end.codes if end else (2,)
    if fails and done.code not in wanted:
        yield Fault("wrong exit code", f"{done.code}, not one of {wanted}")
    if not fails and done.code != 0:
        yield Fault("wrong exit code", f"{done.code}, not 0")
    if done.code == 2 and not re.search(r"GG\d{3}|^Usage:", said(done), re.M):
        yield Fault("no code", "a refusal without a code")


def said(done: Ran) -> str:
    """The messages, which stand on stdout where JSON is asked for."""
    told = done.out.decode("utf-8", "replace") if done.out.startswith(b"{") else ""
    return done.err + told


def tells(scene: Scene, done: Ran, code: str) -> Iterator[Fault]:
    """The refusal's code, where the module does not end the command itself."""
    told = scene.noise.end.told if scene.noise.end else code
    if not scene.made and not scene.noise.end:
        told = scene.refusal[:5]
    if told not in said(done):
        yield Fault("another refusal", f"nothing of {told}")


def same(done: Ran, wanted: str, what: str = "stdout") -> Iterator[Fault]:
    if done.out != wanted.encode():
        yield Fault("wrong stdout", f"{what} is another text than\n{wanted}")


def changed(before: dict, after: dict, but: str | None) -> Iterator[Fault]:
    """What is another than it was, apart from one file and the folders it is in."""
    before, after = dict(before), dict(after)
    for name in {*before, *after}:
        made = but is not None and (name == but or but.startswith(name + os.sep))
        if not made and before.get(name) != after.get(name):
            yield Fault("files", f"{name}: {before.get(name)}, then {after.get(name)}")
