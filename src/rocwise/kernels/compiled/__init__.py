"""The inner loops compiled by Cython; `rocwise.kernels` checks and lays out their arrays."""
