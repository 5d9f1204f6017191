"""Called by Alembic: runs revisions on the connection that `store/database.py` hands over."""

from __future__ import annotations

from alembic import context

from jurybox.serve.store.tables import metadata


def run() -> None:
    """Run in the transaction that is open; its owner commits."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic runs this file; anybody may import it
    run()
