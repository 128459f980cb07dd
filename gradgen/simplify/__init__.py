"""Gradient -> a shorter and faster gradient of the same value."""
