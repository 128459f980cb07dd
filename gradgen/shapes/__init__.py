"""Symbolic shapes: what is known of them, and what follows."""
