"""`python -m hgldp` is the command `hgldp`."""

import sys

from hgldp.cli.command import main

sys.exit(main())
