"""One column at a time: labels, classes and scores, as they came and as numbers."""
