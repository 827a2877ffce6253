#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis annotate --type: the compiler says where members are, the test which of them are sampled how often and with
what registers; what the page says of each member follows.
"""
import csv
import io
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import accesses
import built
import tap
import typed
from command import good, run
from tap import equal

SOURCE = """
#include <stddef.h>
#include <stdio.h>

struct point { float x, y; double weight; };
struct record {
	long key;
	char flag;
	/* a hole of 3 */
	int count;
	unsigned int low : 3, high : 5;
	struct point points[5];
	union { long number; double real; struct { int first, second; } half; } value;
	char room[40];
	struct record *next;
};
typedef struct { short a, b; } pair_t;

struct record records[16] __attribute__((aligned(64)));
pair_t pairs[8];

#define OFFSET(member) printf(#member " %#lx\\n", (unsigned long)offsetof(struct record, member))
#define ADDRESS(variable) printf(#variable " %#lx\\n", (unsigned long)&variable)

int main(void)
{
	ADDRESS(records);
	ADDRESS(pairs);
	OFFSET(key);
	OFFSET(flag);
	OFFSET(count);
	OFFSET(points);
	OFFSET(points[3].y);
	OFFSET(points[3].weight);
	OFFSET(value);
	OFFSET(room);
	OFFSET(next);
	printf("size %#lx\\n", (unsigned long)sizeof(struct record));
	return 0;
}
"""


def program(name="types", *flags):
    built.need("elfutils")
    return typed.Program(name, SOURCE, *flags)


def there(made, n, member, more=0):
    return made.at["records"] + n * made.at["size"] + made.at[member] + more


def page(*arguments):
    return json.loads(good("annotate", "--format", "json", *arguments))


def rows(told, table="type_ops"):
    return {row["member"]: row for row in told[table]["rows"] if row["member"]}


def several(made):
    """Samples of many members, and what is true of each"""
    samples = []
    for n in range(16):
        samples += [typed.ibs(there(made, n, "key"), tid=101 + n % 3, time=n + 1) for _ in range(10)]
        samples += [typed.ibs(there(made, n, "count"), width=4, kind=typed.STORE, time=n + 1) for _ in range(3)]
        samples += [typed.ibs(there(made, n, "points[3].weight"), level=typed.DRAM, latency=300 + n, refill=20,
                              flags=typed.TLB_WALK, time=n + 1) for _ in range(5)]
    samples += [typed.ibs(there(made, 3, "points[3].y"), width=4, level=typed.L3, latency=40,
                          flags=typed.NO_BUFFER, time=99)] * 4
    samples += [typed.ibs(there(made, 2, "flag", 2), width=1, time=99)] * 2  # in the hole
    samples += [typed.ibs(there(made, 1, "room", 7), width=1, time=99)] * 6
    return samples


EXPECTED = {"key": 160, "count": 48, "points[].weight": 80, "points[].y": 4, "points[]": 84, "(hole)": 2, "room[]": 6,
            "flag": 0, "points[].x": 0, "next": 0, "value": 0, "value.number": 0}


def test_members():
    """All members in the order of their offsets, with holes; those of members deeper; each with its samples"""
    made = program()
    told = page("--type", "struct record", typed.recorded(made, "members", several(made)))
    listed = [row for row in told["type_ops"]["rows"] if row["member"]]
    offsets = [row["offset"] for row in listed]
    equal(offsets, sorted(offsets), "in order")
    equal([row["member"] for row in listed],
          ["key", "flag", "(hole)", "count", "low", "high", "(hole)", "points[]", "points[].x", "points[].y",
           "points[].weight", "value", "value.number", "value.real", "value.half", "value.half.first",
           "value.half.second", "room[]", "next"])
    found = {}
    for row in listed:
        found[row["member"]] = found.get(row["member"], 0) + row["samples"]
    equal({name: found[name] for name in EXPECTED}, EXPECTED)
    by_name = rows(told)
    for name, member in (("key", "key"), ("count", "count"), ("points[]", "points"), ("value", "value"),
                         ("room[]", "room"), ("next", "next")):
        equal(by_name[name]["offset"], made.at[member], name)
    equal((by_name["points[]"]["bytes"], by_name["points[]"]["elements"], by_name["points[].y"]["depth"]), (80, 5, 1))
    equal([(row["offset"], row["bytes"], row["is_hole"]) for row in listed if row["member"] == "(hole)"],
          [(9, 3, True), (17, 7, True)])
    equal((by_name["high"]["bit_offset"], by_name["high"]["bits"]), (3, 5))
    whole, = [row for row in told["type_ops"]["rows"] if row["row"] == "all"]
    equal(whole["samples"], 300)


def test_figures():
    """Shares of the type's samples, threads, loads and stores: of each member its own"""
    made = program()
    told = rows(page("--type", "record", typed.recorded(made, "figures", several(made))))
    key = told["key"]
    equal(round(key["share"]["value"], 6), round(160 / 300, 6))
    assert key["share"]["low"] < 160 / 300 < key["share"]["high"], key
    equal((key["threads"], told["count"]["threads"]), (3, 1))
    equal((key["loads"]["value"], key["stores"]["value"]), (1, 0))
    equal((told["count"]["loads"]["value"], told["count"]["stores"]["value"]), (0, 1))
    equal(told["flag"]["samples"], 0)
    equal(told["flag"]["threads"], None)


def test_levels():
    """Levels, TLBs and miss buffers, each of those samples that tell it"""
    made = program()
    told = page("--type", "struct record", typed.recorded(made, "levels", several(made)))
    levels, translation = rows(told, "type_ops_levels"), rows(told, "type_ops_translation")
    weight, y = levels["points[].weight"], levels["points[].y"]
    equal((weight["DRAM"]["value"], weight["mem_level_n"]), (1, 80))
    equal((y["L3"]["value"], y["DRAM"]["value"], y["mem_level_n"]), (1, 0, 4))
    equal(round(levels["points[]"]["DRAM"]["value"], 6), round(80 / 84, 6))
    assert "next" not in levels, "what has no sample has no level"
    equal(translation["points[].weight"]["tlb_walk"]["value"], 1)
    equal(translation["key"]["tlb_walk"]["value"], 0)
    equal(translation["points[].y"]["miss_buffer_allocated"]["value"], 0)
    equal(translation["points[].weight"]["miss_buffer_allocated"]["value"], 1)


def test_latencies():
    """Each latency by its own definition, with its own n: that of misses of those that missed alone"""
    made = program()
    told = rows(page("--type", "struct record", typed.recorded(made, "latencies", several(made))),
                "type_ops_latencies")
    weight, y = told["points[].weight"], told["points[].y"]
    equal((weight["dcache_miss_latency"], weight["dcache_miss_latency_n"]), (307.5, 80))
    assert weight["dcache_miss_latency_low"] < 307.5 < weight["dcache_miss_latency_high"], weight
    equal((weight["tlb_refill_latency"], weight["tlb_refill_latency_n"]), (20, 80))
    equal(weight["tlb_refill_latency_low"], None, "all are the same: that says nothing of others")
    equal((y["dcache_miss_latency"], y["dcache_miss_latency_n"], y["dcache_miss_latency_low"]), (40, 4, None))
    equal(told["key"]["dcache_miss_latency"], None, "a hit has none, and is not 0")
    equal(told["key"]["dcache_miss_latency_n"], 0)


def test_text_and_csv():
    """Text has lines of the cache and holes, CSV each figure"""
    made = program()
    path = typed.recorded(made, "text", several(made))
    text = good("annotate", "--type", "struct record", path)
    for words in ("--- cache line 1 ---", "(hole)", "points: struct point[5]", "  weight: double",
                  "300 samples of struct record", "of 49% of the samples"):
        assert words in text, (words, text)
    cells = list(csv.reader(io.StringIO(good("annotate", "--type", "struct record", "--format", "csv", path))))
    assert any("dcache_miss_latency" in cell for line in cells for cell in line), cells[:5]


def test_unions_and_wide():
    """What may be either counts in each; what touches two counts in both, and a note says so"""
    made = program()
    samples = [typed.ibs(there(made, 1, "value"), width=8)] * 7 + [typed.ibs(there(made, 1, "value", 4), width=4)] * 2
    samples += [typed.ibs(there(made, 1, "points"), width=8)] * 3
    told = page("--type", "struct record", typed.recorded(made, "unions", samples))
    found = {name: row["samples"] for name, row in rows(told).items() if row["samples"]}
    equal(found, {"value": 9, "value.number": 7, "value.real": 7, "value.half": 2, "value.half.second": 2,
                  "points[]": 3, "points[].x": 3, "points[].y": 3})
    assert any("10 of them count in several members" in note for note in told["type_ops"]["notes"]), \
        told["type_ops"]["notes"]


def test_same_as_by_member():
    """Members have the samples that report --by member gives them"""
    made = program()
    path = typed.recorded(made, "same", several(made))
    told = json.loads(good("report", "--by", "member", "--top", "100", "--format", "json", path))
    members = {row["member"]: row["samples"] for row in told["by_ops"]["rows"] if row["member"]}
    own = rows(page("--type", "struct record", path))
    equal({name.partition(".")[2]: samples for name, samples in members.items()},
          {name: own[name]["samples"] for name in ("key", "count", "points[].weight", "points[].y", "room[]")} |
          {"(hole)": 2})


def test_jobs_and_files():
    """Two threads say the same; of two recordings all samples count, and threads of each"""
    made = program()
    path = typed.recorded(made, "jobs", several(made))
    other = typed.recorded(made, "jobs2", several(made))
    equal(page("--type", "struct record", "--jobs", "2", path), page("--type", "struct record", path))
    both = rows(page("--type", "struct record", path, other))
    equal((both["key"]["samples"], both["key"]["threads"]), (320, 6))


def test_pebs():
    """Of PEBS there is a page of each event, and a latency of its own definition"""
    made = program()
    at = there(made, 1, "key")
    samples = [accesses.load(at, 101, accesses.L3_LOAD)] * 5 + [accesses.store(at, 102)] * 2
    told = page("--type", "struct record", typed.recorded_pebs(made, "pebs", samples))
    others = ("_levels", "_latencies", "_translation", "_advice")
    tables = {name: rows(told, name)["key"]["samples"] for name in told
              if name.startswith("type_pebs") and not any(other in name for other in others)}
    equal(sorted(tables.values()), [2, 5])


def test_typedef_and_refusals():
    """A type without a name of its own is known by its typedef; what is not there is said, and what is near"""
    made = program()
    path = typed.recorded(made, "pairs", [typed.ibs(made.at["pairs"] + 4 * n + 2, width=2) for n in range(8)])
    told = rows(page("--type", "pair_t", path))
    equal((told["a"]["samples"], told["b"]["samples"]), (0, 8))
    done = run("annotate", "--type", "pair_", path)
    equal(done.code, 1)
    assert "no sample is in a type 'pair_'" in done.err and "pair_t" in done.err, done
    equal(run("annotate", "--type", "", path).code, 2)
    equal(run("annotate", "--type", "pair_t", "--dso", "other", path).code, 1)
    equal(run("report", "--type", "pair_t", path).code, 2)


VIRTUAL = """
#include <stdio.h>
struct root { long of_root; };
struct left : virtual root { long of_left; char last; };
struct whole : left { char behind; };
whole one;
int main() { printf("one %p\\nroot %p\\nbehind %p\\nsize %#lx\\n", (void *)&one, (void *)&one.of_root, (void *)&one.behind,
	     sizeof(whole)); }
"""


def test_virtual_base():
    """Where a virtual base is only the program knows: its bytes are no padding, nor are they those of its base"""
    built.need("elfutils")
    if not shutil.which("g++"):
        raise tap.Skip("no g++")
    made = typed.Program("virtual", VIRTUAL, compiler="g++ -x c++")
    told = page("--type", "whole", typed.recorded(made, "virtual", [typed.ibs(made.at["root"])] * 5 +
                                                  [typed.ibs(made.at["behind"], width=1)] * 3))
    found = [(row["member"], row["offset"], row["bytes"], row["samples"]) for row in told["type_ops"]["rows"]
             if row["member"] in ("behind", "(virtual base)")]
    behind = made.at["behind"] - made.at["one"]
    equal(found, [("behind", behind, 1, 3),
                  ("(virtual base)", behind + 1, made.at["size"] - behind - 1, 5)])


def test_listing():
    """report --by type says how to go on"""
    made = program()
    text = good("report", "--by", "type", typed.recorded(made, "listing", several(made)))
    assert "precis annotate --type" in text, text


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
