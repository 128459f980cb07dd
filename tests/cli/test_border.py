"""The border of the commands: streams, processes, files, and names of all sorts."""

import json
import os
import subprocess
import sys
import time

import pytest

from gradgen.quoting import visible
from tests.cli.command import IMPORT, LOSS, ROOT, gradgen, gradgens, python, refused
from tests.surroundings import surroundings


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fine.py").write_text(IMPORT + LOSS)
    return tmp_path


def shell(command: str, cwd):
    """A command line of a shell, in which $G is gradgen."""
    settings = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        ["bash", "-c", f'G="{sys.executable} -m gradgen"; {command}'],
        cwd=cwd,
        env=surroundings(**settings),
        capture_output=True,
        text=True,
        timeout=60,
    )


# what a module prints, and does, while it is read and later

PRINTS = [
    "print('said')",
    "import os; os.write(1, b'said\\n')",
    "import sys; sys.__stdout__.write('said\\n')",
    "import atexit; atexit.register(print, 'said')",
    "import atexit, os; atexit.register(os.write, 1, b'said\\n')",
    "import subprocess; subprocess.run(['echo', 'said'])",
    "import ctypes; ctypes.CDLL(None).puts(b'said')",
    "import threading; threading.Timer(0.3, print, ['said']).start()",
    "import logging, sys; logging.basicConfig(stream=sys.stdout); logging.error('said')",
    "import sys; sys.stdout = open(1, 'w', closefd=False); print('said')",
    "import weakref; weakref.finalize(np, print, 'said')",
]


def test_what_a_module_prints_is_no_code(folder, wanted):
    lines = [line.replace("said", f"said {i}.") for i, line in enumerate(PRINTS)]
    (folder / "m.py").write_text("\n".join([IMPORT, *lines]) + LOSS)
    done = gradgen("emit", "m.f", cwd=folder)
    assert done.code == 0 and done.out == wanted
    assert [i for i in range(len(PRINTS)) if f"said {i}." not in done.err] == []


def test_what_the_text_on_stdin_prints_is_no_code(folder):
    text = f"{IMPORT}import atexit\natexit.register(print, 'said')\nprint('said'){LOSS}"
    done = gradgen("emit", "-", "--name", "f", cwd=folder, stdin=text)
    assert done.code == 0 and "said" not in done.out and done.err.count("said") == 2
    assert "is run" in " ".join(gradgen("emit", "--help", cwd=folder).out.split())


@pytest.mark.parametrize(
    "line, told",
    [
        ("import os; os._exit(0)", "GG035 its process ended with 0"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signal 9"),
        ("import sys; sys.exit(0)", "GG104 importing m failed: SystemExit"),
        ("raise GeneratorExit", "GG104 importing m failed: GeneratorExit"),
        ("def g(): g()\ng()", "GG104 importing m failed: RecursionError"),
        ("import os; os.remove(__file__)", "GG106"),
        ("import os; os.closerange(3, 256)", "GG035"),
    ],
)
def test_a_module_that_ends_the_command_is_told_of(folder, line, told):
    (folder / "m.py").write_text(f"{IMPORT}{line}{LOSS}")
    assert refused(gradgen("emit", "m.f", cwd=folder), told)


def test_an_interrupt_in_a_module_ends_as_interrupts_do(folder):
    (folder / "m.py").write_text(f"raise KeyboardInterrupt{LOSS}")
    done = gradgen("emit", "m.f", cwd=folder)
    assert done.code == 130 and done.out == "" and "Traceback" not in done.err


DEEDS = [
    "import os; os.chdir('/'); os.environ.clear(); os.close(0)",
    "import os, sys; os.close(1); os.close(2); sys.stdout = sys.stderr = None",
    "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
    "signal.signal(signal.SIGTERM, lambda *_: None); signal.alarm(90)",
    "import os; os.fork() or os.execvp('sleep', ['sleep', '0'])",
]


@pytest.mark.parametrize("line", DEEDS)
def test_what_a_module_does_to_its_process_stays_there(folder, wanted, line):
    (folder / "m.py").write_text(f"{IMPORT}{line}{LOSS}")
    done = gradgen("emit", "m.f", "-o", "out.py", cwd=folder)
    assert done.code == 0, done.err
    assert (folder / "out.py").read_text() == wanted


def test_explain_and_check_read_modules_apart_too(folder):
    (folder / "m.py").write_text(f"{IMPORT}import os\nos.write(1, b'said'){LOSS}")
    assert "said" not in gradgen("explain", "m.f", cwd=folder).out
    assert gradgen("emit", "m.f", "-o", "out.py", cwd=folder).code == 0
    done = gradgen("check", "--output", "json", "out.py", cwd=folder)
    assert json.loads(done.out)["wrong"] == 0
    (folder / "m.py").write_text(f"{IMPORT}import os\nos._exit(0){LOSS}")
    for command in (["explain", "m.f"], ["check", "out.py"]):
        assert refused(gradgen(*command, cwd=folder), "GG035")


def test_a_command_that_is_killed_leaves_no_process(folder):
    (folder / "m.py").write_text(
        "import os, time\nopen(f'{os.getpid()}.pid', 'w').close()\ntime.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "gradgen", "emit", "m.f"],
        cwd=folder,
        env=surroundings(PYTHONPATH=str(ROOT)),
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 40
    while not list(folder.glob("*.pid")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=20)  # the pipe closes when nobody holds it


# the streams of the command

STREAMS = [
    ("$G emit fine.f >&-", 2, "GG018 standard output cannot be written"),
    ("$G emit fine.f > /dev/full", 2, "No space left on device"),
    ("$G emit fine.f --output json > /dev/full", 2, "No space left on device"),
    ("$G ops > /dev/full", 2, "No space left on device"),
    ("$G emit - --name f <&-", 2, "GG011"),
    ("$G emit nothing.f 2> /dev/full", 2, ""),
    ("$G emit fine.f <&- 2>&- -o out.py && test -s out.py", 0, ""),
    ("set -o pipefail; PYTHONUNBUFFERED= $G ops | head -1 > /dev/null", 0, ""),
    ("set -o pipefail; PYTHONUNBUFFERED=1 $G ops | head -1 > /dev/null", 0, ""),
    ("set -o pipefail; PYTHONUNBUFFERED= $G emit fine.f | true", 0, ""),
    ("$G emit fine.f 2>&1 > /dev/null | true", 0, ""),
]


@pytest.mark.parametrize("command, code, told", STREAMS)
def test_streams_that_are_closed_full_or_broken(folder, command, code, told):
    done = shell(command, folder)
    assert done.returncode == code and told in done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


def test_bytes_on_stdin_that_are_no_text(folder):
    done = shell("printf 'x = \"\\xff\"' | $G emit - --name f", folder)
    assert done.returncode == 2 and "GG104" in done.stderr
    loss = LOSS.replace("x * x", "x * \u00e9")
    text = f"# coding: latin-1\n{IMPORT}\u00e9 = 2.0{loss}"
    (folder / "latin").write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    done = shell("$G emit - --name f < latin", folder)
    assert done.returncode == 0 and "np.sum(x * \u00e9)" in done.stdout
    assert "\r" not in done.stdout


# files


def odd_places(folder):
    os.mkfifo(folder / "pipe.py")
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "to_pipe.py").symlink_to("pipe.py")
    (folder / "null.py").symlink_to("/dev/null")
    (folder / "folder.py").mkdir()


PLACES = ["pipe.py", "loop.py", "to_pipe.py", "null.py", "/dev/full", "/dev/null"]


def test_only_regular_files_are_written(folder):
    odd_places(folder)
    before = {name: os.lstat(folder / name).st_ino for name in os.listdir(folder)}
    device = os.lstat("/dev/full").st_mode
    commands = [
        [command, "fine.f", option, place, *force]
        for command, option in (("emit", "-o"), ("explain", "--html"))
        for place in PLACES
        for force in ([], ["--force"])
    ]
    outcomes = gradgens(commands, folder)
    assert len(outcomes) == len(commands)
    for command, done in zip(commands, outcomes):
        assert refused(done, f"GG018 {command[3]} cannot be written: "), command
    assert os.lstat("/dev/full").st_mode == device
    names = set(os.listdir(folder)) - {"__pycache__"}
    assert {name: os.lstat(folder / name).st_ino for name in names} == before


def test_places_where_no_file_can_be(folder):
    odd_places(folder)
    places = ["fine.py/f.py", "fine.py/no/f.py", "n" * 300]
    outcomes = gradgens([["emit", "fine.f", "-o", place] for place in places], folder)
    assert len(outcomes) == len(places)
    for done in outcomes:
        assert done.code == 2 and "Traceback" not in done.err and done.out == ""


def test_links_and_long_names_are_written_through(folder):
    (folder / "link.py").symlink_to("real.py")
    for place in ("link.py", "n" * 252 + ".py"):
        assert gradgen("emit", "fine.f", "-o", place, cwd=folder).code == 0
    assert (folder / "link.py").is_symlink() and (folder / "real.py").is_file()
    os.link(folder / "real.py", folder / "other.py")
    (folder / "fine.py").write_text(IMPORT + LOSS.replace("x * x", "x * x * x"))
    before = (folder / "other.py").read_bytes()
    assert gradgen("emit", "fine.f", "-o", "link.py", cwd=folder).code == 0
    assert (
        (folder / "other.py").read_bytes()
        == before
        != (folder / "real.py").read_bytes()
    )


def test_a_read_only_file_is_overwritten_by_force_alone(folder):
    assert gradgen("emit", "fine.f", "-o", "out.py", cwd=folder).code == 0
    (folder / "out.py").chmod(0o444)
    assert gradgen("emit", "fine.f", "-o", "out.py", cwd=folder).code == 0  # unchanged
    (folder / "fine.py").write_text(IMPORT + LOSS.replace("x * x", "x * x * x"))
    done = gradgen("emit", "fine.f", "-o", "out.py", cwd=folder)
    assert refused(done, "GG018 out.py is read-only")
    assert gradgen("emit", "fine.f", "-o", "out.py", "--force", cwd=folder).code == 0
    assert (folder / "out.py").stat().st_mode & 0o777 == 0o444


def test_a_file_that_somebody_changes_meanwhile_is_kept(folder):
    program = (
        "from gradgen.commands import writing\n"
        "change = writing.change_of('out.py', 'ours')\n"
        "open('out.py', 'w').write('theirs')\n"
        "try:\n"
        "    writing.write(change)\n"
        "except Exception as error:\n"
        "    print(error)\n"
    )
    done = python("-c", program, cwd=folder)
    assert "GG018 out.py was changed by somebody else" in done.out
    assert (folder / "out.py").read_text() == "theirs"


def test_a_page_is_overwritten_where_it_is_one_of_gradgens(folder):
    page = folder / "page.html"
    page.write_text("keep me")
    command = ["explain", "fine.f", "--html", "page.html"]
    assert refused(gradgen(*command, cwd=folder), "GG016 page.html")
    assert page.read_text() == "keep me"
    assert gradgen(*command, "--force", cwd=folder).code == 0
    (folder / "fine.py").write_text(IMPORT + LOSS.replace("x * x", "x * x * x"))
    assert "page.html: written" in gradgen(*command, cwd=folder).err
    page.write_text(page.read_text().replace("Line by line", "My lines"))
    assert refused(gradgen(*command, cwd=folder), "GG017 page.html")
    done = gradgen(*command[:-1], "fine.py", "--force", cwd=folder)
    assert refused(done, "GG033") and "x * x * x" in (folder / "fine.py").read_text()


ENTRY = '[[tool.gradgen.emit]]\nfunction = "{}"\nout = "{}"\n'


def test_build_leaves_what_is_no_regular_file(folder):
    odd_places(folder)
    (folder / "m.py").write_text(f"{IMPORT}import os\nos._exit(0){LOSS}")
    places = ["pipe.py", "loop.py", "folder.py", "fine_f.py"]
    text = "".join(ENTRY.format("fine.f", place) for place in places)
    (folder / "pyproject.toml").write_text(text + ENTRY.format("m.f", "m_f.py"))
    done = gradgen("build", "--prune", cwd=folder)
    assert refused(done, "1 written, 4 refused", "GG018 pipe.py", "GG035 its process")
    assert gradgen("check", "fine_f.py", cwd=folder).code == 0
    assert refused(gradgen("check", "pipe.py", cwd=folder), "GG019 pipe.py")


@pytest.mark.parametrize(
    "out", ["away/f.py", "in/../away/f.py", "away.py", "../f.py", "a\\u0000b.py"]
)
def test_build_writes_inside_the_project_alone(folder, tmp_path_factory, out):
    outside = tmp_path_factory.mktemp("outside")
    (folder / "away").symlink_to(outside)
    (folder / "away.py").symlink_to(outside / "f.py")
    (folder / "in").mkdir()
    (folder / "pyproject.toml").write_text(ENTRY.format("fine.f", out))
    done = gradgen("build", cwd=folder)
    assert refused(done, "pyproject.toml:3: GG032")
    assert list(outside.iterdir()) == [] and not (folder.parent / "f.py").exists()


def test_what_build_remembers_stays_inside_the_project(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (folder / ".gradgen_cache").symlink_to(outside)
    (folder / "pyproject.toml").write_text(ENTRY.format("fine.f", "f_grad.py"))
    assert gradgen("build", cwd=folder).code == 0
    assert list(outside.iterdir()) == []


# names

NAMES = [
    "two\nlines.py",
    "quote'\".py",
    "space $(x) `y` #.py",
    "esc\x1b[31m\u202e.py",
    "coding: latin-1.py",
    "back\\slash\t.py",
    "caf\u00e9.py",
    b"bytes\xff.py".decode("utf-8", "surrogateescape"),
]


def test_files_of_any_name(folder):
    commands = []
    for i, name in enumerate(NAMES):
        (folder / name).write_text(IMPORT + LOSS)
        commands += [["emit", f"{name}:f", "-o", f"o{i}.py"], ["check", f"o{i}.py"]]
        commands += [["emit", f"{name}:g"]]
    outcomes = iter(gradgens(commands, folder))
    for i, name in enumerate(NAMES):
        emitted, checked, missing = next(outcomes), next(outcomes), next(outcomes)
        assert emitted.code == 0, emitted.err
        text = (folder / f"o{i}.py").read_text()
        first, second, rest = text.split("\n", 2)
        assert first.startswith("# Generated") and second.startswith("# Regenerate: ")
        assert rest.startswith("\n\ndef grad_f(x, d_out=1.0):")
        assert visible(first + second) == first + second
        compile(text.encode(), "emitted", "exec")  # which looks for an encoding
        assert checked.code == 0, checked.err  # by the command in the header
        assert refused(missing, "GG102")
        assert all(visible(line) == line for line in missing.err.split("\n"))


def test_names_that_python_takes_for_an_encoding(folder):
    text = "def loss(encoding):\n    return np.sum(encoding * encoding)\n"
    (folder / "encoding.py").write_text(f"{IMPORT}\n\n{text}")
    options = ["--shape", "encoding=n d", "--wrt", "encoding", "-o"]
    targets = ["encoding:loss", "encoding.py:loss"]
    commands = []
    for i, target in enumerate(targets):
        commands += [["emit", target, *options, f"o{i}.py"], ["check", f"o{i}.py"]]
    assert [done.code for done in gradgens(commands, folder)] == [0, 0, 0, 0]
    for i in range(len(targets)):
        compile((folder / f"o{i}.py").read_bytes(), "emitted", "exec")


@pytest.mark.parametrize("command", ["gradgen emit --help", "gradgen emit 'fine.f"])
def test_a_header_with_another_command_is_a_fault(folder, command):
    assert gradgen("emit", "fine.f", "-o", "out.py", cwd=folder).code == 0
    text = (folder / "out.py").read_text()
    (folder / "out.py").write_text(text.replace("gradgen emit fine.f", command))
    done = gradgen("check", "out.py", cwd=folder)
    assert done.code == 1 and "it cannot be made again" in done.err


def test_annotations_of_github_are_one_line_each(folder):
    name = "odd,%\n::error::name:1.py"
    (folder / name).write_text(
        IMPORT + "def f(x):\n    global y\n    y = x\n    return x\n"
    )
    done = gradgen("emit", f"{name}:f", "--output", "github", cwd=folder)
    lines = done.out.splitlines()
    assert done.code == 2 and lines
    assert all(
        line.startswith("::error file=odd%2C%25%0A%3A%3Aerror") for line in lines
    )
    done = gradgen("emit", f"{name}:f", "--output", "json", cwd=folder)
    assert json.loads(done.out)["errors"][0]["file"] == name


def test_a_page_about_odd_texts(folder):
    text = '# </script><script>PWNED()\x1b\u202e\n    y = "</code>&\x0c" and x'
    body = f"def f(x):\n    {text.split(chr(10))[0]}\n    print('<b>$title\x0c')\n"
    (folder / "odd.py").write_text(f"{IMPORT}{body}    return np.sum(x * x)\n")
    assert gradgen("explain", "odd.py:f", "--html", "p.html", cwd=folder).code == 0
    page = (folder / "p.html").read_text()
    assert "<script>PWNED" not in page and "<b>" not in page and "$title" in page
    assert not set("\x1b\u202e\x0c") & set(page)
    shown = gradgen("explain", "odd.py:f", cwd=folder)
    assert shown.code == 0 and not set("\x1b\u202e\x0c") & set(shown.out)
