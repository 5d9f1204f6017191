"""People who label cases: how far they agree.

A judgment is one rater's label of one case, and nobody need have judged everything. This room needs
numpy; what only scores must not import it.
"""
