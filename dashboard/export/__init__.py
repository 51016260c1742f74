"""Tables on their way out: the same rows, counts and footnotes in the form a receiver can use.

A table is described once (`table`), with what each column means, which runs it is of and what is
not in it. Every format writes that description whole. The pages and the commands call `write.write`
alike, so the same selection gives the same bytes.
"""
