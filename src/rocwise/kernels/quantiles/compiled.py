"""Quantiles of Student's t and of beta distributions, and the limits of areas made of them."""

from rocwise.kernels.compiled._quantiles import beta_quantile as beta_quantile
from rocwise.kernels.compiled._quantiles import sized_limits as sized_limits
from rocwise.kernels.compiled._quantiles import sized_share as sized_share
from rocwise.kernels.compiled._quantiles import student_quantile as student_quantile
