"""Parts of `MimeticClassifier`, and for it only.

Which copy is made (`configurations`), what its columns may hold (`attributes`, `tables`), and the
rows drawn from them and labelled by the model that is copied (`synthetic_rows`).
"""
