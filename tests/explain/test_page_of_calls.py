"""The page of a function that calls others: their lines, shapes, and the words."""

import re
import shlex
import shutil

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from tests.cli.command import ROOT
from tests.cli.command import gradgen as command
from tests.explain.browser import started

TWO_FILES = """\
import numpy as np

from other import smooth


def distance(x, y):
    gap = smooth(x) - smooth(y)
    return np.sum(gap / np.sqrt(y))
"""
OTHER = """\
import numpy as np


def smooth(x):
    bent = np.tanh(x)
    return bent * bent
"""
# command -> (title of a function that is called, a line of the gradient as it
# stands, the lines of that function that it is of, what is told of its shapes)
CALLS = {
    "methods": (
        'examples/layers.py:Network.loss --wrt self.layers[0].W --instance "Network(2, 16)"',
        "Dense.forward",
        "d_W_0 = ",
        {"return X @ self.W + self.b"},
        ("X (", "d_W_0 ("),
    ),
    "loop": (
        "examples/dynamics.py:rk4_lotka_volterra --shape x=n --shape y=n "
        "--shape a= --shape b= --shape c= --shape d= --shape dt=",
        "rates",
        "d_x4_in = ",
        {"xy = x * y", "return a * x - b * xy, d * xy - c * y"},
        ("d_x4_in (n)", "d_x4 (n)"),
    ),
    "file": (
        "mine.py:distance --shape x=n --shape y=n",
        "smooth",
        "d_x = ",
        {"return bent * bent", "bent = np.tanh(x)"},
        ("d_x (n)", "bent (n)"),
    ),
}


@pytest.fixture(scope="module")
def driver():
    browser, profile = started()
    yield browser
    browser.quit()
    shutil.rmtree(profile, ignore_errors=True)


def codes(driver, selector: str) -> list[str]:
    every = (
        "return [...document.querySelectorAll(arguments[0])].map((n) => n.textContent)"
    )
    return [text.strip() for text in driver.execute_script(every, f"{selector} code")]


@pytest.mark.parametrize("name", CALLS)
def test_what_is_called_stands_below_the_function(name, driver, tmp_path):
    asked, called, start, lines, shapes = CALLS[name]
    (tmp_path / "mine.py").write_text(TWO_FILES)
    (tmp_path / "other.py").write_text(OTHER)
    out = tmp_path / "out.html"
    cwd = tmp_path if name == "file" else ROOT
    done = command("explain", "--html", str(out), *shlex.split(asked), cwd=cwd)
    assert done.code == 0, done.err
    driver.get(out.as_uri())
    titles = [one.text for one in driver.find_elements(By.CSS_SELECTOR, ".side h3")]
    assert f"{called}, which it calls" in titles
    every_line_of_the_gradient_lights_something(driver)
    rows = driver.find_elements(By.CSS_SELECTOR, "#gradient li")
    own = codes(driver, "#gradient li")
    (place,) = [i for i, text in enumerate(own) if text.startswith(start)][:1]
    ActionChains(driver).move_to_element(rows[place]).perform()
    assert lines <= set(codes(driver, ".original li.lit"))
    told = driver.find_element(By.ID, "shapes").text
    assert all(shape in told for shape in shapes), told
    # and back: each line of what is called lights up that line of the gradient
    for row in driver.find_elements(By.CSS_SELECTOR, ".original li"):
        if row.find_element(By.TAG_NAME, "code").text.strip() in lines:
            ActionChains(driver).move_to_element(row).perform()
            assert own[place] in codes(driver, "#gradient li.lit")
    assert driver.get_log("browser") == []


def every_line_of_the_gradient_lights_something(driver):
    script = """
        const dark = [];
        for (const row of document.querySelectorAll("#gradient li")) {
          if (!row.textContent.replace(/^[0-9]+/, "").trim()) continue;
          row.dispatchEvent(new PointerEvent("pointerenter"));
          if (!document.querySelector(".original li.lit")) dark.push(row.textContent);
          row.dispatchEvent(new PointerEvent("pointerleave"));
        }
        return dark;"""
    assert driver.execute_script(script) == []


def test_words_are_told_where_they_stand_first(tmp_path):
    (tmp_path / "mine.py").write_text(TWO_FILES)
    (tmp_path / "other.py").write_text(OTHER)
    asked = "mine.py:distance", "--general"
    done = command("explain", "--html", "out.html", *asked, cwd=tmp_path)
    assert done.code == 0, done.err
    page = (tmp_path / "out.html").read_text()
    body = page[page.index("<body") : page.index("<script")]
    prose = re.sub(r"<(ol|svg|h1|h2)\b.*?</\1>", "", body, flags=re.S)
    for word in ("primal", "shape", "pass", "adjoint", "seed", "helper", "guard"):
        first = re.search(rf"(<dfn>)?\b{word}(?:s|es)?\b(?![\"-])", prose)
        assert first and first[1], word
    # a guard that is missing is told with what writes it
    assert "remedy: --guard, in Python guard=True: x / 0 -&gt; 0" in page
    assert "mine.py:8: " in page and "other.py:6: return bent * bent" in page
