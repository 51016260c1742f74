"""Files to rows to store: reading evaluation reports, with no user interface and no figures."""
