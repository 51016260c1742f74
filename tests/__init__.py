"""Tests, in the order of the packages they check."""
