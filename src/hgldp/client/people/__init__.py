"""One ledger for each of many people, for a web server whose workers share a folder.

`people` is the public class, `worker` takes its steps in each process, `database` is what the workers share, `accounts`
are rows of it as ledgers, and `uploads` is the queue of all.
"""
