#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_estimates.py DIRECTORY: the 95% confidence intervals that precis report prints of shares hold
the exact share, which the module counted over all instructions, in as many of 100 seeds as such that do so in
95 would by chance.

So it is for each share that at least half of the reports have. A report has no row for what no sample
showed: whether there is a row of something rare depends on what was sampled, and its interval has
always that sample in it. Such rows count among all others: of all intervals together 95% have to be
right, in the same sense. The seeds are 1 to 100, and not chosen; scenario_estimates.sh has 40 where few
repetitions are wanted.
"""

import csv
import os
import sys

import chances
from scenario import PRECIS, check_each, estimates, ok, output

SEEDS = (100, 40) if os.environ.get("PRECIS_FEW_REPETITIONS") else (100,)
# A seed has fewer than 100 samples. Of so few independent ones some are taken for samples in step with a
# loop, and have no interval: 11 in 100 of 45, 3 in 100 of 100 (tests/statistics/test_serial.c).
AT_LEAST_JUDGED = 80 # of 100

# Row of the report's key figures: what it is in the exact counts, and of what
SHARES = {
    "loads": (("loads",), "ops"),
    "loads that miss the L1": (("load_l1_misses",), "loads"),
    "loads from the L2": (("load_levels[3]",), "loads"),
    "loads from the L3": (("load_levels[4]",), "loads"),
    "loads from another core complex": (("load_levels[5]",), "loads"),
    "loads from a far node's cache": (("load_levels[6]",), "loads"),
    "loads from DRAM": (("load_levels[7]", "load_levels[8]"), "loads"),
    "stores": (("stores",), "ops"),
    "accesses that miss the L1 DTLB": (("dtlb_l1_misses",), "dtlb_accesses"),
    "accesses that walk page tables": (("dtlb_walks",), "dtlb_accesses"),
    "misses with their own buffer": (("misses_own_buffer",), "misses"),
    "retired branches": (("branches",), "ops"),
    "branches mispredicted": (("mispredicted",), "branches"),
}

def truths(path):
    """Of each seed: the process and what was counted of it"""
    found = []
    before = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            counts = {key: int(value) for key, value in (w.split("=") for w in line.split())}
            if counts["seed"]:
                found.append((counts["pid"], {key: value - before.get(key, 0)
                                              for key, value in counts.items()}))
            before = counts
    return found


def exact_share(row, counts):
    """None: of nothing"""
    parts, whole = SHARES[row]
    whole = counts.get(whole, 0)
    return sum(counts.get(part, 0) for part in parts) / whole if whole else None


def intervals(path, pid):
    """Row of the key figures: low and high end"""
    found = {}
    for line in csv.DictReader(output(PRECIS, "report", "--no-symbols", "--format", "csv",
                                      "--pid", str(pid), path).splitlines()):
        if line["section"] == "summary" and line["column"] == "share" and line["low"]:
            found[line["row"]] = (float(line["low"]), float(line["high"]))
    return found


def check(step, directory):
    data = os.path.join(directory, step.name + ".data")
    seeds = truths(os.path.join(directory, step.name + ".truth"))
    ok(len(seeds) in SEEDS, "%s: seeds" % step.name)
    low, high, row = step.known
    if row != "-":
        shares = [exact_share(row, counts) for _, counts in seeds]
        ok(low <= min(shares) and max(shares) <= high, "%s: the workload does what is known of it: "
           "%s, modeled: %.1f%% to %.1f%%" % (step.name, row, 100 * min(shares), 100 * max(shares)))
    held = dict.fromkeys(SHARES, 0)
    widths = {name: [] for name in SHARES}
    compared = dict.fromkeys(SHARES, 0)
    for pid, counts in seeds:
        estimates = intervals(data, pid)
        for name in SHARES:
            share = exact_share(name, counts)
            if name not in estimates:
                continue
            low, high = estimates[name]
            compared[name] += 1
            widths[name].append(high - low)
            held[name] += share is not None and low <= share <= high
    usual = [name for name in SHARES if compared[name] >= len(seeds) / 2]
    for name in usual:
        ok(chances.are_held(held[name], compared[name], judged=len(usual)),
           "%s: %s: the interval (%.1f%% wide in the mean) holds the exact share in %d of %d "
           "seeds" % (step.name, name, 100 * sum(widths[name]) / compared[name], held[name], compared[name]))
    every, right = sum(compared.values()), sum(held.values())
    ok(chances.are_held(right, every, alike=chances.SUMS),
       "%s: %d of all %d intervals hold the exact shares" % (step.name, right, every))
    if row != "-":
        wanted = AT_LEAST_JUDGED * len(seeds) / 100
        ok(compared[row] >= wanted, "%s: %s: an estimate of %d seeds, wanted %d"
           % (step.name, row, compared[row], wanted))


def main(directory):
    return check_each(estimates(directory), check, directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
