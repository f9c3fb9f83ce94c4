"""What all papers need: data, learners, out-of-fold scores, finished cells, tables."""
