"""The lines of an in-process gradient show in tracebacks and in the debugger."""

import io
import linecache
import pdb
import traceback

import numpy as np
import pytest

import gradgen


def loss(w, x):
    h = np.tanh(x @ w)
    return np.sum(h * h)


def test_a_traceback_shows_the_line_that_failed():
    made = gradgen.grad(loss, shapes={"w": "d", "x": "n d"})
    with pytest.raises(ValueError) as caught:
        made.function(np.ones(3), np.ones((4, 2)))
    last = traceback.extract_tb(caught.tb)[-1]
    assert last.name == "grad_loss" and last.line == "h = np.tanh(x @ w)"
    assert last.filename.startswith("<gradgen grad_loss ")
    assert made.source.splitlines()[last.lineno - 1].strip() == last.line


def test_lines_stay_where_files_are_looked_at_anew():
    made = gradgen.vjp(loss, shapes={"w": "d", "x": "n d"})
    linecache.checkcache()
    file = made.function.__code__.co_filename
    assert "".join(linecache.getlines(file)) == made.source


def test_the_debugger_steps_through_it():
    made = gradgen.grad(loss, shapes={"w": "d", "x": "n d"})
    said = io.StringIO()
    commands = io.StringIO("step\nnext\nnext\nlist\nwhere\np h.shape\ncontinue\n")
    debugger = pdb.Pdb(stdin=commands, stdout=said, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    w, x = np.ones(2), np.ones((4, 2))
    with np.errstate(all="ignore"):
        debugger.runcall(made.function, w, x)
    text = said.getvalue()
    assert "-> h = np.tanh(x @ w)" in text
    assert "# Grad of: h = np.tanh(x @ w)" in text  # the lines around it
    assert "(4,)" in text
