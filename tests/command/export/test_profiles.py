#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis export --format firefox, chrome: threads, stacks, times, weights, fields as of precis dump."""
import collections
import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import consumers
import folded
import perfdata
import tap
from command import SHARED, SRCDIR, recording, run, usage
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
SYMFS = os.path.join(SRCDIR, "tests/recordings/symfs")
FIELDS = folded.FIELDS + ",pid,time,cpumode"
FOREIGN = ("KDAB_hotspot__perf.data.PerfFormatLost",
           "google_perf_data_converter__perf.data.raw_callgraph_branch-3.4",
           "nevesnunes_covlizer__examples_perf.data")
CATEGORIES = ("Other", "Kernel", "User", "Hypervisor", "Guest")


def there(name):
    return os.path.join(SCRATCH.name, name)


def recordings():
    paths = [recording(name) for name in ("zen4-op", "spr-loads", "zen4-own-pertask")]
    paths += [os.path.join(SHARED, "perfdata", name) for name in FOREIGN]
    return [path for path in paths if os.path.exists(path)]


def exported(form, path, *more, code=0):
    done = run("export", "--format", form, "--symfs", SYMFS, *more, path)
    equal(done.code, code, done)
    return json.loads(done.out)


def dumped(path, fields=FIELDS):
    return [row for row in folded.samples(path, "--symfs", SYMFS, fields=fields) if "time" in row]


def samples_of_profile(profile):
    """(pid, tid, time in ns, stack, weight) of each, in the order of time within a thread"""
    shared, samples = profile["shared"], []
    names, tables = shared["stringArray"], ("stackTable", "frameTable", "funcTable", "resourceTable")
    for table in tables:
        lengths = {len(column) for name, column in shared[table].items() if name != "length"}
        equal(lengths, {shared[table]["length"]}, table)
    stacks = []
    for frame, prefix in zip(shared["stackTable"]["frame"], shared["stackTable"]["prefix"]):
        assert prefix is None or prefix < len(stacks), prefix
        name = names[shared["funcTable"]["name"][shared["frameTable"]["func"][frame]]]
        stacks.append((stacks[prefix] if prefix is not None else []) + [name])
    for thread in profile["threads"]:
        found = thread["samples"]
        weights = found["weight"] or [1] * found["length"]
        equal({len(found["stack"]), len(found["time"]), len(weights)}, {found["length"]})
        equal(found["time"], sorted(found["time"]))
        samples += [(int(thread["pid"]), thread["tid"], round(time * 1e6), stacks[stack], weight)
                    for stack, time, weight in zip(found["stack"], found["time"], weights)]
    return samples


def wanted(rows, weight):
    """The same of what precis dump prints; threads in the order of their first samples"""
    threads = collections.defaultdict(list)
    for row in rows:
        key = row.get("pid", -1), row.get("tid", -1)
        threads[key].append((*key, row["time"], folded.stack(row, False)[1:], weight(row)))
    return [sample for samples in threads.values() for sample in samples]


def test_firefox_samples():
    """threads, times, stacks, weights"""
    for path in recordings():
        rows = dumped(path)
        equal(samples_of_profile(exported("firefox", path, "--weight", "samples")),
              wanted(rows, lambda row: 1), path)
        events = {row["event"] for row in rows}
        if len(events) == 1 and all("period" in row for row in rows):
            equal(samples_of_profile(exported("firefox", path)), wanted(rows, lambda row: row["period"]),
                  path)


def test_firefox_opens():
    """the Firefox Profiler's own code: the same functions with the same weights, threads, categories"""
    path = recording("zen4-op")
    rows = dumped(path)
    with open(there("profile.json"), "w", encoding="utf-8") as file:
        json.dump(exported("firefox", path), file)
    profiler = consumers.Profiler(there("profile.json"), SCRATCH.name)
    try:
        listed = profiler.ask("thread", "list")
        threads = collections.defaultdict(collections.Counter)
        for row in rows:
            threads[row["tid"]][folded.stack(row, False)[-1]] += 100000
        handles = {thread["tid"]: thread["threadHandle"] for thread in listed["threads"]}
        equal({int(tid) for tid in handles}, set(threads))
        for tid, handle in handles.items():
            found = profiler.ask("thread", "functions", "--thread", handle)
            equal({one["name"]: one["selfSamples"] for one in found["functions"]
                   if one["selfSamples"]}, dict(threads[int(tid)]), tid)
    finally:
        profiler.close()


def test_firefox_names():
    """threads and processes by their names; whose code a frame is"""
    profile = exported("firefox", recording("zen4-own-pertask"), "--weight", "samples")
    rows = dumped(recording("zen4-own-pertask"), FIELDS)
    last = {row["tid"]: row.get("comm", ":%d" % row["tid"]) for row in rows}
    equal({thread["tid"]: thread["name"] for thread in profile["threads"]}, last)
    shared = profile["shared"]
    equal([category["name"] for category in profile["meta"]["categories"]], list(CATEGORIES))
    found = collections.Counter()
    for thread in profile["threads"]:
        for stack in thread["samples"]["stack"]:
            found[CATEGORIES[shared["frameTable"]["category"][shared["stackTable"]["frame"][stack]]]] += 1
    modes = collections.Counter({"kernel": "Kernel", "user": "User"}.get(row.get("cpumode"), "Other")
                                if "ip" in row else "Other" for row in rows)
    equal(found, modes)


def events_of(trace):
    """Those of samples, and names of threads as they are at the end"""
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in trace["traceEvents"]
             if event["ph"] == "M" and event["name"] == "thread_name"}
    return [event for event in trace["traceEvents"] if event["ph"] == "i"], names


def stack_of(trace, number):
    names = []
    while number is not None:
        frame = trace["stackFrames"][number]
        names.append(frame["name"])
        number = frame.get("parent")
    return names[::-1]


def test_chrome():
    """an event for each sample: thread, time, name, stack, and the fields that it has"""
    fields = FIELDS + ",op,mem_level,dcache_miss_latency,callchain"
    for path in recordings():
        trace = exported("chrome", path, "-F", fields)
        rows = dumped(path, fields)
        events, names = events_of(trace)
        equal([event["args"] for event in events], rows, path)
        for event, row in zip(events, rows):
            stack = folded.stack(row, False)
            equal((event["pid"], event["tid"], round(event["ts"] * 1000), event["name"],
                   stack_of(trace, event["sf"]), event["cat"]),
                  (row.get("pid", -1), row.get("tid", -1), row["time"], stack[-1], stack[1:],
                   row["event"]), path)
        for row in rows:
            assert (row.get("pid", -1), row.get("tid", -1)) in names, row
        last = {(row.get("pid", -1), row.get("tid", -1)): folded.stack(row)[0] for row in rows}
        equal(names, last, path)


def test_chrome_reasons():
    """why fields are absent"""
    path = recording("zen4-op")
    events, _ = events_of(exported("chrome", path, "-F", "mem_level,addr", "--reasons"))
    done = run("dump", "--format", "json", "-F", "mem_level,addr", "--reasons", "--sorted", path)
    equal([event["args"] for event in events], [json.loads(line) for line in done.out.splitlines()])


def test_names():
    """names that are no UTF-8, quotes, controls: the output stays JSON"""
    name = b"\"\\\xff\n</script>\0\0\0\0"
    records = [perfdata.record(3, struct.pack("<II", 100, 101) + name +
                               struct.pack("<IIQQII", 100, 101, 1, 1, 0, 0)),
               perfdata.sample(perfdata.op_payload())]
    events = [(perfdata.attr(), [1], "ibs\"op\n")]
    features = {perfdata.CPUID: perfdata.string("AuthenticAMD,25,17,1"),
                perfdata.EVENT_DESC: perfdata.event_desc(events)}
    with open(there("names"), "wb") as file:
        file.write(perfdata.perf_data(records, events, features))
    equal(exported("firefox", there("names"))["threads"][0]["name"], "\"\\\ufffd\n</script>")
    trace = exported("chrome", there("names"))
    equal(events_of(trace)[1], {(100, 101): "\"\\\ufffd\n</script>"})
    equal(events_of(trace)[0][0]["cat"], "ibs\"op\n")


def test_cut():
    """a recording that is cut off, or has nothing, gives JSON all the same"""
    with open(recording("zen4-op"), "rb") as file:
        data = file.read()
    with open(there("cut"), "wb") as file:
        file.write(data[:len(data) // 2])
    rows = dumped(there("cut"))
    assert len(rows) > 300, len(rows)
    equal(samples_of_profile(exported("firefox", there("cut"), code=1)),
          wanted(rows, lambda row: 100000))
    equal(len(events_of(exported("chrome", there("cut"), code=1))[0]), len(rows))
    for form in ("firefox", "chrome"):
        empty = exported(form, recording("zen4-op"), "--tid", "4000000000")
        assert not empty.get("threads") and not empty.get("traceEvents"), empty


def test_usage():
    """options that mean nothing to a format are refused"""
    path = recording("zen4-op")
    assert "--fields means nothing to --format firefox" in \
        usage("export", "--format", "firefox", "-F", "all", path)
    assert "--weight means nothing to --format chrome" in \
        usage("export", "--format", "chrome", "--weight", "samples", path)
    assert "--force means nothing to --format chrome" in usage("export", "--format", "chrome", "--force", path)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
