"""The confident segment of a ROC curve when classes are unequal."""
