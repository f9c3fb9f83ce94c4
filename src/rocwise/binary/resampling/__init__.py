"""The bootstrap of two classes: resampled counts, and the numbers read off the resampled curves.

`replicates` draws for one tally and has `bootstrap`, `paired` draws for several models or samples;
`curve_statistics` and `score_statistics` are the numbers, offered to users as `rw.statistics`.
Other topics may use `replicates.replicates` and `evaluated`, `paired.paired_bootstrap`, and the
statistics.
"""
