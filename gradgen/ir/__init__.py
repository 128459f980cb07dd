"""The intermediate representation that every stage shares."""
