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
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from tests.fuzz.called import Called, called
from tests.fuzz.case import case_of
from tests.fuzz.commanded import Ran, tree
from tests.fuzz.generate import generate
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.noises import noise
from tests.fuzz.places import PLACES, Place, Texts
from tests.fuzz.scene import Scene, changed, kept, same, tells

PROGRAMS = 6
REFUSED_AT_MOST = 0.1
TOGETHER = 2  # commands about one module
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
        verdict = Verdict(text=scene.made, faults=scene.faults())
        yield _request(scene, seed, ["emit", scene.target]), verdict
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
    faults = [*kept(scene, done, fails), *changed(before, tree(folder), None)]
    faults += same(done, "" if fails else wanted)
    if fails:
        faults += tells(scene, done, "")
    return words, done, faults


def _full(scene: Scene, rng: Random):
    """`emit` where nothing can be written: a full device, a stream that is closed."""
    folder = scene.folder(scene.loud)
    words = ["emit", scene.target, *scene.options, *rng.choice([[], ["--output=json"]])]
    out = rng.choice(["/dev/full", "/dev/full", ""])
    done = scene.run(words, folder, out=out)
    faults = [*kept(scene, done, True)]
    if scene.made and "GG018" not in done.err:  # which is of the JSON as well
        faults += tells(scene, done, "GG018")
    return [*words, ">", out or "&-"], done, faults


def _package(scene: Scene, rng: Random):
    """`emit pkg.m.f`, where the package above the module says and does it all."""
    name = scene.case.program.name
    spelled = rng.choice([f"pkg.m.{name}", f"pkg.m:{name}"])
    words = ["emit", spelled, *scene.options]
    done = []
    for text in (scene.quiet, scene.loud):
        folder = scene.folder("")
        (folder / "pkg").mkdir()
        (folder / "pkg/__init__.py").write_text(text)
        (folder / "pkg/m.py").write_text(scene.case.program.source)
        before = tree(folder)
        done.append(scene.run(words, folder))
    calm, last = done
    fails = bool(scene.noise.end) or calm.code != 0
    faults = [*kept(scene, last, fails), *changed(before, tree(folder), None)]
    faults += same(last, "" if fails else calm.out.decode())
    if fails:
        faults += tells(scene, last, "")
    return words, last, faults


def _calls(scene: Scene, rng: Random):
    """`emit --calls`: the script that calls the function is no part of its text."""
    name = scene.case.program.name
    words = ["emit", f"pkg.m.{name}", *scene.options[:2], "--calls", "python run.py"]
    values = [np.asarray(one).tolist() for one in scene.case.program.arguments(0)]
    handed = ", ".join(f"np.array({one!r})" for one in values)
    last = f"import numpy as np\nfrom pkg.m import {name}\n\n\n{name}({handed})\n"
    done = []
    for text in (scene.noise.around(last, quiet=True), scene.noise.around(last)):
        folder = scene.folder("")
        (folder / "pkg").mkdir()
        (folder / "pkg/__init__.py").write_text("print('said')")
        (folder / "pkg/m.py").write_text(scene.case.program.source)
        (folder / "run.py").write_text(text.replace("@_noisy", ""))
        done.append(scene.run(words, folder))
    calm, last = done
    faults = []
    if scene.noise.end is None:
        faults += kept(scene, last, calm.code != 0)
        faults += same(last, calm.out.decode())
    elif last.code is None or last.code not in (0, 2, *scene.noise.end.codes):
        faults.append(Fault("wrong exit code", f"{last.code}"))
    elif last.out not in (b"", calm.out):
        faults += same(last, calm.out.decode())
    return words, last, faults


def _stdin(scene: Scene, rng: Random):
    """`emit -`: the text on standard input is run, and is read as a file is."""
    name = scene.case.program.name
    words = ["emit", "-", "--name", name, *scene.options]
    empty = scene.folder("")
    calm = scene.run(words, empty, stdin=scene.quiet.encode())
    before = tree(empty)
    done = scene.run(words, empty, stdin=scene.loud.encode())
    fails = bool(scene.noise.end) or not scene.made
    faults = [*kept(scene, done, fails), *changed(before, tree(empty), None)]
    faults += same(done, "" if fails else calm.out.decode())
    if fails:
        faults += tells(scene, done, "")
    return words, done, faults


def _written(scene: Scene, rng: Random):
    """`emit -o`: the file that is asked for holds the text, or nothing has changed."""
    kind = rng.choice(list(PLACES))
    folder, away = scene.folder(scene.loud), scene.away()
    texts = Texts(scene.made, scene.older)
    place = PLACES[kind](folder, away, texts)
    force, diff = rng.random() < 0.4, rng.random() < 0.1
    option = [f"-o{place.told}"] if rng.random() < 0.3 else ["-o", place.told]
    words = ["emit", scene.target, *scene.options, *option]
    words += ["--force"] * force + ["--diff"] * diff
    as_json = rng.random() < 0.2
    words += ["--output", "json"] * as_json
    before = tree(folder), tree(away), _devices()
    done = scene.run(words, folder)
    after = tree(folder), tree(away), _devices()
    refused = (place.forced if force or diff else place.code) if scene.made else ""
    fails = bool(scene.noise.end or refused or not scene.made)
    if (
        diff and not scene.noise.end and refused in ("GG018", "GG0")
    ):  # it may be compared
        fails = done.code != 0
    faults = list(kept(scene, done, fails))
    writes = not fails and not diff
    faults += _files(before, after, place, writes, scene, folder)
    if fails:
        faults += tells(scene, done, refused)
    if as_json and done.out:
        data = json.loads(done.out)
        if not fails and data["text"] != scene.made:
            faults.append(Fault("wrong stdout", data["text"]))
    elif not diff:
        faults += same(done, "")
    elif MARKS.search(done.out.decode()) and not MARKS.search(scene.made):
        faults.append(Fault("wrong stdout", "the difference has more lines"))
    return [*words, f"# {kind}"], done, faults


MEANWHILE = {  # what a module makes of the place, and the refusals without --force and with
    "mine": ("open({0}, 'w').write('# mine\\n'); os.chmod({0}, 0o644)", "GG016", ""),
    "link": ("os.symlink('/dev/full', {0})", "GG018", "GG018"),
    "loop": ("os.symlink({0}, {0})", "GG018", "GG018"),
    "pipe": ("os.mkfifo({0}, 0o644)", "GG018", "GG018"),
    "source": ("os.link(__file__, {0})", "GG033", "GG033"),
}


def _meanwhile(scene: Scene, rng: Random):
    """`emit -o` to a place where the module itself makes something."""
    kind, force = rng.choice(list(MEANWHILE)), rng.random() < 0.5
    line, code, forced = MEANWHILE[kind]
    folder = scene.folder("")
    place = folder / "out.py"
    line = f"with contextlib.suppress(OSError):\n    {line.format(repr(str(place)))}\n"
    (folder / "m.py").write_text(f"{scene.loud}\n\n{line}")
    refused = (forced if force else code) if scene.made else ""
    fails = bool(scene.noise.end or refused or not scene.made)
    words = ["emit", scene.target, *scene.options, "-o", "out.py", *["--force"] * force]
    before = tree(folder)
    done = scene.run(words, folder)
    after = tree(folder)
    left = after.pop("out.py", None)
    faults = [*kept(scene, done, fails), *changed(before, after, None), *same(done, "")]
    if fails:
        faults += tells(scene, done, refused)
        if left and left[-1] == scene.made.encode():
            faults.append(Fault("files", "it was written"))
    elif left is None or left[-1] != scene.made.encode():
        faults.append(Fault("files", f"out.py is {left}"))
    return [*words, f"# {kind}"], done, faults


def _files(before, after, place: Place, writes: bool, scene, folder) -> Iterator[Fault]:
    file = None
    if place.file is not None:
        file = place.file.replace("{f}", scene.case.program.name)
    inside = os.path.normpath(file) if writes and file else None
    outside = os.path.basename(file) if writes and file else None
    yield from changed(before[0], after[0], inside)
    yield from changed(before[1], after[1], outside)
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
    lines = [
        f"function = {json.dumps(scene.target)}",
        f"out = {json.dumps(place.told)}",
    ]
    lines.append(f"wrt = {json.dumps(list(scene.case.names))}")
    facts = ", ".join(f"{k} = {json.dumps(v)}" for k, v in scene.case.shapes.items())
    lines.append(f"shape = {{{facts}}}")
    (folder / "pyproject.toml").write_text(ENTRY + "\n".join(lines) + "\n")
    words = ["build", *["--force"] * force]
    before = tree(folder), tree(away), _devices()
    done = scene.run(words, folder)
    after = tree(folder), tree(away), _devices()
    after = (
        {k: v for k, v in after[0].items() if ".gradgen_cache" not in k},
        *after[1:],
    )
    faults = [f for f in kept(scene, done, True) if f.kind != "wrong exit code"]
    if not place.inside and "GG032" not in done.err and not scene.noise.end:
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
    """`check`: what it says of a file is the same, whatever its module says."""
    words = ["check", "--output", "json", "out.py"]

    def placed(module: str) -> Path:
        place = scene.folder(module)
        (place / "out.py").write_text(scene.made or scene.older)
        return place

    folder = placed(scene.loud)
    before = tree(folder)
    done = scene.run(words, folder)
    after = {k: v for k, v in tree(folder).items() if ".gradgen_cache" not in k}
    faults = list(changed(before, after, None))
    if not scene.made:
        return words, done, faults
    if not scene.noise.end:
        # a quotient by 0 at one entry has no gradient, of a silent module as well
        calm = scene.run(words, placed(scene.quiet)) if done.code == 1 else None
        if calm is None or calm.code != 1:
            faults += kept(scene, done, False)
    elif done.code == 0:
        faults.append(Fault("wrong exit code", "0, and nothing was measured"))
    elif done.code == 3 or done.code is None:
        faults += kept(scene, done, True)
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
    faults = [*kept(scene, done, fails), *changed(before, tree(folder), None)]
    place = re.compile(rb"m\.py:\d+")
    shown, wanted = (place.sub(b"m.py", one.out) for one in (done, calm))
    faults += same(replace(done, out=shown), "" if fails else wanted.decode())
    return words, done, faults


ASKED = {
    "emit": _emit,
    "emit again": _emit,
    "emit -o": _written,
    "emit -o again": _written,
    "emit -o once more": _written,
    "emit -o meanwhile": _meanwhile,
    "emit -": _stdin,
    "package": _package,
    "calls": _calls,
    "full": _full,
    "build": _build,
    "check": _check,
    "explain": _explain,
}
