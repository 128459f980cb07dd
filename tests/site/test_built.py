"""The pages as mkdocs builds them, in a browser: `mkdocs build -d SITE`, then
`GRADGEN_SITE=SITE python -m pytest -m site tests/site`. `.ci/run` does both.

mkdocs is no part of the test extra: without the marker these tests are not selected, and
with it they fail where there is no built site. What can be seen without mkdocs, what the
hooks write, is in the other files of this folder and runs always.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

import gradgen
from gradgen.explain.codes import codes
from tests.explain.browser import started
from tests.site.hooks import DOCS

pytestmark = pytest.mark.site
NAMES = sorted(
    path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")
)
# the width of a small laptop; the one from which the table of contents stands beside;
# and one without it
WIDTHS = (1300, 1235, 1000)


@pytest.fixture(scope="module")
def site() -> Path:
    folder = Path(os.environ.get("GRADGEN_SITE", "site"))
    if not (folder / "index.html").exists():
        pytest.fail("no built pages: mkdocs build -d SITE, and GRADGEN_SITE=SITE")
    return folder.resolve()


@pytest.fixture(scope="module")
def driver():
    browser, profile = started()
    yield browser
    browser.quit()
    shutil.rmtree(profile, ignore_errors=True)


def opened(driver, site: Path, name: str, width: int = 1300, scheme: str = "light"):
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    place = "index.html" if name == "index" else f"{name}/index.html"
    driver.get((site / place).as_uri())
    return driver


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_88_columns_is_cut(name, site, driver):
    script = """
        const cut = [];
        for (const code of document.querySelectorAll(".md-content pre > code")) {
          const longest = Math.max(...code.textContent.split("\\n").map((l) => l.length));
          if (longest <= 88 && code.scrollWidth > code.clientWidth) cut.push(code.textContent);
        }
        return cut;"""
    for width in WIDTHS:
        page = opened(driver, site, name, width)
        assert page.execute_script(script) == [], width
        wide = page.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width


def test_88_columns_fit(site, driver):
    """The test above sees lines that are there; this one puts one of 88 columns there."""
    script = """
        const code = document.querySelector(".md-content pre > code");
        code.textContent = "x".repeat(arguments[0]);
        return [code.scrollWidth, code.clientWidth];"""
    for width in WIDTHS:
        page = opened(driver, site, "tutorial", width)
        wide, room = page.execute_script(script, 88)
        assert wide <= room, width
        wide, room = page.execute_script(script, 160)
        assert wide > room


@pytest.mark.parametrize("name", ["index", "api", "errors", "tutorial"])
def test_light_and_dark(name, site, driver):
    colour = """
        const style = getComputedStyle(document.querySelector(arguments[0]));
        return [style.color, style.backgroundColor].map(
          (one) => one.match(/[\\d.]+/g).slice(0, 3).map(Number));"""
    for scheme, dark in (("light", False), ("dark", True)):
        page = opened(driver, site, name, scheme=scheme)
        page.execute_script("localStorage.clear()")
        page = opened(driver, site, name, scheme=scheme)
        _, back = page.execute_script(colour, "body")
        text, _ = page.execute_script(colour, ".md-content p")
        assert (sum(back) < 150) is dark and (sum(back) > 600) is not dark
        assert contrast(text, back) > 5
        code, own = page.execute_script(colour, ".md-content pre")
        assert contrast(code, own if sum(own) else back) > 5


def contrast(one: list[float], two: list[float]) -> float:
    """The ratio of luminances, by the rule of WCAG 2."""

    def light(colour: list[float]) -> float:
        parts = [c / 255 for c in colour]
        parts = [
            c / 12.92 if c <= 0.04 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(two)))
    return (high + 0.05) / (low + 0.05)


def test_the_front_page_is_seen_at_a_glance(site, driver):
    page = opened(driver, site, "index")
    boxes = """
        return [...document.querySelectorAll(arguments[0])].map(
          (one) => one.getBoundingClientRect().toJSON());"""
    left, right = page.execute_script(boxes, ".linked figure")
    assert left["right"] <= right["left"] and abs(left["top"] - right["top"]) < 2
    assert right["bottom"] < 700
    cards = page.execute_script(boxes, ".claims section")
    assert len(cards) == 3 and len({round(card["top"]) for card in cards}) == 1
    assert cards[0]["top"] < 800  # on the screen that was opened
    ground = """
        return [...document.querySelectorAll(".linked .row." + arguments[0])].map(
          (one) => getComputedStyle(one.querySelector("i")).backgroundColor);"""
    shades = []
    for shade in ("k1", "k2", "k3", "k4"):
        own = page.execute_script(ground, shade)
        assert len(own) > 1
        shades.append(own[0])
    assert len(set(shades)) == 4


def test_each_code_has_a_title_and_an_anchor(site):
    text = (site / "errors/index.html").read_text()
    for name in codes():
        found = re.search(rf'<h3 id="{name.lower()}">{name}: ([^<]+)', text)
        assert found and len(found[1].split()) > 2, name


def test_headings_are_full_names(site):
    text = (site / "api/index.html").read_text()
    for name in gradgen.__all__:
        assert f'<h2 id="gradgen.{name}">gradgen.{name}<' in text
    assert "<table>" in text and "::: " not in text
