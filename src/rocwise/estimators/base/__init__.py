"""What the classifiers around another model share; for `rocwise.estimators` only.

`meta_estimator` is the model inside and its place in scikit-learn, `out_of_fold_scores` scores
rows by models that had not seen them, `decision_rules` and `reject_option` learn a rule for two
classes on such scores, `several_classes` one for more; `two_classes` and `rows` check what came.
"""
