"""The pages, one file each: they ask for figures, lay them out, and hold no logic of their own."""
