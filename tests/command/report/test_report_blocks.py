#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by member of blocks of which their calls tell the type, behind functions that give memory: one that keeps the
size before it, one of another library; and of a structure that goes on behind its end. Each page is touched once.
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import page_faults
import tap
from command import good
from tap import Skip, equal

PAGES = 64
GIVER = """
#include <stdlib.h>

void *xmalloc(size_t bytes)
{
	void *block = malloc(bytes);

	if (!block)
		abort();
	return block;
}
"""
SOURCE = """
#include <stdlib.h>

#define PAGE 4096
#define PAGES 64

struct packet { long length; char kind; char body[]; };
struct older { long length; struct { int hash; char text[1]; } key; };
struct record { double first[511], last; };

void *xmalloc(size_t bytes);

__attribute__((noinline, noclone)) static void *sized(size_t bytes)
{
	size_t *size = malloc(bytes + 2 * sizeof(*size));

	if (!size)
		return NULL;
	*size = bytes;
	return size + 2;
}

__attribute__((noinline, noclone)) static void take_packet(void)
{
	struct packet *packet = malloc(sizeof(*packet) + PAGES * PAGE);

	for (long n = 1; n < PAGES; n++)
		*(volatile char *)&packet->body[n * PAGE + 7] = 1;
}

__attribute__((noinline, noclone)) static void take_older(void)
{
	struct older *older = malloc(sizeof(*older) + PAGES * PAGE);

	for (long n = 1; n < PAGES; n++)
		*(volatile char *)&older->key.text[n * PAGE + 4] = 1;
}

__attribute__((noinline, noclone)) static void take_sized(void)
{
	struct record *records = sized(PAGES * sizeof(*records));

	for (int n = 0; n < PAGES - 1; n++)
		*(volatile double *)&records[n].last = 1;
}

__attribute__((noinline, noclone)) static void take_given(void)
{
	struct record *records = xmalloc(PAGES * sizeof(*records));

	for (int n = 1; n < PAGES; n++)
		*(volatile double *)&records[n].first[7] = 1;
}

int main(void)
{
	take_packet();
	take_older();
	take_sized();
	take_given();
	return 0;
}
"""
# Were there several packets in the block, these would be lengths.
TRUTH = {("take_packet", "struct packet.body[]"), ("take_older", "struct older.key.text[]"),
         ("sized", "struct record.last"), ("take_given", "struct record.first[]")}
SCRATCH = tempfile.TemporaryDirectory()


def sources(name, *files):
    """@return a directory of that name, with these"""
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory)
    for file, text in files:
        with open(os.path.join(directory, file), "w", encoding="ascii") as source:
            source.write(text)
    return directory


def recorded(name, flags):
    built.need("elfutils")
    page_faults.need_recorder()
    if os.uname().machine != "x86_64":
        raise Skip("not x86-64")
    directory = sources(name, ("giver.c", GIVER), ("program.c", SOURCE))
    compiler = [*page_faults.CC.split(), "-g", "-w", "-fno-omit-frame-pointer", *flags]
    subprocess.run([*compiler, "-shared", "-fPIC", "-o", "libgiver.so", "giver.c"], cwd=directory, check=True)
    subprocess.run([*compiler, "-o", "program", "program.c", "./libgiver.so"], cwd=directory, check=True)
    path = os.path.join(directory, "program.data")
    page_faults.recorded_with_blocks(path, "./program", cwd=directory)
    return path


def check(name, *flags):
    told = json.loads(good("report", "--by", "object,member", "--top", "1000", "--format", "json", recorded(name, flags)))
    found = collections.Counter()
    for row in told["by_other"]["rows"]:
        if "." in row["row"] and (row["object"] or "").startswith(("block of take_", "block of sized")):
            found[row["object"].split(" of ")[1].split(" at ")[0], row["member"]] += row["samples"]
    print("# %s: %s" % (name, dict(found)))
    equal({what: found[what] for what in TRUTH}, {what: PAGES - 1 for what in TRUTH}, name)


def test_members():
    """Members, of optimized programs and of others"""
    check("optimized", "-O2")
    check("plain", "-O0")


RUST = """
use std::collections::HashMap;
struct Place { x: f64, y: u32 }
fn main() {
    let mut places: HashMap<u64, Place> = HashMap::with_capacity(20000);
    for n in 0..20000 { places.insert(n, Place { x: n as f64, y: 1 }); }
    println!("{}", places.values().map(|place| place.x + place.y as f64).sum::<f64>());
}
"""


def test_rust():
    """Rust's library asks for bytes: a table of structures is not said to be one of u8; the line is that of the program's call"""
    built.need("elfutils")
    page_faults.need_recorder()
    if not shutil.which("rustc"):
        raise Skip("no rustc")
    directory = sources("rust", ("table.rs", RUST))
    made = subprocess.run(["rustc", "-g", "-O", "table.rs"], cwd=directory, capture_output=True, text=True, check=False)
    if made.returncode:
        raise Skip("rustc: " + made.stderr.splitlines()[0])
    path = os.path.join(directory, "program.data")
    page_faults.recorded_with_blocks(path, "./table", cwd=directory)
    told = json.loads(good("report", "--by", "object,type", "--top", "1000", "--format", "json", path))
    of_blocks = collections.Counter()
    for row in told["by_other"]["rows"]:
        if "." in row["row"] and (row["object"] or "").startswith("block of table::main"):
            of_blocks[row["type"]] += row["samples"]
    assert sum(of_blocks.values()) > 100 and not of_blocks["u8"], of_blocks
    lines = {row["object"] for row in told["by_other"]["rows"] if (row["object"] or "").startswith("block of table::main")}
    equal(lines, {"block of table::main at table.rs:5"}, "who asks")


CONTAINERS = """
#include <cstdio>
#include <memory>
#include <vector>

struct page { char bytes[4096]; };

template<class T> static void touch(T &pages, int line)
{
	for (int n = 1; n < 63; n++)
		*(volatile char *)&pages[n].bytes[7] = 1;
	printf("%d\\n", line);
}

__attribute__((always_inline)) static inline void fill(std::vector<page> &pages) { pages.reserve(64); } const int in_fill = __LINE__;

int main()
{
	std::vector<page> first, second, third;
	first.reserve(64); touch(first, __LINE__);
	second.reserve(64); touch(second, __LINE__);
	fill(third); touch(third, in_fill);
	std::unique_ptr<page[]> fourth(new page[64]); touch(fourth, __LINE__);
	return 0;
}
"""


def test_lines():
    """What a library's inlined code asks for has the line that calls it, not one of the library's"""
    built.need("elfutils")
    page_faults.need_recorder()
    if not shutil.which("g++"):
        raise Skip("no g++")
    directory = sources("lines", ("containers.cc", CONTAINERS))
    subprocess.run(["g++", "-g", "-O2", "-o", "containers", "containers.cc"], cwd=directory, check=True)
    path = os.path.join(directory, "program.data")
    done = page_faults.recorded_with_blocks(path, "./containers", cwd=directory)
    lines = [int(line) for line in done.stdout.split()]
    equal(len(set(lines)), 4, lines)
    told = json.loads(good("report", "--by", "object", "--top", "1000", "--format", "json", path))
    found = {row["object"]: row["samples"] for row in told["by_other"]["rows"] if (row["object"] or "").startswith("block of ")}
    print("# %s" % found)
    for line in lines:
        name = "block of main at containers.cc:%d" % line
        assert found.get(name, 0) >= 62, (name, found)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
