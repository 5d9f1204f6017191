"""What somebody would write with DuckDB: python duckdb_judgments.py TASK FILE [DECISIONS ...]."""

import sys

import duckdb

FIRST = """
create temp table said as
  select "case", rater, arg_min(label, rowid) as label from judgments
  where {} group by "case", rater;
create temp table votes as
  select "case", count(*) filter (label = 'error') as errors,
         count(*) filter (label = 'ok') as oks
  from said where label <> 'unknown' group by "case";
"""
EVALUATE = """
select sum((d.label = 'error' and errors > oks)::int),
       sum((d.label = 'error' and errors <= oks)::int),
       sum((d.label = 'ok' and errors > oks)::int), sum((d.label = 'ok' and errors <= oks)::int),
       sum(errors / (errors + oks)) filter (d.label = 'error'),
       sum(oks / (errors + oks)) filter (d.label = 'error'),
       sum(errors / (errors + oks)) filter (d.label = 'ok'),
       sum(oks / (errors + oks)) filter (d.label = 'ok')
from votes join read_csv('{}') d using ("case")
"""
AGREE = """
with pairable as (select errors, oks, errors + oks as n from votes where errors + oks >= 2),
sums as (
  select avg((errors * (errors - 1) + oks * (oks - 1)) / (n * (n - 1))) as observed,
         sum((errors * (errors - 1) + oks * (oks - 1)) / (n - 1)) as matched,
         sum(errors) as e, sum(oks) as o from pairable),
shares as (select avg(errors / (errors + oks)) as p from votes)
select (observed - p * p - (1 - p) * (1 - p)) / (1 - p * p - (1 - p) * (1 - p)) as fleiss,
       1 - (1 - matched / (e + o)) / (2 * e * o / ((e + o) * (e + o - 1))) as alpha
from sums, shares
"""
MAJORITY = """
select count(*), sum((errors > oks)::int), sum((errors = oks)::int)
from (select *, greatest(errors, oks) / (errors + oks) as confidence from votes)
"""


def main() -> None:
    task, file, *decisions = sys.argv[1:]
    con = duckdb.connect()
    reader = "read_parquet" if file.endswith(".parquet") else "read_csv"
    con.execute(f"create temp table judgments as from {reader}('{file}')")
    # evaluate counts a rater's first judgment, agree and aggregate the first that is an answer
    con.execute(FIRST.format("true" if task == "evaluate" else "label <> 'unknown'"))
    if task == "evaluate":
        for each in decisions:
            print(con.execute(EVALUATE.format(each)).fetchall())
    else:
        print(con.execute({"agree": AGREE, "majority": MAJORITY}[task]).fetchall())


main()
