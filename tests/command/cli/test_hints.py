#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Misspelt commands, options and names: each message tells what may be meant, if anything may."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from command import recording, usage

HERE = sys.modules[__name__]
FILE = recording("zen4-op")
MISSPELT = (
    (("reprot", FILE), "report"), (("inof",), "info"), (("help", "filds"), "fields"),
    (("--versoin",), "--version"),
    (("dump", "--filed", "ip", FILE), "--fields"), (("report", "--symfx=/", FILE), "--symfs"),
    (("info", "--fromat", "json"), "--format"), (("errata", "--outptu", "x"), "--output"),
    (("dump", "-F", "mem_levl", FILE), "mem_level"), (("dump", "-F", "calchain", FILE), "callchain"),
    (("fields", "tlb_lvl"), "tlb_level"), (("errata", "AMD-1239"), "AMD-1238"),
    (("report", "--sort", "latncy", FILE), "latency"), (("report", "--format", "jsn", FILE), "json"),
    (("dump", "--records=MMPA2", FILE), "MMAP2"), (("dump", "-e", "ibs_opp//", FILE), "ibs_op//"),
    (("dump", "--filter", "mem_lvel == DRAM", FILE), "mem_level"),
)


def test_misspelt():
    """one letter too many, too few, another, or two exchanged"""
    for words, meant in MISSPELT:
        said = usage(*words)
        assert "did you mean" in said and meant in said.split("did you mean")[1], (words, said)


def test_nothing_near():
    """what is near nothing gets no guess"""
    for words in (("zzz",), ("dump", "--qqqqqq", FILE), ("fields", "zzzzzz"),
                  ("errata", "x"), ("dump", "-F", "1234567890" * 20, FILE)):
        assert "did you mean" not in usage(*words), words


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
