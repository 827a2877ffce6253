#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_faults.py DIRECTORY...: what precis bench said of sampling with a fault on purpose, with the seeds of
all directories together. The metric that is meant for the fault names it in 95 of 100 seeds or more; without
a fault there is an alarm in 4 of 100 or less: of few seeds, which are the same in each run, in none. An alarm
is a figure that is worse than its bound, or a probability below ALARM: not that of samples which follow from
those before where periods have no random part, as Intel's, for there they do. It is said, too, what else names
a fault.
"""

import collections
import glob
import json
import os
import re
import sys

from scenario import done, equal, ok, steps

NAMED = 0.95
ALARMED = 0.04
ALARM = 0.0005 # two such probabilities are looked at for each event
CLEAN = "none" # and what begins with it
FIXED = "pebs_" # events whose periods have no random part


def declared(directory):
    """{fault: (metric, event, kernel)} as the scenario's log has them"""
    with open(os.path.join(directory, "log.txt"), encoding="utf-8", errors="replace") as log:
        found = [re.match(r"@fault (\S+) (\S+) (\S+) (\S+)$", line) for line in log]
    return {match[1]: match.groups()[1:] for match in found if match}


def results(directories, name):
    """What bench printed with each seed"""
    for directory in directories:
        for path in sorted(glob.glob(os.path.join(glob.escape(directory), name + ".*.json"))):
            with open(path, encoding="utf-8") as file:
                yield json.load(file)


def is_improbable(row):
    """Is it by chance alone, as it should be?"""
    return (row["unit"] == "p" and row["value"] is not None and row["value"] < ALARM and
            not (row["metric"] == "independence" and row["event"].startswith(FIXED)))


def alarms(result):
    """(metric, event, kernel) of what is worse, or too improbable"""
    return {(row["metric"], row["event"], row["kernel"]) for row in result["results"]["rows"]
            if row["verdict"] == "worse" or is_improbable(row)}


def check_steps(directory):
    for step in steps(directory):
        equal(step.status, 0, "%s: %s: done" % (directory, step.name))
        for what in ("undecoded", "unexpected", "dropped"):
            equal(step.stepper.get(what), 0, "%s: %s: the stepper had nothing %s" %
                  (directory, step.name, what))


def check_clean(directories, name):
    found = [alarms(result) for result in results(directories, name)]
    alarmed = [each for each in found if each]
    ok(found and len(alarmed) <= ALARMED * len(found), "%s: no fault: alarms in %d of %d seeds" %
       (name, len(alarmed), len(found)), *(sorted(each) for each in alarmed))


def check_fault(directories, name, meant):
    found = [alarms(result) for result in results(directories, name)]
    counts = collections.Counter(alarm for each in found for alarm in each)
    others = ["%s in %d" % (metric, times) for (metric, _, _), times in counts.most_common()
              if metric != meant[0]]
    ok(found and counts[meant] >= NAMED * len(found), "%s: %s of %s with %s in %d of %d seeds; %s" %
       (name, *meant, counts[meant], len(found), ", ".join(others) or "nothing else"))


def main(directories):
    for directory in directories:
        check_steps(directory)
    faults = declared(directories[0])
    clean = [step.name for step in steps(directories[0]) if step.name.startswith(CLEAN)]
    ok(clean or faults, "there is something to be judged")
    for name in clean:
        check_clean(directories, name)
    for name, meant in faults.items():
        check_fault(directories, name, meant)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
