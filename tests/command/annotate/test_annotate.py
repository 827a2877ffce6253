#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis annotate: instructions beside objdump's, lines beside addr2line's, figures recomputed."""
import collections
import csv
import functools
import io
import json
import math
import os
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import perfdata
import tap
from command import SRCDIR, good, recording, run, usage
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
CC = os.environ.get("CC", "cc")
SCRATCH = tempfile.TemporaryDirectory()
SYMFS = os.path.join(SRCDIR, "tests/recordings/symfs")
START, PID, USER = 0x7f0000000000, 100, 2

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
struct node { struct node *next; long value; };
static double table[4096];
static char text[256];
volatile long sink;

__attribute__((noinline)) double sum(long n)
{
	double s = 0;
	for (long i = 0; i < n; i++) {
		s += table[i & 4095] * 1.5;
		if (s > 1e9)
			s = 0;
	}
	return s;
}

__attribute__((noinline)) long chase(struct node *at, long n)
{
	long found = 0;
	while (n--) {
		found += at->value;
		at = at->next;
	}
	return found;
}

__attribute__((noinline)) int choose(int which, int x)
{
	switch (which) {
	case 0: return x * 3;
	case 1: return x / 7;
	case 2: return x << 3 ^ 0x55;
	case 3: return (int)strlen(text) + x;
	case 4: memset(text, x, sizeof(text) - 1); return text[3];
	case 5: return snprintf(text, sizeof(text), "%d %g", x, table[x & 15]);
	default: return -x;
	}
}

__attribute__((noinline)) void step(long n)
{
	for (long i = 0; i < n; i++)
		sink = i;
}

int main(int argc, char **argv)
{
	struct node nodes[3] = { { &nodes[1], 1 }, { &nodes[2], 2 }, { &nodes[0], 3 } };
	for (int i = 0; i < 4096; i++)
		table[i] = i;
	step(argc > 1 ? 20000 : 10);
	printf("%p %g %ld\n", (void *)&sink, sum(1000), chase(nodes, 100));
	for (int i = 0; i < 7; i++)
		sink += choose(i, argc);
	return argv == NULL;
}
"""
FUNCTIONS = ("sum", "chase", "choose", "step", "main")


def there(name):
    return os.path.join(SCRATCH.name, name)


def tool(*words):
    if not shutil.which(words[0]):
        raise Skip(words[0] + " not found")
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout.decode(errors="replace")


def program(name="program", options=("-g", "-O2"), source=PROGRAM):
    path = there(name)
    if not os.path.exists(path):
        if os.uname().machine != "x86_64":
            raise Skip("not an x86-64 machine")
        with open(there(name + ".c"), "w", encoding="utf-8") as file:
            file.write(source)
        tool(*CC.split(), *options, "-o", path, there(name + ".c"))
    return path


def segment(path):
    """Of what is executable: its address, and its place in the file"""
    for line in tool("readelf", "-lW", path).splitlines():
        words = line.split()
        if words and words[0] == "LOAD" and "E" in words[6:-1]:
            return int(words[2], 16), int(words[1], 16)
    raise AssertionError("no code in " + path)


@functools.lru_cache(maxsize=None)
def symbols(path, _changed):
    return tool("nm", "-S", path)


def extent(path, function):
    """By its symbol: address and length"""
    for line in symbols(path, os.stat(path).st_mtime_ns).splitlines():
        words = line.split()
        if len(words) == 4 and words[3] == function:
            return int(words[0], 16), int(words[1], 16)
    raise AssertionError(function)


def mmap(path, length=1 << 24, pid=PID, start=START):
    name = path.encode() + b"\0" * (8 - len(path) % 8)
    return perfdata.record(1, struct.pack("<IIQQQ", pid, pid, start, length, 0) + name +
                           struct.pack("<IIQQII", pid, pid, 1, 1, 0, 0), USER)


def sample(offset, n, **payload):
    address = START + offset
    return perfdata.sample(perfdata.op_payload(rip=address, **payload), pid=PID, ip=address,
                           time=1000 + n)


def recorded(name, path, offsets, mapped=None):
    """A sample of IBS at each of these offsets of the file"""
    where = there(name)
    with open(where, "wb") as file:
        file.write(perfdata.perf_data([mmap(mapped or path)] + [
            sample(offset, n) for n, offset in enumerate(offsets)]))
    return where


def annotated(*arguments):
    return json.loads(good("annotate", "--format", "json", *arguments))


def listing(*arguments, table="annotate_ops"):
    return annotated(*arguments)[table]["rows"]


def objdump(path, start, length):
    """Address and text of each instruction"""
    found = []
    out = tool("objdump", "-d", "-w", "--no-show-raw-insn", "--start-address=%d" % start,
               "--stop-address=%d" % (start + length), path)
    for line in out.splitlines():
        match = re.match(r" *([0-9a-f]+):\t(.*)", line)
        if match:
            found.append((int(match.group(1), 16), match.group(2).strip()))
    return found


def mnemonic(text):
    """Without prefixes, and what the one writes of an operand's size and the other does not"""
    words = [word for word in text.split() if word not in
             ("rep", "repz", "repe", "bnd", "notrack", "cs", "data16", "lock", "rex.W")]
    word = words[0]
    for longer, shorter in (("movsdq", "movsd"), ("movabs", "mov"), ("nopw", "nop"), ("nopl", "nop"),
                            ("movsxd", "movslq"), ("cdqe", "cltq"), ("cdq", "cltd"),
                            ("cqo", "cqto"), ("movsxdl", "movslq")):
        if word == longer:
            word = shorter
    return word


def same_mnemonic(one, other):
    one, other = mnemonic(one), mnemonic(other)
    return one == other or one in [other + size for size in "bwlqxy"] or \
        other in [one + size for size in "bwlqxy"]


def test_disassembly():
    """instructions are objdump's: addresses, lengths, and nearly all mnemonics"""
    built.need("elfutils")
    built.need("zydis")
    for options in (("-g", "-O2"), ("-O0",), ("-O3", "-mavx2"), ("-Os", "-static")):
        path = program("program" + "".join(options), options)
        address, place = segment(path)
        named = 0
        count = 0
        for function in FUNCTIONS:
            start, length = extent(path, function)
            expected = objdump(path, start, length)
            data = recorded("disassembly", path, [start - address + place])
            rows = listing(function, data)
            equal([int(row["row"], 16) for row in rows], [at for at, _ in expected], options)
            ends = [at for at, _ in expected[1:]] + [start + length]
            equal([row["length"] for row in rows],
                  [end - at for (at, _), end in zip(expected, ends)], function)
            for row, (at, text) in zip(rows, expected):
                equal(int(row["offset"], 16), at - address + place)
                named += same_mnemonic(row["instruction"], text)
                count += 1
                target = re.match(r"(?:bnd |notrack )?(j\w+|call) +([0-9a-f]+)\b", text)
                if target:
                    equal(int(row["target"], 16), int(target.group(2), 16), text)
                else:
                    equal(row["target"], None, text)
                loads = re.search(r"\(%|%[fg]s:", text) and "lea" not in text and "nop" not in text
                if loads:
                    assert row["loads"] or row["stores"], row
        assert named >= 0.97 * count, (options, named, count)


def test_samples():
    """each sample is at its instruction, none is lost, and what lies inside of one is told so"""
    built.need("elfutils")
    built.need("zydis")
    path = program()
    address, place = segment(path)
    rng = random.Random(1)
    for function in FUNCTIONS:
        start, length = extent(path, function)
        offsets = [start - address + place + rng.randrange(length) for _ in range(500)]
        others = [extent(path, other)[0] - address + place for other in FUNCTIONS
                  if other != function] * 20
        data = recorded("samples", path, offsets + others)
        document = annotated(function, data)
        rows = document["annotate_ops"]["rows"]
        expected = collections.Counter(offsets)
        equal({int(row["offset"], 16): row["samples"] for row in rows if row["samples"]},
              dict(expected), function)
        begins = {at - address + place for at, _ in objdump(path, start, length)}
        for row in rows:
            offset = int(row["offset"], 16)
            equal(row["length"] is None, offset not in begins, row)
            if offset not in begins:
                equal(row["instruction_reason"], "inside the instruction before")
            share = row["share"]
            equal(share["n"], len(offsets))
            assert abs(share["value"] - expected[offset] / len(offsets)) < 1e-8, row
            low, high = score_ends(expected[offset], len(offsets), 1.959963984540054)
            assert abs(share["low"] - low) < 1e-6 and abs(share["high"] - high) < 1e-6, (row, low, high)
        first = document["functions_ops"]["rows"][0]
        equal((first["samples"], first["function"]["name"], first["is_listed"], first["addresses"]),
              (len(offsets), function, True, "exact"))
        equal(first["share"]["n"], len(offsets + others))


def test_hottest():
    """without a name it is the function with the most samples, or as many as --top says"""
    built.need("elfutils")
    path = program()
    address, place = segment(path)
    offsets = []
    for n, function in enumerate(FUNCTIONS):
        offsets += [extent(path, function)[0] - address + place] * (10 * n + 5)
    data = recorded("hottest", path, offsets)
    document = annotated(data)
    equal([row["function"]["name"] for row in document["functions_ops"]["rows"]],
          list(reversed(FUNCTIONS)))
    equal([row["is_listed"] for row in document["functions_ops"]["rows"]], [True] + [False] * 4)
    equal(sum(row["samples"] for row in document["annotate_ops"]["rows"]), 45)
    equal([name for name in document if name.startswith("annotate")], ["annotate_ops"])
    document = annotated("--top", "3", data)
    equal([name for name in document if name.startswith("annotate")],
          ["annotate_ops", "annotate_ops_2", "annotate_ops_3"])
    equal(sum(row["samples"] for row in document["annotate_ops_3"]["rows"]), 25)
    done = run("annotate", data, cwd=SCRATCH.name)
    assert "main (program), listed below" in done.out, done


def test_lines():
    """source lines are addr2line's, with the file's text, which --source-path finds elsewhere"""
    built.need("elfutils")
    built.need("zydis")
    path = program()
    address, place = segment(path)
    data = recorded("lines", path, [extent(path, f)[0] - address + place for f in FUNCTIONS])
    source = PROGRAM.split("\n")
    for function in FUNCTIONS:
        rows = listing(function, data)
        told = tool("addr2line", "-e", path, *[row["row"] for row in rows]).splitlines()
        for row, line in zip(rows, told):
            name, _, number = re.sub(r" \(discriminator \d+\)", "", line).rpartition(":")
            if number in ("?", "0"):
                continue
            equal((os.path.basename(row["file"]), row["line"]), (os.path.basename(name), int(number)), row)
            equal(row["source"], source[int(number) - 1].expandtabs(8), row)
    moved = os.path.join(SCRATCH.name, "elsewhere")
    inner = os.path.join(moved, os.path.basename(SCRATCH.name))
    os.makedirs(inner)
    os.rename(there("program.c"), os.path.join(inner, "program.c"))
    try:
        lost = annotated("sum", data)["annotate_ops"]
        assert all(row["source"] is None and row["line"] for row in lost["rows"] if row["file"]), lost
        assert any("--source-path" in note for note in lost["notes"]), lost["notes"]
        for directory in (moved, inner):
            found = listing("sum", "--source-path", there("none"), "--source-path", directory, data)
            assert any(row["source"] and "table[i & 4095]" in row["source"] for row in found), directory
        assert "program.c:12          for (long i" in good("annotate", "sum", "--source-path", moved, data)
    finally:
        os.rename(os.path.join(inner, "program.c"), there("program.c"))


def test_symfs_sources():
    """--symfs: sources are read beneath it: a link's way is its root's, and a relative name is in it"""
    built.need("elfutils")
    built.need("zydis")
    os.makedirs(there("compiled"))
    os.makedirs(there("jail/srcs"))
    secret = there("secret.c")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("/* secret */\n" * 30)
    source = there("compiled/jailed.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    for name, prefix in (("absolute", "/srcs"), ("relative", ".")):
        path = there("jail/" + name)
        tool(*CC.split(), "-g", "-O2", "-fdebug-prefix-map=%s=%s" % (there("compiled"), prefix),
             "-fdebug-prefix-map=%s=%s" % (os.getcwd(), prefix), "-o", path, source)
        address, place = segment(path)
        data = recorded(name + ".data", path, [extent(path, "sum")[0] - address + place], "/" + name)

        def found():
            done = run("annotate", "--format", "json", "--symfs", there("jail"), "sum", data,
                       cwd=there("compiled"))
            equal(done.code, 0, done)
            rows = json.loads(done.out)["annotate_ops"]["rows"]
            assert any(row["line"] for row in rows), rows
            return {row["source"] for row in rows if row["source"]}

        inside = os.path.join(there("jail"), prefix.lstrip("/"), "jailed.c")
        equal(found(), set(), "nothing is there (%s)" % name)
        for target in (secret, os.path.relpath(secret, os.path.dirname(inside))):
            os.symlink(target, inside)
            equal(found(), set(), "%s (%s)" % (target, name))
            os.remove(inside)
        shutil.copy(source, there("jail/kept.c"))  # that a link of the other machine means
        os.symlink("/kept.c", inside)
        assert any("table[i & 4095]" in text for text in found()), name


def test_one_line():
    """FILE:LINE is all instructions of that line, in whichever functions"""
    built.need("elfutils")
    built.need("zydis")
    source = ("static inline int twice(int x)\n{\n\treturn x * 2 + (x >> 3) % 11;\n}\n"
              "__attribute__((noinline)) int one(int a)\n{\n\treturn twice(a) + 1;\n}\n"
              "__attribute__((noinline)) int two(int a)\n{\n\treturn twice(a ^ 5) + 2;\n}\n"
              "int main(int argc, char **argv)\n{\n\treturn one(argc) + two(argc) + !argv;\n}\n")
    path = program("inlined", ("-g", "-O2"), source)
    address, place = segment(path)
    expected = {}
    offsets = []
    for function in ("one", "two"):
        start, length = extent(path, function)
        instructions = [at for at, _ in objdump(path, start, length)]
        told = tool("addr2line", "-e", path, *[hex(at) for at in instructions]).splitlines()
        expected[function] = [at for at, line in zip(instructions, told)
                              if line.split(" ")[0].endswith("inlined.c:3")]
        assert expected[function]
        offsets += [at - address + place for at in instructions]
    data = recorded("one_line", path, offsets)
    for name in ("inlined.c:3", there("inlined.c") + ":3"):
        document = annotated(name, data)
        found = {}
        for n, row in enumerate(document["functions_ops"]["rows"]):
            table = "annotate_ops" if n == 0 else "annotate_ops_%d" % (n + 1)
            found[row["function"]["name"]] = [int(r["row"], 16) for r in document[table]["rows"]]
            equal(row["samples"], len(expected[row["function"]["name"]]))
        equal(found, expected)
    refused("no sample is of the line inlined.c:999", "inlined.c:999", data)
    refused("no sample is of the line lined.c:3", "lined.c:3", data)
    assert "lines are numbered from 1" in usage("annotate", "inlined.c:0", data)


def refused(says, *arguments):
    done = run("annotate", *arguments)
    equal((done.code, done.out), (1, ""), done)
    assert says in done.err and len(done.err.splitlines()) == 1, done


def test_names():
    """a name that two files have is that with more samples, or what @FILE and --dso say; an unknown one"""
    built.need("elfutils")
    path = program()
    other = there("other")
    shutil.copy(path, other)
    address, place = segment(path)
    at = extent(path, "sum")[0] - address + place
    records = [mmap(path), mmap(other, start=START + (1 << 32))]
    records += [sample(at, n) for n in range(5)] + [sample(at + (1 << 32), n) for n in range(9)]
    data = there("names")
    with open(data, "wb") as file:
        file.write(perfdata.perf_data(records))
    for arguments, objects, samples in (
            (("sum",), [other, path], 9), (("sum@program",), [path], 5),
            (("sum@" + other,), [other], 9), (("--dso", "program", "sum"), [path], 5),
            (("--dso", path), [path], 5)):
        document = annotated(*arguments, data)
        equal([row["object"] for row in document["functions_ops"]["rows"]], objects, arguments)
        equal(sum(row["samples"] for row in document["annotate_ops"]["rows"]), samples, arguments)
    refused("no sample is in a function 'sun'; did you mean 'sum'?", "sun", data)
    refused("no sample is in a function 'su'", "su", data)
    refused("no sample is in a function 'sum@none'", "sum@none", data)
    refused("no sample is in a function 'sum' in none", "--dso", "none", "sum", data)
    refused("no sample has an address in a file none", "--dso", "none", data)
    refused("no sample is in a function 'chase'", "chase", data)


def notes(*arguments):
    return "\n".join(annotated(*arguments)["annotate_ops"]["notes"])


def test_without_code():
    """without the binary, of another build, stripped, without Zydis: samples and why there is no code"""
    built.need("elfutils")
    path = program()
    address, place = segment(path)
    start, length = extent(path, "sum")
    at = [start - address + place + n for n in (0, 0, 7, 12)]
    counted = {hex(offset): count for offset, count in collections.Counter(at).items()}
    gone = recorded("gone", path, at, mapped="/nowhere/program")
    document = annotated(gone)
    equal({row["offset"]: row["samples"] for row in document["annotate_ops"]["rows"]}, counted)
    said = "\n".join(document["annotate_ops"]["notes"])
    assert "no disassembly: program: file not found" in said and "is not known" in said, said
    refused("no sample is in a function 'sum'", "sum", gone)

    unread = annotated("--no-symbols", recorded("unread", path, at))["annotate_ops"]
    equal({row["row"]: row["samples"] for row in unread["rows"]}, counted)
    assert "not looked up" in "\n".join(unread["notes"]), unread["notes"]

    bare = there("bare")
    shutil.copy(path, bare)
    tool("strip", bare)
    expected = dict(objdump(path, start, length))
    rows = listing(recorded("stripped", path, [a for a in at if a - place + address in expected],
                            mapped=bare))
    for row in rows if "zydis" not in built.WITHOUT else ():
        assert same_mnemonic(row["instruction"], expected[int(row["row"], 16)]), row


def test_other_build():
    """a file that is not the recorded build is not decoded, but for --any-build-id"""
    built.need("elfutils")
    zen4 = recording("zen4-op")
    root = there("root")
    os.makedirs(os.path.join(root, "usr/bin"))
    shutil.copy(os.path.join(SYMFS, "usr/bin/mix"), os.path.join(root, "usr/bin/busy"))
    document = annotated("--symfs", root, "--dso", "busy", zen4)
    said = "\n".join(document["annotate_ops"]["notes"])
    assert "file is not the recorded build" in said, said
    assert all(row["instruction"] is None for row in document["annotate_ops"]["rows"])
    document = annotated("--symfs", root, "--dso", "busy", "--any-build-id", zen4)
    assert "not the recorded build" not in "\n".join(document["annotate_ops"]["notes"])


def score_ends(k, n, z):
    """Of a share, with continuity correction"""
    def root(share, sign):
        a, b = 1 + z * z / n, -(2 * share + z * z / n)
        return (-b + sign * math.sqrt(max(0, b * b - 4 * a * share * share))) / (2 * a)
    return (root((k - 0.5) / n, -1) if k else 0, root((k + 0.5) / n, 1) if k < n else 1)


def test_figures():
    """samples, latencies, levels and branches of a recording are what its dump adds up to"""
    built.need("elfutils")
    zen4 = recording("zen4-op")
    base = {}
    for line in good("dump", "--records=MMAP,MMAP2", "--format", "json", zen4).splitlines():
        body = json.loads(line)["body"]
        if body["filename"] == "/usr/bin/busy":
            base[body["pid"]] = tuple(int(body[name], 16)
                                      for name in ("addr", "page_offset", "length"))
    assert base
    found = {}
    rows = list(csv.DictReader(io.StringIO(good(
        "dump", "--format", "csv", "--fields",
        "ip,pid,mem_level,dcache_miss_latency,branch_taken,branch_mispredicted", zen4))))
    for row in rows:
        start, place, length = base.get(int(row["pid"] or 0), (0, 0, 0))
        if start <= int(row["ip"] or "0", 16) < start + length:
            found.setdefault(int(row["ip"], 16) - start + place, []).append(row)
    document = annotated("--symfs", SYMFS, "--dso", "busy", "--top", "100", zen4)
    seen = 0
    for name, table in document.items():
        for row in table["rows"] if name.startswith("annotate_ops") else ():
            samples = found.get(int(row["offset"], 16), [])
            equal(row["samples"], len(samples), row)
            seen += len(samples)
            check_figures(row, samples)
    equal(seen, sum(len(samples) for samples in found.values()))
    lost = [row for row in rows if not row["ip"]]
    assert ("%d samples have no address of their own" % len(lost)) in \
        "\n".join(document["functions_ops"]["notes"]) or not lost, (len(lost), document["functions_ops"])


def check_figures(row, samples):
    latencies = [int(s["dcache_miss_latency"]) for s in samples if s["dcache_miss_latency"]]
    if samples:
        equal(row["n"], len(latencies), row)
    if latencies:
        assert abs(row["mean"] - sum(latencies) / len(latencies)) < 1e-5, row
    else:
        equal(row["mean"], None, row)
    expected = {}
    levels = [s["mem_level"] for s in samples if s["mem_level"]]
    for level in set(levels):
        expected[level] = (levels.count(level), len(levels))
    for name, field in (("taken", "branch_taken"), ("mispredicted", "branch_mispredicted")):
        known = [int(s[field]) for s in samples if s[field]]
        if known:
            expected[name] = (sum(known), len(known))
    shares = row["shares"] or {}
    equal(set(shares), set(expected), row)
    for name, (part, whole) in expected.items():
        low, high = score_ends(part, whole, 1.959963984540054)
        for found, value in (("value", part / whole), ("low", low), ("high", high)):
            assert abs(shares[name][found] - value) < 1e-6, (row, name, part, whole)
        equal(shares[name]["n"], whole)


def test_jobs():
    """however many read it, and however often it is given, the page is the same"""
    for name in ("zen4-op", "skylake-mix-loads", "zen4-freq"):
        one = good("annotate", "--symfs", SYMFS, "--top", "3", "--format", "json", recording(name))
        equal(good("annotate", "--symfs", SYMFS, "--top", "3", "--format", "json", "--jobs", "4",
                   recording(name)), one, name)


def test_exactness():
    """the page says whose addresses there are: of IBS, of PEBS, of a breakpoint, of a clock"""
    for name, kind, word, says in (
            ("zen4-op", "ops", "exact", "exact addresses: each sample of IBS"),
            ("zen4-fetch", "fetches", "fetch", "what was fetched begins there"),
            ("spr-loads", "pebs", "exact", "exact addresses where the kernel says so")):
        document = annotated("--symfs", SYMFS, recording(name))
        equal(document["functions_" + kind]["rows"][0]["addresses"], word)
        assert says in "\n".join(document["annotate_" + kind]["notes"]), document
    said = "\n".join(annotated("--symfs", SYMFS, recording("spr-loads"))["annotate_pebs"]["notes"])
    assert re.search(r"the kernel says of (\d+) of \1 samples that their address is exact", said), said


def precise(path, ip):
    """The recording with another precise_ip in all of its events"""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    at, size = struct.unpack_from("<QQ", data, 24)
    entry, = struct.unpack_from("<Q", data, 16)
    for n in range(size // entry):
        flags, = struct.unpack_from("<Q", data, at + n * entry + 40)
        struct.pack_into("<Q", data, at + n * entry + 40, flags & ~(3 << 15) | ip << 15)
    changed = there("precise%d" % ip)
    with open(changed, "wb") as file:
        file.write(data)
    return changed


def test_skid():
    """precise_ip 1 is the next instruction's address"""
    done = run("annotate", "--symfs", SYMFS, "--format", "json", precise(recording("spr-loads"), 1))
    document = json.loads(done.out)
    equal(document["functions_pebs"]["rows"][0]["addresses"], "next")
    assert "precise_ip 1: addresses are of the instruction behind" in \
        "\n".join(document["annotate_pebs"]["notes"])


def test_live():
    """a data breakpoint's samples, instruction by instruction, are those of perf script"""
    built.need("elfutils")
    built.need("zydis")
    if not PERF:
        raise Skip("perf not found")
    path = program("fixed", ("-g", "-O1", "-no-pie"))
    address = next(int(line.split()[0], 16) for line in tool("nm", path).splitlines()
                   if line.split()[-1] == "sink")
    data = there("live.data")
    done = subprocess.run([PERF, "record", "-q", "-e", "mem:0x%x:w" % address, "-c", "1", "-o", data,
                           path, "long"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          timeout=1200)
    if done.returncode:
        raise Skip("perf cannot record a breakpoint here")
    said = subprocess.run([PERF, "script", "-i", data, "-F", "ip,sym"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=1200).stdout.decode()
    expected = collections.Counter(int(line.split()[0], 16) for line in said.splitlines()
                                   if line.split()[1:2] == ["step"])
    if not expected:
        raise Skip("breakpoints took no sample here")
    done = run("annotate", "--format", "json", "step", data)
    document = json.loads(done.out)
    rows = document["annotate_other"]["rows"]
    equal({int(row["row"], 16): row["samples"] for row in rows if row["samples"]}, dict(expected), done)
    equal(document["functions_other"]["rows"][0]["addresses"], "next")
    # the store is right before the instruction that has the samples
    first = next(n for n, row in enumerate(rows) if row["samples"])
    assert rows[first - 1]["stores"], rows
    assert any(row["jump"] == "back" for row in rows), rows
    assert all(row["loops"] == 1 for row in rows if row["samples"]), rows
    told = "\n".join(document["annotate_other"]["notes"])
    assert "a data breakpoint traps behind the access" in told, told


def damaged(name, change):
    with open(program(), "rb") as file:
        data = bytearray(file.read())
    change(data)
    path = there(name)
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, 0o755)
    return path


def symbol_at(data, function):
    """Where the file has that symbol's entry of its .symtab"""
    start = extent(program(), function)[0]
    at = bytes(data).rfind(struct.pack("<Q", start) + struct.pack("<Q", extent(program(), function)[1]))
    assert at > 0
    return at


def test_hostile():
    """truncated files, symbols that lie about their size, and what is no instruction"""
    built.need("elfutils")
    address, place = segment(program())
    start, length = extent(program(), "sum")
    offset = start - address + place
    rng = random.Random(2)

    def size_of(size):
        return lambda data: struct.pack_into("<Q", data, symbol_at(data, "sum") + 8, size)

    for n, size in enumerate((1, length // 2, length * 3, 1 << 20, 1 << 40, (1 << 64) - 1)):
        path = damaged("lying%d" % n, size_of(size))
        document = annotated("sum", recorded("lying", path, [offset, offset]))
        equal(sum(row["samples"] for row in document["annotate_ops"]["rows"]), 2, size)

    for n in range(40):
        def change(data):
            if n % 2:
                del data[rng.randrange(len(data)):]
            else:
                for _ in range(20):
                    data[rng.randrange(len(data))] = rng.randrange(256)
        path = damaged("damaged%d" % n, change)
        done = run("annotate", recorded("damaged", path, [offset, offset + 3, offset + 3]))
        assert done.code == 0 and "samples" in done.out, done

    path = damaged("no_code", lambda data: data.__setitem__(
        slice(offset, offset + length), bytes([6]) * length)) # push %es: not of 64 bits
    rows = listing("sum", recorded("zeros.data", path, [offset]))
    if "zydis" not in built.WITHOUT:
        equal(len(rows), length)
        equal({row["instruction_reason"] for row in rows}, {"no instruction"})


def test_large():
    """a function of a million bytes is listed near its samples, all of it only if asked for"""
    built.need("elfutils")
    built.need("zydis")
    source = "void large(void)\n{\n\t__asm__ volatile(\".rept 1000000\\n\\tnop\\n.endr\");\n}\n" \
             "int main(void)\n{\n\tlarge();\n\treturn 0;\n}\n"
    path = program("large", ("-O1",), source)
    address, place = segment(path)
    start, length = extent(path, "large")
    assert length > 10**6
    offsets = [start - address + place + at for at in (5, 5, 500000, 999999)]
    data = recorded("large.data", path, offsets)
    for arguments, context in (((), 10), (("--context", "0"), 0), (("--context", "2"), 2)):
        rows = listing(*arguments, data)
        near = {at + n for at in (5, 500000, 999999) for n in range(-context, context + 1)
                if 0 <= at + n < 1000001} # nop, and ret behind them
        equal([int(row["row"], 16) - start for row in rows], sorted(near))
        equal(sum(row["samples"] for row in rows), 4)
    text = good("annotate", data)
    assert "instructions left out)" in text, text[-2000:]


def test_many_functions():
    """of more functions and instructions than are counted the heavy ones are there, with their bounds"""
    built.need("elfutils")
    count, heavy = 40000, 6000
    source = "__asm__(\".text\\n\"" + "".join(
        '".type f%d, @function\\nf%d: nop\\nret\\n.size f%d, .-f%d\\n"' % (n, n, n, n)
        for n in range(count)) + ");\nint main(void)\n{\n\treturn 0;\n}\n"
    path = program("many", ("-O1",), source)
    address, place = segment(path)
    starts = [extent(path, "f%d" % n)[0] - address + place for n in (0, count - 1)]
    equal(starts[1] - starts[0], 2 * (count - 1))
    offsets = list(range(starts[0], starts[1] + 2, 2))
    random.Random(2).shuffle(offsets)
    data = recorded("many.data", path, offsets + [starts[1]] * heavy)
    found = json.loads(good("annotate", "--format", "json", data))
    tables = [table for name, table in found.items() if name.startswith("functions_")]
    first = tables[0]["rows"][0]
    equal(first["function"]["name"], "f%d" % (count - 1))
    assert first["samples"] <= heavy + 1 <= first["samples"] + first["missed_most"], first
    assert 0 < first["missed_most"] <= (count + heavy) / 8192 + 1, first
    assert any(note.startswith("and more than ") for note in tables[0]["notes"]), tables[0]["notes"]
    listed = [row for name, table in found.items() if name.startswith("annotate_") for row in table["rows"]]
    equal({row["missed_most"] > 0 for row in listed}, {True})
    assert listed[0]["samples"] <= heavy + 1 <= listed[0]["samples"] + listed[0]["missed_most"], listed
    assert "missed<=" in good("annotate", data).split("f%d" % (count - 1))[0]


def test_text():
    """colour by the share of the function, jumps drawn, names of what is called"""
    built.need("elfutils")
    built.need("zydis")
    path = program()
    address, place = segment(path)
    start, length = extent(path, "choose")
    instructions = objdump(path, start, length)
    hot = instructions[2][0] - address + place
    data = recorded("text", path, [hot] * 99 + [instructions[5][0] - address + place])
    plain = good("annotate", "--colour", "never", "choose", data)
    coloured = good("annotate", "--colour", "always", "choose", data)
    assert "\033" not in plain
    equal(re.sub("\033\\[\\d*m", "", coloured), plain)
    lines = [line for line in coloured.splitlines() if "0x%x" % instructions[2][0] in line]
    assert any(line.startswith("\033[31m") for line in lines), lines
    lines = [line for line in coloured.splitlines() if "0x%x " % instructions[5][0] in line]
    assert any(line.startswith("\033[32m") for line in lines), lines
    assert re.search(r"jmp 0x[0-9a-f]+ <snprintf@plt>|call 0x[0-9a-f]+ <snprintf@plt>|"
                     r"<__snprintf_chk@plt>", plain), plain
    intel = listing("--syntax", "intel", "choose", data)
    assert not any("%" in (row["instruction"] or "") for row in intel)
    assert "%" in "".join(row["instruction"] for row in listing("choose", data))


def drawn(path, function, data):
    """Of each instruction the text between its figures and its name"""
    found = {}
    for line in good("annotate", function, data).splitlines():
        match = re.match(r"  (0x[0-9a-f]+)[ \d.%\[\],]*? {2,}([,`|+*>^v -]*?) +([a-z].*)$", line)
        if match:
            found[match.group(1)] = match.group(2)
    return found


def test_in_step():
    """where how far shares may be off is not known, text has no interval of any"""
    text = good("annotate", "--symfs", SYMFS, recording("spr-mix-loads"))
    rows = re.findall(r"^ +0x[0-9a-f]+ +\d.*$", text, re.M)
    assert len(rows) >= 2 and all("[in step]" in row for row in rows), text
    assert not re.search(r"% \[\d", "\n".join(rows)), text


def test_jumps():
    """jumps inside a function say where they go, and loops are what lies between"""
    built.need("elfutils")
    built.need("zydis")
    path = program()
    address, place = segment(path)
    for function in FUNCTIONS:
        start, length = extent(path, function)
        data = recorded("jumps", path, [start - address + place])
        rows = listing(function, data)
        begins = {int(row["row"], 16) for row in rows}
        back = []
        for at, text in objdump(path, start, length):
            jump = re.match(r"(?:bnd |notrack )?j\w+ +([0-9a-f]+)\b", text)
            row = next(row for row in rows if int(row["row"], 16) == at)
            if not jump:
                equal(row["jump"], None, text)
                continue
            target = int(jump.group(1), 16)
            equal(row["jump"], "out" if target not in begins else "back" if target <= at else "forward")
            if row["jump"] == "back":
                back.append((target, at))
        for row in rows:
            equal(row["loops"], sum(low <= int(row["row"], 16) <= high for low, high in back), row)
        lanes = drawn(path, function, data)
        for low, high in back:
            assert lanes.get("0x%x" % low, ">").endswith(">"), (function, lanes)


# --- debuginfod ---

def build_id(path):
    """As the BUILD_ID feature has it of a file that was at another place"""
    found = re.search(r"Build ID: ([0-9a-f]+)", tool("readelf", "-n", path))
    if not found:
        raise Skip("the compiler gives no build id")
    return bytes.fromhex(found.group(1))


def recorded_elsewhere(name, path, offsets):
    """As recorded() of a file that is not there, with its build id"""
    mapped = "/nowhere/" + os.path.basename(path)
    body = struct.pack("<i", -1) + build_id(path).ljust(24, b"\0") + mapped.encode() + b"\0" * (
        8 - len(mapped) % 8)
    events = [(perfdata.attr(), [1], "ibs_op//")]
    features = {perfdata.CPUID: perfdata.string(perfdata.ZEN4), 2: perfdata.record(67, body, USER),
                perfdata.EVENT_DESC: perfdata.event_desc(events),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(perfdata.IBS_OP_TYPE, "ibs_op")])}
    where = there(name)
    with open(where, "wb") as file:
        file.write(perfdata.perf_data([mmap(mapped)] + [
            sample(offset, n) for n, offset in enumerate(offsets)], events, features))
    return where


def servers(url, cache):
    """The environment in which that server is asked; None: none is"""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("DEBUGINFOD")}
    environment["DEBUGINFOD_CACHE_PATH"] = there(cache)
    if url:
        environment["DEBUGINFOD_URLS"] = url
    return environment


class Server:
    """debuginfod on this machine, of the files in a directory, ready to answer for a build id"""

    def __init__(self, directory, wanted):
        if not shutil.which("debuginfod"):
            raise Skip("debuginfod not found")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = "http://127.0.0.1:%d" % port
        self.process = subprocess.Popen(
            ["debuginfod", "-F", "-p", str(port), "-d", ":memory:", directory],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.wait_for("/buildid/%s/executable" % wanted.hex())
        except BaseException:
            self.stop()
            raise

    def wait_for(self, path):
        until = time.monotonic() + 120
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise Skip("debuginfod does not run here")
            try:
                with urllib.request.urlopen(self.url + path, timeout=60):
                    return
            except OSError:
                time.sleep(0.2)
        raise Skip("debuginfod does not answer")

    def stop(self):
        self.process.kill()
        self.process.wait()


def test_debuginfod():
    """the file, its symbols, lines and sources come from a server that DEBUGINFOD_URLS names"""
    built.need("elfutils")
    built.need("zydis")
    built.need("debuginfod")
    if subprocess.run(["sh", "-c", "ldconfig -p | grep -q libdebuginfod.so.1"]).returncode:
        raise Skip("libdebuginfod not found")
    directory = there("served")
    os.makedirs(directory)
    source = os.path.join(directory, "program.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    path = os.path.join(directory, "served_program")
    tool(*CC.split(), "-g", "-O2", "-Wl,--build-id", "-o", path, source)
    address, place = segment(path)
    start, length = extent(path, "sum")
    data = recorded_elsewhere("served.data", path, [start - address + place] * 3)
    expected = objdump(path, start, length)
    server = Server(directory, build_id(path))
    try:
        empty = there("empty")
        os.makedirs(empty)
        refused_in(servers(None, "cache1"), "no sample is in a function 'sum'", "--symfs", empty, "sum", data)
        document = json.loads(good("annotate", "--format", "json", "--symfs", empty, "sum", data,
                                   env=servers(server.url, "cache2")))
        rows = document["annotate_ops"]["rows"]
        equal([int(row["row"], 16) for row in rows], [at for at, _ in expected])
        assert all(row["instruction"] for row in rows)
        lines = PROGRAM.split("\n")
        told = [row for row in rows if row["line"]]
        assert told and all(row["source"] == lines[row["line"] - 1].expandtabs(8) for row in told), told
    finally:
        server.stop()


def refused_in(environment, says, *arguments):
    done = run("annotate", *arguments, env=environment)
    assert done.code == 1 and says in done.err, done


def test_silent_server():
    """a server that does not answer is given up, and none is asked without DEBUGINFOD_URLS"""
    built.need("elfutils")
    built.need("debuginfod")
    path = program("silent", ("-g", "-O2", "-Wl,--build-id"))
    address, place = segment(path)
    data = recorded_elsewhere("silent.data", path, [extent(path, "sum")[0] - address + place])
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(8)
        url = "http://127.0.0.1:%d" % silent.getsockname()[1]
        equal(run("annotate", data, env=servers(None, "cache3")).code, 0)
        silent.setblocking(False)
        try:
            silent.accept()
            raise AssertionError("somebody was asked")
        except BlockingIOError:
            pass
        if subprocess.run(["sh", "-c", "ldconfig -p | grep -q libdebuginfod.so.1"]).returncode:
            raise Skip("libdebuginfod not found")
        done = run("annotate", data, env=servers(url, "cache4"))
        equal((done.code, done.err), (0, "precis annotate: no server of DEBUGINFOD_URLS answers: "
                                         "none is asked again\n"), done)
        assert "no symbol (silent)" in done.out, done


def test_standard_input():
    """a first word "-" is the recording, whether that is a file or a pipe, and no function"""
    data = recording("zen4-op")
    wanted = listing("--no-symbols", data)
    for open_data in (lambda: open(data, "rb"),
                      lambda: subprocess.Popen(["cat", data], stdout=subprocess.PIPE).stdout):
        with open_data() as file:
            done = run("annotate", "--no-symbols", "--format", "json", "-", stdin=file)
        equal((done.code, done.err), (0, ""))
        assert json.loads(done.out)["annotate_ops"]["rows"] == wanted


def test_usage():
    """options of other commands are none of this one, and its own none of theirs"""
    data = recording("zen4-op")
    for words in (("--by", "symbol"), ("--columns", "share"), ("--sort", "share"), ("--runs", "2")):
        assert "option" in usage("annotate", *words, "main", data)
    for words in (("--dso", "x"), ("--context", "1"), ("--syntax", "att"), ("--source-path", "/")):
        assert "option" in usage("report", *words, data)
    assert "expected one of att, intel, found 'masm'" in usage("annotate", "--syntax", "masm", data)
    assert "expected a number" in usage("annotate", "--context", "x", data)
    assert "expected a function" in usage("annotate", "", data)


def test_csv():
    """CSV has the same figures"""
    path = recording("zen4-op")
    rows = list(csv.DictReader(io.StringIO(good("annotate", "--format", "csv", "--symfs", SYMFS, path))))
    expected = {row["row"]: row["samples"] for row in listing("--symfs", SYMFS, path)}
    found = {row["row"]: int(row["value"]) for row in rows
             if row["section"] == "annotate_ops" and row["column"] == "samples"}
    equal(found, expected)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
