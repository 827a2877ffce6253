# SPDX-License-Identifier: BSD-3-Clause
"""Data source words in perf's words: precis' texts of them, and which wording a perf has."""

import os
import subprocess

from differential import BUILD

TOOL = os.path.join(BUILD, "tests/differential/data_sources")
SHOWN = 82  # characters of the text that perf script prints
OLD, NEW = 0, 1  # columns of what TOOL prints: the wording of perf 6.1, of 6.12


def texts_of(words):
    """@return for each word its texts in both wordings"""
    lines = "".join("%x\n" % word for word in words).encode()
    run = subprocess.run([TOOL, "text"], input=lines, stdout=subprocess.PIPE, check=True)
    return [line.split("\t") for line in run.stdout.decode().splitlines()]


def wording_of(perf):
    """@param perf  class Perf. @return the column of TOOL that has its wording, None: not known"""
    version = tuple(map(int, perf.version.split(".")[:2]))
    if version < (6, 4):
        return OLD
    return NEW if (6, 11) <= version < (7, 0) else None
