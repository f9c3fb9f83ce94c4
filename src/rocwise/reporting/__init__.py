"""Results to one self-contained page: `report` writes it, `pages` makes it.

The page is built from `frontend/` into `assets`; `README.md` in this folder describes its
payload. Others may use `pages.report`, `pages.Report`, `pages.payload_of` and `html.page_of`.
"""
