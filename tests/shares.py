"""Which tests that repeat one check over many cases belong to the test command.

Of a test that is named here one case in so many is for each run, in the order in which
they are collected; the others are long tests, which `-m long` runs.
"""

import pytest

SHARES = {
    "arguments/test_sweep.py::test_right_or_refused": 2,
    "cli/test_check_kernels.py::test_a_part_of_the_table": 2,
    "cli/test_structures.py::test_committed_files_are_made_again_and_measured": 3,
    "explain/test_browser.py::test_the_page_works_as_a_whole": 2,
    "frontend/test_effects_in_expressions.py::test_as_a_text": 2,
    "frontend/test_lists_given_to_functions.py::test_the_gradient_is_that_of_an_array": 3,
    "frontend/test_many_calls.py::test_too_many_calls_are_refused": 2,
    "frontend/test_none_behind_derivatives.py::test_none_and_an_array": 3,
    "frontend/test_effects_in_expressions.py::test_through_a_call": 2,
    "fuzz/test_programs.py::test_program": 2,
    "growth/test_growth.py::test_twice_as_long_takes_about_twice_the_work": 2,
    "guard/test_forward.py::test_p1_a_guard_changes_no_finite_entry": 2,
    "rules/test_aliases.py::test_a_store_beside_the_line": 3,
    "rules/test_complex.py::test_line": 2,
    "rules/test_fft.py::test_transform": 2,
    "rules/test_hessians.py::test_the_hessian": 2,
    "rules/test_parameters.py::test_parameters": 2,
    "rules/test_reductions_more.py::test_line": 2,
    "rules/test_second_order.py::test_second_derivatives": 2,
    "rules/test_stats.py::test_line": 2,
    "shapes/test_indexing.py::test_axes_of_index_arrays": 3,
    "shapes/test_numpys_integers.py::test_numpys_integer_leaves_the_gradient_its_dtype": 2,
    "signature/test_as_function.py::test_before_and_after_calls": 2,
    "target/test_cupy.py::test_a_program_with_views": 3,
    "target/test_numba.py::test_each_is_right_as_python": 2,
    "test_bad_snippets.py::test_nothing_but_a_refusal_escapes": 4,
    "test_derivatives_inside.py::test_every_function_of_the_library_inside": 2,
    "test_derivatives_inside.py::test_perturbations_are_not_confused": 2,
    "test_examples_modes.py::test_a_small_hessian_is_its_products": 3,
    "test_examples_modes.py::test_forward_and_reverse_are_adjoint": 3,
    "test_examples_modes.py::test_the_gradient_of_the_committed_gradient": 3,
    "test_examples_modes.py::test_the_hessian_times_a_vector": 2,
    "test_jacobian_operations.py::test_an_operation": 2,
    "test_kept_calls.py::test_the_gradient_is_right_in_every_style": 2,
    "test_kept_calls.py::test_the_text_calls_functions_of_its_own": 2,
    "test_lists.py::test_gradients_through_lists": 2,
    "test_pullbacks_inside.py::test_against_differences": 2,
    "test_scopes.py::test_random_programs_read_nothing_out_of_its_place": 4,
    "test_stacks.py::test_right_or_refused": 2,
}


def share_out(items, folder):
    """Marks the cases that are not for each run as long tests."""
    seen = dict.fromkeys(SHARES, 0)
    for item in items:
        path = "/".join(item.path.relative_to(folder).parts)
        name = f"{path}::{item.name.partition('[')[0]}"
        if name not in SHARES or item.get_closest_marker("long"):
            continue
        if seen[name] % SHARES[name]:
            item.add_marker(pytest.mark.long)
        seen[name] += 1
    return seen
