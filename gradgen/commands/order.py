"""The options of one `emit` -> the primal, the request in canonical form, the text.

Whatever way an option is written, the request has one form of it: positions
become names, shapes come in the order of the parameters and without brackets or
commas, and a file is named from the working directory. So the same request makes
the same bytes.
"""

from __future__ import annotations

import io
import linecache
import os
import re
import sys
import tokenize
import types
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gradgen.commands.files import LARGEST
from gradgen.commands.example import example_of, objects_told
from gradgen.commands.running import Seen
from gradgen.commands.seen import facts_seen
from gradgen.errors import GradgenError, words_of
from gradgen.frontend.source.listed import functions_in
from gradgen.frontend.source.rest import with_rest
from gradgen.frontend.source.source import Source, find
from gradgen.frontend.source.named import did_you_mean
from gradgen.frontend.source.unmoved import unmoved
from gradgen.frozen import dataclass
from gradgen.lines import lines_of
from gradgen.pipeline.observer import UNWATCHED, Watch
from gradgen.pipeline.emitted import Emitted
from gradgen.request.options import ASIDE, OPTIONS, Option, Request
from gradgen.request.paths import with_paths
from gradgen.request.request import canonical, request
from gradgen.request.settings import settled
from gradgen.runtime.arguments import (
    complex_arguments,
    example_arguments,
    named_arguments,
    refuse_integer_leaves,
)
from gradgen.runtime.examples import emitted_like
from gradgen.runtime.instances import of_instance, with_numbers_asked
from gradgen.runtime.properties import behind_properties
from gradgen.runtime.words_of_examples import with_words_told
from gradgen.request.shellwords import word

# an argument, or a part of one: params.W, params[0], params["W"]
_NAME = re.compile(r"""[^\W\d]\w*(\.\w+|\[-?\d+\]|\[(["']).*?\2\])*$""")
NAMES = frozenset(one.argument for one in (*OPTIONS, *ASIDE))
STDIN = "stdin"  # what the header calls a function that was read from there


class Order:
    """The options of `gradgen emit`, as written: those of the table by their names.

    `seen` are the calls that the command of --calls has made.
    """

    def __init__(self, target: str, seen: Seen | None = None, **written: Any) -> None:
        unknown = written.keys() - NAMES
        if unknown:
            raise TypeError(f"an order has no option {min(unknown)}")
        self.target, self.seen, self.written = target, seen, written

    def __getitem__(self, name: str) -> Any:
        """What is written for an option, None where it is not."""
        return self.written.get(name)

    def aimed(self, target: str | None = None, seen: Seen | None = None) -> Order:
        """The order for another target, or with calls that were seen."""
        return Order(target or self.target, seen or self.seen, **self.written)


def order_of(options: Mapping[str, Any]) -> Order:
    """The order among the options of a command line, whatever else they say."""
    written = {name: v for name, v in options.items() if name in NAMES}
    return Order(options["target"], **written)


@dataclass(frozen=True)
class Made:
    """The source of a primal, the request about it, and what was emitted.

    `told` is what is to be said of the calls that the facts come from.
    """

    source: Source
    request: Request
    emitted: Emitted
    told: tuple[str, ...] = ()

    @property
    def parameters(self) -> list[str]:
        return parameters(self.source)

    @property
    def wrt(self) -> tuple[str, ...]:
        """The names of the arguments that the gradient is for."""
        return self.request.wrt or tuple(self.source.parameters[:1])


def make(order: Order, watch: Watch = UNWATCHED) -> Made:
    """What the order asks for; `watch` is told of the stages. Raises GradgenError."""
    source, asked, example = asked_of(order)
    told: tuple[str, ...] = ()
    if order.seen is not None:
        asked, told = facts_seen(order.seen, asked)
    emit = partial(emitted_like, source=source, examples=example, watch=watch)
    made = Made(source, *with_words_told(emit, asked, source, example), told)
    for name in made.wrt:
        refuse_integer_leaves(name, example)
    if order.target == "-":
        name = source.name.partition(":")[2]
        return replace(made, emitted=_named_as_read(made.emitted, name))
    return made


def asked_of(order: Order) -> tuple[Source, Request, dict[str, object]]:
    """The source of the function, the request, and example arguments by name."""
    facts = _facts(order["shape"] or ())
    source = _source(order)
    values = example_of(order["example"], source.globals)
    objects = objects_told(order["example"], values, source.parameters)
    instance = ", ".join(filter(None, (order["instance"], objects)))
    leaves: dict[str, object] = {}
    given = settled({one.name: _read(one, order[one.argument]) for one in OPTIONS})
    if instance:
        source, leaves = of_instance(source, instance, given["wrt"])
    source = with_rest(source, len(values), facts)
    names = source.parameters
    bases = {name for name, _ in source.objects}
    example = {
        name: one
        for name, one in example_arguments(values, names).items()
        if name not in bases
    }
    given["instance"] = instance or given["instance"]
    given["shapes"] = named_arguments(values, names, source) | facts
    given["complex"] = {*given["complex"], *complex_arguments(leaves | example)}
    given["wrt"] = behind_properties(source, given["wrt"])
    asked = request(source.name, parameters=names, **given)
    source, whole = with_numbers_asked(source, asked.wrt or (), {})
    return source, asked, leaves | whole | example


def _read(one: Option, written: Any) -> Any:
    """An option of a request from what is written; None asks pyproject.toml."""
    if one.sort == "size":
        return _size(written)
    if one.name == "wrt":
        return _wrt(written)
    if one.sort == "several":
        return _names(",".join(written or ()))
    if one.sort == "names":
        return _names(written or "")
    return written or (None if one.setting else one.default)


def _size(text: str | None) -> bool | float | None:
    """The value of --guard: nothing, True, or the number behind it."""
    if text is None or text in ("yes", "no"):
        return None if text is None else text == "yes"
    try:
        return float(text)
    except ValueError:
        raise GradgenError(
            "GG023", f"--guard {text} is no number", advice="--guard, or --guard=1e-8"
        ) from None


def parameters(source: Source) -> list[str]:
    """The names of a primal's parameters, in order."""
    return [arg.id for arg in source.node.args.args + source.node.args.kwonlyargs]


def _source(order: Order) -> Source:
    if order.target == "-":
        found = _from_stdin(order["name"])
        name = order["name"] or found.__name__
        return replace(find(found), name=f"{STDIN}:{name}")
    if order["name"] is not None:
        raise GradgenError(
            "GG010",
            "--name goes with source text from standard input",
            advice=f"gradgen emit - --name {order['name']}",
        )
    path, colon, name = order.target.rpartition(":")
    if colon and path.endswith(".py"):
        # A path of this machine in a header would be a difference on the next one.
        near = os.path.relpath(path)
        path = os.path.normpath(path) if near.startswith("..") else near
        return find(path.replace(os.sep, "/") + ":" + name)
    return find(order.target)


def _from_stdin(name: str | None) -> Callable[..., Any]:
    """The function of that name in the source text on standard input.

    A text that defines one function alone needs no name.
    """
    text = _read_stdin()
    file = f"<{STDIN}>"
    # The inspect module finds the text of what has no file in this cache.
    linecache.cache[file] = (len(text), None, lines_of(text, ends=True), file)
    module = types.ModuleType(STDIN)
    sys.modules[STDIN] = module
    try:
        with unmoved():
            exec(compile(text, file, "exec"), vars(module))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        told = f"running {file} failed: {words_of(error)}"
        raise GradgenError("GG104", told) from None
    known = functions_in(module)
    if name is None and len(known) != 1:
        raise GradgenError(
            "GG011",
            f"the source text on standard input has {len(known)} functions",
            advice=" or ".join(f"gradgen emit - --name {one}" for one in known)
            or "def f(x): ..., in the text that it reads",
        )
    name = known[0] if name is None else name
    found: Callable[..., Any] | None = vars(module).get(name)
    if found is None:
        raise GradgenError(
            "GG102", f"{file} has no function {name}", advice=did_you_mean(name, known)
        )
    return found


def _read_stdin() -> str:
    """The source text on standard input, in its own encoding, lines ended by "\\n"."""
    if sys.stdin is None:
        raise GradgenError("GG011", "standard input is closed", advice="a file's name")
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return sys.stdin.read()
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise GradgenError(
            "GG104", "what standard input holds is too large to be a text"
        )
    held = io.BytesIO(data)
    try:
        encoding, _ = tokenize.detect_encoding(held.readline)
        text = held.getvalue().decode(encoding)
    except (SyntaxError, UnicodeDecodeError) as error:
        told = f"the text on standard input cannot be read: {error}"
        raise GradgenError("GG104", told, advice="UTF-8") from None
    return "".join(f"{line}\n" for line in lines_of(text))


def _named_as_read(emitted: Emitted, name: str) -> Emitted:
    """The text whose Regenerate line says that it reads standard input."""
    line = "# Regenerate: gradgen emit "
    read, said = word(f"{STDIN}:{name}"), f"- --name {word(name)}"
    text = emitted.text.replace(f"{line}{read}", f"{line}{said}", 1)
    return replace(emitted, text=text)


def _wrt(text: str | None) -> tuple[str | int, ...] | None:
    """The arguments of --wrt: names, or positions from 0."""
    if text is None:
        return None
    return tuple(
        int(word) if word.removeprefix("-").isdecimal() else word
        for word in _names(text)
    )


def _names(text: str) -> tuple[str, ...]:
    text = unicodedata.normalize("NFKC", text)
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _facts(options: Sequence[str]) -> dict[str, str]:
    """The shape texts of the --shape options by argument."""
    facts: dict[str, str] = {}
    for option in options:
        name, equals, text = option.partition("=")
        name = unicodedata.normalize("NFKC", name.strip())  # as Python reads names
        if not equals or not _NAME.match(name):
            raise GradgenError(
                "GG012",
                f"--shape {option} is not an argument and its shape",
                advice='--shape X="n d"',
            )
        text = canonical(text)
        if facts.setdefault(name, text) != text:
            raise GradgenError(
                "GG013",
                f'--shape says two things of {name}: "{facts[name]}" and "{text}"',
                advice="one of the two",
            )
    return with_paths(facts)
