#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_program.py DIRECTORY: perl of Debian's under precis-record --objects. What it asked of its heap, when, and by
which calls allocations.so wrote down as well, whose file tells the format. By that, by the addresses and times that
stock perf prints and by the symbols that readelf prints, precis report --by object, allocation, member counts the same
samples in the same blocks, and all of them.
"""
import bisect
import collections
import json
import os
import re
import sys

from registers import bits, perf_samples
from scenario import PERF, PRECIS, done, equal, ok, output, skip, steps

WORDS = 100  # guest/scenario_program.sh
DEBUG = "program-debug/usr/lib/debug"
MARGIN_NS = 50000  # of the clocks' difference: of what is nearer to a block's begin or end nothing is certain
# What New(), Renew() and their kind are in perl
PASS_ON = {"Perl_safesysmalloc", "Perl_safesyscalloc", "Perl_safesysrealloc"}
# The head of every value, of which arenas are made, by perl's header of values (SV)
HEAD_BYTES = 24
HEAD = ((0, 8, "struct sv.sv_any"), (8, 12, "struct sv.sv_refcnt"), (12, 16, "struct sv.sv_flags"),
        (16, 24, "struct sv.sv_u"))

Block = collections.namedtuple("Block", "number address bytes begin end")
Sample = collections.namedtuple("Sample", "event time address")


def expected_text():
    """What words.pl prints"""
    words = ["word%d" % (n * 7919 % 61) for n in range(1, WORDS + 1)]
    count = collections.Counter(words)
    order = sorted(count, key=lambda word: (-count[word], word))
    return " ".join([str(sum(map(len, words))), str(len(count)), *order[:3]])


# ---- what allocations.so wrote ----

def allocations(path):
    """([(kind, time, address, bytes, calls)], [(before, after) of a COMM])"""
    with open(path, "rb") as file:
        words = memoryview(file.read()).cast("Q")
    events, marks, at = [], [], 0
    while at < len(words):
        if words[at] == 3:
            marks.append((words[at + 1], words[at + 2]))
            at += 3
        elif words[at] == 2:
            events.append((2, words[at + 1], words[at + 2], 0, ()))
            at += 3
        else:
            end = at + 5 + words[at + 4]
            events.append((1, words[at + 1], words[at + 2], words[at + 3], tuple(words[at + 5:end])))
            at = end
    return events, marks


def blocks_of(events):
    """In the order in which they came"""
    live, blocks = {}, []
    for kind, time, address, size, _ in events:
        if kind == 1:
            live[address] = len(blocks)
            blocks.append(Block(len(blocks), address, size, time, 1 << 63))
        elif address in live:
            number = live.pop(address)
            blocks[number] = blocks[number]._replace(end=time)
    return blocks


class Heap:
    """Which block an address is in at a time"""

    def __init__(self, blocks):
        self.blocks = sorted(blocks, key=lambda block: (block.address, block.begin))
        self.addresses = [block.address for block in self.blocks]
        self.longest = max(block.bytes for block in blocks)

    def at(self, address, time):
        """(the block, or None; is that certain)"""
        found, certain = None, True
        for n in range(bisect.bisect_right(self.addresses, address) - 1, -1, -1):
            block = self.blocks[n]
            if block.address <= address - self.longest:
                break
            if address >= block.address + block.bytes:
                continue
            certain = certain and min(abs(time - block.begin), abs(time - block.end)) > MARGIN_NS
            if block.begin <= time < block.end:
                found = block
        return found, certain


# ---- what stock perf prints ----

def samples_of(data):
    text = output(PERF, "script", "-i", data, "--ns", "-F", "time,event,addr")
    found = re.findall(r"^\s*(\d+)\.(\d{9}):\s+(\S+):\s+([0-9a-f]+)\s*$", text, re.M)
    return [Sample(event, int(seconds) * 10 ** 9 + int(part), int(address, 16))
            for seconds, part, event, address in found]


def clock_difference(data, marks):
    """What is to be added to perf's times, by the COMM records that allocations.so made"""
    text = output(PERF, "script", "-i", data, "--ns", "--show-task-events", "-F", "comm,time")
    times = [int(seconds) * 10 ** 9 + int(part) for seconds, part in
             re.findall(r"(\d+)\.(\d{9}): PERF_RECORD_COMM: allocations:", text)]
    # a record is of some time between both marks, which are far apart where the machine was taken away in between
    least = max(before - time for (before, _), time in zip(marks, times))
    most = min(after - time for (_, after), time in zip(marks, times))
    ok(len(times) == len(marks) == 2 and least <= most < least + MARGIN_NS,
       "perf's clock and the program's differ by the same at both ends", times, marks)
    return (least + most) // 2


def program_at(data):
    """Where perl is, from its file's first byte to its last one"""
    text = output(PERF, "script", "-i", data, "--show-mmap-events", "-F", "comm,time")
    found = [tuple(int(number, 16) for number in numbers) for numbers in re.findall(
        r"PERF_RECORD_MMAP2? .*\[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (\w+) .*/bin/perl$", text, re.M)]
    return range(min(start - offset for start, _, offset in found), max(start + size for start, size, _ in found))


class Symbols:
    """Functions of an ELF file, as readelf prints them"""

    def __init__(self, path):
        rows = re.findall(r"^\s*\d+: ([0-9a-f]+)\s+(\w+) FUNC\s+\w+\s+\w+\s+\d+ (\S+)$",
                          output("readelf", "-sW", path), re.M)
        self.functions = sorted((int(value, 16), int(size, 0), name.partition("@")[0]) for value, size, name in rows)
        self.starts = [row[0] for row in self.functions]

    def at(self, address):
        """All names of the function there; empty: there is none"""
        n = bisect.bisect_right(self.starts, address) - 1
        names = set()
        while n >= 0 and (not names or self.functions[n][0] == start):
            start, size, name = self.functions[n]
            if address >= start + size:
                break
            names.add(name)
            n -= 1
        return names


def calls_of(symbols, program, calls):
    """Names of perl's functions that asked, the innermost first, or the place of the call, before the address"""
    places = [call - 1 - program.start for call in calls if call in program]
    return [symbols.at(place) or {"[perl+0x%x]" % place} for place in places]


# ---- what precis tells ----

def told(data, keys, *more):
    """[row] of all tables, without sums of others"""
    text = output(PRECIS, "report", "--by", keys, "--columns", "samples,n,mean", "--top", "100000", "--format", "json",
                  "--symfs", "program", *more, data)
    tables = [table for name, table in json.loads(text).items() if re.match(r"by_(ops|pebs(_\d+)?)$", name)]
    deepest = keys.count(",")
    return [row for table in tables for row in table["rows"] if row["row"].count(".") == deepest]


def counted(rows, key):
    """{key of a row: samples}; key gives None for what does not count"""
    count = collections.Counter()
    for row in rows:
        if key(row) is not None:
            count[key(row)] += row["samples"]
    return count


def compare(found, least, most, title):
    """Of each name at least the samples that are certain, and at most those that may be, too"""
    wrong = ["%s: %d, not %d to %d" % (name, found[name], least[name], most[name])
             for name in sorted(set(found) | set(most)) if not least[name] <= found[name] <= most[name]]
    ok(found and not wrong, "%s: %d samples of %d names, of which %d are certain" % (
        title, sum(found.values()), len(found), sum(least.values())), *wrong[:20])


def object_of(row):
    """The function of 'block of FUNCTION at FILE:LINE'; of one that is gone nothing is said"""
    match = re.match(r"block of (\S+)", row.get("object") or "")
    return match and match[1]


def same_name(names, count):
    """That of a function's names which is counted; they are one place"""
    return next((name for name in sorted(names) if count[name]), min(names))


class Truth:
    """Of each sample with an address the block, and who asked for it"""

    def __init__(self, directory):
        data = os.path.join(directory, "program.data")
        events, marks = allocations(os.path.join(directory, "allocations"))
        self.blocks = blocks_of(events)
        self.calls = [calls for kind, *_, calls in events if kind == 1]
        self.samples = samples_of(data)
        self.program = program_at(data)
        difference = clock_difference(data, marks)
        heap = Heap(self.blocks)
        self.found = [heap.at(sample.address, sample.time + difference) for sample in self.samples]

    def count(self, key):
        """({key: samples that are certain}, {key: those that may be}) of the samples in blocks"""
        least, most = collections.Counter(), collections.Counter()
        for sample, (block, certain) in zip(self.samples, self.found):
            name = block and key(sample, block)
            if name is not None:
                most[name] += 1
                least[name] += certain
        return least, most


def check_totals(directory, step, truth):
    equal((step.stepper["undecoded"], step.stepper["unexpected"]), (0, 0), "each of %d instructions was decoded" %
          step.stepper["steps"])
    delivered = step.total("ibs_op", "delivered") + step.total("cpu", "delivered")
    equal(len(truth.samples), delivered, "stock perf has all %d samples" % delivered)
    rows = told(os.path.join(directory, "program.data"), "object")
    equal(sum(row["samples"] for row in rows), delivered, "precis report has them all, each of one object")
    certain = sum(1 for block, certain in truth.found if block and certain)
    ok(certain > 500, "%d of them are in a block for certain" % certain)


def check_objects(data, truth, symbols, more, of):
    names = {block.number: calls_of(symbols, truth.program, truth.calls[block.number]) for block in truth.blocks}
    askers = {number: next((one for one in calls if not one & PASS_ON), None) for number, calls in names.items()}
    found = counted(told(data, "object", *more), object_of)
    least, most = truth.count(lambda _, block: askers[block.number] and same_name(askers[block.number], found))
    compare(found, least, most, "blocks by who asked for them, with " + of)
    return names


def check_calls(data, truth, names, more):
    """All of perl's functions on the way, from main() on"""
    def path(row):
        calls = (row.get("allocation") or "").split(";")
        return ";".join(calls[calls.index("main"):]) if "main" in calls else None

    found = counted(told(data, "allocation", *more), path)
    # Names of one place that precis may choose among
    chosen = {name for calls in found for name in calls.split(";")}

    def way(_, block):
        calls = [next((name for name in sorted(one) if name in chosen), min(one))
                 for one in reversed(names[block.number])]
        return ";".join(calls[calls.index("main"):]) if "main" in calls else None

    compare(found, *truth.count(way), "blocks by the calls that asked")


def check_types(data, truth, names, more):
    """The interpreter is one block; values have their heads in arenas, of which perl's header says what is where"""
    def asked_by(block, name):
        return names[block.number] and name in names[block.number][0] | (names[block.number] + [set()])[1]

    def member(sample, block):
        if asked_by(block, "perl_alloc"):
            return "struct interpreter"
        if not asked_by(block, "Perl_more_sv"):
            return None
        offset = (sample.address - block.address) % HEAD_BYTES
        return next(name for start, end, name in HEAD if start <= offset < end)

    def told_member(row):
        if object_of(row) == "perl_alloc":
            return row["type"]
        if object_of(row) == "Perl_more_sv":
            return re.match(r"(struct sv\.\w+|[^.]*)", row["member"] or "-")[1]
        return None

    found = counted(told(data, "object,type,member", *more), told_member)
    compare(found, *truth.count(member), "members of values, and the interpreter")


def check_latency(data, truth, vendor):
    """Which latency that is: by the maker's words, and by stock perf's registers or weights of the same samples"""
    text = output(PRECIS, "report", "--by", "object", "--symfs", "program", data)
    told_as = set(re.findall(r"^  cycles: (\S+)$", text, re.M))
    equal(told_as, {"dcache_miss_latency" if vendor == "ibs" else "cache_latency"},
          "%s: the latency is this vendor's" % vendor)
    if vendor == "ibs":
        data3 = [one["IbsOpData3"] for one in perf_samples(data)]
        latencies = [bits(one, 32, 16) if bits(one, 0) and bits(one, 7) else None for one in data3]
    else:
        weights = output(PERF, "script", "-i", data, "-F", "event,weight").splitlines()
        latencies = [int(line.split()[-1]) if "mem-loads," in line else None for line in weights]
    equal(len(latencies), len(truth.samples), "%s: stock perf prints as many" % vendor)
    in_blocks = [latency for latency, (block, certain) in zip(latencies, truth.found) if block and latency is not None]
    rows = [row for row in told(data, "object") if object_of(row)]
    total = sum(row["n"] * row["mean"] for row in rows if row["n"])
    equal((sum(row["n"] for row in rows), round(total)), (len(in_blocks), sum(in_blocks)),
          "%s: of blocks %d samples have a latency" % (vendor, len(in_blocks)))


def main(directory):
    found = {step.name: step for step in steps(directory)}
    equal((found["program"].status, expected_text() in found["program"].printed), (0, True), "perl counts right")
    truth = Truth(directory)
    data = os.path.join(directory, "program.data")
    check_totals(directory, found["program"], truth)
    check_latency(data, truth, "ibs" if found["program"].pmus() != ["cpu"] else "pebs")
    if "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split():
        skip("names of blocks, and types", "built without elfutils")
        return done()
    check_objects(data, truth, Symbols("program/usr/bin/perl"), [], "the program's own symbols")
    with open("program-debug/why", encoding="utf-8") as why:
        reason = why.read()
    if reason:
        skip("calls, types and members of blocks", reason)
        return done()
    more = ["--debug-dir", DEBUG]
    build = re.search(r"Build ID: (\w\w)(\w+)", output("readelf", "-n", "program/usr/bin/perl"))
    symbols = Symbols(os.path.join(DEBUG, ".build-id", build[1], build[2] + ".debug"))
    names = check_objects(data, truth, symbols, more, "debug information")
    check_calls(data, truth, names, more)
    check_types(data, truth, names, more)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
