"""ROC curves predicted from distributions."""
