#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What was lost and throttled, by precis report and by stock perf: the records that perf report -D prints
are added up here, event by event and CPU by CPU, and what was lost is taken as a share of the samples
that perf script has; spans of throttling are followed by another program than the one under test.
Recordings that lost something, and one made for it now, with a buffer too small for what is sampled.
"""

import collections
import glob
import json
import os
import re
import struct
import subprocess
import tempfile

from differential import (ENVIRONMENT, PERF, PRECIS, SHARED, TOP, done, fewer, need, note, ok, skip,
                          some)

LOST, THROTTLE, UNTHROTTLE, LOST_SAMPLES = 2, 5, 6, 13
FIELDS = ("lost", "lost_samples", "throttled", "throttled_ns", "longest_ns", "unmatched")
RAW = re.compile(r"^\.  [0-9a-f]{4}:  ((?:[0-9a-f]{2} )+)")
EVENT = re.compile(r"^0x[0-9a-f]+(?:@\S+)? \[0x[0-9a-f]+\]: event: (\d+)$")
INDEX = re.compile(r"^ \.\.\. id: (\d+)  idx: \d+  cpu: (-?\d+)  tid: (-?\d+)")
SAMPLE = re.compile(r"\s*\[(\d+)\] +(\S+?): *$")
FORMAT = re.compile(r"read_format: (\S+?)(?:,|$)")


def perf(*arguments):
    run = subprocess.run([PERF, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         stdin=subprocess.DEVNULL, env=ENVIRONMENT)
    return run.stdout.decode(errors="replace") if run.returncode == 0 else None


def dumped(path):
    """The bytes of records that perf dumps, and its ID_INDEX. None if perf cannot read the file."""
    text = perf("report", "-D", "-i", path)
    if text is None:
        return None, None
    records, index, kind, data = [], {}, None, b""
    for line in text.splitlines() + ["0x0 [0x0]: event: 0"]:
        event, raw, place = EVENT.match(line), RAW.match(line), INDEX.match(line)
        if event:
            if kind in (LOST, THROTTLE, UNTHROTTLE, LOST_SAMPLES):
                records.append((kind, data))
            kind, data = int(event.group(1)), b""
        elif raw and kind is not None:
            data += bytes.fromhex(raw.group(1))
        elif place:
            index[int(place.group(1))] = int(place.group(2)), int(place.group(3))
    return records, index


def expected(records, index, has_counters):
    """Sums over the whole recording, by the definitions of precis_loss(3)."""
    sums = dict.fromkeys(FIELDS, 0)
    since, counted = {}, {}
    for kind, data in records:
        words = struct.unpack_from("<%dQ" % (len(data) // 8), data)
        if kind == LOST:
            sums["lost"] += words[2]
        elif kind == LOST_SAMPLES:
            # sample_id with TID, TIME, ID: perf record's own has the time 0
            if has_counters and words[3] == 0:
                counted[words[4]] = max(counted.get(words[4], 0), words[1])
            else:
                sums["lost_samples"] += words[1]
        elif kind == THROTTLE:
            sums["throttled"] += 1
            since[words[3]] = words[1]
        elif words[3] in since:
            span = words[1] - since.pop(words[3])
            sums["throttled_ns"] += span
            sums["longest_ns"] = max(sums["longest_ns"], span)
        else:
            sums["unmatched"] += 1
    return sums, sum(counted.values()), len(since)


def found(path):
    """The same by precis; of throttling only spans that have an end"""
    run = subprocess.run([PRECIS, "info", "--format", "json", path], stdout=subprocess.PIPE,
                         stdin=subprocess.DEVNULL)
    rows = json.loads(run.stdout)["losses"]["rows"]
    whole = [row for row in rows if row["cpu"] is None]
    sums = {name: sum(row[name] or 0 for row in whole) for name in FIELDS}
    sums["throttled_ns"] -= sum(row["open_ns"] or 0 for row in whole)
    sums["longest_ns"] = max((row["longest_ns"] or 0 for row in whole), default=0)
    return sums, sum(row["counted"] or 0 for row in whole), sum(row["open"] or 0 for row in whole), rows


def came(path):
    """Samples by CPU and event, and by CPU alone, as perf script has them; none if it has no CPU"""
    counts = collections.Counter()
    for line in (perf("script", "-i", path, "-F", "cpu,event") or "").splitlines():
        match = SAMPLE.match(line)
        if match:
            counts[int(match.group(1)), match.group(2)] += 1
            counts[int(match.group(1)), "buffer"] += 1
    return counts


def wrong_shares(path, rows):
    """Rows of CPUs whose samples are not those that perf script has, or whose share is another"""
    on_cpus = [row for row in rows if row["cpu"] is not None and row["samples"] is not None]
    counts = came(path) if on_cpus else {}
    for row in on_cpus if counts else []:
        samples = counts[row["cpu"], row["row"].split(", ", 1)[1]]
        lost = max(row["lost"] or 0, row["counted"] or 0) + row["lost_samples"]
        share = 100 * lost / (lost + samples) if lost and samples else row["lost_percent"]
        if row["samples"] != samples or abs((share or 0) - (row["lost_percent"] or 0)) > 1e-5:
            yield "%s: %d samples, %s%%; perf %d, %s%%" % (
                row["row"], row["samples"], row["lost_percent"], samples, share)


def differences(path):
    """None if perf cannot read it; else a text, empty if they agree; and what was compared"""
    records, index = dumped(path)
    if records is None:
        return None, 0
    formats = FORMAT.findall(perf("evlist", "-v", "-i", path) or "")
    want, counted, still_open = expected(records, index, any("LOST" in f for f in formats))
    sums, sum_counted, sum_open, rows = found(path)
    is_cpu_wide = all(tid == -1 for cpu, tid in index.values())
    wrong = list(wrong_shares(path, rows))
    if is_cpu_wide and sum_open != still_open:
        return "open: perf %d, precis %d" % (still_open, sum_open), len(records)
    wrong += ["%s: perf %d, precis %d" % (name, want[name], sums[name])
              for name in FIELDS if want[name] != sums[name]]
    if counted != sum_counted:
        wrong.append("counted: perf %d, precis %d; perf's records: %s, of %d bytes" % (
            counted, sum_counted, [(kind, data.hex()) for kind, data in records[-4:]], os.path.getsize(path)))
    return ", ".join(wrong), len(records)


def compare(path, name):
    wrong, count = differences(path)
    if wrong is None:
        skip(name, "perf does not read it")
        return 0
    if wrong:
        note(wrong)
    ok(not wrong, "%s: %d records" % (name, count))
    return count


def stored():
    paths = sorted(glob.glob(os.path.join(TOP, "tests/recordings/*.perf.data")))
    for pattern in ("recordings/*.perf.data", "perfdata/*lost_samples-4.4", "perfdata/*throttle-3.8",
                    "perfdata/*propeller_sample_1.perfdata1"):
        paths += sorted(glob.glob(os.path.join(SHARED, pattern)))
    names = set()
    for path in some(paths):
        name = os.path.basename(path)
        if name not in names:
            names.add(name)
            compare(path, name)


# While perf is stopped nobody empties its buffers; what comes after that reports what did not fit. The
# number of page faults is the command's own: no clock has the CPUs for itself.
OVERFLOWING = ("kill -STOP $PPID; i=0; while [ $i -lt %d ]; do /bin/true; i=$((i+1)); done; "
               "kill -CONT $PPID; sleep 0.1; /bin/true")


def is_mixed(path):
    """
    Where another session counts page faults as well, kernels give all events that a fault hits the id of the first
    one: such samples are of no event of the recording, and perf reads no further.
    """
    run = subprocess.run([PRECIS, "info", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         stdin=subprocess.DEVNULL)
    return b"the sample's id belongs to no event" in run.stderr


def recorded(directory):
    """page faults, more than fit into buffers of one page, on all CPUs"""
    name = "a recording that loses records now"
    path = os.path.join(directory, "lost.data")
    for attempt in range(5):
        run = subprocess.run([PERF, "record", "-o", path, "-e", "page-faults", "-c", "1", "-m", "1",
                              "-a", "--", "sh", "-c", OVERFLOWING % fewer(400)],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        if run.returncode:
            skip(name, "perf record cannot: " + run.stderr.decode(errors="replace").strip()[:100])
            return
        if not is_mixed(path):
            break
    else:
        skip(name, "others record page faults: samples have their ids")
        return
    compare(path, name)
    stats = perf("report", "--stats", "-i", path) or ""
    counted = sum(map(int, re.findall(r"^ {4}LOST_SAMPLES events: +(\d+)$", stats, re.M)))
    sums, sum_counted, sum_open, rows = found(path)
    if not sums["lost"]:
        skip("its losses by perf report --stats", "nothing was lost")
    elif not sum_counted:
        skip("its losses by perf report --stats", "the kernel has no read_format LOST")
    else:
        note("lost %d, counted %d" % (sums["lost"], sum_counted))
        ok(counted == sum_counted, "its losses by perf report --stats: %d" % counted)
        by_cpu = sum(row["counted"] or 0 for row in rows if row["cpu"] is not None)
        ok(by_cpu == sum_counted, "each CPU's losses add up to all")


def main():
    need(PERF, "the oracle")
    stored()
    with tempfile.TemporaryDirectory() as directory:
        recorded(directory)
    done()


main()
