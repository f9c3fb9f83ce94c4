"""Two classes: curves, areas, comparisons, bands, thresholds, costs, abstention and planning.

Each folder is a topic; a topic imports only those below it. At the bottom lie `unit_scores`
(scores from 0 to 1), `curves`, `resampling` and `areas`, which the others build on.
"""
