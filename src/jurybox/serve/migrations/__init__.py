"""Revisions of the database, run by Alembic; `versions/` holds one file each.

For a new one change `store/tables.py`, write a file next to its predecessor (numbers count on,
as 0002), and set `HEAD` in `store/database.py`. A test compares what the revisions make with the
tables.
"""
