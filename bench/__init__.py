"""Measurements: what a gradient costs to run, and what it costs to write."""
