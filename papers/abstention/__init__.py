"""Cost curves for classifiers that may abstain."""
