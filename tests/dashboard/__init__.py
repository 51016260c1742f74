"""Tests of the pages and of what they are made of."""
