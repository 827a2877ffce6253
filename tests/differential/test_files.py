#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Every recording there is, sample by sample, member by member, as the library and as stock perf read
it: those that come with precis, and those below PRECIS_SHARED if that is there.

A recording is compared with each perf that reads it. One that none reads is compared with a copy in
which what perf does not know is said in another way, and one whose recorder died with a copy whose
header counts its bytes. All must have as many samples as their list (INDEX.tsv) says.
"""

import csv
import filecmp
import glob
import os
import tempfile

from copies import finished, without_compressed2, without_tracepoints
from differential import SHARED, TOP, done, note, ok, skip, skip_all, some
from oracles import Table, programs, verdict
from recordings import Reading, form
from stock_perf import Perf

# Recordings that no perf here reads, why, and the copy that one does read
SUBSTITUTES = {
    "mstange_linux-perf-data__sleep.compressed2.data":
        ("perf before 6.16 does not know record 83", without_compressed2),
    "GrapheneOS_platform_system_extras__perf_with_tracepoint_event_dynamic_field.data":
        ("no tracing data: perf reads no tracepoint then", without_tracepoints),
}


def index():
    """{file: counts of samples by INDEX.tsv}"""
    path = os.path.join(SHARED, "perfdata", "INDEX.tsv")
    if not os.path.exists(path):
        return {}
    with open(path, newline="") as lines:
        return {row["file"]: [int(row[column]) for column in
                              ("samples by perf 6.1", "samples by perf 6.12") if row[column] != "-"]
                for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def recordings():
    """Each once, though it may lie in two places"""
    folders = ((os.path.join(SHARED, "perfdata"), "*data*"),
               (os.path.join(SHARED, "recordings"), "*.perf.data"),
               (os.path.join(TOP, "tests", "recordings"), "*.perf.data"))
    paths = [path for folder, pattern in folders
             for path in sorted(glob.glob(os.path.join(folder, pattern)))]
    return [path for n, path in enumerate(paths)
            if not any(filecmp.cmp(path, other, shallow=False) for other in paths[:n]
                       if os.path.basename(other) == os.path.basename(path))]


def changed(path, change, work):
    """@return where the copy is"""
    copy = os.path.join(work, "copy.data")
    with open(path, "rb") as original, open(copy, "wb") as other:
        other.write(change(original.read()))
    return copy


def check(path, counts, table, work):
    name, reading, wrong = os.path.basename(path), Reading(path), []
    if reading.lacks_zstd():
        skip(name, "built without zstd")
        return
    kind = form(path)
    readable = changed(path, finished, work) if kind == "unfinished" else path
    differ, versions, refused = table.row(name, kind, reading, readable)
    if not versions and refused and name in SUBSTITUTES:
        reason, change = SUBSTITUTES[name]
        copy = changed(path, change, work)
        other = Reading(copy)
        if other.samples != reading.samples:
            wrong.append("its copy for perf gives other samples")
        more, versions, _ = table.row("  a copy that perf reads", form(copy), other, copy, [reason])
        differ += more
    expected = counts.get(name, [])
    wrong += ["INDEX.tsv: %d samples" % count for count in expected
              if count != len(reading.samples)]
    wrong += reading.miscounted()
    title = "%s: %d samples" % (name, len(reading.samples))
    if wrong or differ or versions or expected:
        verdict(title, wrong + differ)
    else:
        skip(title, "; ".join("perf %s: %s" % item for item in sorted(refused.items())) or
             "no perf")


def main():
    perfs = [Perf(program) for program in programs()]
    paths = recordings()
    if not paths:
        skip_all("no recordings in %s or tests/recordings" % SHARED)
    counts = index()
    if not counts:
        note("no list of foreign recordings in " + SHARED)
    with tempfile.TemporaryDirectory() as work:
        table = Table(perfs, work)
        for path in some(paths):
            check(path, counts, table, work)
        missing = set(counts) - set(map(os.path.basename, paths))
        ok(not missing, "every recording of the list is there " + " ".join(sorted(missing)))
        table.sums()
    done()


if __name__ == "__main__":
    main()
