#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_btree.py DIRECTORY [SYMFS]: bench/btree/btree.py prints of lookups in a B+-tree, by level and member, as many
samples as the program's own count of its loads makes one expect; and no other row. What the model does to each is
found there, too: the root is in the nearest cache, and what is loaded first of a leaf waits for its TLB.
"""
import os
import re
import shutil
import sys
import tempfile

from scenario import PRECIS, TOP, done, equal, ok, output, steps

DEVIATIONS = 5  # of the expected number, as often as twice what independent samples have


def loads_of(directory):
    """{(level, member): loads} as the program counted them"""
    with open(os.path.join(directory, "log.txt"), encoding="utf-8") as log:
        lines = [line.split() for line in log if line.startswith("loads ")]
    return {(int(words[1]), words[2]): int(words[3]) for words in lines}


def rows_of(text, title):
    """{(level, member): words behind them} of that table of btree.py's"""
    block = text.split("\n" + title, 1)[1].split("\n\n", 2)[1]
    found = {}
    for line in block.splitlines():
        words = line.split()
        if words and words[0].isdigit():
            found[int(words[0]), words[1].partition(".")[2]] = words[2:]
    return found


def period_of(directory, recording):
    """Loads for each sample, and the vendor. IBS begins to count at a random number: it is less than the event says."""
    event = re.search(r"^  event \d+ +(ibs_op|cpu/mem-loads,).*period (\d+)", output(PRECIS, "report", recording), re.M)
    if event[1] != "ibs_op":
        return int(event[2]), "pebs"
    step = steps(directory)[0]
    return step.stepper["steps"] / step.total("ibs_op", "delivered"), "ibs"


def check_samples(name, rows, loads, period):
    wrong = [key for key in loads if key not in rows] + [key for key in rows if key not in loads]
    equal(wrong, [], "%s: the rows are the %d places that the program loads from" % (name, len(loads)))
    for key in sorted(loads.keys() & rows.keys()):
        expected, samples = loads[key] / period, int(rows[key][0])
        ok(abs(samples - expected) <= DEVIATIONS * (2 * expected) ** .5, "%s: level %d, %s: %d samples" % (
            name, *key, samples), "%.1f are expected" % expected)


def check_cycles(name, cycles, leaf):
    """Columns of cycles are pairs: number and mean"""
    if name == "ibs":
        root = {key: row for key, row in cycles.items() if key[0] == 0}
        ok(root and all(row[:4] == ["0", "-", "0", "-"] for row in root.values()),
           "ibs: at the root nothing has a miss latency", root)
        refills = {key for key, row in cycles.items() if key[0] == leaf and row[0] != "0"}
        equal(refills, {(leaf, "header.version")}, "ibs: of a leaf only what is loaded first waits for the TLB")
        return
    root = {row[1] for key, row in cycles.items() if key[0] == 0}
    equal(root, {"5.0"}, "pebs: at the root the cache takes 5 cycles, each time")
    # "mean [low,high]" are two words
    mean = float(cycles[leaf, "header.version"][1])
    ok(mean > 20, "pebs: the leaf's first load takes %.1f" % mean)


def symfs_of(work):
    """Where the guest's programs are, for symbols"""
    programs = os.path.join(work, "usr", "bin")
    os.makedirs(programs)
    shutil.copy(os.path.join("programs", "btree"), programs)
    return work


def check(directory, symfs):
    recording = os.path.join(directory, "btree.data")
    text = output(sys.executable, os.path.join(TOP, "bench", "btree", "btree.py"), "--precis", PRECIS, "--symfs", symfs,
                  recording)
    loads = loads_of(directory)
    period, name = period_of(directory, recording)
    check_samples(name, rows_of(text, "Where loads found their data"), loads, period)
    check_cycles(name, rows_of(text, "Cycles"), max(key[0] for key in loads))
    for words in ("about 200 TLB refill", "hits have no latency") if name == "ibs" else ("210 cache", "5 cache"):
        ok(words in text, "%s: the published figure is beside it: %s" % (name, words))


def main():
    if len(sys.argv) > 2:
        check(sys.argv[1], sys.argv[2])
        return done()
    with tempfile.TemporaryDirectory() as work:
        check(sys.argv[1], symfs_of(work))
    return done()


if __name__ == "__main__":
    sys.exit(main())
