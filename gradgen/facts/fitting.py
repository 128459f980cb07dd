"""What an argument of unknown rank broadcasts to: the arrays that it meets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gradgen.facts.fits import ARRAYS, DATA, LETTERS, OBSERVED, PREDICTIONS
from gradgen.facts.fits import are_of_one_kind, arrays_beside, response_of
from gradgen.facts.meeting import met, same_as
from gradgen.facts.numbers import MOMENTS, NUMBERS, PARTS, TABLE, is_parameter, is_plain
from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Loop, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, MEASURES, TOTALS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads, statements
from gradgen.rules.load import operations
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import NoRanks, Ranks
from gradgen.shapes.shape import Shape, whole
from gradgen.shapes.spec import read_size

# the shape of the main array, where no rank is known of that either
ITS = "*s"
# where a curve of x has its centre, and how wide it is
CURVES = frozenset("s x0 t0 y0 z0 r0".split())


def fitting(
    primal: Function,
    facts: Facts,
    names: Collection[str],
    letters: Collection[str],
    vectors: Collection[str] = (),
) -> dict[str, str]:
    """The arguments among `names` that are taken for what stretches nothing, and facts.

    Elementwise such an argument meets arrays of which the axes are known, and made of
    the `letters`. It broadcasts to the smallest of these, if that does to the others.
    `facts` are those of arguments that are numbers as far as nothing is known of them.
    What has a capital is no vector, but beside others of those letters in `vectors`.

        before:  eta = X @ beta + offset        # X (n, d), beta (d)
        after:   offset broadcasts to (n)
    """
    shapes_met: dict[str, set[Shape]] = {}
    capital = {name for name in names if name[:1].isupper()}
    for name, shape in met(primal, facts, names):
        shapes_met.setdefault(name, set()).add(shape)
    stretched = any(_stretches(let, facts) for let in lets(primal.body))
    found = {}
    for name, shapes in shapes_met.items():
        if shapes == {whole(ITS)}:
            found[name] = ITS
            continue
        if any(shape.rank is None for shape in shapes):
            continue
        smallest = min(shapes, key=lambda shape: (shape.rank or 0, str(shape.dims)))
        dims = smallest.dims or ()
        if not all(smallest <= other for other in shapes):
            continue
        if stretched and any(ONE in (shape.dims or ()) for shape in shapes):
            continue  # x[:, None] - y is written to be stretched
        short = [dim for dim in dims if not dim.number and dim.symbol not in vectors]
        if len(dims) < 2 and name in capital and short:
            continue
        if dims == (ONE,) and name in _counted(primal):
            continue  # np.zeros(nu.size) is (1) of a number alone
        if all(is_told(dim, letters) for dim in dims):
            found[name] = " ".join(str(dim).replace(" ", "") for dim in dims)
    return found


def _counted(primal: Function) -> set[str]:
    """The arguments whose entries are counted: range(nu.size)."""
    labels = {param.var: param.label for param in primal.params}
    values = (let.value for let in lets(primal.body))
    measured = [v for v in values if isinstance(v, Apply) and v.op in MEASURES]
    return {labels[var] for one in measured for var in reads(one) if var in labels}


def _stretches(let: Let, facts: Facts) -> bool:
    """Whether an axis of length 1 is made: x[:, None], keepdims, reshape, np.outer.

    A column of zeros is no such axis.
    """
    value = let.value
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    if rule is None or rule.kind in ("constant", "creation"):
        return False
    made, *given = (facts.of(Ref(var)).dims or () for var in (let.var, *reads(value)))
    return ONE in made and not any(ONE in dims for dims in given)


def main_array(
    primal: Function,
    facts: Facts,
    names: Collection[str],
    asked: Collection[str],
    arrays: Collection[str] = (),
) -> str:
    """The argument of unknown rank that others are held against; "" for none.

    It surely has axes: it is reduced, or one of its entries or lengths is read; or it is
    the first of the terms that are summed; or else it is called a prediction. Or it is
    what a loop begins with, or the first of the data where a gradient is `asked` in
    parameters alone, or in arrays alone by their names.

        before:  np.sum((x - mean) ** 2)        x.mean(axis=-1)      np.sum(x * x + y * y)
        after:   x                              x                    x
    """
    ranks = Ranks(primal, facts, True)
    try:
        ranks.settle()
    except NoRanks:
        return ""
    of = {param.var: param.label for param in primal.params if param.label in names}
    found = {name: 0 not in ranks.of(Ref(var)) for var, name in of.items()}
    starts: list[str] = []
    sums = False
    free = [param for param in primal.params if param.label in {*names, *asked}]
    ways: dict[Var, list[Expr]] = {}
    for stmt in statements(primal.body):
        if isinstance(stmt, Branch):
            ways |= {one.var: [one.then, one.orelse] for one in stmt.merges}
        for slot in stmt.carried if isinstance(stmt, Loop) else ():
            name = of.get(slot.entry.var) if isinstance(slot.entry, Ref) else None
            if name is not None:
                of[slot.inner] = of[slot.exit] = name
                starts.append(name)
        sums = sums or isinstance(stmt, Let) and _reduces(stmt)
        if isinstance(stmt, Let) and isinstance(stmt.value, Apply):
            first = _first_of(stmt.value.args[0], facts) if _reduces(stmt) else None
            firsts = [first] if first is not None else []
            for way in ways.get(firsts[0], ()) if firsts else ():
                firsts += [var for var in [_first_of(way, facts)] if var is not None]
            found |= {of[var]: True for var in firsts if var in of}
    sure = [name for name in names if found.get(name)]
    sure += [name for name in names if name in PREDICTIONS]
    data = [name for name in names if name not in asked and _is_data(name)]
    sure = sorted(sure, key=lambda name: not name[:1].isupper())
    # of numbers, or of a vector of them: theta, tx, ty = params
    known = set(asked).isdisjoint(names)
    fitted = sums and asked and (known or all(map(is_parameter, asked)))
    response = response_of(primal, free, asked) if sums else ""
    sure = [response, *sure] if response and not known else sure  # none is larger
    data.sort(key=lambda name: name not in DATA - OBSERVED - LETTERS - {response})
    sure += [name for name in names if name in starts] or (data if fitted else [])
    if sums and ARRAYS.issuperset(asked):
        sure += [name for name in names if name in asked]
    others = {name for name in names if name not in asked}
    numbers = all(
        is_parameter(name) and name != "theta" or name in CURVES or is_error(name)
        for name in asked
    )
    beside = arrays_beside(asked, others, arrays)
    may_be_numbers = all("." in one for one in asked)  # self.k
    fits_data = bool(beside) or numbers and not others.isdisjoint(DATA)
    sure += beside if len(beside) == 1 else []
    if is_formula(primal, facts) and not fits_data:
        own = [name for name in names if name in asked and not may_be_numbers]
        if len(own) > 1 and not are_of_one_kind(own):
            return ""  # a * np.exp(-b * t) in a and t: any of them may be a number
        sure += own
    if not sure and not fits_data and not may_be_numbers:
        sure = [name for name in names if name in asked][:1]
    return TABLE if sure and TABLE in names else sure[0] if sure else ""


def surely_arrays(primal: Function, facts: Facts, names: Collection[str]) -> set[str]:
    """The arguments among `names` that cannot be numbers: entries of them are read."""
    ranks = Ranks(primal, facts, True)
    try:
        ranks.settle()
    except NoRanks:
        return set()
    of = {param.label: param.var for param in primal.params}
    return {name for name in names if 0 not in ranks.of(Ref(of[name]))}


def is_formula(primal: Function, facts: Facts, summed: bool = False) -> bool:
    """Whether a function computes entry by entry alone: np.sqrt(a**2 - b**2).

    Its arguments are numbers, or arrays of one shape, if nothing tells otherwise. All of
    it may be `summed`, or its mean taken, and entries may be moved: np.roll(u, 1, axis=0).
    """
    known = (param for param in primal.params if facts.rank(Ref(param.var)))
    if next(known, None) is not None or any(map(_is_loop, primal.body)):
        return False
    return all(
        _is_entrywise(let) or summed and (_is_total(let) or _is_moved(let))
        for let in lets(primal.body)
    )


def _is_total(let: Let) -> bool:
    """Whether a value is the sum or the mean of all entries."""
    value = let.value
    return isinstance(value, Apply) and value.op in TOTALS and not value.kwargs


def _is_moved(let: Let) -> bool:
    """Whether a value has the shape of the array that it is made of."""
    value = let.value
    if not isinstance(value, Apply) or value.op not in operations():
        return False
    return same_as(operations()[value.op], value) is not None


def _is_loop(stmt: Stmt) -> bool:
    return any(isinstance(one, Loop) for one in statements((stmt,)))


def _is_entrywise(let: Let) -> bool:
    """Whether a value is computed entry by entry, comparisons and choices as well."""
    value = let.value
    if not isinstance(value, Apply):
        return True
    rule = operations().get(value.op)
    kinds = ("elementwise", "boolean", "constant")
    return rule is not None and rule.kind in kinds and not value.kwargs


def _is_data(name: str) -> bool:
    """Whether a name is none of a number, as lat0, R, dt and log_scale are."""
    plain = name.islower() and not name[-1].isdigit() and not name.startswith("log")
    return plain and name not in NUMBERS


def _reduces(let: Let) -> bool:
    """Whether a value is a sum of an array, a mean, a maximum: nobody takes a number's."""
    value = let.value
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    if rule is None or rule.kind not in ("linear", "general"):
        return False
    joins = (
        getattr(value.args[0], "op", "") in ("list", "tuple") if value.args else True
    )
    return value.op not in PARTS and rule.shape is not None and not joins


def is_error(name: str) -> bool:
    """Whether a name is one of the errors of data, which may be one for all: yerr."""
    return name.endswith("err")


def twins(
    primal: Function,
    facts: Facts,
    found: Mapping[str, str],
    asked: Collection[str],
    main: str,
) -> set[str]:
    """The arguments that a gradient is asked of as well, and that have the main one's shape.

    before:  np.sum(u * v)     -0.5 * np.sum(1 + logvar - mu**2 - np.exp(logvar))
    after:   v of u            mu of logvar

    So does a target that is asked for beside what predicts it, and mu beside logvar.
    Not what is called like a number beside it, scale of np.sum(np.tanh(x * scale)), or an
    error, yerr, which is one for all or one for each; no gain of rows that are normalised.
    Where rounds compute an array of an array, as Newton's do of Kepler's equation, another
    one may be a number if it is not of the same kind by its name.
    """
    of_one = main in MOMENTS
    own = {name for name, fact in found.items() if fact == ITS and name in asked}
    if main not in asked:
        return own & (MOMENTS if of_one else ARRAYS - LETTERS | OBSERVED)
    own = {name for name in own if not is_error(name)}
    if any(map(_is_loop, primal.body)) and not are_of_one_kind([main, *own]):
        if any(facts.of(value) == whole(ITS) for value in primal.values):
            return set()
    plain = all(map(is_plain, lets(primal.body)))
    if main == TABLE:
        own = {name for name in own if name[:1].isupper()}
    if is_formula(primal, facts):
        # lat0 of the place that x, y and z are seen from is one, or may be
        return {name for name in own if name[-1:] != "0" or main[-1:] == "0"}
    pairs = {name for name in own if of_one and name in MOMENTS}
    return pairs | {name for name in own if plain and not is_parameter(name)}


def factors_of(
    primal: Function, facts: Facts, found: Mapping[str, str], main: str
) -> set[str]:
    """The arguments that have the main one's shape, since its gradient is made of them.

    before:  1 - 2 * np.sum(pred * target) / (np.sum(pred) + np.sum(target))
    after:   target of pred

    All that is done with the main one is to sum it, or its products with them: what flows
    back has their shape, and would have to be filled up to that of the main one.
    """
    if ITS not in found.values():
        return set()
    of = {param.var: param.label for param in primal.params}
    factors: set[str] = set()
    products: set[Var] = set()
    for let in lets(primal.body):
        value, given = let.value, reads(let.value)
        read = [of[var] for var in given if var in of]
        inside = not products.isdisjoint(given)
        if main not in read and not inside:
            continue
        if not isinstance(value, Apply):
            return set()
        if value.op == "numpy.multiply" and len(set(read)) == len(given) == 2:
            factors |= {name for name in read if name != main}
            products.add(let.var)
        elif value.op not in TOTALS or len(given) != 1:
            return set()
    fits = {name for name in factors if found.get(name) == ITS}
    # s of s * X may be a number
    alike = {name for name in fits if name[:1].isupper() == main[:1].isupper()}
    parts = {param.label for param in primal.params if param.bundle}
    # what an object holds, or options do, may be a number
    return {name for name in alike - parts if not is_parameter(name)}


def masking(primal: Function, facts: Facts, free: Collection[str]) -> set[str]:
    """The arguments that masks are made of by which arrays of the main one's shape are read.

    before:  mask = a != 0
             np.sum((p / a)[mask])
    after:   a has the shape of p

    Those alone that are `free`: nothing is known of their rank.
    """
    of = {param.var: param.label for param in primal.params}
    names: set[str] = set()
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op not in ("getitem", "setitem"):
            continue
        array, key = value.args[:2]
        if facts.is_boolean(key) and facts.of(array) == whole(ITS):
            ends = set(upstream(key, facts.definitions, _compared))
            given = {of.get(end.var, "") for end in ends if isinstance(end, Ref)}
            names |= given if given <= set(free) else set()
    return names


def _compared(value: Apply) -> Sequence[Expr] | None:
    """The operands of what is computed entry by entry, comparisons as well."""
    rule = operations().get(value.op)
    kinds = ("elementwise", "boolean")
    known = rule is not None and rule.kind in kinds and not value.kwargs
    return value.args if known else None


def states(primal: Function, facts: Facts, names: Collection[str]) -> set[str]:
    """The arguments that loops make larger from round to round, as numbers would be."""
    of = {param.var: param.label for param in primal.params if param.label in names}
    return {
        of[slot.entry.var]
        for stmt in statements(primal.body)
        for slot in (stmt.carried if isinstance(stmt, Loop) else ())
        if isinstance(slot.entry, Ref) and slot.entry.var in of
        if facts.shapes[slot.inner] != facts.shapes[slot.entry.var]
    }


def _first_of(value: Expr, facts: Facts) -> Var | None:
    """The variable of the first term of a value, with what is done to it by itself."""
    made: Expr | None = value
    while isinstance(made, Ref):
        var, made = made.var, facts.definitions.get(made.var)
        if made is None:
            return var
        if isinstance(made, Apply):
            rule = operations().get(made.op)
            if rule is None or rule.shape is not None:
                return None
            alike = len({arg for arg in made.args if isinstance(arg, Ref)}) == 1
            if not alike and made.op not in ADDITIVE:
                return None
            given = (arg for arg in made.args if isinstance(arg, Ref))
            made = next((arg for arg in given if facts.rank(arg) != 0), None)
    return None


def is_told(dim: Dim, letters: Collection[str]) -> bool:
    """Whether the lengths of arguments tell a size."""
    text = str(dim).replace(" ", "")
    return read_size(text) is not None and set(letters) >= dim.names
