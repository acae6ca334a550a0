"""The scripts that web pages load, and two pages that use them: an example, and a playground that teaches.

`static/` holds what `sdk/build.mjs` builds, so that a collector needs no Node. `files.py` knows every file by its hash,
`routes.py` serves them under a path that never changes its content.
"""
