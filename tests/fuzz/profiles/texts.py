"""Modules with odd characters, line ends and strings wherever text is copied from.

Form feeds, line separators and controls stand in comments, strings and docstrings;
files have other encodings and line ends. The judge asks that only what the primal
has becomes code, and that the gradient prints and logs what the primal does.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import logging
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz import program as programs
from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.judge import Fault, Verdict, examine
from tests.fuzz.program import Parameter, Program
from tests.fuzz.reduce import smaller

PROGRAMS = 50
REFUSED_AT_MOST = 0.0

# what splits a line for str.splitlines, and not for Python
BREAKS = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
ODD = BREAKS + ["\x1b[31m", "\x07", "\u202e", "\u2066", "\u200f", "\ufeff", "é", "→ "]
# pieces of literals, as they are written in a file
WRITTEN = [r"\r", r"\n", r"\x00", r"\x1b[0m", r"\ud800", r"\u2028", r"\\", r"\\n"]
WRITTEN += ["{{", "}}", "#", "%d", "'''", "\\'", '\\"', "'); PWNED('", "PWNED()"]
CODE = [
    "PWNED()",
    "import PWNED",
    "x = PWNED",
    '"""',
    "K = PWNED(1)",
    "):",
    "y = 0 * x",
]
INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
LIBRARY = {"np", "len", "float", "range", "reversed", "print", "warnings", "logging"}
_names = iter(range(10**9))


@dataclass(frozen=True)
class Text(Program):
    """A module as it stands in a file; `before` are its lines above the def."""

    before: tuple[str, ...] = ()
    head: str = "def program(x, c):"
    indent: str = "    "
    outer: str = ""
    end: str = "\n"
    encoding: str = "utf-8"
    final: bool = True
    called: str = "fuzz"

    @property
    def source(self) -> str:
        top = ["if True:"] if self.outer else []
        body = [self.outer + self.head]
        # A form feed begins the columns anew.
        feed = "\x0c" * self.indent.startswith("\x0c")
        indent = feed + self.outer + self.indent.removeprefix(feed)
        body += [indent + line for line in self.lines]
        return "\n".join([*self.before, "", "", *top, *body]) + "\n" * self.final

    @cached_property
    def function(self) -> Callable:
        name = f"fuzz_text_{self.seed}_{next(_names)}"
        path = programs._folder() / f"{name}.py"
        text = self.source
        if self.end == "mixed":
            ends = random.Random(self.seed)
            text = re.sub("\n", lambda _: ends.choice(["\n", "\r\n", "\r"]), text)
        else:
            text = text.replace("\n", self.end)
        path.write_bytes(text.encode(self.encoding))
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            spec.loader.exec_module(module)
        return module.program


@smaller.register
def _(program: Text) -> Iterator[Program]:
    """None: a fault of spelling would go with the spelling."""
    yield from ()


def text_program(seed: int) -> Text:
    """The module of this seed."""
    rng = random.Random(seed)
    encoding = rng.choice(["utf-8"] * 4 + ["utf-8-sig", "latin-1"])
    fits = [c for c in ODD if encoding != "latin-1" or c.isascii() or c in "\x85é"]

    def remark() -> str:
        """A comment, in which something looks like code."""
        parts = rng.choices([*fits, *CODE, "a note", " "], k=rng.randint(1, 4))
        return "# " + "".join(parts).strip("\\")

    def inner() -> str:
        """The inside of a literal between double quotes."""
        raw = [c for c in fits if c != "\ufeff"]
        parts = rng.choices([*WRITTEN, *raw, "text", " "], k=rng.randint(1, 4))
        return "".join(parts)

    def literal() -> str:
        if rng.random() < 0.2:
            return '"""' + inner() + "\n      deep\n" + inner() + ' """'
        return '"' + inner() + '"'

    def formatted() -> str:
        form = rng.choice(["{c}", "{c!r}", "{c:.3f}", "{c!s:>9}", "{c:^9.2e}"])
        quote = rng.choice(['"', "'"])
        text = inner().replace("\\" + quote, "").replace(quote, "")
        return f"f{quote}{text}{form}{inner().replace(chr(39), '').replace(chr(34), '').rstrip(chr(92))} {quote}"

    cookie = ["# -*- coding: latin-1 -*-"] if encoding == "latin-1" else []
    logger = re.sub(r"\\ud800|\\x00", "", inner())
    before = [
        *cookie,
        f'"""Module. {inner()}\n\nK = 99.0 {rng.choice(fits)}\n"""',
        remark(),
        "import logging",
        "import warnings",
        "",
        "import numpy as np",
        "",
        remark(),
        f"K = 1.25  {remark()}",
        rng.choice([f"NOTE = {literal()}", "NOTE = 'plain'"]),
        f'É = 0.75; LOG = logging.getLogger("{logger}")  {remark()}',
        f"W = np.array([0.5, 1.5])  {remark()}",
    ]
    head = rng.choice(
        [
            "def program(x, c=1.5):",
            f"def program(x, c=1.5):  {remark()}",
            f"def program(  {remark()}\n    x,  {remark()}\n    c=1.5,\n):",
            f"def program(\n    x: 'odd',  {remark()}\n    c=1.5, *, mode={literal()}\n):",
        ]
    )
    lines = []
    if rng.random() < 0.5:
        lines.append(f'"""Doc {inner()}\n\n    c=PWNED() {rng.choice(fits)}\n    """')
    value = "x"
    for i in range(rng.randint(2, 5)):
        name = f"y{i}"
        step = rng.choice(
            [
                f"{value} * K",
                f"np.sin({value}) + É",
                f"({value} *  {remark()}\n        c)",
                f"{value} * \\\n        c + {value}",
                f"{value} * W[{rng.randint(0, 1)}] + c",
                f"{value} * {value}",
                f"{{{literal()}: {value} * 0.5}}",
            ]
        )
        kept = step.startswith("{")
        if kept:
            key = step[1 : step.rindex(": ")]
            lines.append(f"kept{i} = {step}  {remark()}")
            step = f"kept{i}[{key}] * 2.0"
        lines.append(f"{name} = {step}" + rng.choice(["", f"  {remark()}"]))
        value = name
        said = rng.random()
        if said < 0.3:
            shown = rng.choice([literal(), formatted(), "NOTE, c", f"{literal()}, c"])
            lines.append(f"print({shown})")
        elif said < 0.45:
            lines.append(f'LOG.warning("{inner().replace("%d", "")} %s", c)')
        elif said < 0.55:
            lines.append(f"assert c < 99, {rng.choice([literal(), formatted()])}")
        elif said < 0.65:
            lines.append(f"if c > 99: raise ValueError({formatted()})")
        elif said < 0.8:
            lines.append(remark())
    lines.append(f"return np.sum({value} * {value})  {remark()}")
    return Text(
        (Parameter("x", ("n",)), Parameter("c", (), "float", 0.5, 1.5, False)),
        tuple(lines),
        seed,
        before=tuple(before),
        head=head,
        indent=rng.choice(["    ", "    ", "  ", "\t", "\x0c    "]),
        outer=rng.choice(["", "", "", "    ", "\t"]),
        # Python's own readers of source find no encoding before a lone \\r.
        end=rng.choice(["\n", "\r\n"] + ["\r", "mixed", "mixed"] * (not cookie)),
        encoding=encoding,
        final=rng.random() < 0.7,
    )


class _Heard(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(f"{record.name}: {record.getMessage()}")


def heard(function: Callable, args: list) -> tuple[str, list[str]]:
    """What a call prints, and what it logs."""
    out, handler = io.StringIO(), _Heard()
    logging.getLogger().addHandler(handler)
    try:
        with contextlib.redirect_stdout(out), np.errstate(all="ignore"):
            function(*args)
    except Exception as error:
        handler.said.append(f"{type(error).__name__}: {error}")
    finally:
        logging.getLogger().removeHandler(handler)
    return out.getvalue(), handler.said


def of_text(program: Text, text: str) -> Iterator[Fault]:
    """What stands in an emitted text that the primal does not have."""
    found = INVISIBLE.search(text.replace("\n", ""))
    if found:
        yield Fault("invisible", f"{found.group()!r} stands in the text")
    if text.splitlines() != text.split("\n")[:-1]:
        yield Fault("lines", "an editor reads other lines than Python")
    ours, theirs = ast.parse(program.source.lstrip("\ufeff")), ast.parse(text)
    for node in theirs.body:
        plain = isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign))
        own = isinstance(node, ast.FunctionDef) and node.name == "grad_program"
        if not plain and not own:
            yield Fault("injected", ast.unparse(node))
    more = _called(theirs) - _called(ours) - LIBRARY
    if more or "PWNED" in {n.id for n in ast.walk(theirs) if isinstance(n, ast.Name)}:
        yield Fault("injected", f"calls {more}")
    strings = _strings(theirs) - _strings(ours)
    if strings:
        yield Fault("strings", f"{strings} stand in the text")


def _called(tree: ast.AST) -> set[str]:
    """The names that calls begin with: np of np.sin(x)."""
    found = set()
    for node in ast.walk(tree):
        func = node.func if isinstance(node, ast.Call) else None
        while isinstance(func, ast.Attribute):
            func = func.value
        if isinstance(func, ast.Name):
            found.add(func.id)
    return found


def _strings(tree: ast.AST) -> set[str]:
    """The strings of a text, but for docstrings."""
    docs = {ast.get_docstring(n, clean=False) for n in ast.walk(tree) if _holds(n)}
    values = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant))
    return {v for v in values if isinstance(v, str) and v not in docs}


def _holds(node: ast.AST) -> bool:
    return isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = text_program(seed)
    case = replace(case_of(program, "full"), complete=False)
    truth = Truth(program)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        verdict = examine(case, engine, truth, companions=False)
        if verdict.measured and verdict.text != "(none)":
            try:
                gradient = engine.grad(program.function, case.wrt, shapes=case.shapes)
            except GradgenError:
                gradient = None
            verdict.faults += of_text(program, verdict.text)
            args = program.arguments(0)
            said = heard(program.function, args)
            if gradient is not None and heard(gradient, args) != said:
                told = f"{heard(gradient, args)}, not {said}"
                verdict.faults.append(Fault("said", told))
    yield case, verdict
