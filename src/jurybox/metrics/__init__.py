"""Metrics: texts and edits to counts, counts to measures."""
