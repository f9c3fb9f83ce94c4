"""The inner loops compiled by Cython, shared out among threads; the same names as in `plain`.

For `rocwise.kernels` only. Each module checks and lays out arrays for the loops of the extension
of its name (`sorting` for `_sorting`); both give the numbers of `plain` to the last bit.
"""
