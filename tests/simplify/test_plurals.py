"""The names of lists, and of what is taken from them."""

import pytest

from gradgen.simplify.rounds import plural, singular


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("h", "hs"),
        ("last_entry", "last_entries"),
        ("x_history", "x_histories"),
        ("total_cos", "total_cos_list"),
        ("bias", "bias_list"),
        ("rates", "rates_list"),
    ],
)
def test_one_of_a_list_is_called_as_it_was(one, many):
    assert plural(one) == many
    assert singular(many) == one
