"""What a person can mend, apart from the store."""


class InputError(Exception):
    """Something that was named cannot be used; the message says what was found and what to do."""
