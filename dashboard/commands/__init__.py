"""The commands, one module each; `dashboard.cli` lists them.

A module here is imported to show the help, so whatever is heavier than an argument parser is
imported inside the function that needs it.
"""
