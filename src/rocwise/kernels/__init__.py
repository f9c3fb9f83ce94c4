"""The few inner loops that decide the speed: compiled, or with ROCWISE_KERNELS=numpy plain.

Both give the same numbers, to the last bit but where sums are taken in another order.
"""

from rocwise.kernels.bands import reference_index as reference_index
from rocwise.kernels.bands import resample_crossings as resample_crossings
from rocwise.kernels.bands import resample_distances as resample_distances
from rocwise.kernels.bands import resample_pair_distances as resample_pair_distances
from rocwise.kernels.bands import resample_tpr as resample_tpr
from rocwise.kernels.chains import PairSums as PairSums
from rocwise.kernels.chains import chain_parts as chain_parts
from rocwise.kernels.chains import chain_volume as chain_volume
from rocwise.kernels.chains import pair_sums as pair_sums
from rocwise.kernels.chains import pair_wins as pair_wins
from rocwise.kernels.cuts import better_class as better_class
from rocwise.kernels.cuts import cheapest_cell as cheapest_cell
from rocwise.kernels.cuts import cheapest_cut as cheapest_cut
from rocwise.kernels.cuts import decision_ratios as decision_ratios
from rocwise.kernels.losses import largest_heights as largest_heights
from rocwise.kernels.losses import resampled_means as resampled_means
from rocwise.kernels.permute import Pool as Pool
from rocwise.kernels.permute import coin_sums as coin_sums
from rocwise.kernels.permute import pooled as pooled
from rocwise.kernels.permute import relabeled_distances as relabeled_distances
from rocwise.kernels.permute import swapped_distances as swapped_distances
from rocwise.kernels.ranks import PlacementSums as PlacementSums
from rocwise.kernels.ranks import combine as combine
from rocwise.kernels.ranks import doubled_midranks as doubled_midranks
from rocwise.kernels.ranks import merge_curves as merge_curves
from rocwise.kernels.ranks import midrank_placements as midrank_placements
from rocwise.kernels.ranks import placement_sums as placement_sums
from rocwise.kernels.ranks import placements as placements
from rocwise.kernels.ranks import sample_curve as sample_curve
from rocwise.kernels.ranks import sample_sums as sample_sums
from rocwise.kernels.ranks import table_sums as table_sums
from rocwise.kernels.selection import ACTIVE as ACTIVE
from rocwise.kernels.sort import SortedSample as SortedSample
from rocwise.kernels.sort import argsort as argsort
from rocwise.kernels.sort import classes_of as classes_of
from rocwise.kernels.sort import distinct as distinct
from rocwise.kernels.sort import n_distinct as n_distinct
from rocwise.kernels.sort import sort_by_class as sort_by_class
from rocwise.kernels.sort import sort_rows as sort_rows
from rocwise.kernels.sort import sort_sample as sort_sample
