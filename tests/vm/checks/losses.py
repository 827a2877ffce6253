# SPDX-License-Identifier: BSD-3-Clause
"""What precis report says was lost."""

import csv

from scenario import PRECIS, equal, ok, output

COLUMNS = ("lost", "counted", "lost_samples")


def reported(path):
    """{column: number}, of all CPUs; None: it is not known"""
    found = dict.fromkeys(COLUMNS)
    lines = csv.DictReader(output(PRECIS, "report", "--no-symbols", "--format", "csv",
                                  path).splitlines())
    rows = [line for line in lines if line["section"] == "losses" and line["value"]]
    of_cpus = {line["row"] for line in rows if line["column"] == "cpu"}
    for line in rows:
        if line["row"] not in of_cpus and line["column"] in COLUMNS:
            found[line["column"]] = (found[line["column"]] or 0) + int(line["value"])
    return found


def check(name, path, missing, counted):
    """
    missing: samples that were delivered and are not in the file. counted: whether the events have a
    counter of what was lost, too
    """
    losses = reported(path)
    ok(missing > 0, "%s: samples were lost" % name)
    equal(losses["lost"], missing, "%s: precis report has as many that buffers lost" % name)
    if counted:
        equal(losses["counted"], missing, "%s: and as many that the kernel's counters say" % name)
