#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by caller, stack, event: from the callchains that perf script and precis dump print.
"""
import collections
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import page_faults
import perfdata
import tap
from command import SHARED, good, kib_of, recording, run
from quick import QUICK
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
ALL = ("--top", "1000000", "--format", "json")
CALLCHAIN = 1 << 5
KERNEL, USER, DEFERRED = 2**64 - 128, 2**64 - 512, 2**64 - 640


def there(name):
    return os.path.join(SCRATCH.name, name)


def rows(*arguments):
    found = json.loads(run("report", *ALL, *arguments).out)
    return [row for name, table in found.items() if name.startswith("by_") for row in table["rows"]
            if not row["row"].endswith("rest")]


def file_part(path):
    return path.rsplit("/", 1)[-1]


# --- a program whose calls are known ---

PROGRAM = r"""
#include <stddef.h>
#include <sys/mman.h>

__attribute__((noinline)) void touch(int pages)
{
	for (int n = 0; n < pages; n++)
		*(volatile char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				       -1, 0) = 1;
	__asm__ volatile("");
}

__attribute__((noinline)) void rarely(void) { touch(60); __asm__ volatile(""); }
__attribute__((noinline)) void often(void) { touch(400); __asm__ volatile(""); }
__attribute__((noinline)) void both(void) { rarely(); often(); __asm__ volatile(""); }
__attribute__((noinline)) void deeper(int depth)
{
	if (depth)
		deeper(depth - 1);
	else
		touch(90);
	__asm__ volatile("");
}

int main(void)
{
	both();
	often();
	deeper(5);
	return 0;
}
"""


def recorded():
    if os.path.exists(there("program.data")):
        return there("program.data")
    return page_faults.recorded(SCRATCH.name, PROGRAM, "-fno-omit-frame-pointer",
                                "-fno-optimize-sibling-calls", options=("-g",))


def perf_chains(path):
    """Of each sample the functions, from the innermost on: those of the program by name"""
    done = subprocess.run([PERF, "script", "--no-inline", "-F", "tid,ip,sym,dso", "-i", path],
                          capture_output=True, text=True, check=True)
    for block in done.stdout.split("\n\n"):
        chain = [re.fullmatch(r"\s*[0-9a-f]+ (\S+?)(?:\+0x[0-9a-f]+)? \((.*)\)", line)
                 for line in block.splitlines()[1:]]
        if chain:
            yield [found.group(1) if "program" in found.group(2) else "other" for found in chain]


OURS = {"touch", "rarely", "often", "both", "deeper", "main"}


def plain(stack):
    return ";".join(name if name in OURS else "other" for name in stack)


def test_perf_script():
    """callers and stacks of page faults: those of perf script, and those that the program makes"""
    built.need("elfutils")
    path = recorded()
    stacks, callers = collections.Counter(), collections.Counter()
    for chain in perf_chains(path):
        stacks[plain(chain[::-1])] += 1
        callers[plain(chain[1:2])] += 1
    found = collections.Counter()
    for row in rows("--by", "stack", path):
        found[plain(row["stack"].split(";")) if row["stack"] else ""] += row["samples"]
    equal(found, stacks)
    found = collections.Counter()
    for row in rows("--by", "caller", path):
        name = row["caller"] or ("other" if row["caller_object"] else "")
        found[plain([name]) if name else ""] += row["samples"]
    for name in OURS:
        equal(found[name], callers[name], name)
    for ends, least in (("both;often;touch", 400), ("both;rarely;touch", 60), ("main;often;touch", 400),
                        ("main;deeper;deeper;deeper;deeper;deeper;deeper;touch", 90)):
        count = sum(n for stack, n in stacks.items() if stack.endswith(ends))
        assert least <= count < least + 5, (ends, stacks)
    text = good("report", "--by", "stack", path, live=True)
    assert "main;both;often;touch" in text, text
    text = good("report", "--by", "symbol,caller", path, live=True)
    assert re.search(r"often \(program\)", text) and re.search(r"  rarely \(program\)", text), text


def test_compared():
    """precis diff knows callers and stacks by their names"""
    built.need("elfutils")
    path, copy = recorded(), there("copy")
    shutil.copyfile(path, copy)
    for key in ("caller", "stack"):
        found = json.loads(run("diff", "--by", key, "--columns", "share", "--format", "json", path, copy).out)
        told = [row[key] or "" for table in found.values() if isinstance(table, dict)
                for row in table.get("rows", ()) if key in row]
        assert any("often" in name for name in told), told


# --- recordings made here ---

def chain_sample(time, *chain, pid=1):
    return perfdata.record(perfdata.RECORD_SAMPLE, struct.pack("<QIIQ", 0x401000, pid, pid, time) +
                           struct.pack("<Q%dQ" % len(chain), len(chain), *chain), 2)


def mapped(pid, start, name):
    body = struct.pack("<IIQQQ", pid, pid, start, 0x1000, 0) + name.encode() + b"\0"
    return perfdata.record(1, body.ljust(-(-len(body) // 8) * 8, b"\0") + struct.pack("<IIQ", pid, pid, 0), 2)


def made(name, samples, sample_type=perfdata.IP | perfdata.TID | perfdata.TIME | CALLCHAIN):
    path = there(name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(
            [mapped(1, 0x401000, "/x/first"), mapped(1, 0x501000, "/x/second"),
             mapped(2, 0x401000, "/x/third")] + samples,
            [(perfdata.attr(1, sample_type), [1], "clock")]))
    return path


def test_contexts():
    """what context markers say, chains of one call, empty ones, and those that are not recorded"""
    chains = [(USER, 0x401010, 0x501010, 0x401020)] * 5 + [(KERNEL, 2**64 - 0x70000000, USER, 0x501010)] * 4 + \
        [(USER, 0x401010)] * 3 + [()] * 2 + [(USER, 0x401010, 0x999999, 0x401010)] * 6 + \
        [(DEFERRED, 77)] * 1
    path = made("contexts", [chain_sample(10 + n, *chain) for n, chain in enumerate(chains)] +
                [chain_sample(100, USER, 0x401010, 0x401010, pid=2)] * 7)
    found = {row["stack"] or row["stack_reason"]: row["samples"] for row in rows("--by", "stack", path)}
    kernel = [name for name in found if name.startswith("[second];[")]
    equal(len(kernel), 1, found)
    equal(found.pop(kernel[0]), 4)
    equal(found, {"[first];[second];[first]": 5, "[first]": 3, "NOT_CAPTURED": 3,
                  "[first];[unknown];[first]": 6, "[third];[third]": 7})
    found = collections.Counter()
    for row in rows("--by", "caller", path):
        found[row["caller_object"] or row.get("caller_reason") or "nothing"] += row["samples"]
    equal(found, {"/x/second": 9, "the outermost call": 3, "NOT_CAPTURED": 3, "nothing": 6, "/x/third": 7})
    path = recording("zen4-op")
    for key in ("caller", "stack"):
        equal([(row[key], row[key + "_reason"]) for row in rows("--by", key, path)],
              [(None, "NOT_CAPTURED")])


def test_bounded():
    """long chains end in "...", many stacks are one row, and memory is bounded"""
    path = made("long", [chain_sample(10, USER, *([0x401010] * 8000), 0x501010)] * 20)
    found = rows("--by", "stack", path)
    equal([row["samples"] for row in found], [20])
    equal(found[0]["stack"], "...;" + ";".join(["[first]"] * 1024))
    rng = random.Random(3)
    count = 3000 if QUICK else 90000
    path = made("many", [chain_sample(10 + n, USER, *(rng.choice((0x401010, 0x501010, 0x601010))
                                                      for _ in range(120))) for n in range(count)])
    table = json.loads(good("report", "--by", "stack", "--format", "json", "--top", "2", path))["by_other"]
    equal(sum(row["samples"] for row in table["rows"]), count)
    if os.environ.get("PRECIS_SANITIZED") != "yes" and not QUICK:
        kib = kib_of("report", "--by", "stack", path)
        assert kib < 200 << 10, "%d KiB" % kib


def test_hot_after_many():
    """a stack that comes late and often is found, however many others there were, and however long"""
    rng = random.Random(4)
    for calls, objects, others in ((240, ["/x/%s%d" % ("n" * 200, n) for n in range(2)], 3000),
                                   (60, ["/x/first", "/x/second"], 20000 if QUICK else 120000)):
        def chain(number):
            places = [0x401010 if number >> bit & 1 else 0x501010 for bit in range(48)]
            return places + [0x401010] * (calls - len(places))

        hot = chain(rng.getrandbits(48))
        many = [chain(rng.getrandbits(48)) for _ in range(others)] + [hot] * (others // 3)
        path = there("late")
        with open(path, "wb") as file:
            file.write(perfdata.perf_data(
                [mapped(1, 0x401000 + n * 0x100000, name) for n, name in enumerate(objects)] +
                [chain_sample(10 + n, USER, *stack) for n, stack in enumerate(many)],
                [(perfdata.attr(1, perfdata.IP | perfdata.TID | perfdata.TIME | CALLCHAIN), [1], "clock")]))
        name = ";".join("[%s]" % file_part(objects[0 if place == 0x401010 else 1]) for place in reversed(hot))
        one = good("report", "--by", "stack", "--format", "json", "--top", "1", path)
        table = json.loads(one)["by_other"]
        first = table["rows"][0]
        equal(first["stack"], name)
        assert first["samples"] <= others // 3 <= first["samples"] + first.get("missed_most", 0), first
        equal(sum(row["samples"] for row in table["rows"]), len(many))
        equal(good("report", "--by", "stack", "--format", "json", "--top", "1", "--jobs", "2", path), one)
        if os.environ.get("PRECIS_SANITIZED") != "yes":
            kib = kib_of("report", "--by", "stack", path)
            assert kib < 200 << 10, "%d KiB" % kib


def test_jobs():
    """several threads, and several recordings, see the same"""
    rng = random.Random(5)
    samples = [chain_sample(10 + n, USER, *(rng.choice((0x401010, 0x501010)) for _ in range(5)),
                            pid=1 + n % 2) for n in range(120000)]
    path = made("jobs", samples)
    for keys in ("stack", "caller,stack", "caller"):
        one = good("report", "--by", keys, "--format", "json", "--no-progress", path)
        equal(good("report", "--by", keys, "--format", "json", "--jobs", "3", "--no-progress", path), one)
    parts = [made("part%d" % n, samples[n * 20:(n + 1) * 20]) for n in range(2)]
    wanted = collections.Counter()
    for part in parts:
        for row in rows("--by", "stack", part):
            wanted[row["stack"]] += row["samples"]
    equal({row["stack"]: row["samples"] for row in rows("--by", "stack", *parts)}, wanted)


def event_recording(name, *names):
    events = [(perfdata.attr(perfdata.IBS_OP_TYPE, config=n << 19), [n + 1], event)
              for n, event in enumerate(names)]
    path = there(name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(
            [perfdata.sample(perfdata.op_payload(), ident=n + 1, time=10 * i + n)
             for n in range(len(names)) for i in range(10 * (n + 1))], events))
    return path


def test_events():
    """events by their names, whatever their numbers are in each of several recordings"""
    first = event_recording("first", "ibs_op//", "ibs_op/cnt_ctl=1/")
    second = event_recording("second", "ibs_op/cnt_ctl=1/", "ibs_op//")
    equal({row["event"]: row["samples"] for row in rows("--by", "event", first)},
          {"ibs_op//": 10, "ibs_op/cnt_ctl=1/": 20})
    equal({row["event"]: row["samples"] for row in rows("--by", "event", first, second)},
          {"ibs_op//": 30, "ibs_op/cnt_ctl=1/": 30})


# --- recordings of others ---

def symbols_of(sample):
    """From the outermost on, of what precis dump prints"""
    for entry in sample["callchain_symbols"][::-1]:
        if isinstance(entry, dict):
            yield entry.get("symbol") or ("[%s]" % file_part(entry["dso"]).strip("[]")
                                          if "dso" in entry else "[unknown]")


def test_recordings_of_others():
    """stacks of other people's recordings: those that precis dump prints"""
    if not os.path.isdir(os.path.join(SHARED, "perfdata")):
        raise Skip("PRECIS_SHARED has no recordings")
    compared = 0
    for name in ("JustTryingToDoBetter_order-matching-engine__perf.data",
                 "google_perf_data_converter__perf.data.raw_callgraph_branch-3.4",
                 "Algebraic-Programming_OneStopParallel__perf.data", "nevesnunes_covlizer__examples_perf.data"):
        path = os.path.join(SHARED, "perfdata", name)
        if not os.path.exists(path):
            continue
        wanted = collections.Counter()
        for line in run("dump", "--format", "json", "-F", "callchain_symbols", path).out.splitlines():
            sample = json.loads(line)
            chained = sample.get("callchain_symbols") and list(symbols_of(sample))
            wanted[";".join(chained) if chained else None] += 1
        found = collections.Counter()
        for row in rows("--by", "stack", path):
            found[row["stack"]] += row["samples"]
        equal(found, wanted, name)
        compared += len(found)
    print("# %d stacks" % compared)
    assert compared > 100, compared


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
