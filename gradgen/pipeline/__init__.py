"""From a request to a text: the stages in order, and the table of passes."""
