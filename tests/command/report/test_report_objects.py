#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by object and memory: a program touches memory of each kind, each page for the first time, and
prints where its memory is: what each sample's address is in follows from that.
"""
import collections
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import page_faults
import tap
from command import good
from tap import equal

SOURCE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES 16
#define BYTES (PAGES * 4096L)

struct pair { long a, b; };
static char cleared[BYTES];
char filled[BYTES] = { 1 };
static struct pair pairs[BYTES / sizeof(struct pair)] = { { 1, 2 } };
extern char of_library[BYTES];
static __thread char of_thread[BYTES];
static char alone[64];

static void touch(const char *kind, const char *name, volatile char *start)
{
	for (long at = 0; at < BYTES; at += 4096)
		start[at]++;
	printf("%s %s %#lx %#lx\\n", kind, name, (unsigned long)start, (unsigned long)start + BYTES);
}

static void *thread(void *unused)
{
	volatile char on_stack[BYTES];

	touch("anonymous", "-", on_stack);
	touch("anonymous", "-", of_thread);
	return unused;
}

static void touch_stack(void)
{
	volatile char on_stack[BYTES];

	touch("stack", "-", on_stack);
}

int main(int count, char **arguments)
{
	char *path = arguments[0], *heap;
	pthread_t other;
	int file = open(path, O_RDONLY);

	alone[0]++;
	if (count < 0)
		return 1;
	touch("program", "cleared", cleared);
	touch("program", "filled", filled);
	touch("program", "pairs", (char *)pairs);
	touch("program", "of_library", of_library);
	heap = sbrk(BYTES + 4096);
	touch("heap", "-", heap + 4096);
	touch("anonymous", "-", mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	touch("shared", "-", mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	touch("mapped_file", "-", mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0));
	touch_stack();
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	return 0;
}
"""
LIBRARY = "char of_library[16 * 4096];\n"
# Variables of functions, whose names have these functions' parameters
STATICS = """
typedef char page[4096] __attribute__((aligned(4096)));

static long touch(char *start) { *(volatile char *)start = 1; return *start; }

struct place {
	long member(int n) const { static page in_member; return n + touch(in_member); }
	template<class T> T reference(T n) && { static page in_reference; return n + touch(in_reference); }
	operator long() const { static page in_conversion; return touch(in_conversion); }
	static page of_class;
};
page place::of_class;

namespace {
page nobodys;
long hidden(int n) { static page in_hidden; static page beside; return n + touch(in_hidden) + touch(beside); }
}

template<class T> static T instance(T n)
{
	struct local { static long deep(int n) { static page in_deep; return n + touch(in_deep); } };
	static page in_instance;

	return n + touch(in_instance) + local::deep(1);
}

int main(int count, char **)
{
	auto inside = [](int n) { static page in_lambda; return n + touch(in_lambda); };
	place one;
	long sum = one.member(count) + place().reference(2.5) + (long)one + hidden(count);

	sum += instance(1) + instance(1L) + inside(count) + touch(place::of_class) + touch(nobodys);
	return sum == 0;
}
"""
SCRATCH = tempfile.TemporaryDirectory()


def recorded(name, *flags):
    """The recording, and of each piece of memory: kind, name, start, end"""
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory, exist_ok=True)
    library = os.path.join(directory, "libobjects.so")
    with open(library + ".c", "w", encoding="utf-8") as file:
        file.write(LIBRARY)
    subprocess.run([*page_faults.CC.split(), "-g", "-shared", "-fPIC", "-o", library, library + ".c"], check=True)
    with open(os.path.join(directory, "truth"), "w+", encoding="utf-8") as truth:
        path = page_faults.recorded(directory, SOURCE, "-Wl,--no-as-needed", library, "-Wl,-rpath," + directory, *flags,
                                    options=("-d",), output=truth)
        truth.seek(0)
        pieces = [line.split() for line in truth]
    equal(len(pieces), 11, "pieces")
    return path, [(kind, name, int(start, 0), int(end, 0)) for kind, name, start, end in pieces]


def addresses(path):
    lines = good("dump", "--fields", "addr", "--format", "csv", path).splitlines()
    return [int(line.split(",")[-1], 0) for line in lines[1:] if line.split(",")[-1]]


def expected(path, pieces):
    """How many samples each kind and name has by the truth, and how many are in no piece"""
    found, others = collections.Counter(), 0
    for address in addresses(path):
        inside = [piece for piece in pieces if piece[2] <= address < piece[3]]
        assert len(inside) <= 1, (hex(address), inside)
        if inside:
            found[inside[0][0].replace("_", " "), inside[0][1]] += 1
        else:
            others += 1
    return found, others


def rows_of(path, *options):
    told = json.loads(good("report", "--by", "object", "--top", "1000", "--format", "json", *options, path))
    return told["by_other"]["rows"]


def counted(rows):
    """
    Samples by kind and name of the rows. The loader copies a library's variable that the program has a copy of
    (COPY relocation): what it reads there is of the library's own.
    """
    found = collections.Counter()
    files = collections.defaultdict(set)
    for row in rows:
        name, file = row["object"] or "-", os.path.basename(row["object_in"] or "")
        files[name].add(file)
        found[row["object_kind"], name, file] += row["samples"]
    return collections.Counter() + collections.Counter(
        {(kind, name): samples for (kind, name, file), samples in found.items()
         if name != "-" and (file == "program" or "program" not in files[name])}) + without_names(found)


def without_names(found):
    kinds = collections.Counter()
    for (kind, name, _), samples in found.items():
        if name == "-":
            kinds[kind, name] += samples
    return kinds


def check(path, pieces, rows):
    truth, others = expected(path, pieces)
    assert min(truth[kind.replace("_", " "), name] for kind, name, _, _ in pieces) >= 12, truth
    told = counted(rows)
    for (kind, name), samples in truth.items():
        if name != "-":
            equal(told[kind, name], samples, name)
    # of kinds alone there is what the C library needs itself, too
    for kind in ("heap", "anonymous", "shared", "mapped file", "stack"):
        assert truth[kind, "-"] <= told[kind, "-"] <= truth[kind, "-"] + others, (kind, told, truth)
    equal(sum(row["samples"] for row in rows), sum(truth.values()) + others, "all samples")


def test_objects():
    """Variables of the program and of a library, heap, stacks, mappings: as many samples as the truth has"""
    built.need("elfutils")
    path, pieces = recorded("pie", "-fPIC", "-pie")
    check(path, pieces, rows_of(path))
    rows = rows_of(path)
    files = {row["object"]: os.path.basename(row["object_in"]) for row in rows if row["object"]}
    equal((files["cleared"], files["of_library"]), ("program", "libobjects.so"))


def test_copy():
    """A program with a copy of a library's variable: its own counts, and what the loader read the library's"""
    built.need("elfutils")
    path, pieces = recorded("copy", "-fpie", "-pie")
    check(path, pieces, rows_of(path))
    files = {os.path.basename(row["object_in"]) for row in rows_of(path) if row["object"] == "of_library"}
    equal(files, {"program", "libobjects.so"})


def test_not_relocated():
    """A program that is loaded where it was linked, with a copy of the library's variable"""
    built.need("elfutils")
    path, pieces = recorded("fixed", "-no-pie", "-fno-pie")
    check(path, pieces, rows_of(path))


def without_data(path):
    """The same recording as if what is no code had not been recorded: such mappings have no length."""
    with open(path, "rb") as file:
        told = bytearray(file.read())
    at, size = struct.unpack_from("<QQ", told, 40)
    changed = 0
    while size:
        kind, misc, length = struct.unpack_from("<IHH", told, at)
        if kind in (1, 10) and misc & 1 << 13:
            struct.pack_into("<Q", told, at + 24, 0)
            changed += 1
        at, size = at + length, size - length
    assert changed > 10, changed
    path += ".code"
    with open(path, "wb") as file:
        file.write(told)
    return path


def test_without_data():
    """Without perf record -d: the same variables, and the rest is not known"""
    built.need("elfutils")
    path, pieces = recorded("code", "-fpie", "-pie")
    path = without_data(path)
    truth, _ = expected(path, pieces)
    told = counted(rows_of(path))
    for (kind, name), samples in truth.items():
        if name != "-":
            equal(told[kind, name], samples, name)
    equal({kind for kind, _ in told} - {"special", "kernel"}, {"program", "unknown"}, "kinds")


def test_memory():
    """Kinds of memory have the samples of their objects; with --jobs, too, and without symbols"""
    built.need("elfutils")
    path, pieces = recorded("kinds", "-fpie", "-pie")
    by_kind = collections.Counter()
    for row in rows_of(path):
        by_kind[row["object_kind"]] += row["samples"]
    for options in ((), ("--jobs", "2")):
        told = json.loads(good("report", "--by", "memory,object", "--top", "1000", "--format", "json", *options,
                               path))
        rows = [row for row in told["by_other"]["rows"] if "." not in row["row"]]
        equal({row["memory"]: row["samples"] for row in rows}, dict(by_kind), options)
    told = counted(rows_of(path, "--no-symbols"))
    equal([name for _, name in told if name != "-"], [], "variables without symbols")
    assert told["heap", "-"] >= 12, told


def test_stripped():
    """A stripped program: its data are its own, without a variable; what a debug file knows is told"""
    built.need("elfutils")
    path, pieces = recorded("stripped", "-fPIC", "-pie", "-s")
    truth, _ = expected(path, pieces)
    told = counted(rows_of(path))
    assert told["program", "-"] >= truth["program", "cleared"] + truth["program", "pairs"], told
    equal((told["program", "cleared"], told["program", "of_library"]), (0, truth["program", "of_library"]))
    text = good("report", "--by", "object", path)
    assert "no variable (program)" in text and "of_library (libobjects.so)" in text, text


def test_names():
    """Each variable of a C++ function is a row of its own, by the name that binutils have for it"""
    built.need("elfutils")
    if not shutil.which("nm") or not shutil.which("g++"):
        raise Skip("no nm or no g++")
    directory = os.path.join(SCRATCH.name, "names")
    path = page_faults.recorded(directory, STATICS, "-x", "c++", "-O0", options=("-d",))
    lines = subprocess.run(["nm", "-C", os.path.join(directory, "program")], capture_output=True, text=True, check=True)
    wanted = {line.split(None, 2)[2] for line in lines.stdout.splitlines() if line.split()[1] in "bBu" and "::" in line}
    found = {row["object"]: row["samples"] for row in rows_of(path)}
    if any((name or "").startswith("_Z") for name in found):
        raise Skip("built without demangling")
    equal({name: found.get(name) for name in wanted}, dict.fromkeys(wanted, 1), "names")
    equal(len(wanted), 12, wanted)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
