"""Maximum likelihood of the families that `rocwise.fit_distribution` tries by default.

Others use `by_family`: fits from closed forms, from a few sums over the sample, or by Newton's
steps from a start that some of the rows give. Every pass over the rows is shared by threads.
"""
