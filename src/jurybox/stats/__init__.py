"""How sure a score is, and how far a person would get: counts tables added up in many ways.

`statistic` says what is scored (edits or GLEU), `running_choice` redoes the running choice of
annotators for many resamples at once, `resample` draws and gives intervals, `significance` compares
systems.
`subsets` scores a hypothesis against many sets of annotators, `ceiling` puts systems beside people
with it, `extrapolate` continues the curves. This room needs numpy; what only scores must not
import it.
"""
