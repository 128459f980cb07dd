"""What is left when a command is stopped, the disk is full, or a place takes no files."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.command import ROOT, Outcome, gradgen, python, refused

LOSS = "import numpy as np\n\n\ndef f(x):\n    return np.sum(x * x)\n"
SLOW = (
    "import os, time\n"
    "with open(f'{os.getpid()}.pid', 'w'):\n"
    "    pass\n"
    "time.sleep(60)\n" + LOSS
)
ENTRY = '[[tool.gradgen.emit]]\nfunction = "{}"\nout = "{}"\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fine.py").write_text(LOSS)
    return tmp_path


def started(*arguments: str, cwd, limit: int | None = None) -> subprocess.Popen:
    """A command in a session of its own; no file it writes may be longer than limit."""

    def limited() -> None:
        # A shell's background job ignores the signal, and so would its children.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        [sys.executable, "-m", "gradgen", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=limited,
    )


def ended(process: subprocess.Popen) -> Outcome:
    out, err = process.communicate(timeout=60)
    return Outcome(process.returncode, out, err)


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_ctrl_c_during_a_build_leaves_what_is_done_and_tells_it(folder):
    (folder / "slow.py").write_text(SLOW)
    (folder / "other.py").write_text(SLOW)
    entries = [("fine.f", "fine_f.py"), ("slow.f", "slow_f.py"), ("other.f", "o.py")]
    text = "".join(ENTRY.format(*entry) for entry in entries)
    (folder / "pyproject.toml").write_text(text)
    process = started("build", "--jobs", "2", cwd=folder)
    deadline = time.monotonic() + 40
    while len(list(folder.glob("*.pid"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    pids = [int(path.stem) for path in folder.glob("*.pid")]
    assert len(pids) == 2 and all(map(alive, pids))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    done = ended(process)
    assert done.code == 130 and "Traceback" not in done.err
    assert not any(map(alive, pids))
    modules = {"fine.py", "slow.py", "other.py"}
    left = {name for name in os.listdir(folder) if not name.endswith(".pid")}
    assert left - {".gradgen_cache"} == {*modules, "pyproject.toml", "fine_f.py"}
    assert "interrupted: 1 file was written: fine_f.py\n" in done.err
    fine = ENTRY.format("fine.f", "fine_f.py")
    (folder / "pyproject.toml").write_text(fine)
    again = gradgen("build", cwd=folder)
    assert "1 entry: 1 unchanged (1 not made again)" in again.err


def test_a_full_disk_leaves_the_old_file_and_no_temporary(folder):
    (folder / "pyproject.toml").write_text(ENTRY.format("fine.f", "out/f.py"))
    assert gradgen("build", "-q", cwd=folder).code == 0
    before = (folder / "out" / "f.py").read_bytes()
    (folder / "fine.py").write_text(LOSS.replace("x * x", "x * x * x"))
    done = ended(started("build", cwd=folder, limit=100))
    assert refused(done, "GG018 out/f.py cannot be written: File too large")
    assert os.listdir(folder / "out") == ["f.py"]
    assert (folder / "out" / "f.py").read_bytes() == before
    done = ended(started("emit", "fine.f", "-o", "new.py", cwd=folder, limit=100))
    assert refused(done, "GG018 new.py cannot be written: File too large")
    assert "new.py" not in "".join(os.listdir(folder))
    # What a build remembers could not be written either, and nothing relies on it.
    done = gradgen("build", cwd=folder)
    assert done.code == 0 and "out/f.py: written" in done.err
    assert b"x * x * x" in (folder / "out" / "f.py").read_bytes()


def test_places_that_take_no_files(folder):
    (folder / "frozen").write_text("")
    (folder / "taken.py").mkdir()
    places = ["frozen/f.py", "taken.py", "fine_f.py"]
    text = "".join(ENTRY.format("fine.f", place) for place in places)
    (folder / "pyproject.toml").write_text(text)
    done = gradgen("build", cwd=folder)
    assert refused(done, "GG018 the folder frozen cannot be made: File exists")
    assert "GG018 taken.py cannot be written: Is a directory" in done.err
    assert "fine_f.py: written" in done.err
    assert os.listdir(folder / "taken.py") == []
    done = gradgen("emit", "fine.f", "-o", "/proc/f.py", cwd=folder)
    assert refused(done, "GG018 /proc/f.py cannot be written")


def test_a_folder_that_may_not_be_written_to(folder):
    """A file system that is mounted to be read only; as root, modes forbid nothing."""
    (folder / "pyproject.toml").write_text(ENTRY.format("fine.f", "out/f.py"))
    program = (
        "import errno, os\n"
        "from gradgen import cli\n"
        "opened = os.open\n"
        "def frozen(path, flags, *mode, **more):\n"
        "    if flags & os.O_CREAT:\n"
        "        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)\n"
        "    return opened(path, flags, *mode, **more)\n"
        "os.open = frozen\n"
        "cli.main(['build', '--output', 'json'])\n"
    )
    done = python("-c", program, cwd=folder)
    assert done.code == 2 and "Traceback" not in done.err
    (error,) = json.loads(done.out)["files"][0]["errors"]
    assert error["code"] == "GG018" and "Read-only file system" in error["message"]
    assert not (folder / "out" / "f.py").exists()
