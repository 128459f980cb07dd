"""Functions that gradgen differentiates, written in other ways that mean the same.

A rewriting turns the text of a function into another text of the same function:
x.sum() for np.sum(x), a part in a function of its own, a loop as a while. What
comes out computes the same value, which is looked at by calling it, so its gradient is
right too, or it is refused with a reason. `tables_*.py` hold the rewritings that are
patterns, `wholes.py` (of a function) and `parts.py` (of its statements) those that are
functions of Python.

    python -m tests.metamorphic 200 1      # 200 rewritten functions from seed 1
    python -m tests.fuzz --kind metamorphic 200 1
"""
