"""Clients and server in one process, at full speed. Needs the extra `track`."""

from hgldp import kernels as kernels
