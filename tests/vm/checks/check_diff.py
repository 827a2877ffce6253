#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_diff.py DIRECTORY: verdicts of precis diff are right. Two workloads of which the module counted
that nearly all loads of one miss the L1, and few of the other: in each of 100 seeds the share of loads
that hit it is said to be better. And between two seeds of the same workload, which run the same
instructions and differ by sampling alone, no more comparisons have a verdict in any of all rows than 5 of
100 would be by chance.
"""

import json
import os
import sys
import tempfile

import chances
from check_estimates import truths
from process import of_process
from scenario import PRECIS, done, equal, ok, output, steps

RIGHT_AT_LEAST = 95
RIGHT_OF_SAME = 0.95 # each seed is in two comparisons
COLUMNS = "share,events,cycle_share,L1,LFB,tlb_miss,mean,median"
DECIDED = ("better", "worse", "more", "less")


def verdicts(before, after, *options):
    """{row: verdict} of all rows that are compared"""
    text = output(PRECIS, "diff", "--no-symbols", "--format", "json", "--columns", COLUMNS,
                  *options, before, after)
    return {row["row"]: row["verdict"] for row in json.loads(text)["diff_ops"]["rows"]}


def parts(directory, name, to):
    """A recording of each seed, and what was counted of it"""
    found = []
    for number, (pid, counts) in enumerate(truths(os.path.join(directory, name + ".truth"))):
        path = os.path.join(to, "%s.%d.data" % (name, number))
        of_process(os.path.join(directory, name + ".data"), pid, path)
        found.append((path, counts))
    return found


def hits(counts):
    return counts.get("load_levels[1]", 0) / counts["loads"]


def check_known(misses, hit):
    """The exact shares are far apart: what is said of samples is known."""
    least = min(hits(after) - hits(before) for (_, before), (_, after) in zip(misses, hit))
    ok(least > 0.5, "the share of loads that hit the L1 is higher by more than a half: by %.2f" % least)
    said = [verdicts(before, after)["all/L1"] for (before, _), (after, _) in zip(misses, hit)]
    right = said.count("better")
    ok(right >= RIGHT_AT_LEAST, "a known difference: the verdict is right in %d of %d seeds" %
       (right, len(said)), *sorted(set(said)))
    equal(said.count("worse"), 0, "and never the opposite")


def check_same(name, seeds, *options):
    """Each seed and the next one"""
    wrong = rows = 0
    if not options:
        equal(len({counts["ops"] for _, counts in seeds}), 1, "%s: the same instructions" % name)
    for (before, _), (after, _) in zip(seeds, seeds[1:] + seeds[:1]):
        said = verdicts(before, after, *options)
        rows += len(said)
        wrong += any(verdict in DECIDED for verdict in said.values())
    ok(rows > 2 * len(seeds) and chances.are_held(len(seeds) - wrong, len(seeds), RIGHT_OF_SAME, alike=2),
       "%s%s: of two seeds of the same, %d of %d comparisons have a verdict (%d rows)" %
       (name, "".join(", " + option for option in options), wrong, len(seeds), rows))


def main(directory):
    for step in steps(directory):
        equal(step.status, 0, "%s: done" % step.name)
    with tempfile.TemporaryDirectory() as to:
        misses, hit = parts(directory, "misses", to), parts(directory, "hits", to)
        equal((len(misses), len(hit)), (100, 100), "seeds")
        check_known(misses, hit)
        for name, seeds in ("misses", misses), ("hits", hit):
            check_same(name, seeds)
            check_same(name, seeds, "--by", "op")
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
