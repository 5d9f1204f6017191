"""Precision and recall from a sample of judged cases: plan, draw, estimate, simulate."""
