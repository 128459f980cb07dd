"""Rewritings that are patterns: `np.sum(<A>) => <A>.sum()`, read from tables.

A table is text in blocks. The first line of a block is the rewriting's name, a colon and
what it does; an indented line `pattern => text` is one way of it. A way of several lines
has `=>` alone between its parts, and may begin with `above:`, statements for the module,
or `before:`, statements before the one in which the pattern stands.

Slots of a pattern by their first letter: <A> <B> <C> arrays of floats, <M> a matrix, <V> a
vector, <E> <F> floats of any kind, <S> a number, <n> an integer, <k> what is written as a
number, <x> a name that is assigned, <X> anything, <body> statements. In the text $name is
a name that is new, and of what <E> reads <params> are the names, <keys> a=a, <items>
"a": a, <selves> self.a, <fields> what a dataclass has; <self E> is E with self.a for a.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.metamorphic.scene import Kind, Scene

SLOT = re.compile(r"<(\w+)>")
HELD = re.compile(r"SLOT_(\w+)_")
SOURCE = re.compile(r"<(self )?(\w+)>|\$(\w+)")


@dataclass(frozen=True)
class Way:
    """One pattern and what is written in its place."""

    pattern: str
    text: str
    above: str = ""
    before: str = ""

    @property
    def is_statement(self) -> bool:
        tree = parsed(self.pattern)
        whole = len(tree) > 1 or not isinstance(tree[0], ast.Expr)
        return whole or "\n" in self.text or self.pattern == "<body>"


@dataclass(frozen=True)
class Patterns:
    """A rewriting by patterns: one of its ways, at some of the places that it fits."""

    name: str
    ways: tuple[Way, ...]

    def __call__(self, scene: Scene) -> bool:
        for way in scene.rng.sample(self.ways, len(self.ways)):
            if (of_statements if way.is_statement else of_expressions)(scene, way):
                scene.way = f"{way.pattern} => {way.text}"
                return True
        return False


def table(text: str) -> list[Patterns]:
    """The rewritings of a table."""
    found = []
    for block in re.split(r"\n(?=\S)", text.strip("\n")):
        head, _, rest = block.partition("\n")
        found.append(Patterns(head.partition(":")[0], tuple(ways(rest))))
    return found


def ways(text: str) -> Iterator[Way]:
    """The ways of a block; those of several lines end with an empty one."""
    for part in re.split(r"\n\s*\n", text):
        lines = [line[4:] for line in part.splitlines() if line.strip()]
        if all(" => " in line for line in lines):
            for line in lines:
                pattern, _, new = line.partition(" => ")
                yield Way(pattern.strip(), new.strip())
            continue
        parts: dict[str, list[str]] = {"pattern": []}
        at = "pattern"
        for line in lines:
            if line in ("above:", "before:"):
                at = line[:-1]
            elif line == "=>":
                at = "text"
            else:
                parts.setdefault(at, []).append(line)
            parts.setdefault(at, [])
        made = {key: "\n".join(value) for key, value in parts.items()}
        yield Way(**made)


def parsed(pattern: str) -> list[ast.stmt]:
    return ast.parse(SLOT.sub(r"SLOT_\1_", pattern)).body


def fits(letter: str, node: ast.AST, kind: Kind | None) -> bool:
    """Whether a part may stand in a slot."""
    if letter[0] in "XYZ":
        return True
    if letter[0] == "k":
        return isinstance(node, ast.Constant) and type(node.value) in (int, float)
    if letter[0] == "x":
        return isinstance(node, ast.Name)
    if kind is None:
        return False
    if letter[0] in "ABC":
        return kind.sort == "array"
    if letter[0] in "MVW":
        return kind == Kind("array", 2 if letter[0] == "M" else 1)
    if letter[0] in "EFG":
        return kind.sort in ("array", "number")
    return (
        kind.sort == {"S": "number", "T": "number", "n": "int", "m": "int"}[letter[0]]
    )


def matched(pattern: Any, node: Any, scene: Scene, slots: dict[str, Any]) -> bool:
    """Whether a tree is of a pattern; what stands in the slots goes into `slots`."""
    if isinstance(pattern, ast.Name) and (held := HELD.fullmatch(pattern.id)):
        letter = held[1]
        if letter in slots:
            return ast.dump(slots[letter]) == ast.dump(node)
        if not isinstance(node, ast.expr) or not fits(letter, node, scene.kind(node)):
            return False
        slots[letter] = node
        return True
    if isinstance(pattern, list):
        return of_list(pattern, node, scene, slots)
    if not isinstance(pattern, ast.AST):
        return bool(type(pattern) is type(node) and pattern == node)
    if type(pattern) is not type(node):
        return False
    return all(
        matched(getattr(pattern, field, None), getattr(node, field, None), scene, slots)
        for field in pattern._fields
        if field not in ("type_comment", "kind")
    )


def of_list(pattern: list, nodes: Any, scene: Scene, slots: dict[str, Any]) -> bool:
    """A list of parts, where <body> stands for all the statements that are left."""
    for k, part in enumerate(pattern):
        if is_body(part):
            rest = len(pattern) - k - 1
            if len(nodes) - k - rest < 1:
                return False
            slots["body"] = nodes[k : len(nodes) - rest]
            tail = nodes[len(nodes) - rest :] if rest else []
            return of_list(pattern[k + 1 :], tail, scene, slots)
        if k >= len(nodes) or not matched(part, nodes[k], scene, slots):
            return False
    return len(nodes) == len(pattern)


def is_body(part: Any) -> bool:
    return (
        isinstance(part, ast.Expr)
        and isinstance(part.value, ast.Name)
        and part.value.id == "SLOT_body_"
    )


def of_expressions(scene: Scene, way: Way) -> bool:
    """One to some of the expressions that fit are written in another way."""
    pattern = parsed(way.pattern)[0]
    assert isinstance(pattern, ast.Expr)
    places = []
    for node in ast.walk(scene.function):
        slots: dict[str, Any] = {}
        if isinstance(node, ast.expr) and is_read(node):
            if matched(pattern.value, node, scene, slots) and can_move(slots, way):
                places.append((node, slots))
    chosen = some(scene, places)
    for node, slots in chosen:
        texts = Texts(scene, slots)
        if way.above:
            scene.above(texts.filled(way.above))
        if way.before:
            into_before(scene, node, texts.filled(way.before))
        new = ast.parse(texts.filled(way.text), mode="eval").body
        replaced(scene.function, node, new)
    return bool(chosen)


def some(scene: Scene, places: list[tuple[ast.AST, Any]]) -> list[tuple[ast.AST, Any]]:
    """One to three of the places, none of them within another."""
    chosen: list[tuple[ast.AST, Any]] = []
    for place in scene.rng.sample(places, len(places)):
        inside = {id(n) for n in ast.walk(place[0])}
        if any(id(one) in inside or place[0] in ast.walk(one) for one, _ in chosen):
            continue
        chosen.append(place)
        if scene.rng.random() < 0.5 or len(chosen) == 3:
            break
    return chosen


def is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def can_move(slots: dict[str, Any], way: Way) -> bool:
    """Whether what stands in the slots may go into a function of its own."""
    if not (way.above or way.before or "lambda" in way.text):
        return True
    kept = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Starred)
    return not any(
        isinstance(n, kept) or getattr(n, "id", "") == "super"
        for part in slots.values()
        for one in (part if isinstance(part, list) else [part])
        for n in ast.walk(one)
    )


def into_before(scene: Scene, node: ast.AST, text: str) -> None:
    """Statements before the innermost one that has the expression."""
    holders = [
        (body, k)
        for body in scene.bodies()
        for k, statement in enumerate(body)
        if any(n is node for n in ast.walk(statement))
    ]
    body, k = holders[-1]
    body[k:k] = ast.parse(text).body


def replaced(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Puts a tree in the place of another."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
                return
            if isinstance(value, list):
                for k, item in enumerate(value):
                    if item is old:
                        value[k] = new
                        return


def of_statements(scene: Scene, way: Way) -> bool:
    """A run of statements that fits is written in another way."""
    pattern = parsed(way.pattern)
    runs = []
    for body in scene.bodies():
        if len(pattern) == 1 and is_body(pattern[0]):
            for start in range(len(body)):
                stop = scene.rng.randint(start + 1, min(start + 3, len(body)))
                runs.append((body, start, stop, {"body": body[start:stop]}))
            continue
        for start in range(len(body) - len(pattern) + 1):
            slots: dict[str, Any] = {}
            stop = start + len(pattern)
            if of_list(pattern, body[start:stop], scene, slots):
                runs.append((body, start, stop, slots))
    runs = [run for run in runs if can_move(run[3], way) or not way.above]
    if re.search(r"^\s*(for|while) ", way.text, re.MULTILINE):
        runs = [run for run in runs if way.pattern != "<body>" or not leaves(run[3])]
    if not runs:
        return False
    body, start, stop, slots = scene.rng.choice(runs)
    texts = Texts(scene, slots)
    if way.above:
        scene.above(texts.filled(way.above))
    body[start:stop] = ast.parse(texts.filled(way.text)).body
    return True


def leaves(slots: dict[str, Any]) -> bool:
    """Whether statements return, or end or go on with a loop."""
    ends = (ast.Return, ast.Break, ast.Continue)
    return any(isinstance(n, ends) for s in slots["body"] for n in ast.walk(s))


class Texts:
    """Texts with slots, filled with what has been matched."""

    def __init__(self, scene: Scene, slots: dict[str, Any]) -> None:
        self.scene, self.slots = scene, slots
        self.fresh: dict[str, str] = {}
        self.names = sorted(self.read())

    def read(self) -> set[str]:
        """The names of the function that the parts read."""
        parts = [p for p in self.slots.values() if isinstance(p, ast.AST)]
        found: set[str] = set()
        for part in parts:
            inner = {
                n.id
                for n in ast.walk(part)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            } | {n.arg for n in ast.walk(part) if isinstance(n, ast.arg)}
            for n in ast.walk(part):
                if isinstance(n, ast.Name) and n.id not in inner:
                    found.add(n.id)
        return found - self.scene.module_names - set(dir(builtins))

    def filled(self, text: str) -> str:
        lines = []
        for line in text.splitlines():
            body = re.fullmatch(r"(\s*)<body>\s*", line)
            if body:
                made = "\n".join(ast.unparse(s) for s in self.slots["body"])
                lines += [body[1] + one for one in made.splitlines()]
            else:
                lines.append(SOURCE.sub(self.part, line))
        return "\n".join(lines)

    def part(self, match: re.Match[str]) -> str:
        of_self, slot, fresh = match.groups()
        if fresh:
            if fresh not in self.fresh:
                self.fresh[fresh] = self.scene.new(fresh)
            return self.fresh[fresh]
        names = self.names
        lists = {
            "params": ", ".join(names),
            "keys": ", ".join(f"{n}={n}" for n in names),
            "items": ", ".join(f'"{n}": {n}' for n in names),
            "selves": ", ".join(f"self.{n}" for n in names),
            "fields": "; ".join(f"{n}: object" for n in names) or "pass",
            "name": self.scene.original.name,
        }
        if slot in lists:
            return lists[slot]
        node = self.slots[slot]
        if of_self:
            node = OfSelf(set(names)).visit(copy.deepcopy(node))
        made = ast.unparse(node)
        simple = isinstance(node, (ast.Name, ast.Constant, ast.Subscript, ast.Call))
        return made if simple or isinstance(node, ast.Attribute) else f"({made})"


class OfSelf(ast.NodeTransformer):
    """self.a for each name a."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.names:
            return ast.Attribute(ast.Name("self", ast.Load()), node.id, node.ctx)
        return node
