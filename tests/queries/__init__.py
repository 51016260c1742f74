"""Figures, checked on small frames whose right answer is worked out by hand."""
