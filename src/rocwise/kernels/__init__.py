"""The few inner loops that decide the speed: compiled where possible, else plain numpy.

`ACTIVE` says which set is in use ("compiled" or "numpy"). Both give the same numbers, to the
last bit but where sums are taken in another order; the environment variable
``ROCWISE_KERNELS=numpy`` chooses the numpy twins.
"""

from rocwise.kernels.bands import (
    reference_index,
    resample_crossings,
    resample_distances,
    resample_pair_distances,
    resample_tpr,
)
from rocwise.kernels.chains import chain_parts, chain_volume, pair_wins
from rocwise.kernels.cuts import better_rivals, cheapest_cell, cheapest_cut, rival_ratios
from rocwise.kernels.losses import largest_heights, resampled_means
from rocwise.kernels.permute import Pool, coin_sums, pooled, relabeled_distances, swapped_distances
from rocwise.kernels.ranks import (
    PlacementSums,
    combine,
    doubled_midranks,
    merge_curves,
    midrank_placements,
    placement_sums,
    placements,
    sample_curve,
    sample_sums,
    table_sums,
)
from rocwise.kernels.selection import ACTIVE as ACTIVE
from rocwise.kernels.sort import (
    SortedSample,
    argsort,
    classes_of,
    distinct,
    n_distinct,
    sort_by_class,
    sort_rows,
    sort_sample,
)

__all__ = [
    "ACTIVE",
    "PlacementSums",
    "Pool",
    "SortedSample",
    "argsort",
    "better_rivals",
    "chain_parts",
    "chain_volume",
    "cheapest_cell",
    "cheapest_cut",
    "classes_of",
    "coin_sums",
    "combine",
    "distinct",
    "doubled_midranks",
    "largest_heights",
    "merge_curves",
    "midrank_placements",
    "n_distinct",
    "pair_wins",
    "placement_sums",
    "placements",
    "pooled",
    "reference_index",
    "relabeled_distances",
    "resample_crossings",
    "resample_distances",
    "resample_pair_distances",
    "resample_tpr",
    "resampled_means",
    "rival_ratios",
    "sample_curve",
    "sample_sums",
    "sort_by_class",
    "sort_rows",
    "sort_sample",
    "swapped_distances",
    "table_sums",
]
