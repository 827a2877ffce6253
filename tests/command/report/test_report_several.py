#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report of several recordings: what one recording says, its samples in several files say, too.

The oracle of adding up is the report of the whole: of a recording copies are made that have some of
its samples each, and all of its other records. Those of the others become records of a type that
nobody knows, so that everything stays where it is in the file.
"""
import collections
import csv
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
from command import PRECIS, SRCDIR, good, recording, run, usage
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
UNKNOWN_TYPE = 60
WHOLE = ("zen4-mix-op", "zen4-mix-fetch", "zen4-op_l3", "zen4-freq", "spr-mix-loads", "skylake-mix-loads")
# What is of one recording: not added up
APART = ("precis", "recording", "losses", "off_cpu")


def scratch(name):
    return os.path.join(SCRATCH.name, name)


def records_of(data):
    """(offset, type) of the records of a perf.data file, and where they are"""
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at < end:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        yield at, kind
        at += length


def split(path, parts, part_of):
    """Copies of which each has the samples that 'part_of' gives it, by their number"""
    with open(path, "rb") as file:
        whole = file.read()
    copies = [bytearray(whole) for _ in range(parts)]
    samples = [at for at, kind in records_of(whole) if kind == perfdata.RECORD_SAMPLE]
    for n, at in enumerate(samples):
        for part, copy in enumerate(copies):
            if part != part_of(n, len(samples)):
                struct.pack_into("<I", copy, at, UNKNOWN_TYPE)
    names = []
    for part, copy in enumerate(copies):
        names.append(scratch("%s.%d" % (os.path.basename(path), part)))
        with open(names[-1], "wb") as file:
            file.write(copy)
    return names


def report(paths, *options):
    return json.loads(good("report", "--format", "json", "--top", "100000", *options, *paths))


def events_of(path):
    """How many: more than a report lists where some have no samples"""
    return len(json.loads(good("info", "--format", "json", path))["events"])


def is_apart(key):
    return key.split("_")[0] in APART or key in APART


def places(table):
    """Rows by place: where no file is known a process of one recording is none of another."""
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for row in table["rows"]:
        sums[row["object"], row["offset"] if row["object"] else row["address"],
             row["symbol"]][0] += row["samples"]
        sums[row["object"], row["offset"] if row["object"] else row["address"],
             row["symbol"]][1] += row["latency_sum"] or 0
        sums[row["object"], row["offset"] if row["object"] else row["address"],
             row["symbol"]][2] += row["latency_n"]
    return dict(sums)


def reasons(table):
    """Of one field: reasons in any order"""
    return [dict(field, absent=sorted(field.get("absent", []), key=json.dumps))
            for field in table.get("coverage", [])]


def sentences(findings):
    """Commands name the files; where processes are apart, so are places of no file"""
    return [found["text"] for found in findings if "(no file)" not in found["text"]]


def without_ends(value):
    """Samples in step with a loop: what is seen of that depends on which of them are in one file."""
    if isinstance(value, dict):
        return {key: without_ends(member) for key, member in value.items()
                if key not in ("low", "high", "no_interval", "effective_n", "in_step") and
                not key.endswith(("_low", "_high"))}
    if isinstance(value, list):
        return [without_ends(member) for member in value
                if not isinstance(member, str) or "step with a loop" not in member]
    return value


def check_equal(whole, parts, what):
    if "in_step" in whole or "in_step" in parts:
        # nor is anything certain there that would be a finding
        whole, parts = (without_ends({**report, "findings": []}) for report in (whole, parts))
    equal([key for key in parts if not is_apart(key)],
          [key for key in whole if not is_apart(key)], what)
    for key, table in whole.items():
        if is_apart(key):
            continue
        if key == "findings":
            equal(sentences(parts[key]), sentences(table), (what, key))
            continue
        if key.startswith("top"):
            equal(places(parts[key]), places(table), (what, key))
        else:
            equal(parts[key]["rows"], table["rows"], (what, key))
        equal([note for note in parts[key]["notes"] if "places; " not in note],
              [note for note in table["notes"] if "places; " not in note], (what, key))
        equal(reasons(parts[key]), reasons(table), (what, key))


def test_halves():
    """the first and the second half of a recording's samples: the figures of all"""
    for name in WHOLE:
        path = recording(name)
        halves = split(path, 2, lambda n, count: n >= count // 2)
        check_equal(report([path]), report(halves), name)
        check_equal(report([path]), report(halves[::-1]), name + ", in reverse")


def test_many():
    """seven files, samples dealt out in turn; by latency, without symbols"""
    for name in WHOLE:
        path = recording(name)
        dealt = split(path, 7, lambda n, count: n % 7)
        for options in ((), ("--sort", "latency"), ("--sort", "tlb", "--no-symbols"),
                        ("--filter", "ip > 0")):
            check_equal(report([path], *options), report(dealt, *options), (name, options))


def test_vendors():
    """AMD and Intel: the tables of each, as if the other were not there"""
    paths = [recording("spr-mix-loads"), recording("zen4-mix-op"), recording("zen4-mix-fetch")]
    together = report(paths)
    for n, path in enumerate(paths):
        first = sum(map(events_of, paths[:n]))
        for key, table in report([path]).items():
            if is_apart(key) or key.startswith("summary") or key == "findings":
                continue
            kind, _, number = key.rpartition("_")
            if number.isdigit():
                key = "%s_%d" % (kind, first + int(number))
            equal(together[key]["rows"], table["rows"], (path, key))
            equal([note for note in table["notes"] if note.startswith("cycles: ") and
                   note not in together[key]["notes"]], [], (path, key))
    assert any("different CPUs" in note for note in together["summary"]["notes"]), together["summary"]


def test_own_facts():
    """what is of one recording stands once for each: its events, times, losses"""
    paths = [recording("zen4-op"), recording("zen4-mix-op")]
    together = report(paths)
    first = 0
    for n, path in enumerate(paths, 1):
        alone = report([path])
        for event in alone["recording"]["values"]["events"]:
            event["index"] += first
        first += events_of(path)
        equal(together["recording_%d" % n], alone["recording"], path)
        equal(together["losses_%d" % n], alone["losses"], path)
    assert "weigh each by its period" in together["summary"]["notes"][-1]


def test_formats():
    """text and CSV have both, too"""
    paths = [recording("zen4-op"), recording("zen4-mix-op")]
    text = good("report", "--all", *paths)
    for words in ("Recording 1\n", "Recording 2\n", "Losses, recording 2\n", "all ops "):
        equal(text.count(words) > 0, True, words)
    rows = list(csv.reader(io.StringIO(good("report", "--format", "csv", *paths))))
    assert {"recording_1", "recording_2", "ops"} <= {row[0] for row in rows}


def test_errors():
    """a file twice; one that is not there; one that is broken: of the others there is a report"""
    one, other = recording("zen4-op"), recording("zen4-mix-op")
    link = scratch("link")
    os.symlink(one, link)
    found = usage("report", one, other, link)
    assert "are the same file: its samples would count twice" in found, found
    result = run("report", "--format", "json", one, scratch("none"), other)
    equal(result.code, 1)
    assert "none: No such file" in result.err, result
    told = json.loads(result.out)
    equal([told[key]["values"]["file"] for key in ("recording_1", "recording_3")], [one, other])
    broken = scratch("broken")
    with open(one, "rb") as file, open(broken, "wb") as copy:
        copy.write(file.read()[:30000])
    result = run("report", "--format", "json", other, broken)
    equal(result.code, 1)
    told = json.loads(result.out)
    equal(told["recording_2"]["values"]["broken"], True)
    equal(told["ops"]["rows"][-1]["samples"],
          told["recording_1"]["values"]["ibs_op"] + told["recording_2"]["values"]["ibs_op"])
    assert usage("report", one, other, "--event", "none").endswith("it has 'ibs_op//', 'dummy:HG'"), \
        usage("report", one, other, "--event", "none")


def test_output_is_none():
    """-o names none of the recordings"""
    copies = split(recording("zen4-op"), 2, lambda n, count: n % 2)
    with open(copies[1], "rb") as file:
        before = file.read()
    result = run("report", "-o", copies[1], *copies)
    with open(copies[1], "rb") as file:
        equal((result.code, file.read() == before), (1, True))
    assert "is the recording itself" in result.err, result


def test_stream():
    """standard input among them"""
    copies = split(recording("zen4-mix-op"), 2, lambda n, count: n % 2)
    with open(copies[1], "rb") as file:
        done = subprocess.run([PRECIS, "report", "--format", "json", "--top", "100000", copies[0], "-"],
                              stdin=file, capture_output=True, check=False)
    equal((done.returncode, done.stderr), (0, b""))
    check_equal(report([recording("zen4-mix-op")]), json.loads(done.stdout), "-")


def program(path, padding):
    """A program that spends its time in one function; 'padding' before it makes another build."""
    source = path + ".c"
    with open(source, "w", encoding="ascii") as file:
        file.write("""
%s
__attribute__((noinline)) unsigned long spin(unsigned long n)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < n; i++) sum += i;
	return sum;
}
int main(void) { return (int)(spin(200000000) & 1) & 2; }
""" % padding)
    done = subprocess.run([os.environ["CC"], "-O1", "-g", "-Wl,--build-id", "-o", path, source],
                          capture_output=True, check=False)
    if done.returncode:
        raise Skip("cannot compile: %s" % done.stderr.decode()[:200])


def record(path, name):
    done = subprocess.run([PERF, "record", "-q", "--buildid-mmap", "-e", "cpu-clock:u", "-c", "1000000",
                           "-o", scratch(name), path], capture_output=True, check=False)
    if done.returncode:
        raise Skip("perf record: " + done.stderr.decode(errors="replace").strip()[:200])
    return scratch(name)


def test_builds():
    """the same file: its places add up; another build of it: they are apart, and that is told"""
    if not PERF:
        raise Skip("no perf was found by configure")
    path = scratch("spin")
    program(path, "")
    one, same = record(path, "one"), record(path, "same")
    program(path, "int other(int x) { return x * 3 + 1; }")
    other = record(path, "other")

    def spin(*paths):
        done = run("report", "--format", "json", "--top", "100000", *paths)
        equal(done.code, 0, done)
        table = next(table for key, table in json.loads(done.out).items() if key.startswith("top_"))
        return ([(row["offset"], row["samples"]) for row in table["rows"] if row["object"] == path],
                [note for note in table["notes"] if "same build" in note])

    def added(*tables):
        sums = collections.Counter()
        for table in tables:
            sums.update(dict(table))
        return dict(sums)

    ones, sames, others = (spin(path)[0] for path in (one, same, other))
    assert ones and sames and others
    rows, notes = spin(one, same)
    equal((dict(rows), len(rows), notes), (added(ones, sames), len(added(ones, sames)), []))
    rows, notes = spin(one, other)
    equal(sorted(rows), sorted(ones + others))
    equal(len(notes), 1)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
