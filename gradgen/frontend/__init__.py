"""Text -> IR."""
