"""Pictures of bands, of binormal fits, and of averages of curves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.plotting.pictures import Band as BandLayer
from rocwise.plotting.pictures import Layer, Line, Picture
from rocwise.plotting.registry import picture_of
from rocwise.plotting.roc_pictures import roc_square
from rocwise.plotting.wording import auc_words_of, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.average import ThresholdAverage, VerticalAverage
    from rocwise.binary.band_results import Band, BinormalBand
    from rocwise.binary.binormal_fits import BinormalFit
    from rocwise.binary.rate_regions import RateRegions
