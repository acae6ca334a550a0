"""One ledger for each of many people, for a web server whose workers share a folder.

`people` is the public class, `worker` takes its steps in each process, `lead` says which of them sends,
`database` is what they share, `accounts` are rows of it as ledgers, `booking` reserves and draws, and `uploads` is the
queue of all.
"""
