"""Rewritings of a whole function: its arguments, names, imports, and where it stands."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tests.metamorphic.patterns import replaced
from tests.metamorphic.scene import Scene

Rewriting = Callable[[Scene], bool]

WHOLES: dict[str, Rewriting] = {}


def rewriting(function: Rewriting) -> Rewriting:
    WHOLES[function.__name__.replace("_", " ")] = function
    return function


def plain(scene: Scene) -> list[str]:
    """The parameters' names where they are all of the ordinary kind; else none."""
    args = scene.function.args
    odd = args.posonlyargs or args.vararg or args.kwonlyargs or args.kwarg
    return [] if odd or args.defaults else [arg.arg for arg in args.args]


def renamed(scene: Scene, stem: str = "inner") -> str:
    """Gives the function a name of its own, so that another can stand for it."""
    name = scene.new(stem)
    for node in ast.walk(scene.function):
        if isinstance(node, ast.Name) and node.id == scene.original.name:
            node.id = name
    scene.function.name = name
    return name


def stands_for(scene: Scene, text: str) -> bool:
    """Ends the module with a function of the name that the other had."""
    scene.tree.body += ast.parse(text).body
    return True


# Ways to hand the arguments over: what the call says, what the callee says, and the
# statements with which it takes them apart. {p} is "a, b", {n} the names, {k} a=a.
BUNDLES = (
    ("(({p},))", "pack", "{p}, = pack"),
    ("[{p}]", "pack", "[{p}] = pack"),
    ("(({p},))", "pack", "{each_index}"),
    ("{{{items}}}", "pack", "{each_item}"),
    ("dict({k})", "pack", "{p}, = pack.values()"),
    ("dict({k})", "pack", "{each_get}"),
    ("{p}", "*args", "{p}, = args"),
    ("*({p},)", "{p}", ""),
    ("*[{p}]", "*args", "{each_args}"),
    ("**dict({k})", "{p}", ""),
    ("**{{{items}}}", "**kwargs", "{each_kwargs}"),
    ("{k}", "*, {p}", ""),
    ("{k}", "{p}, scale=1.0, *rest, **options", ""),
    ("Pack({p})", "pack", "{each_field}"),
    ("Pack({k})", "pack", "{p}, = pack.astuple()"),
    ("Pair({p})", "pack", "{p}, = pack"),
    ("Pair({k})", "pack", "{each_field}"),
    ("Pair(*({p},))", "pack", "{each_index}"),
    ("types.SimpleNamespace({k})", "pack", "{each_field}"),
    ("Pair({p})._asdict()", "pack", "{each_item}"),
    ("zip({names}, ({p},))", "pack", "pack = dict(pack); {each_item}"),
)
RECORDS = """
@dataclasses.dataclass
class Pack:
    {fields}
    def astuple(self):
        return ({selves},)
class Pair(typing.NamedTuple):
    {fields}
"""


@rewriting
def arguments_bundled(scene: Scene) -> bool:
    """The function hands its arguments to another in a tuple, a dict, a record."""
    names = plain(scene)
    if not names:
        return False
    given, taken, apart = scene.rng.choice(BUNDLES)
    scene.way = f"f({given}) where def f({taken}): {apart}"
    words = {
        "p": ", ".join(names),
        "k": ", ".join(f"{n}={n}" for n in names),
        "names": repr(names),
        "items": ", ".join(f'"{n}": {n}' for n in names),
        "fields": "; ".join(f"{n}: object" for n in names),
        "selves": ", ".join(f"self.{n}" for n in names),
        "each_index": "; ".join(f"{n} = pack[{k}]" for k, n in enumerate(names)),
        "each_item": "; ".join(f'{n} = pack["{n}"]' for n in names),
        "each_get": "; ".join(f'{n} = pack.get("{n}")' for n in names),
        "each_args": "; ".join(f"{n} = args[{k}]" for k, n in enumerate(names)),
        "each_kwargs": "; ".join(f'{n} = kwargs.pop("{n}")' for n in names),
        "each_field": "; ".join(f"{n} = pack.{n}" for n in names),
    }
    if {"pack", "args", "kwargs", "Pack", "Pair"} & scene.taken:
        return False
    given, taken, apart = (one.format(**words) for one in (given, taken, apart))
    if "Pack(" in given or "Pair(" in given:
        scene.above(RECORDS.format(**words))
    inner = renamed(scene)
    function = next(
        n for n in scene.tree.body if isinstance(n, ast.FunctionDef) and n.name == inner
    )
    function.args = ast.parse(f"def f({taken}): pass").body[0].args  # type: ignore
    function.body[:0] = ast.parse(apart).body
    head = f"def {scene.original.name}({words['p']}):\n"
    return stands_for(scene, f"{head}    return {inner}({given})")


# What stands for the function {i} with the parameters {p} under its name {f}.
STANDS = (
    "def {f}({p}, *rest, **options):\n    return {i}({p}, *rest, **options)",
    "def {f}(*args, **kwargs):\n    return {i}(*args, **kwargs)",
    "def {f}({p}, *, scale=1.0):\n    return {i}({p}) * scale",
    "def {f}({p}, /):\n    return {i}({p})",
    "def {f}({p}, function={i}):\n    return function({p})",
    "def {f}({p}):\n    value = {i}\n    return value({p})",
    "def {f}({p}):\n    table = {{'it': {i}, 'sin': np.sin}}\n    return table['it']({p})",
    "def {f}({p}):\n    return [{i}][0]({p})",
    "def {f}({p}):\n    for step in [{i}]:\n        value = step({p})\n    return value",
    "def {f}({p}):\n    return (lambda *args: {i}(*args))({p})",
    "def {f}({p}):\n    return getattr(Space, 'it')({p})\nclass Space:\n    it = {i}",
    "def {f}({p}):\n    return Run({p})()\nclass Run:\n    def __init__(self, *args):\n"
    "        self.args = args\n    def __call__(self):\n        return {i}(*self.args)",
    "{f} = {i}",
    "{f} = lambda {p}: {i}({p})",
    "{f} = functools.partial({i})",
    "def make():\n    def {f}({p}):\n        return {i}({p})\n    return {f}\n{f} = make()",
    "def deco(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):"
    "\n        return function(*args, **kwargs)\n    return wrapper\n{f} = deco({i})",
    "def deco(function):\n    def wrapper(*args):\n        result = function(*args)\n"
    "        print('called')\n        return result\n    return wrapper\n"
    "@deco\ndef {f}({p}):\n    return {i}({p})",
    "class Model:\n    def {f}(self, {p}):\n        return {i}({p})\n{f} = Model().{f}",
    "class Model:\n    def __call__(self, {p}):\n        return {i}({p})\n{f} = Model()",
    "class Model:\n    @staticmethod\n    def {f}({p}):\n        return {i}({p})\n"
    "{f} = Model.{f}",
    "class Model:\n    @classmethod\n    def {f}(cls, {p}):\n        return {i}({p})\n"
    "{f} = Model.{f}",
    "def {f}({p}):\n    try:\n        return {i}({p})\n    except ValueError as error:\n"
    "        raise RuntimeError('no') from error",
    "def {f}({p}):\n    result = None\n    with np.errstate(all='ignore'):\n"
    "        result = {i}({p})\n    return result",
    "def {f}({p}):\n    return functools.reduce(lambda value, g: g(value), "
    "[lambda args: {i}(*args)], ({p},))",
    "def {f}({p}):\n    return sum(map({i}, *([one] for one in ({p},))))",
    "def {f}({p}):\n    values = locals()\n    return {i}(**values)",
    "@np.errstate(all='ignore')\ndef {f}({p}):\n    return {i}({p})",
    "def {f}({p}):\n    value, extra = both({p})\n    return value\n"
    "def both({p}):\n    return {i}({p}), {{'steps': 3}}",
    "def {f}({p}):\n    return run({i}, {p})\ndef run(g, *args, times=1):\n"
    "    for _ in range(times):\n        value = g(*args)\n    return value",
    "def {f}({p}):\n    def go(depth):\n        if depth == 0:\n            return {i}({p})"
    "\n        return go(depth - 1)\n    return go(3)",
    "def {f}({p}):\n    stack = []\n    stack.append({i}({p}))\n    return stack.pop()",
    "def {f}({p}):\n    global_scale = np.float64(1)\n    return global_scale * {i}({p})",
    "def {f}({p}):\n    return np.mean([{i}({p}) for _ in range(2)], axis=0)",
    "def {f}({p}):\n    return 0.5 * sum({i}({p}) for _ in range(2))",
    "def {f}({p}):\n    return (lambda: {i}({p}))()",
)


@rewriting
def stood_for(scene: Scene) -> bool:
    """Another function, method or object is called, and calls the function."""
    names = plain(scene)
    if not names:
        return False
    used = {"make", "deco", "Model", "Space", "Run", "both", "run", "go", "table"}
    if used & scene.taken:
        return False
    inner = renamed(scene, "_inner" if scene.rng.random() < 0.5 else "impl")
    words = {"f": scene.original.name, "i": inner, "p": ", ".join(names)}
    scene.way = scene.rng.choice(STANDS)
    return stands_for(scene, scene.way.format(**words))


@rewriting
def changed_arguments(scene: Scene) -> bool:
    """The function begins with copies, conversions or tests of its arguments."""
    names = plain(scene)
    if not names:
        return False
    name = scene.rng.choice(names)
    texts = (
        "{x} = np.asarray({x})",
        "{x} = np.asarray({x}, dtype=float)",
        "{x} = np.array({x}, copy=True)",
        "{x} = np.atleast_1d({x}) if np.ndim({x}) == 0 and False else {x}",
        "if not isinstance({x}, np.ndarray):\n    {x} = np.asarray({x})",
        "if isinstance({x}, (list, tuple)):\n    {x} = np.array({x})",
        "if {x} is None:\n    raise ValueError('no {x}')",
        "{x} = {x} if {x} is not None else 0.0",
        "_x = {x}\n{x} = _x",
        "{x} = 1.0 * {x}",
        "assert {x} is not None",
        "if hasattr({x}, 'values'):\n    {x} = {x}.values",
        "if np.isscalar({x}):\n    {x} = float({x})",
        "{x}, _ = {x}, np.shape({x})",
        "if callable({x}):\n    {x} = {x}()",
        "try:\n    {x} = np.asarray({x}, dtype=np.float64)\nexcept (TypeError, ValueError):"
        "\n    raise TypeError('{x} is no array')",
        "if np.any(np.isnan({x})):\n    raise ValueError('nan')",
        "if not np.all(np.isfinite({x})):\n    return np.nan",
        "{x} = {x} + np.zeros(np.shape({x}))",
        "{x} = copy.deepcopy({x})",
        "if type({x}) is int:\n    {x} = float({x})",
    )
    scene.way = scene.rng.choice(texts)
    text = scene.way.format(x=name)
    scene.function.body[:0] = ast.parse(text).body
    return True


@rewriting
def defaults(scene: Scene) -> bool:
    """A constant of the body becomes a parameter with a default."""
    constants = [
        n
        for n in ast.walk(scene.function)
        if isinstance(n, ast.Constant) and type(n.value) is float
    ]
    args = scene.function.args
    if not constants or args.vararg or args.kwarg:
        return False
    node = scene.rng.choice(constants)
    name = scene.new("rate")
    value = ast.Constant(node.value)
    if scene.rng.random() < 0.4:
        args.kwonlyargs.append(ast.arg(name))
        args.kw_defaults.append(value)
    else:
        args.args.append(ast.arg(name))
        args.defaults.append(value)
    for parent in ast.walk(scene.function):
        for field, found in ast.iter_fields(parent):
            if found is node:
                setattr(parent, field, ast.Name(name, ast.Load()))
            elif (
                isinstance(found, list) and node in found and found is not args.defaults
            ):
                found[found.index(node)] = ast.Name(name, ast.Load())
    return True


ODD = "d_x value grad out seed g np_ d_out shape tape k_ y0 _ i_ d_y vjp result".split()


@rewriting
def names(scene: Scene) -> bool:
    """The locals have other names, such as those that a gradient's text would choose."""
    args = {a.arg for a in ast.walk(scene.function) if isinstance(a, ast.arg)}
    local = sorted(
        {
            n.id
            for n in ast.walk(scene.function)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        - args
    )
    if not local or any(isinstance(n, ast.Nonlocal) for n in ast.walk(scene.tree)):
        return False
    odd = [
        name for name in (*ODD, *(f"d_{a}" for a in args)) if name not in scene.taken
    ]
    scene.rng.shuffle(odd)
    given = dict(zip(local, odd))
    for node in ast.walk(scene.function):
        if isinstance(node, ast.Name) and node.id in given:
            node.id = given[node.id]
        elif isinstance(node, ast.ExceptHandler) and node.name in given:
            node.name = given[node.name]
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name in given:
            node.name = given[node.name]
    return True


@rewriting
def one_name(scene: Scene) -> bool:
    """Every name that is assigned once, and read in the next statement alone, is `t`."""
    found = False
    name = scene.new("t")
    for body in scene.bodies():
        for one, after in zip(body, body[1:]):
            if not (
                isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
            ):
                continue
            old = one.targets[0].id
            uses = [
                n
                for n in ast.walk(scene.function)
                if isinstance(n, ast.Name) and n.id == old
            ]
            inside = [n for n in ast.walk(after) if n in uses]
            if len(one.targets) == 1 and len(inside) + 1 == len(uses):
                for use in uses:
                    use.id = name
                found = True
    return found


@rewriting
def imports(scene: Scene) -> bool:
    """NumPy is imported in another way."""
    way = scene.rng.randrange(8)
    uses = [
        n
        for n in ast.walk(scene.tree)
        if isinstance(n, ast.Attribute)
        and isinstance(n.value, ast.Name)
        and n.value.id == "np"
    ]
    used = sorted({n.attr for n in uses})
    read = {n.id for n in ast.walk(scene.tree) if isinstance(n, ast.Name)}
    if not uses or "numpy" in read:
        return False
    if way == 0:
        text = "import numpy"
        _rename(scene.tree, "np", "numpy")
    elif way == 1:
        text = "from numpy import *\nimport numpy as np"
        plain_ = {
            n
            for n in used
            if n
            not in ("sum", "abs", "max", "min", "round", "linalg", "pow", "all", "any")
        }
        _bare(scene.tree, {n: n for n in plain_ if n not in scene.taken})
    elif way == 2:
        short = {n: f"{n}_" for n in used}
        names = ", ".join(f"{n} as {s}" for n, s in short.items())
        text = f"import numpy as np\nfrom numpy import {names}"
        _bare(scene.tree, short)
    elif way == 3:
        text = "import numpy as np\nxp = np"
        _rename(scene.function, "np", "xp")
    elif way == 4:
        scene.function.body[:0] = ast.parse("import numpy as numpy_").body
        _rename(scene.function, "np", "numpy_")
        return True
    elif way == 5:
        short = {n: f"np_{n}" for n in used}
        lines = "\n".join(f"np_{n} = np.{n}" for n in used)
        text = f"import numpy as np\n{lines}"
        _bare(scene.tree, short)
    elif way == 6:
        node = scene.rng.choice(uses)
        made = ast.parse(f"getattr(np, {node.attr!r})", mode="eval").body
        replaced(scene.tree, node, made)
        return True
    else:
        text = "import importlib\nnp = importlib.import_module('numpy')"
    body = []
    for statement in scene.tree.body:
        numpy = isinstance(statement, ast.Import) and statement.names[0].name == "numpy"
        body += (
            ast.parse(text).body if numpy and len(statement.names) == 1 else [statement]
        )
    scene.tree.body = body
    return True


def _rename(tree: ast.AST, old: str, new: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new


def _bare(tree: ast.AST, short: dict[str, str]) -> None:
    """np.sin becomes what `short` says for sin."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            for item in value if isinstance(value, list) else [value]:
                if (
                    isinstance(item, ast.Attribute)
                    and isinstance(item.value, ast.Name)
                    and item.value.id == "np"
                    and item.attr in short
                ):
                    new = ast.Name(short[item.attr], ast.Load())
                    if isinstance(value, list):
                        value[value.index(item)] = new
                    else:
                        setattr(node, field, new)
