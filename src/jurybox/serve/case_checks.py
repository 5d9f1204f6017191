"""Which cases nobody could judge."""

from __future__ import annotations

from collections.abc import Iterator

from jurybox.model import LABELS
from jurybox.serve.answers import CHOSEN, is_storable
from jurybox.serve.model import NewCase, Purpose, Task


def complaints_about(case: NewCase, task: Task) -> Iterator[tuple[str, str]]:
    """What is wrong with a case for this task: the column, and what to say of it.

    >>> list(complaints_about(NewCase("c", "So .", 1, 3), Task.JUDGE))
    [('end', 'span 1-3 is not inside the sentence (2 tokens)')]
    """
    if not case.sentence.strip():
        yield "sentence", "has no sentence; nobody could judge it"
    if (case.start is None) != (case.end is None):
        yield "end", "start without end, or end without start; give both"
    if case.start is not None and case.end is not None:
        length = len(case.sentence.split())
        if not 0 <= case.start <= case.end <= length:
            span = f"span {case.start}-{case.end}"
            yield "end", f"{span} is not inside the sentence ({length} tokens)"
    elif task in (Task.CLOZE, Task.CHOICE):
        yield "start", f"has no start and end; {task} needs the place of the blank"
    if task == Task.CHOICE and not (case.second and (case.first or case.written)):
        yield "second", "choice needs two words, in the columns first and second"
    known = {Task.CHOICE: CHOSEN, Task.CLOZE: ()}.get(task, LABELS)
    if known and (wrong := [word for word in case.gold if word not in known]):
        yield "gold", f"the known answer '{wrong[0]}' is not one of {', '.join(known)}"
    if case.purpose == Purpose.GOLD and not case.gold:
        yield "gold", "is a gold case without a known answer; fill in the column gold"
    texts = (case.id, case.sentence, case.written, case.before, case.first, case.second)
    if not all(map(is_storable, (*texts, case.feedback, *case.gold))):
        yield "case", "holds a character that cannot be stored (NUL, or half a character)"
