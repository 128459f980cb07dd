"""Runs inside a command that is observed: notes with what functions are called."""
