"""Questions and linear models of the nodes of a tree; for `rocwise.kernels` and model trees."""
