"""Guards: gradients that are numbers where a denominator of theirs is zero."""
