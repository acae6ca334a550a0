"""The paper measured again, and our own schemes beside it: what is run, how it is judged, and the report.

`experiment` compares plans on one stream (`hgldp simulate`); `reproduce` makes the whole report (`hgldp reproduce`).
In between: `measuring` makes one number, `pool` makes all of them on every core, `cache` keeps them, `studies` says
what to measure and what to show of it, `judging` judges the paper's claims, `plotting` draws and `report` writes.
"""
