"""What somebody would write with Polars: python polars_judgments.py TASK FILE [DECISIONS ...]."""

import sys

import polars as pl


def count_votes(file: str, *, any_first: bool) -> pl.DataFrame:
    """Errors and oks of every case; of a rater's judgments on a case the first (answer) counts."""
    scan = pl.scan_parquet if file.endswith(".parquet") else pl.scan_csv
    label = pl.col("label")
    return (
        scan(file)
        .filter(any_first or label != "unknown")
        .group_by("case", "rater")
        .agg(label.first())
        .filter(label != "unknown")
        .group_by("case")
        .agg(errors=(label == "error").sum().cast(pl.Float64), oks=(label == "ok").sum())
        .collect(engine="streaming")
    )


def main() -> None:
    task, file, *decisions = sys.argv[1:]
    votes = count_votes(file, any_first=task == "evaluate")
    e, o = pl.col("errors"), pl.col("oks")
    n = e + o
    if task == "evaluate":
        flagged = pl.col("label") == "error"
        for each in decisions:
            table = votes.join(pl.read_csv(each), on="case")
            parts = {
                "tp": flagged & (e > o),
                "fp": flagged & (e <= o),
                "fn": ~flagged & (e > o),
                "tn": ~flagged & (e <= o),
                **{
                    f"{name}_{kind}": (part / n).filter(chosen)
                    for name, chosen in (("flagged", flagged), ("passed", ~flagged))
                    for kind, part in (("error", e), ("ok", o))
                },
            }
            print(table.select(**{name: part.sum() for name, part in parts.items()}))
        return
    if task == "majority":
        print(votes.select((e > o).sum().alias("errors"), (e == o).sum().alias("ties")))
        return
    pairable = votes.filter(n >= 2)
    same = e * (e - 1) + o * (o - 1)
    observed, matched, errors, oks = pairable.select(
        (same / (n * (n - 1))).mean().alias("observed"),
        (same / (n - 1)).sum().alias("matched"),
        e.sum(),
        o.sum(),
    ).row(0)
    p = votes.select((e / n).mean()).item()
    chance, all_ = p * p + (1 - p) ** 2, errors + oks
    alpha = 1 - (1 - matched / all_) / (2 * errors * oks / (all_ * (all_ - 1)))
    print((observed - chance) / (1 - chance), alpha)


main()
