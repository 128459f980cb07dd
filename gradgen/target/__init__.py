"""The gradient for other libraries than NumPy: what they lack, and what they call it."""
