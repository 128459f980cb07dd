"""Proof of the emitted text: against its source, and against measured numbers."""
