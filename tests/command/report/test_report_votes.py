#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by type, member and element of blocks whose calls tell no type: what most instructions say that they are.
A program asks for blocks by functions that return void *, touches fresh pages of them through pointers of types of its
own, by characters, and by a function without debug information, and prints how often which; the instruction of a page
fault is said to be the very one.
"""
import collections
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import exact_ip
import page_faults
import tap
from command import good, run
from tap import Skip, equal


SOURCE = """
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096L
struct link { struct link *next, *before; };
struct node { long key; char room[2 * PAGE - 8]; struct link link; char more[PAGE - sizeof(struct link)]; };
struct record { char name[64]; double value; char room[PAGE - 72]; };

struct numbers { long number[PAGE / 8]; };
struct two { char room[PAGE]; float rest; char more[PAGE - 4]; };
struct over { char room[PAGE - 4]; long number; char more[PAGE - 4]; } __attribute__((packed));
struct one { int first; char room[PAGE - 4]; };
struct other { char room[PAGE - 8]; double last; };

static void *(*volatile set)(void *, int, size_t) = memset;

static void fresh(void *block, long bytes)
{
	madvise(block, bytes & -PAGE, MADV_DONTNEED);
	madvise(block, bytes & -PAGE, MADV_NOHUGEPAGE);
}

/* Nobody says where it goes: what is kept is one address of many. */
#define TAKES(name)                                                          \\
	__attribute__((noinline, noclone)) static void name(void **kept, int count, long bytes) \\
	{                                                                      \\
		for (int n = 0; n < count; n++) {                               \\
			kept[n] = aligned_alloc(PAGE, bytes);                   \\
			fresh(kept[n], bytes);                                  \\
		}                                                              \\
		__asm__ volatile("# " #name : : : "memory");                   \\
	}
TAKES(take_nodes)
TAKES(take_records)
TAKES(take_both)
TAKES(take_over)
TAKES(take_sizes)
TAKES(take_growing)
TAKES(take_numbers)
TAKES(take_counted)
TAKES(take_few)
TAKES(take_parts)
TAKES(take_most)

#define TAKES_CHARACTERS(name)                                                \\
	__attribute__((noinline, noclone)) static char *name(long bytes)       \\
	{                                                                      \\
		char *block = aligned_alloc(PAGE, bytes);                       \\
		fresh(block, bytes);                                            \\
		__asm__ volatile("# " #name : : : "memory");                   \\
		return block;                                                   \\
	}
TAKES_CHARACTERS(take_raw)
TAKES_CHARACTERS(take_text)
TAKES_CHARACTERS(take_words)

#define TOUCHES(name, of, what)                                              \\
	__attribute__((noinline, noclone)) static void name(of *at) { at->what = 1; }
TOUCHES(touch_key, struct node, key)
TOUCHES(touch_value, struct record, value)
TOUCHES(touch_number, struct numbers, number[7])
TOUCHES(touch_rest, struct two, rest)
TOUCHES(touch_over, struct over, number)
TOUCHES(touch_first, struct one, first)
TOUCHES(touch_last, struct other, last)
__attribute__((noinline, noclone)) static void touch_link(struct link *at) { at->next = NULL; }
__attribute__((noinline, noclone)) static void touch_byte(char *at) { *at = 1; }
__attribute__((noinline, noclone)) static void touch_word(long *at) { *at = 1; }

static FILE *truth;
static void told(const char *what, int count)
{
	fprintf(truth, "%s\\t%d\\n", what, count);
}

int main(int count, char **arguments)
{
	void *blocks[16];

	truth = fopen(arguments[count - 1], "w");

	/* pages 0 and 2 by their instructions, page 1 by one without debug information, or by characters */
	take_nodes(blocks, 16, sizeof(struct node));
	for (int n = 0; n < 16; n++) {
		touch_key(blocks[n]);
		touch_link(&((struct node *)blocks[n])->link);
		if (n % 2)
			set((char *)blocks[n] + PAGE, 1, 16);
		else
			touch_byte((char *)blocks[n] + PAGE + 24);
	}
	told("nodes same", 16), told("nodes part", 16), told("nodes unknown", 8), told("nodes bytes", 8);
	take_records(blocks, 1, 12 * sizeof(struct record));
	for (int n = 0; n < 12; n++) {
		if (n % 3)
			touch_value((struct record *)blocks[0] + n);
		else
			set((char *)blocks[0] + n * PAGE, 1, 8);
	}
	told("records same", 8), told("records unknown", 4);
	/* characters are in what has none, too */
	take_numbers(blocks, 12, PAGE);
	for (int n = 0; n < 12; n++)
		n % 2 ? touch_number(blocks[n]) : touch_byte(blocks[n]);
	told("numbers", 6), told("numbers bytes", 6);
	/* each of another size, with two votes; the last is of no size that fits */
	for (int n = 0; n < 10; n++) {
		take_growing(&blocks[n], 1, (2 + n) * sizeof(struct record) + (n == 9 ? 1024 : 0));
		touch_value((struct record *)blocks[n] + 1 + n);
		if (n < 9)
			touch_value((struct record *)blocks[n] + n % 2);
	}
	told("growing", 9 * 2), told("not grown", 1);
	/* the size tells which it is */
	for (int n = 0; n < 10; n++) {
		take_sizes(&blocks[n], 1, n % 2 ? sizeof(struct one) : sizeof(struct two));
		n % 2 ? touch_first(blocks[n]) : touch_rest(blocks[n]);
	}
	told("sizes one", 5), told("sizes two", 5);
	/* from a page that was touched to one that was not: it faults there, not where the member begins */
	take_over(blocks, 6, sizeof(struct over));
	for (int n = 0; n < 6; n++) {
		set(blocks[n], 1, 8);
		touch_over(blocks[n]);
	}
	told("over same", 6), told("over unknown", 6);
	/* as new[] does: how many there are stands before them */
	take_counted(blocks, 1, 8 + 8 * sizeof(struct record));
	for (int n = 0; n < 8; n++)
		touch_value((struct record *)((char *)blocks[0] + 8) + n);
	told("counted", 8);
	take_both(blocks, 12, PAGE);
	for (int n = 0; n < 12; n++)
		n % 2 ? touch_first(blocks[n]) : touch_last(blocks[n]);
	told("one", 6), told("other", 6);
	/* one of twelve is something else than the others */
	take_most(blocks, 12, PAGE);
	for (int n = 0; n < 12; n++)
		n ? touch_first(blocks[n]) : touch_last(blocks[n]);
	told("most", 11), told("least", 1);
	take_few(blocks, 3, PAGE);
	for (int n = 0; n < 3; n++)
		touch_last(blocks[n]);
	told("few", 3);
	/* the second quarter of a block, always */
	take_parts(blocks, 8, 4 * PAGE);
	for (int n = 0; n < 8; n++)
		touch_last((struct other *)blocks[n] + 1);
	told("parts", 8);
	/* what takes these says that they are characters: of most something else is made, of some, and words are read */
	for (int n = 0; n < 12; n++)
		blocks[n] = take_raw(sizeof(struct record));
	for (int n = 0; n < 12; n++)
		n ? touch_value(blocks[n]) : touch_byte(blocks[n]);
	told("raw", 12);
	for (int n = 0; n < 12; n++)
		blocks[n] = take_text(sizeof(struct record));
	for (int n = 0; n < 12; n++)
		n % 6 ? touch_value(blocks[n]) : touch_byte(blocks[n]);
	told("text", 12);
	for (int n = 0; n < 12; n++)
		blocks[n] = take_words(PAGE);
	for (int n = 0; n < 12; n++)
		touch_word((long *)blocks[n] + n);
	told("words", 12);
	return 0;
}
"""
UNKNOWN = "not described by the debug information"
SCRATCH = tempfile.TemporaryDirectory()


def need():
    built.need("elfutils")
    built.need("zydis")
    page_faults.need_recorder()
    if os.uname().machine != "x86_64":
        raise Skip("not x86-64")


def recorded(name, *flags, is_stream=False):
    """The recording, and how often the program has touched what"""
    need()
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory)
    program, path = os.path.join(directory, "program"), os.path.join(directory, "program.data")
    with open(program + ".c", "w", encoding="utf-8") as file:
        file.write(SOURCE)
    subprocess.run([*page_faults.CC.split(), "-g", "-w", "-fno-omit-frame-pointer", *flags, "-o", program, program + ".c"],
                   check=True)
    subprocess.run([program, program + ".truth"], check=True)
    with open(path, "wb") as file:
        page_faults.recorded_with_blocks(path, program, program + ".truth", stdout=file,
                                         perf_options=("-k", "CLOCK_MONOTONIC", "-o", "-") if is_stream else ())
    exact_ip.say_exact(path, is_stream)
    with open(program + ".truth", encoding="ascii") as file:
        truth = dict(line.rstrip("\n").split("\t") for line in file)
    return path, {what: int(count) for what, count in truth.items()}


def told_by(path, key, *options):
    """Samples of blocks: by who asked for them, what they are, and what says that"""
    told = json.loads(good("report", "--by", "object," + key, "--top", "1000", "--format", "json", *options, path))
    found = collections.Counter()
    for row in told["by_other"]["rows"]:
        if "." in row["row"] and (row["object"] or "").startswith("block of "):
            asked = row["object"].split(" of ")[1].split(" at ")[0]
            found[asked, row[key] or row["no_" + key], row[key + "_by"]] += row["samples"]
    return {what: count for what, count in found.items() if what[0].startswith("take_")}, told


def of_site(found, site):
    return {what[1:]: count for what, count in found.items() if what[0] == site}


def check(name, *flags):
    path, truth = recorded(name, *flags)
    found, told = told_by(path, "type")
    print("# %s: %s" % (name, found))
    equal(of_site(found, "take_nodes"),
          {("struct node", "votes"): sum(truth["nodes " + what] for what in ("same", "part", "unknown", "bytes"))})
    equal(of_site(found, "take_records"), {("struct record", "votes"): truth["records same"] + truth["records unknown"]})
    equal(of_site(found, "take_numbers"), {("struct numbers", "votes"): truth["numbers"] + truth["numbers bytes"]})
    equal(of_site(found, "take_growing"), {("struct record", "votes"): truth["growing"],
                                           ("struct record", "instruction"): truth["not grown"]})
    equal(of_site(found, "take_sizes"), {("struct one", "votes"): truth["sizes one"],
                                         ("struct two", "votes"): truth["sizes two"]})
    equal(of_site(found, "take_over"), {("struct over", "votes"): truth["over same"] + truth["over unknown"]})
    equal(of_site(found, "take_counted"), {("struct record", "votes"): truth["counted"]})
    equal(of_site(found, "take_both"), {("struct one", "instruction"): truth["one"],
                                        ("struct other", "instruction"): truth["other"]})
    equal(of_site(found, "take_most"), {("struct one", "votes"): truth["most"],
                                         ("struct other", "instruction"): truth["least"]})
    equal(of_site(found, "take_few"), {("struct other", "instruction"): truth["few"]})
    equal(of_site(found, "take_parts"), {("struct other", "instruction"): truth["parts"]})
    equal(of_site(found, "take_raw"), {("struct record", "votes"): truth["raw"]})
    equal(of_site(found, "take_text"), {("char", "address"): truth["text"]})
    equal(of_site(found, "take_words"), {("char", "address"): truth["words"]})
    return path, truth, told


def test_types():
    """The type that most instructions tell, of a structure or an array; none of few votes, or of many that differ"""
    check("optimized", "-O2")
    check("plain", "-O0")
    check("older", "-O1", "-gdwarf-4")


def test_members():
    """Members and elements, also of accesses whose instructions tell nothing"""
    path, truth = recorded("members", "-O1")
    found, _ = told_by(path, "member")
    nodes = of_site(found, "take_nodes")
    equal(nodes, {("struct node.key", "votes"): truth["nodes same"],
                  ("struct node.link.next", "votes"): truth["nodes part"],
                  ("struct node.room[]", "votes"): truth["nodes unknown"] + truth["nodes bytes"]})
    equal(of_site(found, "take_records"), {("struct record.value", "votes"): truth["records same"],
                                           ("struct record.name[]", "votes"): truth["records unknown"]})
    found, _ = told_by(path, "element")
    elements = of_site(found, "take_records")
    print("# elements:", of_site(found, "take_raw"))
    equal({element.rpartition(".")[2].split(" ")[0] for element, _ in of_site(found, "take_raw")}, {"value", "name[0]"})
    equal(len(elements), 12, elements)
    equal(sorted(element.split(" at ")[1].split("[", 1)[1].split(" ")[0] for element, _ in of_site(found, "take_counted")),
          ["%d].value" % n for n in range(8)])
    equal({element.split(" at ")[1].split("[", 1)[1].split(" ")[0] for element, _ in elements},
          {"%d].%s" % (n, "value" if n % 3 else "name[0]") for n in range(12)}, elements)


def test_tables():
    """What votes say, for and against, and what all types are known by; and the note"""
    path, truth = recorded("tables", "-O1")
    told = json.loads(good("report", "--by", "type", "--top", "1000", "--format", "json", path))
    votes = collections.Counter()
    for row in told["by_other_type_votes"]["rows"]:
        votes[row["type"], row["instruction"]] += row["samples"]
    reason = [words for kind, words in votes if kind == "struct record" and words not in ("the same", "characters")]
    equal(len(reason), 1, votes)
    equal(votes, {("struct node", "the same"): truth["nodes same"],
                  ("struct node", "a part of it, there"): truth["nodes part"],
                  ("struct node", reason[0]): truth["nodes unknown"],
                  ("struct node", "characters"): truth["nodes bytes"],
                  ("struct record", "the same"): truth["records same"] + truth["counted"] + truth["growing"] +
                      truth["raw"] - 1,
                  ("struct record", "characters"): 1,
                  ("struct record", reason[0]): truth["records unknown"],
                  ("struct numbers", "the same"): truth["numbers"],
                  ("struct numbers", "characters"): truth["numbers bytes"],
                  ("struct one", "the same"): truth["most"] + truth["sizes one"],
                  ("struct two", "the same"): truth["sizes two"],
                  ("struct over", "the same"): truth["over same"],
                  ("struct over", reason[0]): truth["over unknown"],
                  ("struct one", "struct other"): truth["least"],
                  (None, "struct one"): truth["one"],
                  (None, "struct record"): truth["not grown"],
                  (None, "struct other"): truth["other"] + truth["few"] + truth["parts"]})
    evidence = {(row["type"], row["evidence"]): row["samples"] for row in told["by_other_type_evidence"]["rows"]}
    by_votes = sum(truth[what] for what in truth if what.startswith(("nodes", "records", "counted", "numbers", "growing", "sizes", "over", "raw"))) + truth["most"]
    equal(sum(count for what, count in evidence.items() if what[1] == "votes of instructions"), by_votes)
    notes = [note for note in told["by_other"]["notes"] if "votes" in note]
    equal(notes, ["types of blocks are known by votes of instructions: %d samples" % by_votes])
    # each vote says what it was elected for
    agreement = told.get("by_other_type_agreement", {"rows": []})
    equal([row for row in agreement["rows"] if "struct node" in str(row)], [])


def test_pages():
    """A page of the type has all of its accesses"""
    path, truth = recorded("page", "-O1")
    told = json.loads(good("annotate", "--type", "struct node", "--format", "json", path))
    table = next(table for name, table in told.items() if name.startswith("type_") and "rows" in table)
    print("# columns:", list(table["rows"][0]))
    found = {row["member"]: row["samples"] for row in table["rows"] if row.get("samples")}
    equal(found.get("key"), truth["nodes same"], found)


def test_saved():
    """What was saved tells the same, alone and together with others"""
    paths = [recorded(name, "-O1")[0] for name in ("save", "another")]
    files = [path + ".saved" for path in paths]
    for path, file in zip(paths, files):
        good("report", "--save", file, "--by", "type,member", path)
    for form in ("text", "json", "csv"):
        equal(good("report", "--by", "type,member", "--format", form, *files),
              good("report", "--by", "type,member", "--format", form, *paths))


def test_read_once():
    """Of a stream, which is read once, instructions alone tell; a file that is cut is read twice, and told of once"""
    path, truth = recorded("stream", "-O1", is_stream=True)
    found, _ = told_by(path, "type")
    equal(of_site(found, "take_records"), {("struct record", "instruction"): truth["records same"],
                                           (UNKNOWN, None): truth["records unknown"]})
    path, _ = recorded("cut", "-O1")
    with open(path, "r+b") as file:
        at, size = struct.unpack_from("<QQ", file.read(64), 40)
        file.truncate(at + size - 20)
    done = run("report", "--by", "type", path)
    print("#", done.err.splitlines())
    equal(sum("truncated" in line for line in done.err.splitlines()), 1, done.err)
    equal("(by votes)" in done.out, True, done.out)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
