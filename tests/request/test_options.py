"""The table of options: what is made of it agrees, for options drawn at random."""

import inspect
import random
from pathlib import Path

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.commands.emit import emit as command
from gradgen.commands.order import order_of
from gradgen.explain.options import MAKERS, options_page
from gradgen.request.options import ASIDE, EXAMPLE, OPTIONS, Request
from gradgen.request.request import request
from gradgen.request.shellwords import words
from tests.cli.command import gradgen as ran

ROOT = Path(__file__).resolve().parents[2]
OF_NAMES = {
    "wrt": ("x", "w"),
    "of": ("w",),
    "stop": ("h", "k"),
    "complex": ("w",),
    "compare": ("n", "d"),
}
OF_TEXT = {"instance": "Net(3, 4)", "module": "mine.numpy"}
NAMES = ["x", "w", "h"]


def loss(x, w):
    h = np.tanh(x * w)
    return np.sum(h * h)


def drawn(seed):
    """Options by name: few or many, those that go together."""
    rng = random.Random(seed)
    given = {}
    for one in OPTIONS:
        if rng.random() < 0.5:
            continue
        if one.sort == "flag":
            given[one.name] = True
        elif one.sort == "choice":
            given[one.name] = rng.choice(one.choices)
        elif one.sort == "size":
            given[one.name] = rng.choice([True, 1e-8, 0.25, 1e-05])
        elif one.sort in ("names", "several"):
            given[one.name] = OF_NAMES[one.name]
        elif one.sort == "facts":
            given[one.name] = {"x": "n d", "w": rng.choice(["", "d", "n 1"])}
        else:
            given[one.name] = OF_TEXT[one.name]
    return given


def asked(seed):
    try:
        return request("losses.loss", parameters=NAMES, **drawn(seed))
    except GradgenError:
        return None


def by_command(one: Request) -> dict[str, object]:
    """What the flags of a request's command say, an option that is not given left out."""
    line, shapes = one.command()
    read = words(" ".join([line, *shapes]))[2:]
    order = order_of(command.make_context("gradgen emit", read).params)
    return {o.name: order[o.argument] for o in OPTIONS if order[o.argument]}


def test_the_command_of_a_request_says_each_option_once():
    tried = [one for one in map(asked, range(400)) if one is not None]
    assert len(tried) > 20
    for one in tried:
        said = by_command(one)
        for option in OPTIONS:
            value = getattr(one, option.name)
            if option.under and getattr(one, option.under):
                continue
            if option.sort == "flag":
                assert said.get(option.name, False) is value
            elif option.sort in ("names", "several"):
                text = said.get(option.name) or ""
                text = text if isinstance(text, str) else ",".join(text)
                assert text == ",".join(value or ())
            elif option.sort == "size":
                told = {False: None, True: "yes"}.get(value, None)
                got = said.get(option.name)
                assert got == told if isinstance(value, bool) else float(got) == value
            elif option.sort == "facts":
                assert said.get(option.name, ()) == tuple(f"{n}={t}" for n, t in value)
            else:
                assert said.get(option.name, "") == value


def test_two_options_never_share_a_name():
    every = (*OPTIONS, *ASIDE)
    for names in ([o.name for o in every], [o.flag for o in every]):
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_a_function_shows_the_options_that_it_takes(kind):
    known = {one.keyword: one for one in (*OPTIONS, EXAMPLE)}
    for name in MAKERS[kind]:
        function = getattr(gradgen, name)
        shown = inspect.signature(function).parameters
        assert list(shown) == ["function", "wrt", *kind.__annotations__]
        for keyword in kind.__annotations__:
            assert known[keyword].told in function.__doc__
            assert shown[keyword].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize(
    "name, keyword, near",
    [
        ("grad", "shape", "did you mean shapes?"),
        ("emit", "keepcalls", "did you mean keep_calls?"),
        ("hessian", "zzz", "one of wrt, shapes"),
        ("jvp", "argnums", "did you mean wrt?"),
    ],
)
def test_another_keyword_is_a_type_error(name, keyword, near):
    with pytest.raises(TypeError) as caught:
        getattr(gradgen, name)(loss, **{keyword: 1})
    told = f"{name}() has no option {keyword}"
    assert str(caught.value).startswith(f"{told}: {near}")


def test_the_page_of_the_documentation_is_that_of_the_table():
    page = (ROOT / "docs/options.md").read_text(encoding="utf-8")
    assert page == options_page(), "gradgen explain --options > docs/options.md"
    assert ran("explain", "--options", cwd=ROOT).out == page


@pytest.mark.parametrize(
    "setting, told",
    [
        ('guard = "yes"', "guard is no truth value and no number"),
        ("python = 3.9", "python is none of 3.9, 3.10"),
        ("strict = true", "has no setting strict"),
    ],
)
def test_a_project_sets_what_the_table_says(tmp_path, monkeypatch, setting, told):
    (tmp_path / "pyproject.toml").write_text(f"[tool.gradgen]\n{setting}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GradgenError, match=told) as caught:
        gradgen.emit(loss)
    assert caught.value.code == "GG020"


BARE = ["reverse", "forward", "hvp"]


@pytest.mark.parametrize("mode", BARE)
def test_a_bare_text_is_the_text_without_its_comments(mode):
    said = gradgen.emit(loss, mode=mode, shapes={"x": "n", "w": "n"})
    bare = gradgen.emit(loss, mode=mode, shapes={"x": "n", "w": "n"}, bare=True)
    assert "# Grad of" not in bare and "--bare" in bare

    def code(text):
        lines = (line for line in text.splitlines() if "# " not in line)
        return [line for line in lines if line.strip()]

    assert code(bare) == code(said)
