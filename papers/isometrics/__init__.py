"""Reliable classifiers by isometrics of ROC space."""
