#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_offline.py DIRECTORY: a CPU that is offline, or goes offline in the middle of it, is told, no run is lost, and
each is exact.
"""

import json
import os
import sys

from scenario import done, equal, ok, steps

RUNS = {"absent": 5, "there": 5, "vanishes": 100, "gone": 5}


def check(directory, name, runs):
    with open(os.path.join(directory, name + ".json"), encoding="utf-8") as file:
        told = json.load(file)
    (cell,) = told["cells"]["rows"]
    unbound = cell["unbound_threads"]
    equal(cell["runs"], runs, "%s: all runs are there" % name)
    rows = told["runs"]["rows"]
    ok(all(abs(row["samples"] - row["truth"] // row["period"]) <= 1 for row in rows), "%s: each is exact" % name, rows)
    if name == "vanishes":
        ok(0 < unbound < runs, "%s: some threads ran on another CPU: %d of %d" % (name, unbound, runs))
    else:
        equal(unbound, 0 if name == "there" else runs, "%s: how many threads ran on another CPU" % name)
    equal(any("went away meanwhile" in note for note in told["results"]["notes"]), unbound > 0,
          "%s: a note says so" % name)
    preflight = {row["row"]: row["finding"] for row in told["preflight"]["rows"]}
    equal(preflight["CPUs offline"], "1" if name in ("absent", "gone") else "none", "%s: it is told before" % name)


def main(directory):
    for step in steps(directory):
        equal(step.status, 0, "%s: done" % step.name)
    for name, runs in RUNS.items():
        check(directory, name, runs)
    return done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
