"""Cross-validated areas with Student's t over the folds."""
