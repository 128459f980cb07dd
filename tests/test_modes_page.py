"""docs/modes.md shows what is emitted."""

import re
from pathlib import Path

import gradgen
from tests.frontend.writing import written

PAGE = (Path(__file__).parents[1] / "docs" / "modes.md").read_text(encoding="utf-8")


def test_each_text_is_what_its_call_emits(tmp_path):
    blocks = re.findall(r"```python\n(.*?)\n```", PAGE, re.S)
    assert len(blocks) == 10
    for primal, shown in zip(blocks[::2], blocks[1::2], strict=True):
        call, _, body = shown.partition("\n")
        name = re.match(r"def (\w+)", primal).group(1)
        source = f"import gradgen\n\n\n{primal}\n"
        function = written(source, tmp_path, f"page_{name}", name)
        text = eval(call.removeprefix("# "), {"gradgen": gradgen, name: function})
        assert text.endswith(f"\n\n\n{body}\n"), text


def test_the_confusion_of_the_page():
    inner = gradgen.grad(lambda x: x * gradgen.grad(lambda y: x + y)(2.0))
    assert inner(1.0) == 1
