"""Derivatives as functions: a text for each signature of their arguments."""
