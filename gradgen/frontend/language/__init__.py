"""The handlers: what each statement, expression and call of the language does."""
