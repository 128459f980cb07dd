"""What the text of a function and of what it calls says, before it is lowered."""
