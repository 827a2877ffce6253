#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Recordings, read by stock perf script and by precis dump: the same number of samples, and in each the
same time, period, ip, addr, phys_addr, weight and data_src.

Where precis has no value (a data address that the hardware marked invalid), perf prints 0. Where the
hardware marked the instruction's address invalid, perf prints that of the interrupt: the sample must
not claim that this is exact, and there is nothing to compare.
"""

import glob
import json
import os
import re
import subprocess
import tempfile

from differential import ENVIRONMENT, PERF, PRECIS, SHARED, TOP, Lines, done, need, note, ok, \
    skip_all

# In the order in which perf script prints them; data_src apart, since text follows it
FIELDS = ["time", "period", "addr", "weight", "ip", "phys_addr"]
APART = "data_src"
UNKNOWN = -1  # in place of an ip that precis does not have
NAMES = {"weight": "perf_weight", "data_src": "perf_data_src"}
HEXADECIMAL = {"addr", "ip", "phys_addr", "data_src"}
MISSING = re.compile(r"Cannot print '(\w+)' field")
REPORTED = 5


def script(path, fields):
    """The lines of perf script with those of the fields that all events have. @return lines, fields"""
    fields = list(fields)
    while True:
        run = subprocess.run([PERF, "script", "--ns", "-G", "-F", ",".join(fields), "-i", path],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        missing = MISSING.search(run.stderr.decode(errors="replace"))
        if run.returncode == 0 or not missing or missing.group(1) not in fields:
            lines = [line for line in run.stdout.decode().splitlines() if line.strip()]
            return (lines if run.returncode == 0 else None), fields
        fields.remove(missing.group(1))
        if fields in ([], ["time"]):
            return [], []


def number(field, text):
    if field == "time":
        seconds, _, nanoseconds = text.rstrip(":").partition(".")
        return int(seconds) * 1000000000 + int(nanoseconds)
    return int(text, 16 if field in HEXADECIMAL else 10)


def perf_samples(path, wanted):
    """@return the fields that perf has, and their values in each sample; None if perf fails"""
    lines, fields = script(path, wanted)
    if lines is None:
        return None, None
    return fields, [tuple(map(number, fields, line.split())) for line in lines]


def precis_samples(path, work):
    names = [NAMES.get(field, field) for field in FIELDS + [APART]] + ["ip_exact"]
    lines = Lines([PRECIS, "dump", "--format", "json", "-F", ",".join(names), path],
                  os.path.join(work, "precis.err"))
    samples = [json.loads(line) for line in lines]
    code, errors = lines.close()
    return samples, code, errors


def reads_groups(path):
    """perf script gives each member of a group that reads its counters the counter's step as period."""
    run = subprocess.run([PERF, "evlist", "-v", "-i", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=ENVIRONMENT)
    return re.search(rb"read_format: [A-Z|_]*GROUP", run.stdout) is not None


def value(sample, field):
    """What perf prints for that sample: its own member, or 0 if there is none"""
    if field == "ip" and "ip" not in sample:
        return UNKNOWN
    mine = sample.get(NAMES.get(field, field), 0)
    return int(mine, 16) if isinstance(mine, str) else mine


def differences(path, samples, wanted):
    """@return how many values were compared, and what differs"""
    fields, perf = perf_samples(path, wanted)
    if fields is None:
        return 0, ["perf script fails"]
    if wanted == ["time", APART] and APART not in fields:
        return 0, []
    # perf orders by time, precis keeps the file's order
    mine = sorted(tuple(value(sample, field) for field in fields) for sample in samples)
    perf.sort()
    if len(mine) != len(perf):
        return 0, ["precis has %d samples, perf %d" % (len(mine), len(perf))]
    wrong = ["%s: precis %s, perf %s" % (",".join(fields), a, b) for a, b in zip(mine, perf)
             if any(x not in (y, UNKNOWN) for x, y in zip(a, b))]
    return sum(x != UNKNOWN for row in mine for x in row), wrong


def main():
    need(PERF, "nothing to compare with")
    paths = {os.path.basename(path): path
             for folder in (os.path.join(SHARED, "recordings"), os.path.join(TOP, "tests", "recordings"))
             for path in glob.glob(os.path.join(folder, "*.perf.data"))}
    if not paths:
        skip_all("no recordings in %s or tests/recordings" % SHARED)
    compared = inexact = 0
    with tempfile.TemporaryDirectory() as work:
        for name, path in sorted(paths.items()):
            samples, code, errors = precis_samples(path, work)
            fields = [f for f in FIELDS if f != "period" or not reads_groups(path)]
            count, wrong = differences(path, samples, fields)
            wrong += ["no ip, and yet exact: %s" % sample for sample in samples
                      if "ip" not in sample and sample.get("ip_exact")]
            inexact += sum("ip" not in sample for sample in samples)
            more, more_wrong = differences(path, samples, ["time", APART])
            for line in (wrong + more_wrong)[:REPORTED]:
                note(line)
            if code:
                note("precis: exit code %d: %s" % (code, errors))
            ok(not wrong and not more_wrong and not code,
               "%s: %d samples" % (name, len(samples)))
            compared += count + more
    note("%d values compared; %d samples without a valid ip" % (compared, inexact))
    done()


if __name__ == "__main__":
    main()
