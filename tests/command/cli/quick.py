# SPDX-License-Identifier: BSD-3-Clause
"""Fewer of what a test goes through, where PRECIS_QUICK asks for a quick run."""
import os

QUICK = os.environ.get("PRECIS_QUICK", "0") not in ("", "0")


def some(things, one_in=3):
    """All of them; in a quick run the first and every third behind it."""
    return list(things)[::one_in] if QUICK else list(things)


def fewer(count, one_in=4):
    """So many; in a quick run a quarter."""
    return count // one_in if QUICK else count
