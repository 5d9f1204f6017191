"""Cases: places in a text that people judge and systems decide about, and their counts.

Cases come out of a panel of edits (constructions.py says which places, infinitives.py which `to`
is no preposition, derive.py puts cases, judgments and decisions together), or out of files.
"""
