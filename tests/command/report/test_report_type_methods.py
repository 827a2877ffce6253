#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by type and member, both ways: what the memory at an address is, and what the operand of the instruction
says. A program touches fresh pages of its variables through pointers that are of the same type, of a part of it, or,
on purpose, of another one, and prints which it is of each; the instruction of a page fault is said to be the very one.
"""
import collections
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import exact_ip
import page_faults
import tap
from command import good
from tap import equal

SOURCE = """
#include <stdio.h>

#define PAGES __attribute__((aligned(4096)))
struct inner { long a; char pad[4088]; };
struct record { long key; char room[4096 - 8]; struct inner inner[2]; };
struct other { long first; int second; char room[4096 - 12]; };
typedef struct record record_t;
typedef long number;

static record_t records[12] PAGES;
static number numbers[8 * 512] PAGES;
static char arena[8 * 4096] PAGES;
static struct other others[4] PAGES;

#define TOUCH(is, of) (                                                                               \\
	printf("%#lx\\t%s\\n", (unsigned long)&(of), is), fflush(stdout), (of)++)

__attribute__((noinline, noclone)) static void touch_record(struct record *record)
{
	TOUCH("same", record->key);
}

__attribute__((noinline, noclone)) static void touch_inner(struct inner *inner)
{
	TOUCH("part", inner->a);
}

__attribute__((noinline, noclone)) static void touch_number(long *number)
{
	TOUCH("same", *number);
}

/* what the source says there is not what is there */
__attribute__((noinline, noclone)) static void touch_other(struct other *other)
{
	TOUCH("differ", other->first);
}

__attribute__((noinline, noclone)) static void touch_second(struct other *other)
{
	TOUCH("same", other->second);
}

int main(void)
{
	for (int n = 0; n < 12; n++) {
		touch_record(&records[n]);
		if (n % 2)
			touch_inner(&records[n].inner[n / 2 % 2]);
	}
	for (int n = 0; n < 8; n++)
		touch_number(&numbers[n * 512]);
	for (int n = 0; n < 8; n++)
		touch_other((struct other *)&arena[n * 4096]);
	for (int n = 0; n < 4; n++)
		touch_second(&others[n]);
	return 0;
}
"""
# A large array of structures, and one of numbers, both local: one through a pointer, the other in the frame
LOCALS = """
#define PAGES __attribute__((aligned(4096)))
struct record { long key; char room[4096 - 8]; };

__attribute__((noinline, noclone)) static void touch_record(struct record *record)
{
	record->key = 1;
}

__attribute__((noinline, noclone)) static void local_records(void)
{
	struct record records[20] PAGES;

	for (int n = 0; n < 20; n++)
		touch_record(&records[n]);
	__asm__ volatile("" : : "r"(records) : "memory");
}

__attribute__((noinline, noclone)) static void local_numbers(void)
{
	volatile double numbers[50 * 512] PAGES;

	for (int n = 0; n < 50; n++)
		numbers[n * 512] = n;
}

/* what the loader has touched of the stack is above */
int main(void)
{
	char room[64 * 4096];

	__asm__ volatile("" : : "r"(room) : "memory");
	local_records();
	local_numbers();
	return 0;
}
"""
STACK = "on the stack, whose variables only instructions tell"
TOUCHED = 12 + 6 + 8 + 8 + 4
SCRATCH = tempfile.TemporaryDirectory()


def need():
    built.need("elfutils")
    built.need("zydis")
    if os.uname().machine != "x86_64":
        raise tap.Skip("not x86-64")


def stack_rows(path, key):
    """How many samples each object and type, or the reason why there is none, has"""
    told = json.loads(good("report", "--by", "object," + key, "--top", "1000", "--format", "json", path))
    found = collections.Counter()
    for row in next(table for name, table in told.items() if name.startswith("by_other"))["rows"]:
        if "." in row["row"]:
            found[row["object_in"], row[key] or row["no_" + key]] += row["samples"]
    return found


def recorded(name, *flags, is_exact=True):
    """
    The recording, how many of its samples are of what the program called same, part, differ, and words that select
    samples of its variables: of the C library there are more
    """
    need()
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "truth"), "w+", encoding="utf-8") as truth:
        path = page_faults.recorded(directory, SOURCE, *flags, options=("-d",), output=truth)
        truth.seek(0)
        touched = dict(line.rstrip("\n").split("\t") for line in truth)
    equal(len(touched), TOUCHED, "addresses")
    if is_exact:
        exact_ip.say_exact(path)
    touched = {int(address, 0): what for address, what in touched.items()}
    lines = good("dump", "--fields", "addr", "--format", "csv", path).splitlines()
    told = [int(line.split(",")[-1], 0) for line in lines[1:] if line.split(",")[-1]]
    selected = "addr >= %#x && addr <= %#x" % (min(touched), max(touched))
    return path, collections.Counter(touched[address] for address in told if address in touched), selected


def tables_of(key, *paths, selected="addr >= 0"):
    """Those of what tells types"""
    told = json.loads(good("report", "--by", key, "--top", "1000", "--format", "json", "--filter", selected, *paths))
    return {name[len("by_other_type_"):]: table for name, table in told.items() if name.startswith("by_other_type_")}


def rows(table):
    return {row["row"]: row for row in table["rows"]}


def check(name, *flags):
    path, truth, selected = recorded(name, *flags)
    equal(min(truth[what] for what in ("same", "part", "differ")) >= 4, True, truth)
    for key in ("type", "member", "object,type,member"):
        told = rows(tables_of(key, path, selected=selected)["agreement"])
        print("# %s, %s: %s of %s" % (name, key, {what: told[what]["samples"] for what in truth}, dict(truth)))
        equal({what: told[what]["samples"] for what in truth}, dict(truth), key)
        both = sum(truth.values())
        low, high = told["differ"]["share"]["low"], told["differ"]["share"]["high"]
        assert low < truth["differ"] / both < high, told["differ"]
        equal(told["1"]["samples"], truth["differ"])
        equal((told["1"]["by_address"], told["1"]["by_instruction"]),
              ("char", "struct other" if key == "type" else "struct other.first"))


def test_agreement():
    """as many agree, and differ, as the program has made; optimized or not, older debug information, split"""
    check("plain", "-O0")
    check("optimized", "-O2")
    check("older", "-O1", "-gdwarf-4")
    # others put split files into the directory that they run in
    if "gcc" in page_faults.CC:
        check("split", "-O2", "-gsplit-dwarf")


def test_evidence():
    """each type with what tells it; and why instructions tell none"""
    path, truth, selected = recorded("evidence", "-O1")
    tables = tables_of("type", path, selected=selected)
    known = {(row["type"], row["evidence"]): row["samples"] for row in tables["evidence"]["rows"]}
    here = "the variable that the address is in"
    equal(known[("char", here)], truth["differ"])
    equal(known[("struct record", here)] + known[("struct other", here)] + known[("number", here)],
          truth["same"] + truth["part"])
    equal(sum(known.values()), sum(truth.values()))
    assert "untold" not in tables, tables
    untold = {row["reason"]: row["samples"] for row in tables_of("type", path)["untold"]["rows"]}
    print("# why not:", untold)
    assert untold and all(untold.values()), untold


def test_skid():
    """Of instructions that may be others the reason is told, and no agreement"""
    path, _, _ = recorded("skid", "-O1", is_exact=False)
    tables = tables_of("type", path)
    assert "agreement" not in tables, tables
    equal([row["reason"] for row in tables["untold"]["rows"]], ["it is not known to be the one that accessed the data"])


def test_stack():
    """Of local variables instructions tell type and member; where none does it is said that nothing else can"""
    need()
    directory = os.path.join(SCRATCH.name, "stack")
    for flags in (("-O0",), ("-O2",), ("-O1", "-gdwarf-4")):
        path = page_faults.recorded(directory, LOCALS, "-fno-stack-clash-protection", *flags, options=("-d",))
        equal({told for where, told in stack_rows(path, "type") if where == "[stack]"}, {STACK}, "reasons")
        exact_ip.say_exact(path)
        told = stack_rows(path, "member")
        print("# %s: %s" % (flags, dict(told)))
        equal(told[("[stack]", "struct record.key")], 20, "samples of the first function")
        # of its 50 pages the first function has touched 20, and what it called one or two
        assert 27 <= told[("[stack]", "volatile double")] <= 30, told
        equal([row for row in told if row[0] == "[stack]" and not row[1]], [], "without a type or a reason")


def test_together():
    """Of several recordings, of what was saved, and with --jobs it is the same"""
    paths = [recorded(name, "-O1")[0] for name in ("one", "two")]
    told = rows(tables_of("member", *paths)["agreement"])
    alone = [rows(tables_of("member", path)["agreement"]) for path in paths]
    for what in ("same", "part", "differ", "1"):
        equal(told[what]["samples"], sum(table[what]["samples"] for table in alone), what)
    for form in ("text", "json", "csv"):
        expected = good("report", "--by", "member", "--format", form, *paths)
        files = [path + ".saved" for path in paths]
        for path, file in zip(paths, files):
            good("report", "--save", file, "--by", "member", path)
        equal(good("report", "--by", "member", "--format", form, *files), expected)
        one = good("report", "--by", "member", "--format", form, "--jobs", "1", paths[0])
        equal(good("report", "--by", "member", "--format", form, "--jobs", "2", paths[0]), one)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
