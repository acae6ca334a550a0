"""The service that takes randomised reports over HTTP and publishes bulletins and top-k estimates.

From the bottom up: `log` keeps what happened on disk, `writer` is the one thread that adds to it, `collector` puts the
two together, `http` and `dashboard` serve it, `server` runs it as a process.
"""
