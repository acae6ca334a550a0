"""Bytes ↔ task, bulletin, upload, version 1 (docs/wire-format.md). A decoder accepts exactly what an encoder writes."""
