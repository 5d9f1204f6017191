"""Reference detectors: models of well-formed text that flag where a learner's text departs from it.

`detector.py` asks any of them. Maximum entropy and perceptron: `tagging.py`, `phrases.py` and
`features.py` turn text into events, `learning.py` fits a `linear_model.py`. The 4-gram language
model (Madnani et al. 2011) is in `ngrams/`. `model_folder.py` keeps models of both kinds.
"""
