# SPDX-License-Identifier: BSD-3-Clause
"""Ratios of runs in turns, told with how sure their median is."""
import math
import statistics


def median_interval(values):
    """Of n values in order those between which the median is in at least 95 of 100 cases; fewer than 6 have none"""
    values, below = sorted(values), 0.0
    for n in range(len(values) // 2):
        below += math.comb(len(values), n) / 2 ** len(values)
        if below > 0.025:
            return (values[n - 1], values[-n]) if n else (values[0], values[-1])
    return values[0], values[-1]


def median_told(ratios):
    return "%.3f [%.3f,%.3f]" % (statistics.median(ratios), *median_interval(ratios))
