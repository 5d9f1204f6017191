"""Called by Alembic: runs revisions on the connection that `store/database.py` hands over."""

from __future__ import annotations

from alembic import context


def run() -> None:
    """Run in the transaction that is open; whoever began it commits."""
    from jurybox.serve.store.tables import metadata

    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic runs this file; anybody may import it
    run()
