"""Plot specifications of results, one module a topic; `registry.MODULES` lists them."""
