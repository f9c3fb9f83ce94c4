"""Questions about rows that do not come into memory: only counts and sums of them do.

`large_tally`, `large_groups`, `large_pairs` and `large_clusters` answer with None where the rows
fit into memory, and are then read as always.
"""
