# SPDX-License-Identifier: BSD-3-Clause
"""
Fewer of what a test goes through, where its environment asks for that.

PRECIS_FEW_REPETITIONS=1 wants all cases, with fewer seeds, random changes and cuts in each; PRECIS_QUICK=1
can do without some of the cases, too.
"""
import os


def asked_for(variable):
    return os.environ.get(variable, "0") not in ("", "0")


QUICK = asked_for("PRECIS_QUICK")
FEW = QUICK or asked_for("PRECIS_FEW_REPETITIONS")


def some(things, one_in=3):
    """All of them; in a quick run the first and every third behind it."""
    return list(things)[::one_in] if QUICK else list(things)


def fewer(count, one_in=4):
    """So many repetitions; where few are wanted a quarter."""
    return count // one_in if FEW else count
