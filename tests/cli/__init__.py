"""The command line, as a person and a program meet it."""
