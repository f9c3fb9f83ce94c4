"""What runs in the process that computes: `worker` takes tasks, `tasks` lists them.

Only this part of the studio imports numpy and asks the library. Others start it with
``python -m rocwise.serving.computing.worker``.
"""
