"""ROC curves from distributions of the two classes: assumed, fitted, or estimated by kernels.

`rocwise.predict_roc` gives the curve of two distributions, `rocwise.fit_distribution` chooses one
for a sample, `rocwise.binormal` fits the binormal model to scores, `rocwise.rank_features` orders
features by what normal classes predict. Bands use `binormal_fits`; the rest is for this folder.
"""
