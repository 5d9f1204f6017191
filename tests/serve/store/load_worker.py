"""A process full of raters who judge without a pause and say what was acknowledged.

    python load_worker.py URL PROJECT THREADS

Prints "ready", then a line "RATER CASE" for every answer that the store accepted, after it did.
Ends when the project is closed; or by kill -9, which is what it is for.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from jurybox.serve.model import Nothing, Rater, SubmittedAnswer
from jurybox.serve.store import Store, open_store


def judge(store: Store, rater: Rater) -> None:
    while True:
        handed = store.next_case(rater.id)
        if isinstance(handed, Nothing):
            if handed.why == "closed":
                return
            time.sleep(0.05)
            continue
        outcome = store.answer(rater.id, handed.token, SubmittedAnswer("ok"), handed.token)
        if outcome.accepted:
            case = handed.shown.left.split()[0]
            os.write(1, f"{rater.name} {case}\n".encode())  # one call: whole lines or none


def main() -> None:
    url, project, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open_store(url) as store:
        raters = [store.join(project) for _ in range(threads)]
        os.write(1, b"ready\n")
        at_work = [threading.Thread(target=judge, args=(store, rater)) for rater in raters]
        for thread in at_work:
            thread.start()
        for thread in at_work:
            thread.join()


if __name__ == "__main__":
    main()
