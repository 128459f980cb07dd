"""Modules that fork, raise and change what the command itself reads them by."""

import pytest

from tests.cli.command import IMPORT, LOSS, gradgen, python, refused


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "m.py").write_text(IMPORT + LOSS)
    return tmp_path


DEEDS = [
    "import sys; sys.exit = lambda *_: None",
    "import os, sys, time; os.fork() or sys.exit(0); time.sleep(0.1)",
    "import os\nif not os.fork():\n    raise ValueError\nimport time; time.sleep(0.1)",
    "import os; os.fork()",
]


@pytest.mark.parametrize("line", DEEDS)
def test_one_process_answers_and_ends_as_python_ends(folder, wanted, line):
    (folder / "m.py").write_text(f"{IMPORT}{line}{LOSS}")
    done = gradgen("emit", "m.f", cwd=folder)
    assert done.code == 0 and done.out == wanted


def test_copies_of_a_process_do_not_answer_a_build(folder, wanted):
    line = "import os, sys, time; os.fork() or sys.exit(0); time.sleep(0.2)"
    (folder / "m.py").write_text(f"{IMPORT}{line}{LOSS}")
    entry = '[[tool.gradgen.emit]]\nfunction = "m.f"\nout = "out.py"\n'
    (folder / "pyproject.toml").write_text(entry)
    done = gradgen("build", cwd=folder)
    assert done.code == 0 and "Traceback" not in done.err
    assert (folder / "out.py").read_text() == wanted


def test_an_interrupt_of_a_class_of_its_own(folder):
    text = "class Stop(KeyboardInterrupt):\n    pass\n\n\nprint('said')\nraise Stop\n"
    (folder / "m.py").write_text(text)
    done = gradgen("emit", "m.f", cwd=folder)
    assert done.code == 130 and done.out == "" and "internal" not in done.err


@pytest.mark.parametrize("raised", ["GeneratorExit", "BaseException('odd')"])
def test_what_no_handler_expects_is_a_refusal(folder, raised):
    text = f"{IMPORT}def g():\n    raise {raised}{LOSS}"
    (folder / "m.py").write_text(text)
    done = gradgen("emit", "-", "--name", "f", cwd=folder, stdin=f"{text}\n\ng()\n")
    assert refused(done, "GG104 running <stdin> failed")
    done = gradgen("emit", "m.f", "--example", "g()", cwd=folder)
    assert refused(done, "GG035 its process raised")


ENDS = ["raise RuntimeError('odd')", "raise SystemExit", "raise GeneratorExit"]


@pytest.mark.parametrize("line", ENDS)
def test_a_package_above_the_module_that_raises(folder, line):
    (folder / "pkg" / "__init__.py").write_text(line)
    for target in ("pkg.m.f", "pkg.m:f", "pkg.m"):
        done = gradgen("emit", target, cwd=folder)
        assert refused(done, "pkg/__init__.py:1: GG104 importing pkg")
    done = gradgen("emit", "pkg.m.f", "--calls", "true", cwd=folder)
    assert refused(done, "pkg/__init__.py:1: GG104 importing pkg.m failed")


def test_what_a_package_prints_where_calls_are_observed(folder):
    script = "import numpy as np\nfrom pkg.m import f\n\nf(np.ones(3))\n"
    (folder / "run.py").write_text(script)
    command = ["pkg.m.f", "--calls", "python run.py"]
    silent = gradgen("emit", *command, cwd=folder)
    (folder / "pkg" / "__init__.py").write_text("print('said')\n")
    done = gradgen("emit", *command, cwd=folder)
    assert done.code == 0 and done.out == silent.out and "said" in done.err
    done = gradgen("observe", "pkg.m.f", "--", "python", "run.py", cwd=folder)
    assert done.code == 0 and "said" not in done.out


def test_files_are_named_from_the_folder_of_the_command(folder):
    (folder / "m.py").write_text(f"{IMPORT}import os{LOSS}")
    silent = gradgen("explain", "m.f", cwd=folder)
    (folder / "m.py").write_text(f"{IMPORT}import os; os.chdir('/'){LOSS}")
    done = gradgen("explain", "m.f", cwd=folder)
    assert done.code == 0 and done.out == silent.out
    (folder / "m.py").write_text(f"{IMPORT}import os; os.chdir('/')\n1 / 0{LOSS}")
    assert gradgen("emit", "m.f", cwd=folder).err.startswith("m.py:3: GG104")


def test_no_folder_is_left_where_no_file_could_be(folder):
    (folder / "m.py").write_text(IMPORT + LOSS)
    for place in ("new/more/" + "n" * 300, "new/" + "n" * 300 + "/f.py"):
        done = gradgen("emit", "m.f", "-o", place, cwd=folder)
        assert refused(done, "GG018") and not (folder / "new").exists()


def test_a_module_that_stops_its_process_is_told_of(folder):
    line = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    (folder / "m.py").write_text(f"{IMPORT}{line}{LOSS}")
    done = gradgen("emit", "m.f", "-o", "out.py", cwd=folder)
    assert refused(done, "GG035 its process was stopped by signal 19")
    assert not (folder / "out.py").exists()


def test_a_command_that_stops_its_process_is_ended(folder):
    (folder / "m.py").write_text(IMPORT + LOSS)
    stop = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    (folder / "run.py").write_text(
        f"import m\nimport numpy as np\nm.f(np.ones(3))\n{stop}"
    )
    done = gradgen("emit", "m.f", "--calls", "python run.py", cwd=folder)
    assert "ended with -19" in done.err and "Traceback" not in done.err


def test_an_exception_that_does_not_say_why(folder):
    odd = "class _Odd(Exception):\n    def __str__(self):\n        raise ValueError('said')"
    source = f"{IMPORT}{odd}\nraise _Odd{LOSS}"
    (folder / "m.py").write_text(source)
    assert refused(gradgen("emit", "m.f", cwd=folder), "GG104")
    done = gradgen("emit", "-", "--name", "f", cwd=folder, stdin=source)
    assert refused(done, "GG104") and "_Odd, which does not say why" in done.err


@pytest.mark.parametrize("name", ["secrets", "signal", "shlex", "difflib", "random"])
def test_a_file_with_the_name_of_a_module_that_the_command_loads(folder, name):
    (folder / "m.py").write_text(IMPORT + LOSS)
    silent = gradgen("emit", "m.f", cwd=folder)
    (folder / f"{name}.py").write_text(f"print('said')\n{IMPORT}{LOSS}")
    done = python("-m", "gradgen", "emit", "m.f", cwd=folder)
    assert done.code == 0 and done.out == silent.out and "said" not in done.err
    done = python("-m", "gradgen", "emit", f"{name}.py:f", cwd=folder)
    assert done.code == 0 and "def grad_f(x" in done.out and "said" not in done.out


def test_a_collector_of_the_modules_that_calls_python(folder):
    (folder / "m.py").write_text(IMPORT + LOSS)
    assert gradgen("emit", "m.f", "-o", "out.py", cwd=folder).code == 0
    line = "import gc\ngc.set_threshold(3)\ngc.callbacks.append(lambda *_: help(len))"
    (folder / "m.py").write_text(f"{IMPORT}{line}{LOSS}")
    done = gradgen("check", "out.py", cwd=folder)
    assert done.code == 0 and "internal error" not in done.err


HANDLERS = [
    "lambda *_: os.write(99, b'x')",
    "lambda *_: open('nowhere')",
    "lambda *_: [].pop()",
    "lambda *_: os.listdir(b'nowhere')",
]


@pytest.mark.parametrize("handler", HANDLERS)
def test_what_a_handler_of_the_modules_raises_is_told_with_its_line(folder, handler):
    """An alarm that goes off while gradgen itself is at work, in its frames."""
    line = f"import os, signal\nsignal.signal(signal.SIGALRM, {handler})\n"
    line += "signal.setitimer(signal.ITIMER_REAL, 0.02)\n"
    (folder / "m.py").write_text(f"{IMPORT}{line}{LOSS}")
    done = gradgen("emit", "m.f", cwd=folder)
    assert refused(done, "m.py:")
    assert "internal" not in done.err and "Traceback" not in done.err
