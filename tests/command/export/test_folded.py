#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis export --format folded: stacks and weights as of precis dump and of stock perf."""
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import folded
import perfdata
import tap
from command import SHARED, SRCDIR, good, recording, run, usage
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
RECORD_COMM = 3
SYMFS = os.path.join(SRCDIR, "tests/recordings/symfs")
WITH_CHAINS = ("Algebraic-Programming_OneStopParallel__perf.data",
               "GrapheneOS_platform_system_extras__generated_by_linux_perf.data",
               "KDAB_hotspot__perf.data.PerfFormatLost",
               "google_perf_data_converter__perf.data.raw_callgraph_branch-3.4",
               "nevesnunes_covlizer__examples_perf.data")


def there(name):
    return os.path.join(SCRATCH.name, name)


def shared(name):
    path = os.path.join(SHARED, "perfdata", name)
    if not os.path.exists(path):
        raise Skip("PRECIS_SHARED has no " + name)
    return path


def export(path, *more):
    done = run("export", "--format", "folded", *more, path)
    equal(done.code, 0, done)
    return folded.read(done.out)


def test_leaves():
    """samples without callchains: thread, file, function; weighed by their periods"""
    for name, period in (("zen4-op", 100000), ("spr-loads", None), ("zen4-freq", None)):
        path = recording(name)
        rows = folded.samples(path, "--symfs", SYMFS)
        own = len({row.get("period") for row in rows}) > 1
        found = export(path, "--symfs", SYMFS)
        wanted = folded.expected(rows, lambda row: row["period"] if own else period or row["period"])
        equal(found, wanted, name)
        equal(export(path, "--symfs", SYMFS, "--weight", "samples"),
              folded.expected(rows, lambda row: 1), name)


def test_callchains():
    """samples with callchains, of recordings that others made"""
    frames = 0
    for name in WITH_CHAINS:
        path = shared(name)
        rows = folded.samples(path)
        assert any("callchain_symbols" in row for row in rows), name
        equal(export(path, "--weight", "samples"), folded.expected(rows, lambda row: 1), name)
        events = {row["event"] for row in rows}
        for event in events:
            of_event = [row for row in rows if row["event"] == event]
            if all("period" in row for row in of_event):
                equal(export(path, "-e", event), folded.expected(of_event, lambda row: row["period"]),
                      name)
        frames += sum(len(row.get("callchain_symbols", ())) for row in rows)
    assert frames > 5000, frames


def depths_of_perf(path):
    """By thread and number of frames the sum of periods, as perf script has them; None: it cannot read it"""
    done = subprocess.run([PERF, "script", "-i", path, "-F", "comm,period,ip", "--no-inline"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                          text=True, errors="replace", timeout=1200)
    sums = collections.Counter()
    for block in done.stdout.split("\n\n"):
        lines = block.strip("\n").split("\n")
        head = re.match(r"^\s*(.*?)\s+(\d+)\s*([0-9a-f]+)?\s*$", lines[0])
        if head:
            sums[head.group(1), len(lines) - 1 or 1] += int(head.group(2))
    return sums if done.returncode == 0 else None


def test_perf():
    """threads, depths and periods are those of perf script"""
    if not PERF:
        raise Skip("no perf was found by configure")
    compared = 0
    for name in WITH_CHAINS:
        path = shared(name)
        theirs = depths_of_perf(path)
        if not theirs or len({row["event"] for row in folded.samples(path)}) > 1:
            continue
        ours = collections.Counter()
        for stack, weight in export(path, "--no-symbols").items():
            frames = stack.split(";")
            ours[frames[0], len(frames) - 1] += weight
        equal(ours, theirs, name)
        compared += 1
    if not compared:
        raise Skip("this perf reads none of these recordings")


def test_latency():
    """cycles: of each sample its latency times what it stands for; what lacks it is told"""
    path = recording("zen4-op")
    rows = folded.samples(path, fields=folded.FIELDS + ",dcache_miss_latency")
    done = run("export", "--format", "folded", "--weight", "IbsDcMissLat", path)
    equal(done.code, 0, done)
    equal(folded.read(done.out),
          folded.expected(rows, lambda row: row.get("dcache_miss_latency", 0) * 100000))
    lacking = sum("dcache_miss_latency" not in row for row in rows)
    assert "%d of %d samples have no dcache_miss_latency" % (lacking, len(rows)) in done.err, done


def made(name, records, events):
    features = {perfdata.CPUID: perfdata.string(perfdata.ZEN4),
                perfdata.EVENT_DESC: perfdata.event_desc(events),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(perfdata.IBS_OP_TYPE, "ibs_op")])}
    with open(there(name), "wb") as file:
        file.write(perfdata.perf_data(records, events, features))
    return there(name)


def comm(name, tid=101):
    padded = name + b"\0" * (8 - len(name) % 8)
    trailer = struct.pack("<IIQQII", 100, tid, 1, 1, 0, 0)
    return perfdata.record(RECORD_COMM, struct.pack("<II", 100, tid) + padded + trailer)


def test_names():
    """names of anything: a line stays a line, a frame a frame, and what it was can be told"""
    names = (b"a;b", b"new\nline", b"end 12", b"\xff\xfe", b"back\\slash", b" ")
    records = [comm(name, 101 + n) for n, name in enumerate(names)] + \
              [perfdata.sample(perfdata.op_payload(), tid=101 + n) for n in range(len(names) + 1)]
    path = made("names", records, [(perfdata.attr(), [1], "ibs_op//")])
    out = good("export", "--format", "folded", path)
    equal(out, "".join("%s;[unknown] 100000\n" % name for name in
                       ("a\\x3bb", "new\\x0aline", "end 12", "\\xff\\xfe", "back\\\\slash", " ",
                        ":107")))


def test_weights_that_do_not_add_up():
    """two kinds of events are refused by name; with -e or as samples they are not"""
    events = [(perfdata.attr(), [1], "ibs_op//"),
              (perfdata.attr(period=5000, config=1), [2], "other")]
    records = [perfdata.sample(perfdata.op_payload(), ident=n) for n in (1, 2, 1)]
    path = made("two", records, events)
    for form in ("folded", "firefox"):
        done = run("export", "--format", form, path)
        equal((done.code, done.out), (1, ""), done)
    assert "'ibs_op//' and of 'other' do not add up" in done.err, done
    equal(list(export(path, "-e", "1").values()), [5000])
    equal(list(export(path, "--weight", "samples").values()), [3])


def test_unknown_weights():
    """a frequency without periods says nothing of what samples stand for: they are left out"""
    frequency = bytearray(perfdata.attr(period=4000))
    frequency[41] |= 1 << 2 # bit 10 of the flags: freq
    path = made("frequency", [perfdata.sample(perfdata.op_payload())] * 2,
                [(bytes(frequency), [1], "ibs_op//")])
    done = run("export", "--format", "folded", path)
    equal((done.code, done.out), (0, ""))
    assert "of 2 of 2 samples it is not known what they stand for" in done.err, done
    equal(list(export(path, "--weight", "samples").values()), [2])


def test_cut():
    """a recording that is cut off gives what stands before the cut, and exit code 1"""
    with open(recording("zen4-op"), "rb") as file:
        data = file.read()
    with open(there("cut"), "wb") as file:
        file.write(data[:len(data) // 2])
    done = run("export", "--format", "folded", there("cut"))
    equal(done.code, 1, done)
    rows = folded.samples(there("cut"))
    assert len(rows) > 500, len(rows)
    equal(folded.read(done.out), folded.expected(rows, lambda row: 100000))


def test_usage():
    """what is wrong is refused before anything is read"""
    path = recording("zen4-op")
    assert "expected --format: folded" in usage("export", path)
    assert "did you mean 'folded'?" in usage("export", "--format", "fold", path)
    assert "--fields means nothing to --format folded" in \
        usage("export", "--format", "folded", "-F", "all", path)
    assert "pid is no figure to sum up" in \
        usage("export", "--format", "folded", "--weight", "pid", path)
    assert "did you mean 'samples'?" in \
        usage("export", "--format", "folded", "--weight", "sample", path)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
