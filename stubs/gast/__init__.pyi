"""The nodes of gast that gradgen handles; nodes may carry notes of their own."""

import ast
from collections.abc import Iterator
from typing import Any, Literal, overload
from typing import TypeVar as _TypeVar

_T = _TypeVar("_T", bound="AST")

class AST(ast.AST):
    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    # The printer and the front end put attributes of their own on nodes.
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class mod(AST): ...
class stmt(AST): ...
class expr(AST): ...
class expr_context(AST): ...
class boolop(AST): ...
class operator(AST): ...
class unaryop(AST): ...
class cmpop(AST): ...
class excepthandler(AST): ...
class pattern(AST): ...
class type_param(AST): ...

class Module(mod):
    body: list[stmt]
    type_ignores: list[type_ignore]

class Expression(mod):
    body: expr

class FunctionDef(stmt):
    name: str
    args: arguments
    body: list[stmt]
    decorator_list: list[expr]
    returns: expr | None
    type_comment: str | None
    type_params: Any

class AsyncFunctionDef(stmt):
    name: str
    args: arguments
    body: list[stmt]
    decorator_list: list[expr]
    returns: expr | None
    type_comment: str | None
    type_params: Any

class ClassDef(stmt):
    name: str
    bases: list[expr]
    keywords: list[keyword]
    body: list[stmt]
    decorator_list: list[expr]
    type_params: Any

class Return(stmt):
    value: expr | None

class Delete(stmt):
    targets: list[expr]

class Assign(stmt):
    targets: list[expr]
    value: expr
    type_comment: str | None

class TypeAlias(stmt):
    name: Any
    type_params: Any
    value: Any

class AugAssign(stmt):
    target: expr
    op: operator
    value: expr

class AnnAssign(stmt):
    target: expr
    annotation: expr
    value: expr | None
    simple: int

class For(stmt):
    target: expr
    iter: expr
    body: list[stmt]
    orelse: list[stmt]
    type_comment: str | None

class AsyncFor(stmt):
    target: expr
    iter: expr
    body: list[stmt]
    orelse: list[stmt]
    type_comment: str | None

class While(stmt):
    test: expr
    body: list[stmt]
    orelse: list[stmt]

class If(stmt):
    test: expr
    body: list[stmt]
    orelse: list[stmt]

class With(stmt):
    items: list[withitem]
    body: list[stmt]
    type_comment: str | None

class AsyncWith(stmt):
    items: list[withitem]
    body: list[stmt]
    type_comment: str | None

class Match(stmt):
    subject: expr
    cases: list[match_case]

class Raise(stmt):
    exc: expr | None
    cause: expr | None

class Try(stmt):
    body: list[stmt]
    handlers: list[excepthandler]
    orelse: list[stmt]
    finalbody: list[stmt]

class TryStar(stmt):
    body: list[stmt]
    handlers: list[excepthandler]
    orelse: list[stmt]
    finalbody: list[stmt]

class Assert(stmt):
    test: expr
    msg: expr | None

class Import(stmt):
    names: list[alias]

class ImportFrom(stmt):
    module: str | None
    names: list[alias]
    level: int | None

class Global(stmt):
    names: list[str]

class Nonlocal(stmt):
    names: list[str]

class Expr(stmt):
    value: expr

class Pass(stmt): ...
class Break(stmt): ...
class Continue(stmt): ...

class BoolOp(expr):
    op: boolop
    values: list[expr]

class NamedExpr(expr):
    target: expr
    value: expr

class BinOp(expr):
    left: expr
    op: operator
    right: expr

class UnaryOp(expr):
    op: unaryop
    operand: expr

class Lambda(expr):
    args: arguments
    body: expr

class IfExp(expr):
    test: expr
    body: expr
    orelse: expr

class Dict(expr):
    keys: list[expr | None]
    values: list[expr]

class Set(expr):
    elts: list[expr]

class ListComp(expr):
    elt: expr
    generators: list[comprehension]

class SetComp(expr):
    elt: expr
    generators: list[comprehension]

class DictComp(expr):
    key: expr
    value: expr
    generators: list[comprehension]

class GeneratorExp(expr):
    elt: expr
    generators: list[comprehension]

class Await(expr):
    value: expr

class Yield(expr):
    value: expr | None

class YieldFrom(expr):
    value: expr

class Compare(expr):
    left: expr
    ops: list[cmpop]
    comparators: list[expr]

class Call(expr):
    func: expr
    args: list[expr]
    keywords: list[keyword]

class FormattedValue(expr):
    value: expr
    conversion: int
    format_spec: expr | None

class Interpolation(expr):
    value: Any
    str: Any
    conversion: Any
    format_spec: Any

class JoinedStr(expr):
    values: list[expr]

class TemplateStr(expr):
    values: Any

class Constant(expr):
    value: Any
    kind: str | None

class Attribute(expr):
    value: expr
    attr: str
    ctx: expr_context

class Subscript(expr):
    value: expr
    slice: expr
    ctx: expr_context

class Starred(expr):
    value: expr
    ctx: expr_context

class Name(expr):
    id: str
    ctx: expr_context
    annotation: expr | None
    type_comment: str | None

class List(expr):
    elts: list[expr]
    ctx: expr_context

class Tuple(expr):
    elts: list[expr]
    ctx: expr_context

class Load(expr_context): ...
class Store(expr_context): ...
class Del(expr_context): ...
class AugLoad(expr_context): ...
class AugStore(expr_context): ...
class Param(expr_context): ...

class Slice(AST):
    lower: expr | None
    upper: expr | None
    step: expr | None

class And(boolop): ...
class Or(boolop): ...
class Add(operator): ...
class Sub(operator): ...
class Mult(operator): ...
class MatMult(operator): ...
class Div(operator): ...
class Mod(operator): ...
class Pow(operator): ...
class LShift(operator): ...
class RShift(operator): ...
class BitOr(operator): ...
class BitXor(operator): ...
class BitAnd(operator): ...
class FloorDiv(operator): ...
class Invert(unaryop): ...
class Not(unaryop): ...
class UAdd(unaryop): ...
class USub(unaryop): ...
class Eq(cmpop): ...
class NotEq(cmpop): ...
class Lt(cmpop): ...
class LtE(cmpop): ...
class Gt(cmpop): ...
class GtE(cmpop): ...
class Is(cmpop): ...
class IsNot(cmpop): ...
class In(cmpop): ...
class NotIn(cmpop): ...

class comprehension(AST):
    target: expr
    iter: expr
    ifs: list[expr]
    is_async: int

class ExceptHandler(excepthandler):
    type: expr | None
    name: Name | None
    body: list[stmt]

class arguments(AST):
    args: list[Name]
    posonlyargs: list[Name]
    vararg: Name | None
    kwonlyargs: list[Name]
    kw_defaults: list[expr | None]
    kwarg: Name | None
    defaults: list[expr]

class keyword(AST):
    arg: str | None
    value: expr

class alias(AST):
    name: str
    asname: str | None

class withitem(AST):
    context_expr: expr
    optional_vars: expr | None

class match_case(AST):
    pattern: pattern
    guard: expr | None
    body: list[stmt]

class MatchValue(pattern):
    value: expr

class MatchSingleton(pattern):
    value: Any

class MatchSequence(pattern):
    patterns: list[pattern]

class MatchMapping(pattern):
    keys: list[expr]
    patterns: list[pattern]
    rest: str | None

class MatchClass(pattern):
    cls: expr
    patterns: list[pattern]
    kwd_attrs: list[str]
    kwd_patterns: list[pattern]

class MatchStar(pattern):
    name: str | None

class MatchAs(pattern):
    pattern: pattern | None
    name: str | None

class MatchOr(pattern):
    patterns: list[pattern]

class type_ignore(AST): ...

class TypeVar(type_param):
    name: Any
    bound: Any
    default_value: Any

class ParamSpec(type_param):
    name: Any
    default_value: Any

class TypeVarTuple(type_param):
    name: Any
    default_value: Any

class NodeVisitor:
    def visit(self, node: AST) -> Any: ...
    def generic_visit(self, node: AST) -> Any: ...

class NodeTransformer(NodeVisitor): ...

@overload
def parse(
    source: str | bytes, filename: str = ..., mode: Literal["exec"] = ...
) -> Module: ...
@overload
def parse(
    source: str | bytes, filename: str = ..., *, mode: Literal["eval"]
) -> Expression: ...
def unparse(node: ast.AST) -> str: ...
def walk(node: AST) -> Iterator[AST]: ...
def iter_child_nodes(node: AST) -> Iterator[AST]: ...
def get_docstring(node: AST, clean: bool = ...) -> str | None: ...
def copy_location(new_node: _T, old_node: AST) -> _T: ...
def fix_missing_locations(node: _T) -> _T: ...
def dump(
    node: AST, annotate_fields: bool = ..., include_attributes: bool = ...
) -> str: ...
def literal_eval(node: AST | str) -> Any: ...
def gast_to_ast(node: AST) -> Any: ...
def ast_to_gast(node: ast.AST) -> Any: ...
