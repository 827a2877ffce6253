#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_overhead.py DIRECTORY: where PAPI's component raises the period to keep to max_overhead, the 95%
interval of the share of loads, in which each sample weighs the period it arrived with, holds the exact
share, which the module counted, in as many of 100 seeds as one that does so in 95 would by chance; and
the interval in which all samples weigh the same misses it in most. Otherwise nothing were tested.

A period of ops is 64 ops longer in what the sample says than between samples in the mean: IBS starts to
count at a random number below 128. What is sampled with the first period, 336, weighs too much for that;
hardware has it, too, and there periods are so long that it does not matter.
"""

import os
import sys

import chances
from check_estimates import exact_share, truths
from scenario import check_each, equal, ok, steps

SEEDS = 100
PERIOD = 336  # of papi_overhead.c
RAISED = 2    # times, at least: the heaviest sample by the lightest one
MISSES = 80   # seeds, at least: of samples that weigh the same


def results(path):
    """Of each process what it printed"""
    found = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            words = {key: float(value) for key, value in (w.split("=") for w in line.split())}
            found[int(words["pid"])] = words
    return found


def check(step, directory):
    seeds = truths(os.path.join(directory, step.name + ".truth"))
    told = results(os.path.join(directory, step.name + ".results"))
    equal(len(seeds), SEEDS, "%s: seeds" % step.name)
    equal(sorted(told), sorted(pid for pid, _ in seeds), "%s: each has its results" % step.name)
    held = held_counted = none = 0
    for pid, counts in seeds:
        one, share = told[pid], exact_share("loads", counts)
        none += one["low"] != one["low"]
        held += one["low"] <= share <= one["high"]
        held_counted += one["counted_low"] <= share <= one["counted_high"]
    every = list(told.values())
    equal(sum(one["samples"] for one in every) + sum(one["lost"] for one in every),
          step.total("ibs_op", "delivered"), "%s: as many samples as delivered" % step.name)
    ok(all(one["changes"] > 0 and one["least"] == PERIOD and one["most"] >= RAISED * PERIOD
           for one in every), "%s: the period is raised in each seed: to %d to %d" %
       (step.name, min(one["most"] for one in every), max(one["most"] for one in every)))
    equal(none, 0, "%s: intervals of all" % step.name)
    ok(chances.are_held(held, len(seeds)), "%s (modeled): weighed by the period, intervals hold the exact "
       "share of loads in %d of %d seeds" % (step.name, held, len(seeds)))
    ok(len(seeds) - held_counted >= MISSES, "%s (modeled): counted one by one they miss it in %d" %
       (step.name, len(seeds) - held_counted))


def main(directory):
    return check_each(steps(directory), check, directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
