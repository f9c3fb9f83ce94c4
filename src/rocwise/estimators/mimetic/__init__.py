"""Parts of `MimeticClassifier`: which copy is made, and the rows that it is learned from.

For others: `CONFIGURATIONS` (the 22 copies by name) and `AbsentClassError`. Inside:
`configurations`, what columns may hold (`attributes`, `tables`), and rows drawn from them and
labelled by the model that is copied (`synthetic_rows`).
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
