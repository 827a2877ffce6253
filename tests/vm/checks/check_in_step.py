#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_in_step.py DIRECTORY: loops in step with the sampling period, and not. The share of loads in them
is known: the interval holds it in 94 of 100 seeds, as far as so few seeds can tell, or there is none.
Of what is in step the report says so, and of what is not there is an interval.
"""

import os
import re
import sys

import chances
from check_estimates import exact_share, intervals, truths
from scenario import PRECIS, check_each, equal, ok, output, steps

RIGHT = 0.94
FALSE_VERDICTS = 0.1 # the report may see what is not, or not see what is, so often


def verdict(path, pid):
    text = output(PRECIS, "report", "--no-symbols", "--all", "--pid", str(pid), path)
    match = re.search(r"Samples in step with the program\n.*\n.* (\w+)\n", text)
    return match[1] if match else "none"


def check(step, directory):
    path = os.path.join(directory, step.name + ".data")
    seeds = truths(os.path.join(directory, step.name + ".truth"))
    held, verdicts, unexplained = 0, [], 0
    for pid, counts in seeds:
        found = intervals(path, pid).get("loads")
        verdicts.append(verdict(path, pid))
        unexplained += found is None and verdicts[-1] not in ("few", "locked")
        held += found is None or found[0] <= exact_share("loads", counts) <= found[1]
    equal(unexplained, 0, "%s: where there is no interval the report says why" % step.name)
    ok(chances.are_held(held, len(seeds), RIGHT),
       "%s: intervals hold the share of loads, or there are none, in %d of %d seeds" %
       (step.name, held, len(seeds)))
    seen = sum(said != "none" for said in verdicts)
    wrong = seen if step.name.endswith("_apart") else len(seeds) - seen
    ok(wrong <= FALSE_VERDICTS * len(seeds), "%s: in step, says the report in %d of %d" %
       (step.name, seen, len(seeds)), *sorted(set(verdicts)))


def main(directory):
    return check_each(steps(directory), check, directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
