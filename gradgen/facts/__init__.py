"""What is declared and assumed of arguments: shapes, ranks, letters of axes."""
