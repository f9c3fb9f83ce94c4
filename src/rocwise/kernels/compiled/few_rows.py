"""A few plain rows, from labels and scores to sorted classes and their sums, in one call."""

from rocwise.kernels.compiled._sorting import few_rows as few_rows
