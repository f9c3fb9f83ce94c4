"""The AUC of cross-validation: the mean over folds, its intervals, and what pooling does to it.

`rocwise.cross_validated_auc` takes scores and folds, `rocwise.cv_interval` the values of the
folds alone; nothing else is used from outside.
"""
