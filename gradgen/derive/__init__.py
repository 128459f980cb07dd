"""Primal -> gradient, on the IR."""
