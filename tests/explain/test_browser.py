"""The pages of `gradgen explain --html`, in a real browser."""

import ast
import shutil

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import gradgen
from examples import networks, recurrent
from tests.cli.command import ROOT
from tests.cli.command import gradgen as command
from tests.explain.browser import started

PAGES = {
    "mlp_loss": ("examples/networks.py", "W1,b1,W2,b2", {
        "W1": "d h", "b1": "h", "W2": "h c", "b2": "c", "X": "n d", "Y": "n c",
    }),
    "rnn_loss": ("examples/recurrent.py", "Wx,Wh,b", {
        "Wx": "n m", "Wh": "m m", "b": "m", "X": "t n", "target": "m",
    }),
}  # fmt: skip
# line of the function -> all lines of the gradient that belong to it, by hand
LIT = {
    "mlp_loss": {
        "h = np.tanh(X @ W1 + b1)": {
            "h = np.tanh(X @ W1 + b1)",
            "# Grad of: h = np.tanh(X @ W1 + b1)",
            "d_h_in = d_h * (1 - h**2)",
            "d_W1 = X.T @ d_h_in",
            "d_b1 = np.sum(d_h_in, axis=0)",
        },
        "total = np.sum(scores, axis=1, keepdims=True)": {
            "total = np.sum(scores, axis=1, keepdims=True)",
        },
    },
    "rnn_loss": {
        "h = np.tanh(X[t] @ Wx + h @ Wh + b)": {
            "h = np.tanh(X[t] @ Wx + h @ Wh + b)",
            "hs = [h]",  # the list that keeps it
            "hs.append(h)",
            "# Grad of: h = np.tanh(X[t] @ Wx + h @ Wh + b)",
            "d_h_in = d_h * (1 - hs[t + 1] ** 2)",
            "d_h_ins[t] = d_h_in",
            "d_h = d_h_in @ Wh.T",
            "d_Wx = X.T @ d_h_ins",
            "d_Wh = np.array(hs, Wh.dtype)[:-1].T @ d_h_ins",
            "d_b = np.sum(d_h_ins, axis=0)",
        },
        "loss = 0.5 * np.sum((h - target) ** 2)": {
            "# Grad of: loss = 0.5 * np.sum((h - target) ** 2)",
            "d_h = d_loss * (h - target)",
        },
    },
}


SHOWN = ".pass:not([hidden])"


@pytest.fixture(scope="module")
def driver():
    browser, profile = started()
    yield browser
    browser.quit()
    shutil.rmtree(profile, ignore_errors=True)


@pytest.fixture(params=PAGES)
def page(request, driver, tmp_path):
    """A page in the browser, and the name of its function."""
    name = request.param
    file, wrt, shapes = PAGES[name]
    out = tmp_path / "out.html"
    facts = [word for n, s in shapes.items() for word in ("--shape", f"{n}={s}")]
    target = f"{file.removesuffix('.py')}.{name}".replace("/", ".")
    done = command(
        "explain", "--html", str(out), target, "--wrt", wrt, *facts, cwd=ROOT
    )
    assert (done.code, done.out) == (0, ""), done.err
    driver.get(out.as_uri())
    return name, driver


def emitted(name: str) -> str:
    module = networks if hasattr(networks, name) else recurrent
    _, wrt, shapes = PAGES[name]
    function = getattr(module, name)
    return gradgen.emit(function, wrt=tuple(wrt.split(",")), shapes=shapes)


def texts(driver, selector: str) -> list[str]:
    every = "return [...document.querySelectorAll(arguments[0])].map(%s)"
    return driver.execute_script(every % "(one) => one.textContent", selector)


def codes(driver, selector: str) -> list[str]:
    """The code of the lines that the selector names."""
    return [text.strip() for text in texts(driver, f"{selector} code")]


def line(driver, side: str, text: str):
    """The line of a side that reads so."""
    place = codes(driver, f"#{side}").index(text)
    return driver.find_element(By.CSS_SELECTOR, f"#{side} li:nth-child({place + 1})")


def lit(driver, side: str) -> set[str]:
    return set(codes(driver, f"#{side} li.lit"))


def test_the_page_works_as_a_whole(page):
    """One page after the other, each once: a browser is slow to start."""
    name, driver = page
    the_two_texts_stand_side_by_side(name, driver)
    lines_that_belong_together_light_up(name, driver)
    the_keyboard_does_the_same(name, driver)
    the_slider_changes_the_text(name, driver)
    the_picture_has_a_node_for_each_value(name, driver)
    it_fits_a_phone(driver)
    it_follows_the_colours_of_the_system(driver)
    it_loads_nothing_and_has_no_errors(driver)


def the_two_texts_stand_side_by_side(name, driver):
    assert texts(driver, "#gradient code") == [
        row or " " for row in emitted(name).rstrip("\n").split("\n")
    ]
    numbers = texts(driver, "#gradient .n")
    assert numbers == [str(i + 1) for i in range(len(numbers))]
    file = (ROOT / PAGES[name][0]).read_text().split("\n")
    for number, text in zip(
        texts(driver, "#primal .n"), texts(driver, "#primal code"), strict=True
    ):
        assert file[int(number) - 1] == text
    left = driver.find_element(By.ID, "primal").rect
    right = driver.find_element(By.ID, "gradient").rect
    assert left["x"] + left["width"] <= right["x"]


def lines_that_belong_together_light_up(name, driver):
    for primal, gradient in LIT[name].items():
        ActionChains(driver).move_to_element(line(driver, "primal", primal)).perform()
        assert lit(driver, "gradient") == gradient
        assert lit(driver, "primal") == {primal}
        for text in gradient:
            row = line(driver, "gradient", text)
            ActionChains(driver).move_to_element(row).perform()
            assert primal in lit(driver, "primal"), text
    heading = driver.find_element(By.TAG_NAME, "h1")
    ActionChains(driver).move_to_element(heading).perform()
    assert not lit(driver, "primal") and not lit(driver, "gradient")


def the_keyboard_does_the_same(name, driver):
    primal, gradient = next(iter(LIT[name].items()))
    rows = driver.find_elements(By.CSS_SELECTOR, "#primal li")
    place = codes(driver, "#primal").index(primal)
    # One stop of Tab for the list, then arrows.
    driver.execute_script("document.activeElement.blur()")
    ActionChains(driver).send_keys(Keys.TAB).perform()
    assert driver.switch_to.active_element == rows[0]
    ActionChains(driver).send_keys(*[Keys.ARROW_DOWN] * place).perform()
    assert driver.switch_to.active_element == rows[place]
    assert lit(driver, "gradient") == gradient
    assert rows[place].get_attribute("aria-selected") == "true"
    ActionChains(driver).send_keys(Keys.ENTER, Keys.ARROW_UP).perform()
    assert lit(driver, "gradient") == gradient  # kept
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    assert not lit(driver, "gradient")


SAID = """
return ["pass-number", "pass-says"].map((id) => document.getElementById(id).innerText);
"""
SHOWN_NOW = """
const one = [...document.querySelectorAll(arguments[0])];
const lines = (kind) => [...one[0].querySelectorAll(`li${kind}`)];
const code = (kind) => lines(kind).map((l) => l.querySelector("code").textContent.trim());
const displayed = lines(".gone").slice(0, 3).map((l) => l.getClientRects().length > 0);
return [one.length, one[0].matches(".idle"), displayed, code(":not(.gone)"),
        code(".new"), code(".gone")];
"""


def shown(driver) -> tuple[list[str], list[str], list[str]]:
    """The text that the slider is at, what is new in it, and what is gone."""
    count, idle, displayed, now, new, gone = driver.execute_script(SHOWN_NOW, SHOWN)
    assert count == 1
    assert all(each is not idle for each in displayed)
    return now, [] if idle else new, [] if idle else gone


def the_slider_changes_the_text(name, driver):
    slider = driver.find_element(By.ID, "pass")
    count = int(slider.get_attribute("max"))
    assert count > 40
    before, new, gone = shown(driver)
    assert "unbroadcast(" in "".join(before) and not new and not gone
    changed = [1]
    for number in range(2, count + 1):
        slider.send_keys(Keys.ARROW_RIGHT)
        place, says = driver.execute_script(SAID)
        assert place == str(number)
        after, new, gone = shown(driver)
        assert (after != before) is bool(new or gone)
        assert sorted(after + gone) == sorted(before + new)  # what is marked is all
        assert says.endswith("(changed nothing)") is (after == before)
        changed += [number] * (after != before)
        before = after
    tree = ast.parse(emitted(name)).body[-1]
    tree.body = tree.body[1:]  # the docstring
    last = "\n".join(texts(driver, f"{SHOWN} li:not(.gone) code"))
    assert ast.dump(ast.parse(last)) == ast.dump(ast.Module([tree], []))
    the_buttons_go_to_the_changes(driver, changed)


def the_buttons_go_to_the_changes(driver, changed: list[int]):
    """From the last pass back to the first change, and forward to the last one."""
    slider, place = driver.find_element(By.ID, "pass"), By.ID
    count = int(slider.get_attribute("max"))
    back = driver.find_element(place, "previous-change")
    forward = driver.find_element(place, "next-change")
    for number in reversed([n for n in changed if n < count]):
        back.click()
        assert slider.get_attribute("value") == str(number)
    assert not back.is_enabled()
    for number in changed[1:]:
        forward.click()
        assert driver.find_element(place, "pass-number").text == str(number)
        _, new, gone = shown(driver)
        assert new or gone
        box = "return arguments[0].getBoundingClientRect().toJSON()"
        frame = driver.execute_script(box, driver.find_element(By.CSS_SELECTOR, SHOWN))
        mark = driver.find_element(By.CSS_SELECTOR, f"{SHOWN} :is(.new, .gone)")
        at = driver.execute_script(box, mark)
        assert frame["top"] <= at["top"] and at["bottom"] <= frame["bottom"] + 1
    assert not forward.is_enabled()


def the_picture_has_a_node_for_each_value(name, driver):
    function = ast.parse(emitted(name)).body[-1]
    assigned = [
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    nodes = driver.find_elements(By.CSS_SELECTOR, ".flow .node")
    data = (
        "return [...document.querySelectorAll(arguments[0])].map((n) => n.dataset.name)"
    )
    names = driver.execute_script(data, ".flow .node")
    arguments = [arg.arg for arg in function.args.args]
    assert set(names) == {*assigned, *arguments}
    if name == "mlp_loss":  # no loop: a node for each assignment
        assert sorted(names) == sorted(assigned + arguments)
    own = driver.execute_script(data, ".flow .node.adjoint")
    assert set(own) == {one for one in names if one.startswith("d_")}
    boxes = driver.execute_script(
        "return [...document.querySelectorAll('.node rect')]"
        ".map((one) => one.getBoundingClientRect().toJSON())"
    )
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert not overlap(a, b)
    # an edge from h to what reads it
    at = {n: node.get_attribute("data-node") for n, node in zip(names, nodes)}
    edge = f'.edge[data-from="{at["d_h_in"]}"][data-to="{at[deepest(name)]}"]'
    assert driver.find_elements(By.CSS_SELECTOR, edge)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", nodes[-1])
    ActionChains(driver).move_to_element(nodes[names.index("d_h_in")]).perform()
    assert "d_h_in" in "".join(lit(driver, "gradient"))


def deepest(name: str) -> str:
    return "d_W1" if name == "mlp_loss" else "d_h_ins"


def overlap(a, b) -> bool:
    apart = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return not (
        apart or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
    )


def it_fits_a_phone(driver):
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    left = driver.find_element(By.ID, "primal").rect
    right = driver.find_element(By.ID, "gradient").rect
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide <= 390 and left["y"] + left["height"] <= right["y"]


def it_follows_the_colours_of_the_system(driver):
    shades = []
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        colour = "return getComputedStyle(document.body).backgroundColor"
        shade = driver.execute_script(colour).removeprefix("rgb(").removesuffix(")")
        shades.append(sum(map(int, shade.split(","))))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert shades[0] > 600 and shades[1] < 150


def it_loads_nothing_and_has_no_errors(driver):
    loaded = "return performance.getEntriesByType('resource').map((e) => e.name)"
    names = driver.execute_script(loaded)
    assert [one for one in names if not one.startswith("data:")] == []
    assert driver.get_log("browser") == []
