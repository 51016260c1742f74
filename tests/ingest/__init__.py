"""Tests of the ingest layer."""
