"""One file describes a study; a lock says what must be computed again."""
