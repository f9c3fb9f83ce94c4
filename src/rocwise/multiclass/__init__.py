"""Questions about more than two classes: measures, operating points, trees of classes."""
