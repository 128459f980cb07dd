"""Gradient -> gast module: signature, docstring, both halves, their comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

import gast

from gradgen.frozen import dataclass
from gradgen.ir.library import SCIPY
from gradgen.ir.nodes import (
    Expr,
    Function,
    Let,
    Note,
    Origin,
    Param,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.library import NUMPY, Library
from gradgen.ir.structure import Structure, path_text
from gradgen.ir.walk import all_defined
from gradgen.printer.asked_seeds import asked_seeds
from gradgen.printer.blocks import Blocks
from gradgen.printer.docstring import Wording, docstring
from gradgen.printer.expression import expression
from gradgen.printer.hints import Hints
from gradgen.printer.imports import free, joined, scipy_import, scipy_name
from gradgen.printer.layout import breaks_at_sums, breaks_once, lay_out
from gradgen.printer.measuring import Measuring
from gradgen.printer.naming import names
from gradgen.printer.containers import assembled, classes, first_lines, makers
from gradgen.printer.containers import containers
from gradgen.printer.defaults import read_default
from gradgen.printer.scopes import is_pythons, name, qualify, scope_of
from gradgen.printer.style import Style
from gradgen.printer.syntax import Syntax
from gradgen.printer.text import Blank, Comment
from gradgen.printer.settings_first import settings_first
from gradgen.printer.together import together
from gradgen.printer.width import cut, says_twice

WIDTH, CUTS = 88, 6  # columns; how often a line may be cut into parts
BUILTINS = ("len", "float", "abs", "pow", "range", "reversed")


@dataclass(frozen=True)
class Rendered:
    """A function as gast, and what must stand around it in a module.

    `function` is what was printed, under `names`; None of a text made otherwise.
    """

    name: str
    node: gast.FunctionDef
    imports: tuple[str, ...]
    helpers: tuple[str, ...]
    hazards: tuple[Any, ...] = ()
    function: Function | None = None
    names: Mapping[Var, str] = field(default_factory=dict)


def render(
    function: Function,
    style: Style,
    wording: Wording,
    called: frozenset[str] = frozenset(),
    library: Library = NUMPY,
) -> Rendered:
    """The gradient function's syntax tree, and what its module needs.

    `called` are the names of other functions of the text; `library` is what it
    computes with.
    """
    return _Rendering(function, style, wording, called, library).rendered()


class _Rendering:
    def __init__(
        self,
        function: Function,
        style: Style,
        wording: Wording,
        called: frozenset[str],
        library: Library,
    ) -> None:
        self.library = library
        self.function, self.style, self.wording = function, style, wording
        self.name = style.name or style.prefix + function.name
        taken = {param.var.name for param in function.params}
        taken |= {bundle for bundle, _ in function.bundles}
        taken |= {
            var.name for var in all_defined(function.body) if var.origin is Origin.USER
        }
        self.module = free(library.aliases, taken)
        taken |= {*(context := [n for n, _ in function.context])}
        self.scipy = {name: scipy_name(name, taken) for name in SCIPY}
        self.backprop = free(("backprop", "backprop_"), taken)
        self.reserved = {self.module, self.name, self.backprop, *BUILTINS, *context}
        self.reserved |= called
        for _, structure in function.bundles:
            self.reserved |= {word.partition(".")[0] for word in makers(structure)}
        self.reserved |= {spelled.partition(".")[0] for spelled in self.scipy.values()}
        self.hints = Hints(function, style, self.module, library)
        self._choose_names()
        indent = 8 if style.callback else 4
        for _ in range(CUTS):
            shorter = cut(self.function, self._width, indent, self._breaks)
            if shorter is self.function:
                break
            self.function = shorter
            self._choose_names()

    def _choose_names(self) -> None:
        compiled = bool(self.library.decorator)
        self.names = names(self.function, self.reserved, self.style.callback, compiled)
        self.syntax = Syntax(self.names, self.module, self.scipy, self.library)
        self.syntax.containers = containers(self.function)
        self.measuring = Measuring(self.syntax)

    def _width(self, node: Let | Expr) -> int:
        """How many columns a statement or an expression takes."""
        if isinstance(node, Let):
            made = self.measuring.statement(node.var, node.value)
            return len(expression(made.value)) + len(_target(made))
        return len(expression(self.measuring.expression(node)))

    def _breaks(self, let: Let, indent: int) -> bool:
        """Whether a statement reads well as it is broken over several lines."""
        made = self.measuring.statement(let.var, let.value)
        target = _target(made)
        if not target.endswith("= "):
            return False
        lines = lay_out(target + expression(made.value), indent // 4)
        if breaks_at_sums(lines):
            return True
        return breaks_once(lines) and not says_twice(let.value, self._width)

    def rendered(self) -> Rendered:
        """The function and its surroundings.

        A local with a name of Python's that the text needs gets another one; where a
        parameter has it, the text reads builtins.len.
        """
        node = self._node()
        pythons = {name for name in scope_of(node).hidden if is_pythons(name)}
        steps_aside = pythons - self._fixed()
        if steps_aside:
            self.reserved |= steps_aside
            self._choose_names()
            node = self._node()
        if pythons - steps_aside:
            qualify(node, pythons - steps_aside)
            self.syntax.used.add("builtins")
        if self.hints.used:
            self.syntax.used.add(self.module)
        return Rendered(
            self.name,
            node,
            tuple(self._imports()),
            tuple(self.syntax.helpers),
            function=self.function,
            names=self.names,
        )

    def _fixed(self) -> set[str]:
        """The names that the user calls the function with."""
        seeds = set(self.function.seeds)
        own = [p for p in self.function.params if p.var not in seeds]
        return {p.bundle or p.var.name for p in own}

    def _node(self) -> gast.FunctionDef:
        every = self.function.body
        ahead, others = settings_first(self.function, every)
        forward = [one for one in others if one.note.role is not Role.GRAD]
        gradient = [stmt for stmt in every if stmt.note.role is Role.GRAD]
        texts = self.wording.headings, every, self.wording.items
        self.blocks = Blocks(self.names, self.syntax, *texts)
        head = [self._docstring()]
        unpacked = self._chosen_library() + self.blocks.forward(ahead, 4)
        unpacked += first_lines(self.function, self.names)
        seeds = set(self.function.seeds) if self.style.callback else ()
        params = [p for p in self.function.params if p.var not in seeds]
        arguments = self._arguments(params)
        unpacked += asked_seeds(self.function, arguments, self.names)
        if self.style.forward or self.style.mode == "jacobian" and not gradient:
            body = head + unpacked + self.blocks.forward(others, 4)
            body += [self._return()]
        elif self.style.callback:
            body = head + unpacked + self.blocks.forward(forward, 4)
            body += self._backprop(gradient)
        else:
            first = [Comment("Forward")] if forward or unpacked else []
            body = head + first + unpacked + self.blocks.forward(forward, 4)
            body += [Blank()] if first and gradient else []
            body += self.blocks.gradient(gradient, 4) + [self._return()]
        node = _definition(self.name, arguments, body)
        node.returns = self.hints.result(self.wording.as_tuple)
        together(node)
        return node

    def _imports(self) -> Iterator[str]:
        if "builtins" in self.syntax.used:
            yield "import builtins"
        for word in sorted(self._makers()):
            yield f"import {word.partition('.')[0]}"
        if self.module in self.syntax.used and not self.library.given:
            yield self.library.imported(self.module)
        for module, spelled in self.scipy.items():
            if spelled in self.syntax.used:
                yield scipy_import(self.library.scipy, module, spelled)
        context = dict(self.function.context)
        needed = self.syntax.used & context.keys()
        for line in [context[word] for word in needed]:
            # logger = logging.getLogger(...) needs logging
            needed |= {word for word in context if f"= {word}." in line}
        yield from joined(line for word, line in context.items() if word in needed)

    def _makers(self) -> set[str]:
        """What makes the gradients that are dataclasses."""
        chosen = {result.of for result in self.function.results}
        own = [p for p in self.function.params if p.bundle and p.var in chosen]
        parts = (self._structure(*self.wording.part(param)) for param in own)
        return {word for part in parts for word in makers(part)}

    def _docstring(self) -> gast.Expr:
        text = docstring(self.function, self.style, self.wording, self.names)
        return gast.Expr(gast.Constant(text, None))

    def _arguments(self, params: list[Param], outer: bool = True) -> gast.arguments:
        """The primal's parameters as written, and the seed as the last positional."""
        first = {p.bundle: p for p in reversed(params)}
        params = [p for p in params if not p.bundle or first[p.bundle] is p]
        # what is given behind them would be taken for the seed
        apart = self.function.seeds if self.function.starred else ()
        keyword_only = [p for p in params if p.keyword_only or p.var in apart]
        positional = [p for p in params if p not in keyword_only]
        given = self._given() if outer else []
        args: list[gast.Name] = []
        defaults: list[gast.expr] = []
        for param in positional:
            text = self._default(param)
            args.append(self._parameter(param))
            if text is not None or defaults:
                defaults.append(self._value_of(text if text is not None else "None"))
                if text is None:  # what it is called with is no None
                    args[-1].annotation = None
                elif args[-1].annotation and param.var in self.function.seeds:
                    args[-1].annotation = name("float")  # as its default, 1.0, is
        return gast.arguments(
            args,
            [],
            None,
            [self._parameter(p) for p in keyword_only] + given,
            [one and self._value_of(one) for one in map(self._default, keyword_only)]
            + [None] * len(given),
            None,
            defaults,
        )

    def _chosen_library(self) -> list[Any]:
        """The line xp = get_array_module(x), where a call chooses the library."""
        if not self.library.chooser:
            return []
        self.syntax.used.add(self.library.chooser.partition("(")[0])
        value = read_default(self.library.chooser)
        return [gast.Assign([name(self.module, store=True)], value, None)]

    def _given(self) -> list[gast.Name]:
        """The parameter that is the library, where it is one."""
        if not self.library.given or self.library.chooser:
            return []
        return [gast.Name(self.module, gast.Param(), None, None)]

    def _default(self, param: Param) -> str | None:
        only = self.function.seeds == (param.var,) and self.style.mode == "reverse"
        if only and not self.wording.without_default:
            return "1.0"
        return None if param.optional else param.default

    def _value_of(self, text: str) -> Any:
        """A default as gast; np is what the text calls NumPy."""
        node = read_default(text)
        for one in gast.walk(node):
            if isinstance(one, gast.Name) and one.id == "np":
                one.id = self.module
            if isinstance(one, gast.Name):
                self.syntax.used.add(one.id)
        return node

    def _parameter(self, param: Param) -> gast.Name:
        spelled = param.bundle or self.names[param.var]
        return gast.Name(spelled, gast.Param(), self.hints.parameter(param), None)

    def _backprop(self, gradient: list[Stmt]) -> list[Any]:
        inner = self.blocks.gradient(gradient, 8)
        inner.append(self._returned(self._gradients()))
        params = [Param(seed) for seed in self.function.seeds]
        node = _definition(self.backprop, self._arguments(params, False), inner)
        result = gast.Tuple([self._value(), name(self.backprop)], gast.Load())
        return [Blank(), node, Blank(), gast.Return(result)]

    def _gradients(self) -> gast.AST:
        params = {param.var: param for param in self.function.params}
        found = {r.of: self.syntax.expression(r.value) for r in self.function.results}
        parts, seen = [], []
        for var, node in found.items():
            if var not in params or not params[var].bundle:
                parts.append(node)
                continue
            part = self.wording.part(params[var])
            if part in seen:
                continue
            seen.append(part)
            structure = self._structure(*part)
            own = {keys: found.get(v) for keys, v in self._parts(*part).items()}
            places = [tuple(key for _, key in path) for path, _ in structure.leaves()]
            leaves = [own.get(p) or gast.Constant(None, None) for p in places]
            place = path_text(*part)
            lacking = {p.label for p in params.values() if p.optional}
            parts.append(assembled(structure, iter(leaves), place, lacking))
        if len(parts) == 1 and not self.wording.as_tuple:
            return parts[0]
        return gast.Tuple(parts, gast.Load())

    def _parts(self, bundle: str, path: tuple[Any, ...]) -> dict[tuple[Any, ...], Var]:
        """The arguments in a part of a container, by their keys in it."""
        return {
            tuple(key for _, key in param.path[len(path) :]): param.var
            for param in self.function.params
            if param.bundle == bundle and param.path[: len(path)] == path
        }

    def _structure(self, bundle: str, path: tuple[Any, ...]) -> Structure:
        """The nesting of a container, or of a part of one."""
        structure = dict(self.function.bundles)[bundle]
        for _, key in path:
            structure = dict(structure.steps())[key]
        return structure

    def _return(self) -> gast.Return:
        if not (self.style.value or self.style.forward):
            return self._returned(self._gradients())
        found = self._tangents() if self.style.forward else self._gradients()
        return self._returned(gast.Tuple([self._value(), found], gast.Load()))

    def _returned(self, value: gast.AST) -> gast.Return:
        """The return, which comes from the lines of the gradients written in it."""
        node = gast.Return(value)
        inside = [r for r in self.function.results if not isinstance(r.value, Ref)]
        node.origin = Note(Role.GRAD, tuple(n for r in inside for n in r.lines))
        return node

    def _tangents(self) -> gast.AST:
        """The derivatives of the results, nested as they are; None for other leaves."""
        found = {r.of: self.syntax.expression(r.value) for r in self.function.results}
        structure = self.function.structure
        if self.wording.aux:
            structure = structure.parts[0]
        leaves = (
            found[value.var]
            if isinstance(value, Ref) and value.var in found
            else gast.Constant(None, None)
            for value in self.function.values
        )
        return assembled(structure, leaves, "")

    def _value(self) -> gast.AST:
        """The primal's result, nested as it is."""
        leaves = iter([self.syntax.expression(v) for v in self.function.values])
        self.syntax.used |= classes(self.function.structure)
        return assembled(self.function.structure, leaves, "")


def _target(node: gast.AST) -> str:
    """What stands before a statement's value."""
    if isinstance(node, gast.Expr):
        return ""
    target = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
    sign = " += " if isinstance(node, gast.AugAssign) else " = "
    return expression(target) + sign


def _definition(
    title: str, arguments: gast.arguments, body: list[Any]
) -> gast.FunctionDef:
    return gast.FunctionDef(
        name=title,
        args=arguments,
        body=body,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
