"""What the server keeps, one package for each family of schemes.

`hot_list` serves bgr, dsr, bdr and cnr; `frontier` serves pfr over a listed domain and `strings` pfr over strings that
nobody listed; `histogram` serves the exhaustive baselines; `heavy_guardian` is a sketch with no privacy. All of them
write their state in a `state_frame`. `decades` tells how shares are spread. Needs the extra `track`; importing the
kernels checks that it is there.
"""

from hgldp import kernels as kernels
