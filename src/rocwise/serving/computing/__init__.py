"""The process that computes, started with ``python -m rocwise.serving.computing.worker``.

Only this part of the studio imports numpy.
"""
