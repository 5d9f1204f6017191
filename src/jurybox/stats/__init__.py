"""Confidence intervals, significance, and subsets of annotators: counts tables, added up again.

`statistic` says what is scored (edits or GLEU), `running_choice` redoes the running choice of
annotators for many resamples at once, `resample` draws and gives intervals, `significance` compares
systems, `subsets` scores a hypothesis against many sets of annotators. These files need numpy; what
only scores must not import them.
"""
