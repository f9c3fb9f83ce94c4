"""Questions about ordered classes: volume under the ROC surface and its relatives."""
