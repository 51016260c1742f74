"""Everything a person or a program looks at: pages, commands, exports."""
