"""The collector over HTTP: uploads, results, tasks and operations, and the documents that they take and give."""
