"""From a payload to one page that needs nothing else: no network, no other file."""

import html
import json
import re
from importlib.resources import files
from typing import Any

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rocwise {version}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="rocwise"></div>
<noscript>{noscript}</noscript>
<script type="application/json" id="rocwise-data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
HALVES = re.compile("[\ud800-\udfff]")
ESCAPED = re.compile("[<\u2028\u2029\ud800-\udfff]")  # halves of signs are no UTF-8
NOSCRIPT = "The plots of this page need JavaScript, which is part of the page."


def page_of(payload: dict[str, Any], *, policy: str = POLICY) -> str:
    """The whole page as text."""
    return PAGE.format(
        policy=policy.replace('"', "&quot;"),
        version=html.escape(str(payload.get("rocwise", ""))),
        title=html.escape(HALVES.sub("\ufffd", str(payload.get("title") or "ROC report"))),
        style=asset("page.css"),
        noscript=NOSCRIPT,
        data=embedded_json(payload),
        script=asset("page.js"),
    )


def asset(name: str) -> str:
    """A built part of the page."""
    return files("rocwise.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def embedded_json(payload: dict[str, Any]) -> str:
    """JSON that is safe inside a script element, whatever names the models have."""
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
