"""A study: its example, and everything that its file describes."""
