"""Functions of packages from PyPI, untouched, differentiated with nothing told.

The packages are installed by the extra `wild` and imported at run time; none of their
text is in this repository. `python -m tests.wild` runs all and writes docs/wild.md,
`python -m tests.wild lmfit transforms3d` some packages, `--show NAME` one function;
`python -m pytest -m wild tests/wild` runs them as tests.

What is tried is chosen by a rule, before anything is tried (`survey.py`): of each module
that a file of `surveys/` names, every public function, and of each object there every
public method, that can be called with numbers and arrays.
"""
