"""The tables of `evaluate`: a summary, counts, bins, raters, and what was asked for."""

from __future__ import annotations

from jurybox.api.evaluation import EvaluateResult
from jurybox.api.evaluation_agreement_tables import (
    bins_table,
    contentious_table,
    histogram_table,
    raters_table,
)
from jurybox.api.evaluation_count_tables import (
    accuracy_table,
    cells_table,
    correction_table,
    detection_table,
    without_trivial_table,
)
from jurybox.api.evaluation_further_tables import (
    beside_table,
    comparisons_table,
    curves_table,
    intervals_table,
    stability_table,
    thresholds_table,
)
from jurybox.api.evaluation_summary import summary_table
from jurybox.report.tables import Table, signed


class EvaluationTables:
    """All tables of one result."""

    def __init__(self, result: EvaluateResult) -> None:
        self.result = result

    def all(self) -> list[Table]:
        """Every table, the signature under the last one."""
        tables = [table for part in self.parts().values() for table in part]
        return signed(tables, self.result.signature)

    def parts(self) -> dict[str, list[Table]]:
        """The tables by the question they answer; what was not asked for is left out."""
        result, systems = self.result, self.result.systems
        parts = {
            "counts": self._counts(),
            "agreement": [histogram_table(result), bins_table(result), contentious_table(result)],
            "raters": [raters_table(result)],
            "certainty": self._certainty(),
            "thresholds": self._over_thresholds(),
            "stability": [stability_table(result)] if any(s.stability for s in systems) else [],
            "beside": [beside_table(result)] if result.beside is not None else [],
        }
        return {name: tables for name, tables in parts.items() if tables}

    def _counts(self) -> list[Table]:
        result, systems = self.result, self.result.systems
        tables = [summary_table(result), detection_table(result), accuracy_table(result)]
        if any(system.plain_without_trivial for system in systems):
            tables.append(without_trivial_table(result))
        if any(system.suggests for system in systems):
            tables.append(correction_table(result))
        if any(system.cells for system in systems):
            tables.append(cells_table(result))
        return tables

    def _certainty(self) -> list[Table]:
        tables = []
        if self.result.options.get("ci"):
            tables.append(intervals_table(self.result))
            if self.result.comparisons:
                tables.append(comparisons_table(self.result))
        return tables

    def _over_thresholds(self) -> list[Table]:
        tables = []
        if any(system.curves for system in self.result.systems):
            tables.append(curves_table(self.result))
        if any(system.thresholds for system in self.result.systems):
            tables.append(thresholds_table(self.result))
        return tables
