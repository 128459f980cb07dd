"""Each pass does to the text in its docstring what the docstring says."""

import re
import textwrap

import pytest

from gradgen.derive.forward import forward
from gradgen.derive.reverse import reverse
from gradgen.guard.selecting import guard
from gradgen.ir.nodes import Supply
from gradgen.ir.text import listing, show
from gradgen.printer.differences import differences
from gradgen.printer.width import cut
from gradgen.simplify.absorbed import absorbed
from gradgen.simplify.alike import alike
from gradgen.simplify.adjoint_products import adjoint_products
from gradgen.simplify.outside import outside
from gradgen.simplify.centred import centred
from gradgen.simplify.chained import chained
from gradgen.simplify.dead import dead, dead_adjoints
from gradgen.simplify.dots import dots
from gradgen.simplify.equalities import costly_parts, equalities, named_parts
from gradgen.simplify.flattened import flattened
from gradgen.simplify.fold import aliases, fold
from gradgen.simplify.gram import gram
from gradgen.simplify.grouped import grouped
from gradgen.simplify.hits import hits
from gradgen.simplify.last_axes import last_axes
from gradgen.simplify.masks import masks
from gradgen.simplify.means import means
from gradgen.simplify.normalised import normalised
from gradgen.simplify.ordered import ordered
from gradgen.simplify.overflows import overflows
from gradgen.simplify.pairs import pairs
from gradgen.simplify.quotients import quotients
from gradgen.simplify.reciprocals import reciprocals
from gradgen.simplify.recompute import recompute
from gradgen.simplify.repeated import repeated
from gradgen.simplify.results import results
from gradgen.simplify.rewrite import identities
from gradgen.simplify.share import share
from gradgen.simplify.signs import signs
from gradgen.simplify.stretch import stretch
from gradgen.simplify.stretched import stretched
from gradgen.simplify.softplus import softplus
from gradgen.simplify.symmetric import symmetric
from gradgen.simplify.terms import terms
from gradgen.simplify.turned import turned
from gradgen.simplify.unpacked import unpacked
from gradgen.simplify.unscaled import unscaled
from gradgen.simplify.untransposed import untransposed
from gradgen.simplify.upright import upright
from tests.passes.reading import Reading


def spare():
    return Supply(1 << 20)


def width(node):
    """The length of the text without the brackets that a listing adds."""
    value = getattr(node, "value", None)
    if value is None or not hasattr(node, "note"):
        return len(show(node).strip("()"))
    return len(node.var.name) + 3 + len(show(value).strip("()"))


# pass -> (how to run it, shapes, temporaries)
PASSES = {
    reverse: (
        lambda f, facts: reverse(f, tuple(p.var for p in f.params), facts, spare()),
        {},
        (),
    ),
    forward: (
        lambda f, facts: forward(f, tuple(p.var for p in f.params), facts, spare()),
        {},
        (),
    ),
    stretch: (lambda f, facts: stretch(f, facts)[0], {"d_XX_sum": ""}, ()),
    alike: (
        lambda f, facts: alike(f, facts, [p.var for p in f.params])[0],
        {"z": "n"},
        ("p_exp", "p_exp_2", "p_sum"),
    ),
    terms: (terms, {}, ()),
    aliases: (lambda f, facts: aliases(f), {}, ()),
    fold: (lambda f, facts: fold(f), {}, ("t",)),
    differences: (lambda f, facts: differences(f), {}, ()),
    turned: (turned, {"y": "n", "d_z": "n"}, ()),
    masks: (lambda f, facts: masks(f, facts, spare()), {}, ()),
    gram: (
        lambda f, facts: gram(f, facts),
        {"d_d2": "n n", "x": "n d", "d_y": "n d"},
        ("xxT",),
    ),
    softplus: (
        lambda f, facts: terms(softplus(terms(f, facts), facts), facts),
        {"z": "n", "d": "n"},
        ("e",),
    ),
    symmetric: (symmetric, {"W": "n 3", "d_out": ""}, ()),
    adjoint_products: (
        adjoint_products,
        {"x": "n d", "W": "d k", "d_y": "n k"},
        (),
    ),
    outside: (
        outside,
        {"scale": "", "Q": "n d", "K": "m d", "d_scores": "n m"},
        (),
    ),
    reciprocals: (
        lambda f, facts: terms(reciprocals(f, facts), facts),
        {"v": "n", "d_inv": "n", "x": "n"},
        (),
    ),
    chained: (chained, dict.fromkeys(("d_h", "gate", "new"), "n"), ()),
    hits: (hits, {"x": "n", "m": "", "d_y": "n"}, ()),
    share: (share, {}, ("norms",)),
    recompute: (recompute, {"cosine": "n 1"}, ("t", "u")),
    unpacked: (
        lambda f, facts: unpacked(f, facts, spare()),
        {"A": "n n", "d_out": "n n"},
        (),
    ),
    results: (lambda f, facts: results(f, facts, spare()), {"x": "n"}, ()),
    guard: (lambda f, facts: guard(f, facts, spare()), {"x": "n"}, ()),
    dead: (lambda f, facts: dead(f), {}, ()),
    absorbed: (
        absorbed,
        {name: "n m" for name in ("d_z", "gap", "x")} | {"rate": "m"},
        (),
    ),
    equalities: (lambda f, facts: equalities(f), {}, ()),
    named_parts: (named_parts, {}, ("rest",)),
    normalised: (normalised, dict.fromkeys(("z", "y"), "n"), ()),
    overflows: (overflows, dict.fromkeys(("z", "d"), "n"), ("e",)),
    costly_parts: (costly_parts, dict.fromkeys(("wt", "d_y"), "n"), ("wt_cos",)),
    ordered: (lambda f, facts: ordered(f), {}, ()),
    dead_adjoints: (lambda f, facts: dead_adjoints(f), {}, ()),
    identities: (identities, {"d_z": "n m"}, ()),
    means: (means, {"x": "n", "d_c": "n", "mean": ""}, ()),
    last_axes: (last_axes, {name: "n m" for name in ("w", "d_p")}, ()),
    repeated: (lambda f, facts: repeated(f), {}, ("t",)),
    centred: (centred, {"x": "n m"}, ()),
    dots: (dots, {"d_z": "n", "v": "n", "d_y": "n", "x": "m", "A": "n m"}, ()),
    grouped: (grouped, {name: "n" for name in ("d_z", "d_u", "d_v", "d_w")}, ()),
    flattened: (flattened, {"d_b": "n", "s": "n"}, ()),
    quotients: (quotients, {}, ()),
    signs: (
        lambda f, facts: signs(f),
        {"d_e": "m", "v": "m", "H": "m n", "d_z": "n", "d_v": "m"},
        ("t",),
    ),
    pairs: (
        pairs,
        {"x": "n d", "gaps": "n n d", "r2": "n n", "d_gaps": "n n d", "d_x": "n d"},
        (),
    ),
    stretched: (
        stretched,
        {"gaps": "n m d", "d_w": "n m", "d_gaps": "n m d"}
        | {"d_x": "n d", "d_scale": "m d"},
        (),
    ),
    unscaled: (
        unscaled,
        {name: "n" for name in ("w", "e")} | {"d_out": "", "K": "n n"},
        (),
    ),
    untransposed: (
        untransposed,
        {name: "h n k" for name in ("Q", "K")} | {"d_s": "h n n"},
        ("t",),
    ),
    upright: (
        lambda f, facts: upright(f),
        {name: "n n" for name in ("S", "H", "d_H", "d_Z")},
        ("t",),
    ),
    cut: (
        lambda f, facts: cut(f, width, 30),
        {"w": "n d", "hits": "n d", "d_t": "n 1", "d_w": "n d"},
        (),
    ),
}


def example(function) -> tuple[str, str]:
    """The texts before and after in a docstring."""
    text = textwrap.dedent("    " + function.__doc__)
    blocks = re.search(r"\n( *before:.*?)\n( *after:.*?)(?:\n\n|\Z)", text, re.S)
    return tuple(
        textwrap.dedent(re.sub("before:|after: ", "       ", block))
        for block in blocks.groups()
    )


def statements(function) -> list[str]:
    return listing(function).splitlines()[:-1]


@pytest.mark.parametrize("function", PASSES, ids=lambda f: f.__name__)
def test_docstring_example(function):
    run, shapes, temporaries = PASSES[function]
    before, after = example(function)
    reading = Reading(shapes, frozenset(temporaries))
    got = run(reading.function(before), reading.facts)
    wanted = Reading(shapes, frozenset(temporaries)).function(after)
    assert statements(got) == statements(wanted)
