"""What is asked for: a request, its parts and paths, and the project's settings."""
