"""jurybox."""
