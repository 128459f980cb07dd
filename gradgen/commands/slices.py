"""Which part of the source files a text can depend on.

A plain function of a module counts where its name is a word in a part that counts; all
else of a module, which runs when it is imported, counts always. So an edit inside one
function leaves alone the texts of others that do not reach it. Attributes and what
stands in strings are words as well: too much counts rather than too little. Where a
part that counts looks names up by other means, everything counts.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from gradgen.commands.files import text_held
from gradgen.frozen import dataclass

_WORD = re.compile(r"\w+")
# A text that names lines of its source changes when they move.
_NUMBERED = re.compile(r"\blines? \d")
# By these a module comes to functions, or to source text, that it does not name.
_DYNAMIC = frozenset(
    "globals locals vars dir eval exec compile getattr __dict__ __getattr__ __code__ "
    "__globals__ modules inspect getsource linecache ast tokenize importlib "
    "import_module __import__ runpy open read_text read_bytes".split()
)


@dataclass(frozen=True)
class Part:
    """A statement at the top of a module; `name` is that of a plain function."""

    name: str
    text: str
    words: frozenset[str]
    line: int = 0


def is_numbered(text: str) -> bool:
    """Whether an emitted text names lines of its source by their numbers."""
    return _NUMBERED.search(text) is not None


def digest_of_slice(files: Sequence[str], roots: Iterable[str], numbered: bool) -> str:
    """The hash of what counts in the files for functions of these names."""
    waiting = [(file, part) for file in files for part in parts_of(file)]
    words = set(roots)
    counted: list[tuple[str, Part]] = []
    again = True
    while again:
        named = [
            one
            for one in waiting
            if not one[1].name or one[1].name in words or words & _DYNAMIC
        ]
        counted += named
        waiting = [one for one in waiting if one not in named]
        again = bool(named and waiting)
        words.update(*(part.words for _, part in named))
    found = sorted((file, part.line, part.text) for file, part in counted)
    told = (f"{file}\0{line if numbered else ''}\0{text}" for file, line, text in found)
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]


@cache
def parts_of(file: str) -> tuple[Part, ...]:
    """The parts of a source file, one for the whole where it is no Python."""
    try:
        text = text_held(file)
    except OSError:
        return ()
    try:
        return tuple(_parts(text))
    except (SyntaxError, ValueError, RecursionError):
        return (Part("", text, frozenset(_DYNAMIC)),)


def _parts(text: str) -> Iterator[Part]:
    lines = text.split("\n")
    body = ast.parse(text).body
    starts = [_start(node) for node in body]
    ends = [node.end_lineno or node.lineno for node in body]
    for i, node in enumerate(body):
        before = ends[i - 1] if i else 0
        after = starts[i + 1] - 1 if i + 1 < len(body) else len(lines)
        # Comments around it may be quoted; what they say is no use of a name.
        shown = "\n".join(lines[before:after])
        words = frozenset() if _only_tells(node) else _words(node)
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            yield Part(node.name, shown, words, starts[i])
            for run in _run_at_import(node):  # whether it is called or not
                yield Part("", ast.unparse(run), _words(run))
        else:
            yield Part("", shown, words, starts[i])


def _start(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return int(min([node.lineno, *(one.lineno for one in decorators)]))


def _words(node: ast.AST) -> frozenset[str]:
    """The names in a statement, and the words in its strings but for docstrings."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        for _, value in ast.iter_fields(one):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, str):
                    found.update(_WORD.findall(part))
                elif isinstance(part, ast.AST) and not _is_told(part):
                    waiting.append(part)
    return frozenset(found)


def _is_told(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _only_tells(node: ast.stmt) -> bool:
    """Whether a statement names functions without using them: __all__, a docstring."""
    if _is_told(node):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(one, ast.Name) and one.id == "__all__" for one in targets)


def _run_at_import(node: ast.FunctionDef) -> list[ast.expr]:
    """The defaults and annotations of a def, but for constants."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    found = [*arguments.defaults, *arguments.kw_defaults, node.returns]
    found += [one.annotation for one in every]
    return [one for one in found if one and not isinstance(one, ast.Constant)]
