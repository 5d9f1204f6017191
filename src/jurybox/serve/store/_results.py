"""What a `Store` tells of the work: progress, pace, judgments, exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from jurybox.serve.model import Progress, Rater, RaterProgress
from jurybox.serve.store._opened import Opened, time_of

if TYPE_CHECKING:
    from jurybox.formats import Input
    from jurybox.formats.long_tables import Block


class ResultCalls(Opened):
    """Results, for admins."""

    def progress(self, project: int, *, now: float | None = None) -> Progress:
        """How far a project has come."""
        from jurybox.serve.store import progress

        return progress.of_project(self.database, project, time_of(now))

    def strata_progress(self, project: int) -> dict[str, Progress]:
        """The same for every stratum of the sample keys; empty without keys."""
        from jurybox.serve.store import progress

        return progress.of_strata(self.database, project)

    def rater_progress(self, project: int) -> tuple[RaterProgress, ...]:
        """What every rater did, in the order of their numbers."""
        from jurybox.serve.store import progress

        return progress.of_raters(self.database, project)

    def raters(self, project: int) -> tuple[Rater, ...]:
        """All raters, in the order of their numbers; quick, however many answers there are."""
        from jurybox.serve.store import progress

        return progress.list_raters(self.database, project)

    def judgments_per_hour(self, project: int, *, since: float) -> dict[int, int]:
        """Judgments in every hour since then, by its number since 1970; empty ones left out."""
        from jurybox.serve.store import pace

        return pace.per_hour(self.database, project, since)

    def first_judgment(self, project: int) -> float | None:
        """When the first judgment came; None if there is none."""
        from jurybox.serve.store import pace

        return pace.first(self.database, project)

    def mark(self, project: int) -> tuple[int, int]:
        """Another one after every answer, and after every key that is added."""
        from jurybox.serve.store import pace

        return pace.mark(self.database, project)

    def labels_input(self, project: int) -> Input:
        """Case, rater and label of all judgments but gold, for what reads files of judgments.

        It gives the numbers of the export without gold, and is read much faster.
        """
        from jurybox.serve.store import labels, projects

        return labels.as_input(self.database, projects.read(self.database, project))

    def judgments(
        self,
        project: int,
        *,
        gold: bool = True,
        flagged: bool = True,
        names: str = "number",
        decisions: str = "no",
    ) -> Iterator[Block]:
        """All judgments in blocks of columns with the names of `formats/judgments.py`.

        Without gold cases, or without raters who are flagged, if asked. Raters are R1, R2 …; with
        `names="own"` their pseudonyms or Prolific ids where they have one. Practice is left out.
        Repeats (status "repeat") come behind the first judgment.

        `decisions` of adjudicators repeat what raters said, so they are left out unless asked for:
        "yes" brings them in as the rater ADJ, "only" gives nothing else, and with "instead" they
        stand in place of all judgments of the cases that are decided.
        """
        from jurybox.serve.store import export

        return export.blocks(
            self.database, project, gold=gold, flagged=flagged, names=names, decided=decisions
        )

    def export(
        self,
        project: int,
        out: TextIO,
        form: str = "csv",
        *,
        gold: bool = True,
        flagged: bool = True,
        names: str = "number",
        decisions: str = "no",
    ) -> int:
        """Write judgments as csv, tsv or jsonl, streamed; how many there were."""
        from jurybox.serve.store import export, projects

        blocks = self.judgments(
            project, gold=gold, flagged=flagged, names=names, decisions=decisions
        )
        columns = export.columns_of(projects.read(self.database, project).task, decisions)
        return export.write(blocks, columns, out, form)

    def export_questionnaire(
        self, project: int, out: TextIO, form: str = "csv", *, names: str = "number"
    ) -> None:
        """Write what raters say of themselves as csv, tsv or jsonl: an answer per line."""
        from jurybox.serve.store import export

        export.write_survey(export.survey(self.database, project, names), out, form)

    def judgments_input(
        self, project: int, *, gold: bool = True, flagged: bool = True, decisions: str = "no"
    ) -> Input:
        """The export in memory, for everything that reads files of judgments.

        It has the bytes of the CSV export, so every number is the one that the file gives.
        """
        from jurybox.serve.store import export, projects

        held = projects.read(self.database, project)
        return export.as_input(self.database, held, gold, flagged, decisions)
