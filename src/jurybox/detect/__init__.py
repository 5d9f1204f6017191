"""Reference detectors: models of well-formed text that say where a learner's text departs from it.

The 4-gram language model (Madnani et al. 2011): `ngram_training.train_lm` makes an
`ngram_model.NgramModel` out of text, `ngram_store` keeps it in a folder, `arpa` reads and writes
the format that other tools have, and `kenlm_query` lets KenLM answer where it is installed.
"""
