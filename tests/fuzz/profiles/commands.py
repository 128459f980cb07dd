"""Commands about modules that say and do more than telling a function.

A program of B stands in a module that prints, at once, later and at exit, changes its
process or ends it, and `emit`, `build`, `check` and `explain` are asked for it, with odd
places to write to. What is right is known without gradgen: the text is that of the same
module where it is silent, and holds the measured gradient; folders hold what they held,
but for the file that is asked for; the exit code and a code of the messages tell which.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np

from tests.fuzz.called import Called, called
from tests.fuzz.case import Case, Truth, case_of, tolerance
from tests.fuzz.commanded import Ran, ran, tree
from tests.fuzz.generate import generate
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.noises import Noise, noise
from tests.fuzz.places import PLACES, Place, Texts

PROGRAMS = 6
REFUSED_AT_MOST = 0.1
TOGETHER = 3  # commands about one module
OLDER = "import numpy as np\n\n\ndef {f}(x):\n    return np.sum(np.sin(x) * x)\n"
ENTRY = "[[tool.gradgen.emit]]\n"
MARKS = re.compile(r"said|Zen of Python|built-in function|Sum of array")


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    rng = Random(f"commands {seed}")
    program = generate(seed)
    case = case_of(program, "full")
    drawn = noise(rng, program.name)
    place = Path(tempfile.mkdtemp(prefix="fuzz_commands_"))
    try:
        scene = Scene(engine, place, case, drawn)
        scene.prepare()
        told = Verdict(text=scene.made, faults=scene.faults())
        yield _request(scene, seed, ["emit", scene.target]), told
        for _ in range(TOGETHER):
            kind = rng.choice(list(ASKED))
            verdict = Verdict(text=scene.made)
            try:
                words, done, faults = ASKED[kind](scene, rng)
                verdict.faults = faults
                if faults and done is not None:
                    faults.append(Fault(faults[0].kind, _shown(done)))
            except Exception:
                words, verdict.faults = [kind], [broken_off()]
            if not scene.made:
                verdict.refusal = scene.refusal
            yield _request(scene, seed, words), verdict
    finally:
        _removed(place)


def _request(scene: Scene, seed: int, words: list[str]) -> Called:
    text = f"{scene.loud}\n\n# {scene.noise.title!r}\n# gradgen {shlex.join(words)}\n"
    request = called(text, seed, scene.case.wrt)
    return replace(request, level=scene.case.level, shapes=scene.case.shapes)


def _shown(done: Ran) -> str:
    out = done.out.decode("utf-8", "replace")
    return f"exit code {done.code}\nstdout:\n{out[:2000]}\nstderr:\n{done.err[-2000:]}"


def _removed(place: Path) -> None:
    for folder, folders, _ in os.walk(place):
        for name in folders:
            if not os.path.islink(os.path.join(folder, name)):
                os.chmod(os.path.join(folder, name), 0o755)
    shutil.rmtree(place, ignore_errors=True)


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


def _kept(scene: Scene, done: Ran, fails: bool) -> Iterator[Fault]:
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
    if done.code == 2 and not re.search(r"GG\d{3}|^Usage:", _said(done), re.M):
        yield Fault("no code", "a refusal without a code")


def _said(done: Ran) -> str:
    """The messages, which stand on stdout where JSON is asked for."""
    told = done.out.decode("utf-8", "replace") if done.out.startswith(b"{") else ""
    return done.err + told


def _told(scene: Scene, done: Ran, code: str) -> Iterator[Fault]:
    """The refusal's code, where the module does not end the command itself."""
    told = scene.noise.end.told if scene.noise.end else code
    if not scene.made and not scene.noise.end:
        told = scene.refusal[:5]
    if told not in _said(done):
        yield Fault("another refusal", f"nothing of {told}")


def _same(done: Ran, wanted: str, what: str = "stdout") -> Iterator[Fault]:
    if done.out != wanted.encode():
        yield Fault("wrong stdout", f"{what} is another text than\n{wanted}")


def _changed(before: dict, after: dict, but: str | None) -> Iterator[Fault]:
    """What is another than it was, apart from one file and the folders it is in."""
    before, after = dict(before), dict(after)
    for name in {*before, *after}:
        made = but is not None and (name == but or but.startswith(name + os.sep))
        if not made and before.get(name) != after.get(name):
            yield Fault("files", f"{name}: {before.get(name)}, then {after.get(name)}")


# the commands


def _emit(scene: Scene, rng: Random):
    """`emit > file`: the text, or nothing."""
    folder = scene.folder(scene.loud)
    before = tree(folder)
    spelled = rng.choice(["m.{f}", "m.py:{f}", "m:{f}"]).format(
        f=scene.case.program.name
    )
    words = ["emit", spelled, *scene.options, *rng.choice([[], [], ["-q"]])]
    wanted = scene.made
    if wanted and spelled != scene.target:
        calm = scene.run(words, scene.folder(scene.quiet))
        wanted = calm.out.decode()
    done = scene.run(words, folder)
    fails = bool(scene.noise.end) or not scene.made
    faults = [*_kept(scene, done, fails), *_changed(before, tree(folder), None)]
    faults += _same(done, "" if fails else wanted)
    if fails:
        faults += _told(scene, done, "")
    return words, done, faults


def _full(scene: Scene, rng: Random):
    """`emit` where nothing can be written: a full device, a stream that is closed."""
    folder = scene.folder(scene.loud)
    words = ["emit", scene.target, *scene.options, *rng.choice([[], ["--output=json"]])]
    out = rng.choice(["/dev/full", "/dev/full", ""])
    done = scene.run(words, folder, out=out)
    faults = [*_kept(scene, done, True)]
    if scene.made:
        faults += _told(scene, done, "GG018")
    return [*words, ">", out or "&-"], done, faults


def _stdin(scene: Scene, rng: Random):
    """`emit -`: the text on standard input is run, and is read as a file is."""
    name = scene.case.program.name
    words = ["emit", "-", "--name", name, *scene.options]
    empty = scene.folder("")
    calm = scene.run(words, empty, stdin=scene.quiet.encode())
    before = tree(empty)
    done = scene.run(words, empty, stdin=scene.loud.encode())
    fails = bool(scene.noise.end) or not scene.made
    faults = [*_kept(scene, done, fails), *_changed(before, tree(empty), None)]
    faults += _same(done, "" if fails else calm.out.decode())
    if fails:
        faults += _told(scene, done, "")
    return words, done, faults


def _written(scene: Scene, rng: Random):
    """`emit -o`: the file that is asked for holds the text, or nothing has changed."""
    kind = rng.choice(list(PLACES))
    folder, away = scene.folder(scene.loud), scene.away()
    texts = Texts(scene.made, scene.older)
    place = PLACES[kind](folder, away, texts)
    force, diff = rng.random() < 0.4, rng.random() < 0.1
    told = [f"-o{place.told}"] if rng.random() < 0.3 else ["-o", place.told]
    words = ["emit", scene.target, *scene.options, *told]
    words += ["--force"] * force + ["--diff"] * diff
    as_json = rng.random() < 0.2
    words += ["--output", "json"] * as_json
    before = tree(folder), tree(away), _devices()
    done = scene.run(words, folder)
    after = tree(folder), tree(away), _devices()
    refused = (place.forced if force or diff else place.code) if scene.made else ""
    fails = bool(scene.noise.end or refused or not scene.made)
    if diff and not scene.noise.end and refused == "GG018":  # it may be compared
        fails = done.code != 0
    faults = list(_kept(scene, done, fails))
    writes = not fails and not diff
    faults += _files(before, after, place, writes, scene, folder)
    if fails:
        faults += _told(scene, done, refused)
    if as_json and done.out:
        data = json.loads(done.out)
        if not fails and data["text"] != scene.made:
            faults.append(Fault("wrong stdout", data["text"]))
    elif not diff:
        faults += _same(done, "")
    elif MARKS.search(done.out.decode()) and not MARKS.search(scene.made):
        faults.append(Fault("wrong stdout", "the difference has more lines"))
    return [*words, f"# {kind}"], done, faults


def _files(before, after, place: Place, writes: bool, scene, folder) -> Iterator[Fault]:
    file = None
    if place.file is not None:
        file = place.file.replace("{f}", scene.case.program.name)
    inside = os.path.normpath(file) if writes and file else None
    outside = os.path.basename(file) if writes and file else None
    yield from _changed(before[0], after[0], inside)
    yield from _changed(before[1], after[1], outside)
    if before[2] != after[2]:
        yield Fault("files", "a device is another")
    if writes and file:
        found = folder / file
        if found.is_symlink() or not found.is_file():
            yield Fault("files", f"{file} is no file")
        elif found.read_text() != scene.made:
            yield Fault("files", f"{file} holds\n{found.read_text()}")


def _devices() -> list:
    return [
        (os.lstat(name).st_mode, os.lstat(name).st_rdev)
        for name in ("/dev/full", "/dev/null", "/dev/zero")
    ]


def _build(scene: Scene, rng: Random):
    """`build`: inside of the project alone."""
    kind = rng.choice(list(PLACES))
    folder, away = scene.folder(scene.loud), scene.away()
    place = PLACES[kind](folder, away, Texts(scene.made, scene.older))
    force = rng.random() < 0.3
    lines = [f"function = {json.dumps(scene.target)}", f"out = {json.dumps(place.told)}"]
    lines.append(f"wrt = {json.dumps(list(scene.case.names))}")
    facts = ", ".join(f"{k} = {json.dumps(v)}" for k, v in scene.case.shapes.items())
    lines.append(f"shape = {{{facts}}}")
    (folder / "pyproject.toml").write_text(ENTRY + "\n".join(lines) + "\n")
    words = ["build", *["--force"] * force]
    before = tree(folder), tree(away), _devices()
    done = scene.run(words, folder)
    after = tree(folder), tree(away), _devices()
    after = ({k: v for k, v in after[0].items() if ".gradgen_cache" not in k}, *after[1:])
    faults = list(_kept(scene, done, done.code != 0))
    if not place.inside and "GG032" not in done.err:
        faults.append(Fault("another refusal", "it is outside of the project"))
    fails = scene.noise.end or not scene.made or not place.inside
    fails = fails or bool(place.forced if force else place.code)
    if fails and done.code == 0:
        faults.append(Fault("wrong exit code", "0, and nothing is to be written"))
    writes = not fails and done.code == 0
    if not fails and done.code != 0 and not place.told.endswith("/"):
        if kind not in ("folder", "folder.py", "no ending"):
            faults.append(Fault("wrong exit code", f"{done.code}, not 0"))
    faults += _files(before, after, place, writes, scene, folder)
    if MARKS.search(done.out.decode()):
        faults.append(Fault("wrong stdout", "what the module says"))
    return [*words, f"# {kind}: {place.told}"], done, faults


def _check(scene: Scene, rng: Random):
    """`check`: a right file is right, whatever its module says."""
    folder = scene.folder(scene.loud)
    (folder / "out.py").write_text(scene.made or scene.older)
    words = ["check", "--output", "json", "out.py"]
    before = tree(folder)
    done = scene.run(words, folder)
    after = {k: v for k, v in tree(folder).items() if ".gradgen_cache" not in k}
    faults = list(_changed(before, after, None))
    if not scene.made:
        return words, done, faults
    if not scene.noise.end:
        faults += _kept(scene, done, False)
    elif done.code == 0:
        faults.append(Fault("wrong exit code", "0, and nothing was measured"))
    elif done.code == 3 or done.code is None:
        faults += _kept(scene, done, True)
    if done.code in (0, 1):
        json.loads(done.out)
    return words, done, faults


def _explain(scene: Scene, rng: Random):
    """`explain`: what is shown is of gradgen's own."""
    words = ["explain", scene.target]
    for option in zip(scene.options[::2], scene.options[1::2]):
        words += option
    calm = scene.run(words, scene.folder(scene.quiet))
    folder = scene.folder(scene.loud)
    before = tree(folder)
    done = scene.run(words, folder)
    fails = bool(scene.noise.end) or calm.code != 0
    faults = [*_kept(scene, done, fails), *_changed(before, tree(folder), None)]
    place = re.compile(rb"m\.py:\d+")
    shown, wanted = (place.sub(b"m.py", one.out) for one in (done, calm))
    faults += _same(replace(done, out=shown), "" if fails else wanted.decode())
    return words, done, faults


ASKED = {
    "emit": _emit,
    "emit again": _emit,
    "emit -o": _written,
    "emit -o again": _written,
    "emit -o once more": _written,
    "emit -": _stdin,
    "full": _full,
    "build": _build,
    "check": _check,
    "explain": _explain,
}
