#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis sharing counts of each line what perf c2c report counts: of recordings that are made at random."""
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import accesses as made
import perfdata
import tap
from command import good
from quick import FEW
from tap import equal

PERF = os.environ.get("PERF", "")
START, LINES, BYTES = 0x7f0000000000, 24, 64

# What perf 6.1 has of each line behind the share by which lines are sorted, in its order; each with what that is here
REST = ("records", "loads", "stores", "store_l1_hit", "store_l1_miss", "store_unknown", "fill_buffer", "l1_hit",
        "l2_hit", "llc_hit", "local_hitm", "remote_hit", "remote_hitm", "local_dram", "remote_dram")
COLUMNS = {"tot": ("hitm", "local_hitm", "remote_hitm") + REST, "peer": ("peer", "local_peer", "remote_peer") + REST}


def random_source(numbers):
    """Of the data source words that drivers write, and of others that they could"""
    if numbers.random() < 0.3:
        level = numbers.choice((made.HIT | made.L1, made.MISS | made.L1, made.LVL_NA, made.HIT | made.L2))
        return made.STORE | level | numbers.choice((0, made.LOCKED))
    where = numbers.choice((made.L1, made.LFB, made.L2, made.L3, made.L3, made.LOC_RAM, made.REM_RAM1, made.REM_RAM2,
                            made.REM_CCE1, made.REM_CCE2, made.IO, made.UNC))
    snoop = numbers.choice((made.SNP_NA, made.SNP_NONE, made.SNP_HIT, made.SNP_MISS, made.HITM, made.HITM))
    return (made.LOAD | numbers.choice((made.HIT, made.HIT, made.HIT, made.MISS, made.HIT | made.MISS)) | where | snoop |
            numbers.choice((0, 0, made.REMOTE)) | numbers.choice((0, 0, 0, made.PEER, made.FORWARD)) |
            numbers.choice((0, 0, 1 << 43)) | numbers.choice((0, made.LOCKED)))


def random_recording(seed, count=3000):
    numbers = random.Random(seed)
    records = [made.comm(100, 100, "program")]
    records += [made.comm(100, 101 + n, "program") for n in range(3)]
    records += [made.mmap(100, START, 0x10000, "//anon"),
                made.mmap(100, 0x400000, 0x2000, "/bin/sh", is_data=False)]
    for n in range(count):
        source = random_source(numbers)
        address = START + BYTES * numbers.randrange(LINES) + 8 * numbers.randrange(8)
        event = 2 if source & made.STORE else 1
        records.append(made.sample(event, address, 101 + numbers.randrange(3), source, time=10 ** 9 + n,
                                   cpu=numbers.randrange(4), ip=0x401000 + 4 * numbers.randrange(5)))
    return made.recording("c2c-%d" % seed, records)


def by_perf(path, display):
    """By line what perf c2c report prints"""
    # it writes to an addr2line that may have died: SIGPIPE stays ignored
    done = subprocess.run([PERF, "c2c", "report", "--stdio", "-i", path, "-d", display],
                          stdin=subprocess.DEVNULL, restore_signals=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False)
    if done.returncode:
        raise tap.Skip("perf c2c report: " + done.stderr.decode(errors="replace").strip()[:200])
    text = done.stdout.decode(errors="replace")
    columns = COLUMNS[display]
    table = text.split("Shared Data Cache Line Table")[1].split("Shared Cache Line Distribution Pareto")[0]
    found = {}
    for line in table.splitlines():
        words = line.split()
        if len(words) > 5 and re.fullmatch(r"\d+", words[0]) and words[1].startswith("0x"):
            counts = [int(word) for word in words if re.fullmatch(r"\d+", word)][-len(columns):]
            found[int(words[1], 16)] = dict(zip(columns, counts))
    assert len(found) > LINES / 2, text[:3000]
    return found


def by_precis(path):
    told = json.loads(good("sharing", "--no-symbols", "--format", "json", path))
    return {int(row["address"], 16): row for row in told["sharing_lines"]["rows"]}


def told_of(row, name):
    if name in ("hitm", "peer"):
        return row["c2c_local_" + name] + row["c2c_remote_" + name]
    return row["c2c_" + name]


def check(path, display):
    expected, found = by_perf(path, display), by_precis(path)
    for address, counts in expected.items():
        for name, count in counts.items():
            equal(told_of(found[address], name), count, "%s of line %#x" % (name, address))
    return expected


def test_random():
    """each count of each line, of words of all kinds"""
    if not PERF:
        raise tap.Skip("perf was not found")
    sums = dict.fromkeys(COLUMNS["tot"] + COLUMNS["peer"], 0)
    for seed in range(2 if FEW else 6):
        path = random_recording(seed)
        for display in COLUMNS:
            for counts in check(path, display).values():
                for name, count in counts.items():
                    sums[name] += count
    missing = [name for name, count in sums.items() if not count]
    equal(missing, [], "counts that nothing was counted in")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
