"""What a `Store` does while people work: hand out, take answers, keep drafts, decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jurybox.serve.model import Correction, Given, Handed, Nothing, Outcome
from jurybox.serve.store._opened import Opened, time_of

if TYPE_CHECKING:
    from jurybox.serve.contested import Contested, ContestedCase, Decision
    from jurybox.serve.contested import Counts as ContestedCounts
    from jurybox.serve.essays import AnnotatedEssay, Draft, SavedDraft


class WorkCalls(Opened):
    """Cases handed out and answered, essays, adjudication."""

    # --- work ---

    def next_case(self, rater: int, *, now: float | None = None) -> Handed | Nothing:
        """The case this rater is to judge, leased to them; asked again, the same one.

        Practice comes first. Then gold at the project's rate, at positions that the seed and the
        rater decide, and else the case with the fewest judgments. A case whose lease ran out goes
        back, and comes again to the rater who left it if it still needs judgments.
        """
        from jurybox.serve.store import handout

        return handout.next_case(self.database, rater, time_of(now))

    def answer(
        self, rater: int, token: str, given: Given, key: str, *, now: float | None = None
    ) -> Outcome:
        """Store an answer; it is committed when this returns.

        The same key again, or another answer to the same hand-out, changes nothing and returns what
        became of the first. After the lease an answer is accepted if the case still needs it, else
        refused. A token that is not this rater's, and an answer that the task does not know, are
        InputErrors in words for the rater.
        """
        from jurybox.serve.store import answering

        return answering.answer(self.database, rater, token, given, key=key, now=time_of(now))

    # --- essays (task correct) ---

    def save_draft(
        self,
        rater: int,
        token: str,
        edits: Iterable[Correction],
        *,
        version: int,
        now: float | None = None,
    ) -> SavedDraft:
        """Keep corrections that are not sent yet, and renew the lease.

        `version` is the one that they are based on. Where another one is stored by now, and says
        something else, nothing is written and `accepted` is false. What cannot be a correction is
        an InputError in words for the annotator.
        """
        from jurybox.serve.store import essays

        return essays.save_draft(
            self.database, rater, token, edits, version=version, now=time_of(now)
        )

    def draft(self, rater: int, token: str) -> Draft:
        """What is saved of an essay in a rater's hands; version 0 if nothing is."""
        from jurybox.serve.store import essays

        return essays.read_draft(self.database, rater, token)

    def annotated_essays(
        self,
        project: int,
        *,
        flagged: bool = True,
        names: str = "number",
        decisions: bool = False,
    ) -> Iterator[AnnotatedEssay]:
        """All essays with what their annotators did, in the order of the file, streamed.

        Without raters who are flagged, if asked; `decisions` brings in the annotator ADJ. Essays
        that nobody has finished have no `edits`. Practice is left out.
        """
        from jurybox.serve.store import essays

        return essays.annotated(
            self.database, project, flagged=flagged, names=names, decided=decisions
        )

    # --- adjudication ---

    def contested(
        self,
        project: int,
        *,
        decided: bool | None = None,
        limit: int = 50,
        after: int = 0,
        order: str = "most",
        partial: bool = False,
    ) -> tuple[Contested, ...]:
        """Work cases on which raters differ, and those that were decided, behind the case `after`.

        The most contested come first, or (`order="file"`) as they were added. `decided` asks for
        one kind only; cases that an adjudicator left undecided are not decided. Cases count when
        they have all their judgments, with `partial` as soon as they have two.
        """
        from jurybox.serve.store import adjudication

        return adjudication.listed(
            self.database,
            project,
            decided=decided,
            limit=limit,
            after=after,
            order=order,
            partial=partial,
        )

    def contested_counts(self, project: int, *, partial: bool = False) -> ContestedCounts:
        """How many cases are contested, and how many of them decided."""
        from jurybox.serve.store import adjudication

        return adjudication.counted(self.database, project, partial=partial)

    def next_contested(self, project: int, *, after: int = 0, partial: bool = False) -> int | None:
        """The next case behind `after` that no adjudicator has looked at, the most contested first.

        Behind the last one the line begins again; None where nothing is left.
        """
        from jurybox.serve.store import adjudication

        return adjudication.next_open(self.database, project, after, partial=partial)

    def refuse_adjudicator(self, project: int, user: int) -> str:
        """Why a user may not see contested cases now; '' if they may.

        Whoever judges in the project by their account must stay blind while they can be given
        cases: until it is closed, or they are stopped.
        """
        from jurybox.serve.store import adjudication

        return adjudication.refusal(self.database, project, user)

    def contested_case(self, project: int, case: int) -> ContestedCase:
        """A case with its judgments, without names and in an order that tells nothing.

        An InputError if it is no work case of this project, or has no two judgments.
        """
        from jurybox.serve.store import adjudication

        return adjudication.read_case(self.database, project, case)

    def decide(
        self,
        project: int,
        case: int,
        user: int,
        given: Given | None,
        comment: str = "",
        *,
        over: float | None = None,
        now: float | None = None,
    ) -> Decision:
        """An adjudicator's decision, instead of the one that may be there.

        None leaves the case undecided. `left` and `right` of a choice are those of
        `contested_case`; essays are decided by `Given("", edits=…)`. `over` is the time of the
        decision that the adjudicator saw, 0 if there was none: an InputError if it is another one
        by now, unless that one says the same and is theirs. Without it whatever there is gives way.
        An InputError too where `refuse_adjudicator` gives a reason.
        """
        from jurybox.serve.store import adjudication

        return adjudication.decide(
            self.database, project, case, user, given, comment=comment, over=over, now=time_of(now)
        )
