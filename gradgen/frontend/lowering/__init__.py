"""The object that lowers a function: its state, what it writes, what it asks."""
