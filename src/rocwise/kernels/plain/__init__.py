"""The inner loops in plain numpy: what they do, and the twin that every compiled one is tested by.

For `rocwise.kernels` only, which chooses between these and those of `compiled`, file by file and
name by name the same.
"""
