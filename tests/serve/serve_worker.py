"""A server in a process of its own, to be put under load and killed.

    python serve_worker.py URL PORT

Prints "ready" when it takes requests.
"""

from __future__ import annotations

import sys

from jurybox.serve.app import listen, make_app, run_app
from jurybox.serve.guard import Limits
from jurybox.serve.store import open_store


def main() -> None:
    url, port = sys.argv[1], int(sys.argv[2])
    with open_store(url) as store:
        found = listen(port=port)
        app = make_app(store, Limits(joins=100_000))
        print("ready", flush=True)
        run_app(app, found)


if __name__ == "__main__":
    main()
