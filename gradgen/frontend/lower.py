"""gast -> IR: one Let for each operation, each variable assigned once."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from gradgen.errors import GradgenError, gather
from gradgen.frontend.jumps import (
    BROKE,
    FALSE,
    GONE,
    RESULT,
    RETURNED,
    STOP,
    TRUE,
)
from gradgen.frontend.fence import fence, refused_statement
from gradgen.frontend.effects import Effects
from gradgen.frontend.memory import is_structure
from gradgen.frontend.names import assigned
from gradgen.frontend.prune import prune
from gradgen.frontend.source import Source
from gradgen.frontend.writer import REFUSED, Frame, Refusal
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Param,
    Ref,
    Supply,
)
from gradgen.ir.operators import BINARY
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Shape, whole
from gradgen.shapes.spec import read_annotation, read_shape


def lower(
    source: Source, supply: Supply, shapes: Mapping[str, str] | None = None
) -> Function:
    """The function as IR; `shapes` are the facts of its parameters as text.

    Raises GradgenError with every problem it has.
    """
    return _Lowering(source, supply, dict(shapes or {})).lowered()


class _Lowering(Effects):
    def __init__(self, source: Source, supply: Supply, shapes: dict[str, str]):
        super().__init__(source, supply, {})
        self.texts = shapes
        self.gone_over, self.lists_read = [], []
        self.preamble, self.module_arrays, self.shared_arrays = [], {}, set()
        local = assigned(source.node.body) + [a.id for a in _arguments(source.node)]
        self.frame = Frame(0, source, frozenset(local), node=source.node)
        self.root, self.active = self.frame, [self.frame]
        self.problems: list[GradgenError] = fence(source)

    def lowered(self) -> Function:
        """The whole function."""
        params = tuple(self._params())
        self.block(self.source.node.body)
        result = self._result()
        if result is REFUSED and not self.problems:
            self.problem(
                "GG111",
                f"{self.source.node.name} returns nothing that can be told",
                self.source.node.body[-1],
                "return result, as the last statement",
            )
        if self.problems:
            raise gather(_once(self.problems))
        name, context = self.source.node.name, tuple(self.context.items())
        function = Function(
            name, params, (*self.preamble, *self.body), (result,), context=context
        )
        return prune(function, self.renamed)

    def _result(self) -> Expr:
        if self.gone() == FALSE:
            self._no_result()
            return REFUSED
        if self.gone() != TRUE:
            self._no_result()
        value = self.flag(RESULT)
        if value == FALSE or value is REFUSED:
            return REFUSED
        try:
            value = self.current(value)
        except Refusal:
            return REFUSED
        if is_structure(value):
            return REFUSED
        if callable(getattr(value, "value", None)):
            self.problem(
                "GG501",
                f"the result of {self.source.node.name} is a function, which has no "
                "gradient",
                self.source.node.body[-1],
                "a result computed in floating point",
            )
            return REFUSED
        if isinstance(value, Ref):
            value = Ref(self.renamed.get(value.var.id, value.var))
            if value.var.origin is Origin.USER:
                return value
        var = self.supply.var("out", Origin.USER)
        self.body.append(Let(var, value, self.note))
        return Ref(var)

    def _no_result(self) -> None:
        returns = [n for n in gast.walk(self.source.node) if isinstance(n, gast.Return)]
        if any(r.value is not None for r in returns):
            self.problem(
                "GG111",
                f"{self.source.node.name} returns nothing on some path",
                self.source.node.body[-1],
                "return result, as the last statement",
            )

    # parameters

    def _params(self):
        args = self.source.node.args
        for star in (args.vararg, args.kwarg):
            if star is not None:  # refused as a whole
                self.state.names[0, star.id] = REFUSED
        for keyword_only, group in ((False, args.args), (True, args.kwonlyargs)):
            for arg in group:
                var = self.supply.var(arg.id, Origin.PARAM)
                self.state.names[0, arg.id] = Ref(var)
                annotation = None
                if arg.annotation is not None:
                    annotation = self.source.segment(arg.annotation)
                shape = self._shape(arg.id, annotation)
                self.assume(var, shape, Kind.WEAK if shape == SCALAR else Kind.LIKE)
                if shape == SCALAR:
                    self.memory.numbers.add(var)
                yield Param(var, self._default(arg), annotation, keyword_only)

    def _shape(self, name: str, annotation: str | None) -> Shape:
        text = self.texts.get(name, read_annotation(annotation))
        try:
            return whole(name) if text is None else read_shape(text)
        except GradgenError:
            return whole(name)  # told when the request is read

    def _default(self, arg) -> str | None:
        if arg.id not in self.source.defaults:
            return None
        value = self.source.defaults[arg.id]
        args = self.source.node.args
        positional = args.args[len(args.args) - len(args.defaults) :]
        written = dict(zip((a.id for a in positional), args.defaults))
        written |= {a.id: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d}
        node = written[arg.id]
        if isinstance(node, gast.Constant):
            return self.source.segment(node)
        if type(value) in (int, float, bool, str, type(None), tuple):
            return repr(value)
        self.problem(
            "GG116",
            f"the default of {arg.id} is not a plain value",
            node,
            f"{arg.id}=None",
        )
        return None

    # statements

    def statement(self, node) -> None:
        """Writes one statement; a refused one is noted."""
        method = getattr(self, "write_" + type(node).__name__, None)
        try:
            if method is None:
                self.problems.append(refused_statement(self.source, node))
            else:
                method(node)
        except Refusal:
            pass

    def write_Pass(self, node: gast.Pass) -> None:
        pass

    def write_If(self, node: gast.If) -> None:
        self.if_statement(node, [])

    def write_Expr(self, node: gast.Expr) -> None:
        value = node.value
        if isinstance(value, gast.Constant):
            return
        if not isinstance(value, gast.Call):
            self.problems.append(refused_statement(self.source, node))
            return
        self.start(node, "")
        if not self.effect(value) and not self.changes(value):
            self.problems.append(refused_statement(self.source, node))

    def write_Return(self, node: gast.Return) -> None:
        if node.value is None:
            self.leave(Const(None))
            return
        self.start(node, "out")
        mark = self.mark()
        value = self.read(node.value)
        if self.frame is not self.root:
            return self.leave(value)
        if self.contents(value) is not None:
            self.problem(
                "GG117",
                "a tuple as result is not supported",
                node.value,
                "return one value",
            )
            value = REFUSED
        if isinstance(value, Ref) and self._is_own(value, mark):
            value = self.wish(value.var, "out")
        self.leave(value)

    def leave(self, value: Expr) -> None:
        """Returns from the call."""
        self.set_flag(RESULT, value)
        for name in (RETURNED, GONE):
            self.set_flag(name, TRUE)
        if self.frame.loops:
            self.set_flag(STOP, TRUE)
            self.set_flag(BROKE, TRUE)
        self.state.left |= {self.frame.number}

    def write_Assign(self, node) -> None:
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        if node.value is None:
            return
        self.start(node, ", ".join(self.source.segment(t) for t in targets))
        mark = self.mark()
        value = self.read(node.value)
        for target in targets:
            # The second name of a = b = value is another name of the first.
            value = self.assign(target, value, mark)

    write_AnnAssign = write_Assign

    def write_AugAssign(self, node: gast.AugAssign) -> None:
        target = node.target
        self.start(node, self.source.segment(target))
        if type(node.op).__name__ not in BINARY:
            self.read_BinOp(
                gast.copy_location(
                    gast.BinOp(left=node.value, op=node.op, right=node.value), node
                )
            )
        if isinstance(target, gast.Subscript):
            self.augment_item(node)
        elif isinstance(target, gast.Name):
            handle = self.read(
                gast.copy_location(
                    gast.Name(target.id, gast.Load(), None, None), target
                )
            )
            mark = self.mark()
            value = self.read(node.value)
            op = BINARY[type(node.op).__name__]
            result = self.augment(handle, op, value, node, target.id)
            self.state.names[self.frame.number, target.id] = self.named(
                result, target.id, mark
            )
        else:
            self.fail("GG115", "only names can be assigned", target, "name = value")

    def assign(self, target, value: Expr, mark: int) -> Expr:
        """Binds a name, or stores; the handle of what was assigned."""
        if isinstance(target, gast.Name):
            value = self.named(value, target.id.strip(), mark)
            self.state.names[self.frame.number, target.id] = value
        elif isinstance(target, gast.Starred):
            return self.assign(target.value, value, mark)
        elif isinstance(target, (gast.Tuple, gast.List)):
            for item, part in zip(
                target.elts, self._unpacked(target, value), strict=True
            ):
                self.assign(item, part, mark)
        elif isinstance(target, gast.Subscript):
            base, key = self.read(target.value), self.read(target.slice)
            self.store(base, key, value, target)
        else:
            self.fail("GG115", "only names can be assigned", target, "name = value")
        return value

    def _unpacked(self, target, value: Expr) -> list[Expr]:
        wanted = len(target.elts)
        stars = [i for i, t in enumerate(target.elts) if isinstance(t, gast.Starred)]
        if stars and value is not REFUSED:
            return self._starred(target, value, stars[0])
        if value is REFUSED:
            return [REFUSED] * wanted
        known = self.contents(value)
        if known is not None:
            if len(known.args) != wanted:
                self.problem(
                    "GG118",
                    f"{wanted} names for {len(known.args)} values",
                    target,
                    "as many names as values",
                )
                return [REFUSED] * wanted
            return list(known.args)
        return [self.item(value, Const(i), target) for i in range(wanted)]

    def _starred(self, target, value: Expr, star: int) -> list[Expr]:
        known, after = self.contents(value), len(target.elts) - star - 1
        if known is None or len(known.args) < star + after:
            self.fail(
                "GG207",
                "a starred name needs a known length",
                target.elts[star],
                "slices: x[0], x[1:]",
            )
        end = len(known.args) - after
        rest = self.new_list(Apply("list", known.args[star:end]), "items")
        return [*known.args[:star], rest, *known.args[end:]]

    def named(self, value: Expr, name: str, mark: int) -> Expr:
        """The value under the user's name: its last operation takes the name."""
        if isinstance(value, Ref) and self._is_own(value, mark):
            return self.wish(value.var, name)
        # A plain number keeps its name as well; other constants are inlined.
        if isinstance(value, Const) and type(value.value) is float:
            ref = self.emit(value, name, None, Origin.USER)
            self.memory.numbers.add(ref.var)
            return ref
        return value

    def _is_own(self, value: Ref, mark: int) -> bool:
        """Whether a variable was made by this statement and has no name yet."""
        var = self.renamed.get(value.var.id, value.var)
        return var.id > mark and var.origin is Origin.TEMP


def _arguments(node) -> list:
    args = node.args
    stars = [star for star in (args.vararg, args.kwarg) if star is not None]
    return [*args.args, *args.kwonlyargs, *getattr(args, "posonlyargs", []), *stars]


def _once(problems: list[GradgenError]) -> list[GradgenError]:
    """Each problem once, though loops are read more than once."""
    seen: dict[tuple, GradgenError] = {}
    for problem in problems:
        for each in problem.problems:
            place = (each.code, each.file, each.line, each.column, each.message)
            seen.setdefault(place, each)
    return list(seen.values())
