"""Emitted gradients at work in other libraries; each file runs on its own."""
