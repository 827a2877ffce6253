#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What precis sharing advises to move, of recordings: a program prints where its variables, its blocks of the heap and a
page of nobody's are, and when; samples are made up of threads that store to members of their own there. Names, and
lines of the source, are those of its text.
"""
import functools
import json
import os
import shlex
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import accesses
import built
import perfdata
import tap
from accesses import HITM_LOAD, comm, ibs, load, store
from command import good, run
from saved_files import same, saved
from tap import equal

RECORDER = os.path.abspath(".libs/libprecis-objects.so")
A, B = 101, 102
FROM_ANOTHER_CACHE = (1, 0)

SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct stage { long messages, bytes; };
struct node { long key, hits; char rest[16]; };
struct other { long first, second, third, last; };
struct pair { long a, b; };
static _Alignas(64) struct stage stages[2]; // DECLARED
static char *bytes_of_library;
void *volatile kept;

__attribute__((noinline)) void count_a(struct pair *pair)
{
	pair->a++; // ACCESSED
}

__attribute__((noinline)) void count_b(struct pair *pair)
{
	pair->b++;
}

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

__attribute__((noinline)) static struct node *make_nodes(void)
{
	struct node *nodes = aligned_alloc(64, 2 * sizeof(struct node)); // ALLOCATED

	kept = nodes;
	return nodes;
}

__attribute__((noinline)) static struct other *make_others(void)
{
	struct other *others = aligned_alloc(64, 2 * sizeof(struct other));

	kept = others;
	return others;
}

int main(void)
{
	char map[65536];
	struct node *nodes = make_nodes();
	long first = now(), second;
	struct pair *pair = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct other *others;
	FILE *maps = fopen("/proc/self/maps", "r");

	stages[0].bytes++;
	stages[1].messages++;
	count_a(pair);
	count_b(pair);
	usleep(1000);
	printf("%ld %lu %lu %lu %lu %lu %ld ", (long)getpid(), (unsigned long)stages, (unsigned long)nodes,
	       (unsigned long)pair, (unsigned long)count_a, (unsigned long)count_b, first);
	free(nodes);
	others = make_others();
	usleep(1000);
	second = now();
	printf("%lu %ld\n", (unsigned long)others, second);
	usleep(1000);
	while (fgets(map, sizeof(map), maps))
		fputs(map, stdout);
	free(others);
	return bytes_of_library != NULL;
}
"""


def line_of(word):
    return next(n for n, line in enumerate(SOURCE.split("\n"), 1) if line.endswith("// " + word))


class Program:
    def __init__(self, *flags):
        self.directory = os.path.join(accesses.SCRATCH.name, "program" + "".join(flags))
        os.makedirs(self.directory)
        program = os.path.join(self.directory, "moving")
        with open(program + ".c", "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-g", "-O1", "-fcf-protection=none", *flags,
                        "-o", program, program + ".c"], check=True)
        environment = dict(os.environ, PRECIS_OBJECTS="interval=all,overhead=any,directory=" + self.directory)
        if os.path.exists(RECORDER):
            environment["LD_PRELOAD"] = RECORDER
        printed = subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout
        first, *maps = printed.splitlines()
        (self.pid, self.stages, self.nodes, self.pair, self.count_a, self.count_b, self.first, self.others,
         self.second) = map(int, first.split())
        # the recorder has mapped a page of its side file, by which recordings name it
        self.side, self.maps = ([self.mapped(line.split(None, 5)) for line in maps if (".objects" in line) == is_side]
                                for is_side in (True, False))

    def map(self, start, length, offset, protection, path):
        text = path.encode() + b"\0"
        text += b"\0" * (-len(text) % 8)
        body = struct.pack("<IIQQQIIQQII", self.pid, self.pid, start, length, offset, 0, 0, 0, 0, protection, 2)
        return perfdata.record(accesses.RECORD_MMAP2, body + text + accesses.sample_id(self.pid, self.pid),
                               accesses.USER | (0 if protection & 4 else 1 << 13))

    def mapped(self, words):
        start, end = (int(word, 16) for word in words[0].split("-"))
        protection = sum(bit for bit, letter in ((1, "r"), (2, "w"), (4, "x")) if letter in words[1])
        return self.map(start, end - start, int(words[2], 16), protection,
                        words[5].strip() if len(words) > 5 else "//anon")

    def recording(self, name, samples, has_side_file=True, make=accesses.ibs_recording):
        """Of IBS, by CLOCK_MONOTONIC"""
        clock = {perfdata.CLOCK_DATA: struct.pack("<IIQQ", 1, 1, self.first, self.first)}
        records = [comm(self.pid, A, "first"), comm(self.pid, B, "second"), *self.maps]
        return make(name, records + (self.side if has_side_file else []) + samples, more=clock)

    def turns(self, lower, upper, time, ip=0, count=120):
        """One thread stores to the lower address, the other one to the upper, and each loads its own again"""
        samples = []
        for n in range(count):
            for tid, address in ((A, lower), (B, upper)):
                at = {"pid": self.pid, "time": time + n, "ip": (ip or {A: 0x1000, B: 0x2000})[tid]}
                samples += [ibs(address, tid, 2, **at), ibs(address, tid, 1, 8, FROM_ANOTHER_CACHE, **at)]
        return samples


@functools.lru_cache
def program(*flags):
    built.need("elfutils")
    return Program(*flags)


def members(path, *options):
    told = json.loads(good("sharing", "--format", "json", *options, path))
    return {(row["offset"], row["access"], row["who"], row["member"]) for row in told["sharing_accesses"]["rows"]}


def advice(path, *options):
    told = json.loads(good("sharing", "--format", "json", *options, path))
    return told.get("sharing_advice", {"rows": []})["rows"]


def only(path, *options):
    rows = advice(path, *options)
    equal(len(rows), 1, rows)
    return rows[0]


def source(row):
    return row["source"] and os.path.basename(row["source"]), row["source_line"], row["source_is"]


def test_variables():
    """members of a variable, by its type, and the line of its declaration; text says the same"""
    for flags in (("-no-pie", "-fno-pie"), ("-fPIC", "-pie")):
        is_ = program(*flags)
        path = is_.recording("variables", is_.turns(is_.stages + 8, is_.stages + 16, is_.first))
        row = only(path)
        equal((row["move"], row["move_of"], row["move_offset"]), ("stages[1].messages", "second (102)", 16))
        equal((row["from"], row["from_of"], row["from_offset"]), ("stages[0].bytes", "first (101)", 8))
        equal((row["bytes"], row["line"], row["percent"]), (64, 1, 100))
        equal(source(row), ("moving.c", line_of("DECLARED"), "declared"))
        equal(members(path), {(at, access, who, name) for access in ("load", "store") for at, who, name in
                              ((8, "first (101)", "stages[0].bytes"), (16, "second (102)", "stages[1].messages"))})
        text = " ".join(good("sharing", path).split())
        assert ("move stages[1].messages, of second (102), 64 bytes from stages[0].bytes, of first (101): moving.c:%d"
                % line_of("DECLARED")) in text, text


def test_blocks():
    """members of a block of the heap, as the side file knows it by the time, and the call that asked for it"""
    is_ = program("-no-pie", "-fno-pie")
    if not is_.side:
        raise tap.Skip("built without the recorder of objects")
    path = is_.recording("blocks", is_.turns(is_.nodes + 8, is_.nodes + 32, is_.first))
    row = only(path)
    name = "block of make_nodes at moving.c:%d" % line_of("ALLOCATED")
    equal((row["from"], row["move"]), (name + "[0].hits", name + "[1].key"))
    equal(source(row), ("moving.c", line_of("ALLOCATED"), "allocated"))
    text = " ".join(good("sharing", path).split())
    assert "objects of process %d" % is_.pid in text, text
    # what is there later
    path = is_.recording("later", is_.turns(is_.others + 16, is_.others + 32, is_.second))
    row = only(path)
    assert row["from"].startswith("block of make_others at") and row["from"].endswith("[0].third"), row
    assert row["move"].endswith("[1].first"), row


def test_without_side_file():
    """of a block that nobody knows it is the address, and of memory whose type an instruction has, its member"""
    is_ = program("-no-pie", "-fno-pie")
    row = only(is_.recording("bare", is_.turns(is_.nodes + 8, is_.nodes + 32, is_.first), has_side_file=False))
    equal((row["from"], row["move"]), ("%#x" % (is_.nodes + 8), "%#x" % (is_.nodes + 32)))
    bare = is_.recording("bare", is_.turns(is_.nodes + 8, is_.nodes + 32, is_.first), has_side_file=False)
    equal({member for *_, member in members(bare)}, {None})
    equal(source(row), (None, None, None))
    built.need("zydis")
    by = {A: is_.count_b, B: is_.count_a}
    path = is_.recording("instructions", is_.turns(is_.pair + 8, is_.pair + 64 - 8, is_.first, by), has_side_file=False)
    row = only(path)
    equal((row["from"], row["move"]), ("struct pair.b", "struct pair.a"))
    equal(source(row), ("moving.c", line_of("ACCESSED"), "accessed"))
    text = " ".join(good("sharing", path).split())
    assert "(accessed at moving.c:%d)" % line_of("ACCESSED") in text, text
    # elements of one array, by one instruction
    path = is_.recording("alike", is_.turns(is_.pair, is_.pair + 16, is_.first, {A: is_.count_a, B: is_.count_a}),
                         has_side_file=False)
    text = " ".join(good("sharing", path).split())
    assert ("move struct pair.a at offset 16, of second (102), 64 bytes from that at offset 0, of first (101) (accessed"
            in text), text


def test_none():
    """nothing of bytes that both access, of lines that one accesses, and of what no width decides"""
    is_ = program("-no-pie", "-fno-pie")
    for lower, upper in ((16, 16), (8, 72)):
        path = is_.recording("none", is_.turns(is_.stages + lower, is_.stages + upper, is_.first))
        equal(advice(path), [])
    both = is_.turns(is_.stages + 8, is_.stages + 16, is_.first) + is_.turns(is_.stages + 16, is_.stages + 8, is_.first)
    equal(advice(is_.recording("both", both)), [])
    few = is_.turns(is_.stages + 8, is_.stages + 16, is_.first, count=5)
    equal(advice(is_.recording("few", few)), [])


def test_widths():
    """PEBS does not tell widths: what is advised rests on what --access-bytes says"""
    is_ = program("-no-pie", "-fno-pie")
    samples = []
    for n in range(120):
        for tid, address in ((A, is_.stages + 8), (B, is_.stages + 16)):
            how = {"pid": is_.pid, "time": is_.first + n}
            samples += [store(address, tid, **how), load(address, tid, HITM_LOAD, **how)]
    path = is_.recording("pebs", samples, make=accesses.recording)
    equal(advice(path), [])
    equal(only(path, "--access-bytes", "8")["move"], "stages[1].messages")


def test_saved():
    """saved it is the same, without the program and its side file; with several threads that read, too"""
    is_ = program("-fPIC", "-pie")
    paths = [is_.recording("saved-variables", is_.turns(is_.stages + 8, is_.stages + 16, is_.first)),
             is_.recording("saved-blocks", is_.turns(is_.nodes + 8, is_.nodes + 32, is_.first)),
             is_.recording("saved-instructions", is_.turns(is_.pair, is_.pair + 8, is_.first,
                                                           {A: is_.count_a, B: is_.count_b}))]
    same(paths, command="sharing")
    for path in paths:
        same([path], command="sharing")
        equal(run("sharing", "--jobs", "4", path).out, good("sharing", path))
    before, names = [only(path) for path in paths], [members(path) for path in paths]
    kept = [saved(path, command="sharing") for path in paths]
    again = [saved(path, command="sharing", to=path + ".again") for path in kept]
    os.rename(is_.directory, is_.directory + ".gone")
    equal([only(path) for path in again], before)
    equal([members(path) for path in again], names)
    assert {member for *_, member in names[2]} == {"struct pair.a", "struct pair.b"}, names


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
