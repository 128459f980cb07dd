"""The oldest Python, with its NumPy, that a text is for."""
