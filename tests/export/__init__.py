"""Tables on their way out of real stores."""
