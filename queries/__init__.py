"""Computes figures from rows: frames in, frames out, no input or output of its own."""
