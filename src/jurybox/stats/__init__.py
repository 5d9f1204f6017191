"""How sure a score is: resampling of counts tables, and paired comparison of systems.

`statistic` says what is scored (edits or GLEU), `running` redoes the running choice of annotators
for many resamples at once, `resample` draws and gives intervals, `significance` compares systems.
This room needs numpy; what only scores must not import it.
"""
