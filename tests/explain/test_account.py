"""`gradgen explain` as text: the stages, what each pass changed, and the reasons."""

import ast
import re
import shlex
import textwrap
from pathlib import Path

import pytest

from gradgen.commands.emit import emit
from gradgen.commands.order import make, order_of
from gradgen.explain.account import Account
from gradgen.explain.flow import Flow, Value, flow
from gradgen.explain.layers import layout
from gradgen.explain.origins import origins
from gradgen.explain.picture import picture
from gradgen.explain.record import Record
from gradgen.explain.states import changes, states
from tests.cli.command import gradgen as command
from tests.cli.command import gradgens as commands_run
from tests.cli.command import refused

ROOT = Path(__file__).resolve().parents[2]
# A loop, a branch, a callback, kept calls, a matrix of derivatives, guards.
NAMES = (
    "attention cosine_loss_callback dose heat_2d jacobi_1d kalman_loglik layer_norm "
    "masked_ratio mlp_loss rnn_loss rnn_loss_hvp softmax_layer_jacobian where_ratio"
).split()


def committed(name: str) -> tuple[str, Account]:
    """A committed text, and the account of making it again by its own command."""
    text = (ROOT / "generated" / f"{name}.py").read_text(encoding="utf-8")
    head = re.match(r"# Gen.*\n# Regenerate: (.*\n(?:#     .*\n)*)", text)[1]
    words = shlex.split(head.replace("\n#", " "))[2:]
    asked = emit.make_context("emit", words).params
    record = Record()
    made = make(order_of(asked), record)
    return text, Account(made.source, made.request, made.emitted, record)


@pytest.fixture(params=NAMES)
def account(request, monkeypatch):
    monkeypatch.chdir(ROOT)
    return committed(request.param)


def test_what_is_watched_is_what_is_emitted(account):
    text, account = account
    assert account.emitted.text == text
    functions = {n.name: n for n in ast.parse(text).body if hasattr(n, "name")}
    for one in account.functions:
        final = ast.parse("\n".join(states(one)[-1].lines)).body[0]
        printed = functions[one.rendered.name]
        printed.body = printed.body[1:]  # the docstring
        assert ast.dump(final) == ast.dump(printed)
    origins_are_the_lines_that_the_headings_name(text, account)
    the_picture_is_drawn(account)


def origins_are_the_lines_that_the_headings_name(text, account):
    rows, there = text.split("\n"), account.originals
    found = origins(text, [one.rendered for one in account.functions], there)
    own = {
        one.key(one.first + i): line.strip()
        for one in there.all
        for i, line in enumerate(one.lines)
    }
    tried = 0
    for number, row in enumerate(rows, start=1):
        heading = row.strip().removeprefix("# Grad of: ").removesuffix("...")
        if heading == row.strip() or ", used in " in heading:
            continue
        squeezed = re.sub(r"\s", "", heading)
        lines = [n for n, line in own.items() if squeezed in re.sub(r"\s", "", line)]
        if lines:  # else the heading is of a loop, or is cut
            tried += 1
            assert set(lines) & set(found[number]), row
    for numbers in found.values():
        assert set(numbers) <= set(own)
    assert tried or "# Grad of" not in text
    every_line_belongs_to_one_of_the_originals(rows, account, own)


def every_line_belongs_to_one_of_the_originals(rows, account, own):
    for number, row in enumerate(rows, start=1):
        keys = account.origins.get(number, ())
        assert set(keys) <= set(own)
        assert keys or not row.strip(), row


def the_picture_is_drawn(account):
    for one in account.functions:
        drawn = flow(one)
        placed = layout(drawn, [50.0] * len(drawn.values), 10.0)
        at = list(zip(placed.rows, placed.places))
        halves = [value.adjoint for value in drawn.values]
        for i, (row, x) in enumerate(at):
            for j, (other, y) in enumerate(at[:i]):
                beside = row == other and halves[i] == halves[j]
                assert not beside or abs(x - y) > 59.9
        for a, b in drawn.edges:
            if a < b and not halves[a] and not halves[b]:
                assert placed.rows[a] < placed.rows[b]
            if a < b and halves[a] and halves[b]:
                assert placed.rows[a] > placed.rows[b]
        # a callback is no number
        backs = [v for v in drawn.values if v.name.startswith("backprop")]
        assert not any(value.shape for value in backs)
        assert backs or "backprop_" not in "".join(states(one)[-1].lines)
        svg = picture(drawn, one.name)
        assert svg.count('<g class="node') == len(drawn.values)
        assert svg.count('<path class="edge') == len(drawn.edges)


def test_an_adjoint_stands_beside_its_value():
    values = (
        Value("x", "", False, ()),
        Value("y", "", False, ()),
        Value("d_y", "", True, (), of=1),
        Value("d_x", "", True, (), of=0),
    )
    placed = layout(Flow(values, ((0, 1), (0, 3), (2, 3))), [10.0] * 4, 5.0)
    assert placed.rows == (0, 1, 1, 0)


def test_changes_are_told_line_by_line():
    assert changes(["a", "b"], ["a", "c"]) == [(" ", "a"), ("-", "b"), ("+", "c")]


SOURCE = """\
import numpy as np


def ratio(x, y):
    part = x / y  # the hazard
    return np.sum(part * part)
"""


def test_the_stages_as_text(tmp_path):
    (tmp_path / "mine.py").write_text(SOURCE)
    done = command(
        "explain", "mine.py:ratio", "--wrt", "x,y", "--general", cwd=tmp_path
    )
    assert done.code == 0 and done.err == ""
    text = done.out
    titles = [line for line in text.split("\n") if line and line[0] != " "]
    assert titles[0] == "read from mine.py:4"
    assert titles[1].startswith("grad_ratio, as derived (reverse: ")
    assert titles[2].startswith("stretch: ")
    assert "    part = (x / y)" in text and "    ratio: x (*s), y (*t)" in text
    # what a pass removes stood there before
    assert "    -     d_part = unbroadcast" in text or "    -     d_part" in text
    first = text[text.index("as derived") : text.index("\nstretch:")]
    gone = text[text.index("\nstretch:") :].split("\n\n")[0]
    for line in re.findall(r"^    - (.*)$", gone, re.M):
        assert line.strip() in first
    words = "emit", "mine.py:ratio", "--wrt", "x,y", "--general", "-q"
    emitted = command(*words, cwd=tmp_path).out
    assert textwrap.indent(emitted, "    ", lambda line: line.strip()) in text
    why = text[text.index("\nwhy it is there") :]
    assert "_unbroadcast is copied into the text" in why
    assert "mine.py:5: part = x / y" in why
    assert "is not known while emitting" in why and '--shape x="..."' in why
    assert "mine.py:5: y: not guarded, x / 0 -> 0" in why
    assert "    remedy: --guard, in Python guard=True: x / 0 -> 0" in why


def test_facts_leave_nothing_to_tell_of_helpers(tmp_path):
    (tmp_path / "mine.py").write_text(SOURCE)
    facts = ("--shape", "x=n", "--shape", "y=n", "--guard")
    text = command("explain", "mine.py:ratio", *facts, cwd=tmp_path).out
    why = text[text.index("\nwhy it is there") :]
    assert (
        "remedy" not in why
        and "copied" not in why
        and "mine.py:5: y: guarded, x / 0 -> 0" in why
    )
    assert "\nguard: The gradient whose quotients by zero are zero" in text


def test_the_options_are_those_of_emit(tmp_path):
    helped = command("explain", "--help", cwd=tmp_path).out
    for option in ("--wrt", "--style", "--mode", "--shape", "--stop", "--html"):
        assert option in helped
    assert "--output" not in helped and "--force" not in helped


def test_mistakes_are_refused(tmp_path):
    (tmp_path / "mine.py").write_text(SOURCE)
    wrong = [
        (["mine.py:ratio", "--wrt", "z"], "GG002"),
        (["mine.py:ratio", "--html", "mine.py/out.html"], "GG018"),
        (["mine.py:missing"], "GG102"),
        (["GG777"], "GG026"),
    ]
    commands = [["explain", *words] for words, _ in wrong]
    for done, (_, code) in zip(commands_run(commands, tmp_path), wrong, strict=True):
        assert refused(done, code)
