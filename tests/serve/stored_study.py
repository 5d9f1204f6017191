r"""A study with something in every table, and the stored dump of the newest revision.

    python tests/serve/stored_study.py

writes `data/revision-NNNN.jsonl` for the revision that the code knows. Run it when a revision is
finished, and never again for that one: a stored dump is what a database of its time looks like.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jurybox.formats.tables.sample_key import DrawnCase, KeyStratum, SampleKey
from jurybox.serve.model import Assignment, NewCase, Prolific, Purpose, Role, SubmittedAnswer
from jurybox.serve.settings import GoldRule, Overlap, Question, Settings, Task
from jurybox.serve.store import Store, open_store

DATA = Path(__file__).parent / "data"
BEGUN = 1_760_000_000.25
PASSWORD = "correct horse"
#: what JSON, CSV, SQL and line breaks may stumble over
ODD = "“naïve” \U0001f40e\u2028 \u0085 \\n \"x\" 'y'; -- \t<b>&amp;\r\nend"


def fill(store: Store) -> None:
    """Projects of every task, judged in every way, with work left to do."""
    store.add_user("ada", PASSWORD)
    store.add_user("bea", PASSWORD, Role.ADJUDICATOR)
    _judge_with_everything(store)
    _other_tasks(store)
    closed = store.create_project(Settings("closed", is_open=False), now=BEGUN)
    store.add_cases(closed.id, _cases("z", 2))
    _replaced(store)
    _shared(store)
    if "correct" in list(Task):
        _essays(store)


def _replaced(store: Store) -> None:
    """Judgments of a flagged rater that others replace."""
    project = store.create_project(Settings("replaced", replace_flagged=True), now=BEGUN)
    store.add_cases(project.id, _cases("f", 3))
    flagged, other = (store.join(project.id, now=BEGUN).id for _ in range(2))
    for rater in (flagged, flagged, other):
        handed = store.next_case(rater, now=BEGUN)
        assert isinstance(handed, Assignment)
        store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token, now=BEGUN)
    store.stop_rater(flagged)


def _shared(store: Store) -> None:
    """Shared sets among cases that are judged once: full, begun and untouched ones."""
    project = store.create_project(Settings("shared", overlap=Overlap(2, 4)), now=BEGUN)
    store.add_cases(project.id, _cases("s", 8))
    first, second = (store.join(project.id, now=BEGUN).id for _ in range(2))
    _judge(store, first, 2, "ok")
    _judge(store, second, 1, "error")


def _cases(prefix: str, number: int, **fields: Any) -> list[NewCase]:
    return [
        NewCase(f"{prefix}{i}", f"{prefix}{i} sat at home .", 2, 3, "at", **fields)
        for i in range(number)
    ]


def _judge_with_everything(store: Store) -> None:
    settings = Settings(
        "prepositions",
        per_case=2,
        lease_minutes=10,
        repeat_share=0.2,
        gold_rate=0.3,
        gold_rule=GoldRule(0.5, 2),
        instructions=f"Read.\n\n{ODD}",
        questionnaire=(
            Question("q1", "First language?", required=True),
            Question("q2", "How was it?", ("easy", "hard")),
        ),
        completion_code="C123",
        completion_url="https://example.org/?cc=C123",
        seed=5,
    )
    project = store.create_project(settings, now=BEGUN)
    store.add_cases(
        project.id, _cases("w", 30, before="It was late .", after="So .", construction="prep")
    )
    store.add_cases(project.id, _cases("g", 8, gold=("error",), document="essay-1"))
    practice = {"purpose": Purpose.PRACTICE, "gold": ("ok", "unknown"), "feedback": ODD}
    store.add_cases(project.id, _cases("p", 2, **practice))
    store.add_cases(project.id, [NewCase("odd", f"{ODD.strip()} .", None, None, "")])
    drawn = tuple(DrawnCase(f"w{i}", f"case {i}", "error" if i < 3 else "ok") for i in range(6))
    parts = (KeyStratum("error", "error", 100, 3), KeyStratum("ok", "ok", 900, 3))
    store.add_key(project.id, SampleKey(parts, drawn, seed=9))
    first = store.join(project.id, pseudonym="Zoë \U0001f40e", now=BEGUN).id
    second = store.join(project.id, prolific=Prolific("5f", "study", "session"), now=BEGUN).id
    third = store.join(project.id, user=store.users()[0].id, now=BEGUN + 1).id
    store.join(project.id, now=BEGUN + 2)  # looked in, and never came back
    _judge(store, first, 24, "error")
    _judge(store, second, 30, "ok")  # wrong on gold: stopped and flagged
    store.answer_questionnaire(first, {"q1": ODD.strip(), "q2": "hard"})
    late = _hand(store, third, BEGUN + 100)
    while late.is_practice:
        store.answer(third, late.token, SubmittedAnswer("ok"), late.token, now=BEGUN + 101)
        late = _hand(store, third, BEGUN + 102)
    store.answer(third, late.token, SubmittedAnswer("unknown"), "a late one", now=BEGUN + 5000)
    _hand(store, third, BEGUN + 5001)
    lapsed = store.join(project.id, now=BEGUN).id
    _judge(store, lapsed, 2, "ok")
    _hand(store, lapsed, BEGUN + 50)  # runs out with the next hand-out
    fresh = store.join(project.id, now=BEGUN).id
    _judge(store, fresh, 2, "ok")
    _hand(store, fresh, BEGUN + 6000)  # in their hands


def _hand(store: Store, rater: int, now: float) -> Assignment:
    handed = store.next_case(rater, now=now)
    assert isinstance(handed, Assignment), handed
    return handed


def _judge(store: Store, rater: int, most: int, label: str, **given: Any) -> None:
    for step in range(most):
        handed = store.next_case(rater, now=BEGUN + 10 + step)
        if not isinstance(handed, Assignment):
            return
        said = SubmittedAnswer(label, **given)
        store.answer(rater, handed.token, said, f"key {step}", now=BEGUN + 10.5 + step)


def _other_tasks(store: Store) -> None:
    choice = store.create_project(Settings("choice", Task.CHOICE, repeat_share=0.5), now=BEGUN)
    store.add_cases(choice.id, _cases("c", 12, first="at", second="in"))
    _judge(store, store.join(choice.id, now=BEGUN).id, 4, "left")
    _judge(store, store.join(choice.id, now=BEGUN).id, 2, "bad")
    cloze = store.create_project(Settings("cloze", Task.CLOZE, fillers=("at", "in")), now=BEGUN)
    store.add_cases(cloze.id, _cases("b", 3))
    _judge(store, store.join(cloze.id, now=BEGUN).id, 2, "in")
    trained = store.create_project(Settings("trained", Task.TRAINED, per_case=2), now=BEGUN)
    store.add_cases(trained.id, _cases("t", 3))
    said = {"words": ("in", "naïve"), "confidence": "high", "context": ("spelling",)}
    _judge(store, store.join(trained.id, now=BEGUN).id, 3, "wrong", **said)
    _judge(store, store.join(trained.id, now=BEGUN).id, 3, "correct", confidence="low")


def _essays(store: Store) -> None:
    """What came with revision 0002: corrected essays, drafts, decisions; with 0006 feedback."""
    from jurybox.serve.model import EssayCorrection

    essays = store.create_project(Settings("essays", Task.CORRECT, per_case=2), now=BEGUN)
    text = "He sat at home .\nShe go in .\n\nIt rains ."
    store.add_cases(essays.id, [NewCase(f"e{i}", text) for i in range(2)])
    edits = (EssayCorrection(1, 1, 2, "goes", "SVA", "naïve “x” 'y'"),)
    rater = store.join(essays.id, now=BEGUN).id
    handed = _hand(store, rater, BEGUN)
    store.answer(rater, handed.token, SubmittedAnswer("", edits=edits), "essay", now=BEGUN + 60)
    handed = _hand(store, rater, BEGUN + 61)
    store.save_draft(rater, handed.token, edits, version=0, now=BEGUN + 90)
    ada = next(user for user in store.users() if user.role == Role.ADMIN)
    read = store.write_feedback(essays.id, rater, ada.id, ODD, now=BEGUN + 70)
    store.confirm_feedback(rater, read.id, now=BEGUN + 80)
    store.write_feedback(essays.id, rater, ada.id, "Good.", now=BEGUN + 95)  # not read yet
    trained = store.project("trained")
    bea = next(user for user in store.users() if user.role == Role.ADJUDICATOR)
    first, second, _ = (contested.case for contested in store.contested(trained.id))
    said = SubmittedAnswer("wrong", ("in",), "high")
    store.decide(trained.id, first, bea.id, said, ODD.strip(), now=BEGUN + 900)
    store.decide(trained.id, second, bea.id, None, "too hard", now=BEGUN + 901)


def main() -> None:
    from jurybox.serve.store.database import HEAD
    from jurybox.serve.store.dumps import dump_to_file

    target = DATA / f"revision-{HEAD}.jsonl"
    if target.exists():
        sys.exit(f"{target} is there already, and stays as it is")
    with TemporaryDirectory() as folder, open_store(f"{folder}/study.db") as store:
        fill(store)
        print(dump_to_file(store.database, str(target)).summary())
    target.chmod(0o644)


if __name__ == "__main__":
    main()
