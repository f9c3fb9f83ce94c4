"""Where to set the threshold: by a rule, with a guarantee, by subgroup, or without labels.

`rules` is the one table of rules; `choices` picks among the confusion cells of all thresholds, and
`operating_points` says what the chosen one does. `tables` lists every threshold, `guarantees`,
`subgroups` and `unlabelled` answer further questions, `uncertainty` resamples a choice.
To users it offers `rule_without_labels`, beside what `rocwise` itself lists.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
