"""What is known of a function's arguments: abstract values, and letters for their axes."""
