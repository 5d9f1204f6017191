"""The same with jurybox: python jurybox_judgments.py TASK FILE [DECISIONS ...]."""

import sys
import warnings
from pathlib import Path

import jurybox as jb

warnings.simplefilter("ignore")  # of judgments that were given twice
task, file, *decisions = sys.argv[1:]
if task == "evaluate":
    found = jb.evaluate(None, file, {Path(each).stem: each for each in decisions})
    for one in found.systems:
        print(one.plain.counts, one.weighted.counts)
elif task == "agree":
    result = jb.agree(file)
    print(result.fleiss_kappa, result.alpha())
else:
    labels = jb.aggregate(file)
    print(len(labels.labels), len(labels.ties.cases))
