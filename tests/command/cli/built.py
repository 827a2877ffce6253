# SPDX-License-Identifier: BSD-3-Clause
"""What configure left out of this build, for cases that need it."""
import os

from tap import Skip

WITHOUT = frozenset(os.environ.get("PRECIS_WITHOUT", "").split())


def need(library):
    """Skip a case unless precis was built with the library."""
    if library in WITHOUT:
        raise Skip("built without " + library)
