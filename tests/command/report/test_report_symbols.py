#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report: files and symbols of the top instructions, whatever the order of the records."""
import collections
import csv
import io
import json
import os
import random
import re
import struct
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import perfdata
import tap
from command import SRCDIR, good, recording
from tap import Skip, equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()
SYMFS = os.path.join(SRCDIR, "tests/recordings/symfs")
PERF = os.environ.get("PERF", "")
BUILD_ID = 2
BUSY_ID = bytes.fromhex("3f487536b8c855b6ea11ae653d41e2be92c99316")
OTHER = "busy: symbols not used: its build id is not the recorded one (--any-build-id uses them)"
USER, EXEC = 2, 1 << 13
NO_TIME = perfdata.SAMPLE_TYPE & ~perfdata.TIME


def trailer(pid, time):
    at = b"" if time is None else struct.pack("<Q", time)
    return struct.pack("<II", pid, pid) + at + struct.pack("<QII", 1, 0, 0)


def padded(text):
    return text.encode() + b"\0" * (8 - len(text) % 8)


def mmap(time, pid, start, name, length=0x10000):
    return perfdata.record(1, struct.pack("<IIQQQ", pid, pid, start, length, 0) + padded(name) +
                           trailer(pid, time), USER)


def comm_exec(time, pid):
    return perfdata.record(3, struct.pack("<II", pid, pid) + padded("new") + trailer(pid, time),
                           EXEC)


def fork(time, pid, parent):
    return perfdata.record(7, struct.pack("<IIIIQ", pid, parent, pid, parent, time or 0) +
                           trailer(pid, time))


def sample(time, pid, address):
    if time is not None:
        return perfdata.sample(perfdata.op_payload(rip=address), pid=pid, ip=address, time=time)
    raw = perfdata.op_payload(rip=address)
    raw += b"\0" * (-(len(raw) + 4) % 8)
    return perfdata.record(perfdata.RECORD_SAMPLE, struct.pack(
        "<QIIQIII", address, pid, pid, 1, 0, 0, len(raw)) + raw, USER)


def scratch(name, records, **how):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, **how))
    return path


def top(path, *options):
    return json.loads(good("report", "--format", "json", "--top", "100000", *options,
                           path))["top_instructions"]


def places(path):
    """Samples by file and offset, or by address where there is no file."""
    found = collections.Counter()
    for row in top(path)["rows"]:
        found[row["object"], row["offset"] or row["address"]] += row["samples"]
    return found


def test_order_of_cpus():
    """a program's samples are its own if its exec stands behind them, or behind the next one's"""
    start = 0x10000
    before = [fork(100, 2, 1), sample(150, 2, start + 1), sample(250, 2, start + 2)]
    exec_first = [comm_exec(200, 2), mmap(210, 2, start, "/first"), sample(220, 2, start + 3)]
    exec_second = [comm_exec(300, 2), mmap(310, 2, start, "/second"), sample(320, 2, start + 4)]
    shell = [mmap(10, 1, start, "/shell")]
    expected = {("/shell", "0x1"): 1, ("/first", "0x2"): 1, ("/first", "0x3"): 1,
                ("/second", "0x4"): 1}
    for n, parts in enumerate(((shell, before, exec_first, exec_second),
                               (exec_second, exec_first, before, shell),
                               (before, exec_second, shell, exec_first))):
        equal(places(scratch("order%d" % n, sum(parts, []))), expected, "order %d" % n)


class History:
    """What processes do, in the order of time, and where each sample lies."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.records = []
        self.images = {1: {}}
        self.expected = collections.Counter()
        self.time = 1000
        self.map(1)
        for _ in range(400):
            self.step()

    def put(self, record):
        self.time += self.random.randrange(1, 50)
        self.records.append((self.time, record))
        return self.time

    def map(self, pid):
        for slot in self.random.sample(range(4), 2):
            name = "/file%d" % self.random.randrange(12)
            start = 0x100000 * (1 + slot)
            self.images[pid][start] = name
            self.put(mmap(self.time + 1, pid, start, name))
            self.fix(mmap, pid, start, name)

    def fix(self, make, *arguments):
        """Make the last record again with the time that it got."""
        self.records[-1] = (self.time, make(self.time, *arguments))

    def step(self):
        pid = self.random.choice(sorted(self.images))
        kind = self.random.randrange(20)
        if kind == 0:
            child = self.random.randrange(2, 8)
            if child != pid:
                self.put(b"")
                self.fix(fork, child, pid)
                self.images[child] = dict(self.images[pid])
        elif kind < 3:
            self.put(b"")
            self.fix(comm_exec, pid)
            self.images[pid] = {}
            self.map(pid)
        else:
            start = 0x100000 * self.random.randrange(1, 5)
            offset = self.random.randrange(8)
            self.put(b"")
            self.fix(sample, pid, start + offset)
            name = self.images[pid].get(start)
            self.expected[name, "0x%x" % (offset if name else start + offset)] += 1

    def by_cpu(self, cpus):
        """Each record on any CPU, one CPU behind the other: two rounds of it."""
        middle = len(self.records) // 2
        for part in self.records[:middle], self.records[middle:]:
            lanes = [[] for _ in range(cpus)]
            for _, record in part:
                self.random.choice(lanes).append(record)
            yield from sum(lanes, [])


def lowest(found):
    return {(name, int(at, 16)): samples for (name, at), samples in found.items()}


def test_histories():
    """random forks, execs and mappings on several CPUs, against the order of time"""
    for seed in range(25):
        history = History(seed)
        path = scratch("history", list(history.by_cpu(1 + seed % 4)))
        equal(lowest(places(path)), lowest(history.expected), "seed %d" % seed)


def test_no_times():
    """without times the order of the file counts"""
    records = [mmap(None, 1, 0x10000, "/a"), sample(None, 1, 0x10001), comm_exec(None, 1),
               mmap(None, 1, 0x10000, "/b"), sample(None, 1, 0x10002), sample(None, 1, 0x10002)]
    path = scratch("no-times", records,
                   events=[(perfdata.attr(sample_type=NO_TIME), [1], "ibs_op//")])
    equal(places(path), {("/a", "0x1"): 1, ("/b", "0x2"): 2}, "places")


def test_many_addresses():
    """more addresses than are counted at a time: what stands behind them in the file counts"""
    count = 200000
    records = [sample(1000 + n, 1, 0x100000 + n) for n in range(count)]
    records += [sample(1000, 1, 0x100000)] * 3 + [mmap(500, 1, 0x100000, "/late", count)]
    found = json.loads(good("report", "--format", "json", "--top", "1", scratch("many", records)))
    row = found["top_instructions"]["rows"][0]
    equal((row["object"], row["offset"]), ("/late", "0x0"), "the first")
    assert row["samples"] <= 4 <= row["samples"] + row["missed_most"], row
    equal(row["share"]["n"], count + 3, "of all")


def busy_recording(build_id, addresses=(0x1199, 0x119a), name="busy"):
    """Samples of a file of that build; b"": not known"""
    feature = perfdata.record(0, struct.pack("<i", 1) + build_id.ljust(24, b"\0") +
                              padded("/usr/bin/busy"), USER)
    events = [(perfdata.attr(), [1], "ibs_op//")]
    records = [mmap(1, 1, 0, "/usr/bin/busy"), *(sample(2, 1, address) for address in addresses)]
    return scratch(name, records,
                   features={perfdata.CPUID: perfdata.string(perfdata.ZEN4),
                             **({BUILD_ID: feature} if build_id else {}),
                             perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(10, "ibs_op")]),
                             perfdata.EVENT_DESC: perfdata.event_desc(events)})


def symbols(table):
    return sorted(row["symbol"] or "" for row in table["rows"])


def test_build_ids():
    """symbols of another build are not used, which is said once; --any-build-id uses them"""
    built.need("elfutils")
    path = busy_recording(BUSY_ID)
    table = top(path, "--symfs", SYMFS)
    equal(symbols(table), ["chase+0x0", "chase+0x1"], "the recorded build")
    assert OTHER not in table["notes"], table["notes"]
    path = busy_recording(BUSY_ID[:-1] + b"\0")
    table = top(path, "--symfs", SYMFS)
    equal(symbols(table), ["", ""], "another build")
    equal(table["notes"].count(OTHER), 1, "note")
    assert OTHER in re.sub(r"\s+", " ", good("report", "--symfs", SYMFS, path)), "text"
    lines = list(csv.reader(io.StringIO(good("report", "--format", "csv", "--symfs", SYMFS, path))))
    equal(sum(line[:3] == ["top_instructions", "", "note"] and line[3] == OTHER for line in lines),
          1, "csv")
    table = top(path, "--symfs", SYMFS, "--any-build-id")
    equal(symbols(table), ["chase+0x0", "chase+0x1"], "--any-build-id")
    assert OTHER not in table["notes"], table["notes"]


def test_build_ids_of_several():
    """of a recording that knows the build, and one that does not: each has the symbols that it has alone"""
    built.need("elfutils")
    unknown = busy_recording(b"", (0x1199, 0x119a), "unknown")
    for build_id, expected in ((BUSY_ID, ["chase+0x0", "chase+0x1", "chase+0x2"]),
                               (BUSY_ID[:-1] + b"\0", ["chase+0x0", None, None])):
        known = busy_recording(build_id, (0x119a, 0x119b), "known")
        for paths in ([unknown, known], [known, unknown]):
            table = top(*paths, "--symfs", SYMFS)
            # the place that both have is of the build that is known
            equal([(row["offset"], row["samples"], row["symbol"])
                   for row in sorted(table["rows"], key=lambda row: row["offset"])],
                  list(zip(("0x1199", "0x119a", "0x119b"), (1, 2, 1), expected)))
    for paths in ([unknown, known], [known, busy_recording(BUSY_ID, name="other")]):
        notes = top(*paths, "--symfs", SCRATCH.name + "/nothing")["notes"]
        equal(notes.count("busy: no symbols: file not found or not readable"), 1, notes)


def named(name):
    """The samples of busy_recording(), of a file with that name and no build id"""
    return scratch("named", [mmap(1, 1, 0, name), sample(2, 1, 0x1199)])


def test_symfs_is_not_left():
    """--symfs DIR: neither a recorded ".." nor a link leads out of it; links in it are of its root"""
    built.need("elfutils")
    root = os.path.join(SCRATCH.name, "tree", "root")
    os.makedirs(os.path.join(root, "usr/bin"))
    busy = os.path.join(SYMFS, "usr/bin/busy")
    outside = os.path.join(SCRATCH.name, "tree", "outside")
    shutil.copy(busy, outside)
    shutil.copy(busy, os.path.join(root, "usr/real"))
    links = {"absolute": "/usr/real", "relative": "../real", "over": "/../../usr/real",
             "out": "../../../outside", "out_absolute": outside, "loop": "loop"}
    for name, target in links.items():
        os.symlink(target, os.path.join(root, "usr/bin", name))
    os.symlink("/", os.path.join(root, "usr/top"))
    perf_map = "/tmp/perf-1.map"
    with open(os.path.join(SCRATCH.name, "tree", "perf-1.map"), "w", encoding="ascii") as file:
        file.write("1000 1000 outside\n")
    inside = ["/usr/real", "/../usr/real", "/usr/../../../usr/real", "/usr/bin/absolute",
              "/usr/bin/relative", "/usr/bin/over", "/usr/top/usr/real"]
    for name in inside:
        equal(symbols(top(named(name), "--symfs", root)), ["chase+0x0"], name)
        equal(symbols(top(named(name), "--symfs", root + "/")), ["chase+0x0"], name)
    beyond = ["/../outside", "/usr/../../outside", "/usr/bin/out", "/usr/bin/out_absolute",
              "/usr/bin/loop", "/usr/top/../outside", "/usr/none/../real"]
    for name in beyond:
        equal(symbols(top(named(name), "--symfs", root)), [""], name)
    os.symlink("../../perf-1.map", os.path.join(root, "perf-1.map"))
    os.makedirs(os.path.join(root, "tmp"))
    os.symlink("../../perf-1.map", os.path.join(root, perf_map[1:]))
    path = scratch("map", [mmap(1, 1, 0, "//anon"), sample(2, 1, 0x1199)])
    equal(symbols(top(path, "--symfs", root)), [""], "a perf map that is a link")
    os.unlink(os.path.join(root, perf_map[1:]))
    shutil.copy(os.path.join(SCRATCH.name, "tree", "perf-1.map"), os.path.join(root, perf_map[1:]))
    equal(symbols(top(path, "--symfs", root)), ["outside+0x199"], "a perf map")


def test_debug_directories_are_not_left():
    """a recorded ".." does not lead out of --debug-dir"""
    built.need("elfutils")
    tree = os.path.join(SCRATCH.name, "debug-tree")
    root, debug = os.path.join(tree, "root"), os.path.join(tree, "debug")
    os.makedirs(os.path.join(root, "bin"))
    os.makedirs(debug)
    busy = os.path.join(SYMFS, "usr/bin/busy")
    stripped = os.path.join(root, "bin/busy")
    if not shutil.which("strip"):
        raise Skip("no strip(1)")
    subprocess.run(["strip", "-o", stripped, busy], check=True)
    shutil.copy(busy, os.path.join(debug, "x.debug"))
    os.makedirs(os.path.join(debug, "bin"))
    table = top(named("/../bin/busy"), "--symfs", root, "--debug-dir", os.path.join(debug, "bin"))
    equal(symbols(table), [""], "none yet")
    shutil.copy(busy, os.path.join(debug, "bin", "busy.debug"))
    equal(symbols(top(named("/bin/busy"), "--symfs", root, "--debug-dir", debug)), ["chase+0x0"])
    table = top(named("/../bin/busy"), "--symfs", root, "--debug-dir", os.path.join(debug, "bin"))
    equal(symbols(table), [""], "beside the directory")


def perf_symbols(path):
    command = [PERF, "script", "-G", "--symfs", SYMFS, "-F", "ip,sym,symoff", "-i", path]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200, text=True)
    if done.returncode:
        raise Skip("perf script: " + (done.stderr.splitlines() or ["failed"])[0])
    found = collections.Counter()
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) > 1 and int(words[0], 16) < 1 << 63:
            found[words[1]] += 1
    found.pop("[unknown]", None)
    return found


def test_perf():
    """symbols are those of perf script; samples without an address of their own are none of ours"""
    built.need("elfutils")
    if not PERF:
        raise Skip("perf is not installed")
    for name in ("zen4-fetch", "zen4-op_l3", "zen4-throttled", "zen4-op", "zen4-own-pertask"):
        report = json.loads(good("report", "--format", "json", "--top", "100000", "--symfs", SYMFS,
                                 recording(name)))
        ours, without = collections.Counter(), 0
        for kind in "top_instructions", "top_fetches":
            table = report.get(kind, {"rows": [], "coverage": []})
            for row in table["rows"]:
                # where the recording's kernel is the one that runs, only we name its places
                if row["symbol"] and int(row["address"], 16) < 1 << 63:
                    ours[row["symbol"]] += row["samples"]
            without += sum(entry["of"] - entry["present"] for entry in table["coverage"])
        perf = perf_symbols(recording(name))
        assert sum(ours.values()) > 50, ours
        equal(ours - perf, {}, "%s: only here" % name)
        assert sum((perf - ours).values()) <= without, \
            "%s: only in perf: %r" % (name, perf - ours)


def test_ties():
    """places of the same weight stand in the order of their names, in every run"""
    for name in ("died", "directory", "pipe", "zstd2"):
        path = os.path.join(SRCDIR, "tests/recordings/forms", name)
        first = report = None
        if name == "zstd2" and "zstd" in built.WITHOUT:
            continue
        for _ in range(8):  # at other addresses each time
            report = subprocess.run([os.environ["PRECIS"], "report", "--format", "json", path],
                                    capture_output=True, check=False).stdout
            first = first or report
            equal(report, first, name)
        rows = next(table["rows"] for key, table in json.loads(report).items() if key.startswith("top"))
        for row, after in zip(*(rows[n:] for n in (0, 1))):
            if row["samples"] == after["samples"]:
                assert (row["object"] or "") <= (after["object"] or ""), (row, after)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
