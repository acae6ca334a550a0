"""What the server keeps. Needs the extra `track`, which importing the kernels makes sure of."""

from hgldp import kernels as kernels
