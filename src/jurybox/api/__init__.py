"""The verbs of the library. Each reads, counts, chooses, and returns a typed result."""
