"""The annotation server: people judge cases in a browser, blind and exactly as often as asked.

`model.py` holds its values, `store/` the only SQL. Needs the extra `serve`
(pip install 'jurybox[serve]'), and `postgres` for PostgreSQL.
"""
