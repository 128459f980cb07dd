"""gast -> IR: one Let for each operation, each variable assigned once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.language import (
    assigned_shapes,
    axes_tried,
    builtin_calls,
    callees,
    clocks,
    collected,
    complex_parts,
    comprehensions,
    conditions,
    containers,
    copies,
    counted,
    derivatives,
    draws,
    dtypes,
    dunders,
    evaluation,
    expressions,
    fields,
    fields_by_name,
    frozen_laws,
    function,
    function_signatures,
    inlining,
    dictionaries_of_fields,
    instances,
    iterators,
    keys_of_lists,
    kindtests,
    kinds_compared,
    listed_rows,
    lists,
    longer_texts,
    looked_up,
    loops,
    matching,
    members,
    methods,
    module_names,
    modules,
    objects,
    opaque,
    operands,
    operator_calls,
    protocols,
    python_functions,
    raising,
    real_arrays,
    records,
    repeated_functions,
    results_cut,
    signatures,
    spelled_out,
    statements,
    stores,
    strided,
    flat,
    texts,
    type_names,
    vectorized,
    with_and_try,
    yielding,
    zipping,
)
from gradgen.frontend.lowering.callees import Again, Callees
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import install
from gradgen.frontend.source.source import Source
from gradgen.ir.room import room
from gradgen.ir.nodes import Function, Supply

# Of those who answer the same, the first here is asked first.
HANDLERS = (
    function,
    keys_of_lists,
    clocks,
    draws,
    dictionaries_of_fields,
    fields_by_name,
    assigned_shapes,
    complex_parts,
    longer_texts,
    statements,
    operands,
    raising,
    opaque,
    type_names,
    repeated_functions,
    listed_rows,
    results_cut,
    frozen_laws,
    signatures,
    strided,
    flat,
    builtin_calls,
    copies,
    spelled_out,
    instances,
    protocols,
    members,
    dunders,
    yielding,
    objects,
    fields,
    axes_tried,
    with_and_try,
    module_names,
    matching,
    vectorized,
    counted,
    collected,
    python_functions,
    operator_calls,
    texts,
    iterators,
    zipping,
    real_arrays,
    dtypes,
    function_signatures,
    kindtests,
    kinds_compared,
    evaluation,
    callees,
    looked_up,
    records,
    modules,
    derivatives,
    inlining,
    comprehensions,
    loops,
    containers,
    methods,
    lists,
    stores,
    conditions,
    expressions,
)

install(Lowering, [module.__name__ for module in HANDLERS])


def lower(
    source: Source,
    supply: Supply,
    shapes: Mapping[str, str] | None = None,
    of: tuple[str, ...] = (),
    aux: bool = False,
    keep_calls: bool = False,
    sources: dict[Any, Source] | None = None,
) -> Function:
    """The function as IR; `shapes` are the facts of its parameters as text.

    What the function leaves in the arguments named in `of` belongs to its result.
    With `keep_calls` calls of other functions stay calls where they can; those of
    functions that call themselves, no one knows how often, always do. `sources` are the
    texts of functions that are called, as far as others have read them.

    Raises GradgenError with every problem it has.
    """
    own = {} if sources is None else sources
    callees = Callees(keep_calls, dict(source.kept), sources=own)
    while True:
        lowering = Lowering(source, supply, dict(shapes or {}), of)
        lowering.aux, lowering.callees = aux, callees
        try:
            with room():
                return lowering.lowered()
        except Again:
            pass
        except GradgenError as refusal:
            refusal.asked = callees.asked
            raise
