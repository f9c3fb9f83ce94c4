"""The studio: the report's page, served on this machine, with computing behind it.

`servers.studio` starts it; `README.md` in this folder describes the parts. Only the command and the
function `studio` import this package, and only they need Starlette and uvicorn. Others may use
`servers.studio` and `servers.Studio`.
"""
