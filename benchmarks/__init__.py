"""Generators and measurements, run by hand and by CI in a small size."""
