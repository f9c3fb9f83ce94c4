"""The few inner loops that decide the speed: compiled where possible, else plain numpy.

`ACTIVE` says which set is in use ("compiled" or "numpy"). Both give the same numbers, to the
last bit but where sums are taken in another order; the environment variable
``ROCWISE_KERNELS=numpy`` chooses the numpy twins.
"""

from typing import TYPE_CHECKING

from rocwise.kernels.concordance import MarkerRanks, concordance_sum, marker_ranks
from rocwise.kernels.kalman import LinearModel, linear_log_likelihoods
from rocwise.kernels.losses import largest_heights, resampled_means
from rocwise.kernels.permute import Pool, coin_sums, pooled, relabeled_distances, swapped_distances
from rocwise.kernels.plain.ordering import rank_classes
from rocwise.kernels.ranks import (
    PlacementSums,
    combine,
    merge_curves,
    placement_sums,
    placements,
    table_sums,
)
from rocwise.kernels.selection import ACTIVE as ACTIVE
from rocwise.kernels.sort import (
    argsort,
    ascending,
    distinct,
    numbers_used,
    rising,
    sort_by_class,
    sort_rows,
)
from rocwise.kernels.vector_products import dot, exact_parts, rounded_sum

if TYPE_CHECKING or ACTIVE == "numpy":
    from rocwise.kernels.cuts.plain import (
        better_rivals,
        cheapest_cut,
        group_ratios,
        rival_ratios,
    )
    from rocwise.kernels.hulls.plain import concave_corners, resample_isotonic
    from rocwise.kernels.lines.plain import laid_curve, row_crossings, row_gaps, row_pair_gaps
    from rocwise.kernels.plain.bands import (
        resample_block_furthest,
        resample_block_tpr,
        resample_crossings,
        resample_gaps,
        resample_pair_gaps,
    )
    from rocwise.kernels.plain.classes import (
        class_credits,
        class_wins,
        held_volume,
        pair_wins,
        resample_class_wins,
        resample_pair_wins,
        resample_volumes,
    )
    from rocwise.kernels.plain.labellings import tuple_credits
    from rocwise.kernels.plain.ordering import chain_parts, chain_volume
    from rocwise.kernels.plain.sweeping import cheapest_cell, largest_weighted
else:
    from rocwise.kernels.compiled.bands import (
        resample_block_furthest,
        resample_block_tpr,
        resample_crossings,
        resample_gaps,
        resample_pair_gaps,
    )
    from rocwise.kernels.compiled.classes import (
        class_credits,
        class_wins,
        held_volume,
        pair_wins,
        resample_class_wins,
        resample_pair_wins,
        resample_volumes,
    )
    from rocwise.kernels.compiled.labellings import tuple_credits
    from rocwise.kernels.compiled.ordering import chain_parts, chain_volume
    from rocwise.kernels.compiled.sweeping import cheapest_cell, largest_weighted
    from rocwise.kernels.cuts.compiled import (
        better_rivals,
        cheapest_cut,
        group_ratios,
        rival_ratios,
    )
    from rocwise.kernels.hulls.compiled import concave_corners, resample_isotonic
    from rocwise.kernels.lines.compiled import laid_curve, row_crossings, row_gaps, row_pair_gaps

__all__ = [
    "ACTIVE",
    "LinearModel",
    "MarkerRanks",
    "PlacementSums",
    "Pool",
    "argsort",
    "ascending",
    "better_rivals",
    "chain_parts",
    "chain_volume",
    "cheapest_cell",
    "cheapest_cut",
    "class_credits",
    "class_wins",
    "coin_sums",
    "combine",
    "concave_corners",
    "concordance_sum",
    "distinct",
    "dot",
    "exact_parts",
    "group_ratios",
    "held_volume",
    "laid_curve",
    "largest_heights",
    "largest_weighted",
    "linear_log_likelihoods",
    "marker_ranks",
    "merge_curves",
    "numbers_used",
    "pair_wins",
    "placement_sums",
    "placements",
    "pooled",
    "rank_classes",
    "relabeled_distances",
    "resample_block_furthest",
    "resample_block_tpr",
    "resample_class_wins",
    "resample_crossings",
    "resample_gaps",
    "resample_isotonic",
    "resample_pair_gaps",
    "resample_pair_wins",
    "resample_volumes",
    "resampled_means",
    "rising",
    "rival_ratios",
    "rounded_sum",
    "row_crossings",
    "row_gaps",
    "row_pair_gaps",
    "sort_by_class",
    "sort_rows",
    "swapped_distances",
    "table_sums",
    "tuple_credits",
]
