#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What precis annotate --type advises: of each a recording in which it is given, and one in which samples do not support
it. Objects lie where the program puts them, and functions are its own.
"""
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import tap
import typed
from command import good
from tap import equal

SOURCE = """
#include <stddef.h>
#include <stdio.h>

struct wide { long key, value; char room[112]; long far; long last; };
struct odd { char a; long b; char c; int d; char e; };      /* 32 bytes, 15 of them members */
struct tight { long a; char b; };                           /* no order is shorter */
struct part { long a[5]; };                                 /* 40 bytes */

struct wide wides[64] __attribute__((aligned(64)));
struct odd odds[64] __attribute__((aligned(64)));
struct tight tights[64] __attribute__((aligned(64)));
struct part parts[64] __attribute__((aligned(64)));

__attribute__((noinline)) void both(void) { wides[0].key++; wides[0].far++; __asm__ volatile("nop\\nnop\\nnop\\nnop"); }
__attribute__((noinline)) void near(void) { wides[0].key++; __asm__ volatile("nop\\nnop\\nnop\\nnop"); }
__attribute__((noinline)) void away(void) { wides[0].far++; __asm__ volatile("nop\\nnop\\nnop\\nnop"); }

#define ADDRESS(name) printf(#name " %#lx\\n", (unsigned long)name)
#define OFFSET(type, member) printf(#type "." #member " %#lx\\n", (unsigned long)offsetof(struct type, member))

int main(void)
{
	both(), near(), away();
	ADDRESS(wides), ADDRESS(odds), ADDRESS(tights), ADDRESS(parts), ADDRESS(both), ADDRESS(near), ADDRESS(away);
	OFFSET(wide, key), OFFSET(wide, value), OFFSET(wide, far), OFFSET(wide, last), OFFSET(odd, b);
	printf("wide %#lx\\nodd %#lx\\ntight %#lx\\npart %#lx\\n", (unsigned long)sizeof(struct wide),
	       (unsigned long)sizeof(struct odd), (unsigned long)sizeof(struct tight), (unsigned long)sizeof(struct part));
	return 0;
}
"""


def program():
    built.need("elfutils")
    return typed.Program("advice", SOURCE)


def touched(made, type_name, member, count, function="both", objects=16):
    """So many samples of a member, in several objects, from inside that function"""
    start = made.at[type_name + "s"] + made.at.get(f"{type_name}.{member}", 0)
    return [(start + n % objects * made.at[type_name], made.at[function] + 1) for n in range(count)]


def advice(made, name, type_name, accesses):
    """In whichever order, so that they are in step with nothing"""
    accesses = random.Random(17).sample(accesses, len(accesses))
    samples = [typed.ibs(address, time=n + 1, ip=ip) for n, (address, ip) in enumerate(accesses)]
    told = json.loads(good("annotate", "--format", "json", "--type", "struct " + type_name,
                           typed.recorded(made, name, samples)))
    table = told["type_ops_advice"]
    return {row["row"]: row for row in table["rows"]}, table["notes"]


def given(*arguments):
    return set(advice(*arguments)[0])


def test_one_member():
    """Nearly all samples of one member: given; with a tenth of others, or of few samples, or of one object: not"""
    made = program()
    found, _ = advice(made, "one", "wide", touched(made, "wide", "key", 300))
    equal(set(found), {"one_member"})
    row = found["one_member"]
    assert "key, 8 of 144 bytes" in row["advice"] and "5.6%" in row["advice"], row
    equal((row["share"]["value"], row["share"]["n"]), (1, 300))
    equal(given(made, "one2", "wide", touched(made, "wide", "key", 300) + touched(made, "wide", "last", 34)), set())
    equal(given(made, "one3", "wide", touched(made, "wide", "key", 20)), set())
    equal(given(made, "one4", "wide", touched(made, "wide", "key", 300, objects=1)), set())
    equal(given(made, "one5", "part", touched(made, "part", "a", 300)) & {"one_member"}, set())


def test_hot_and_cold():
    """Two members have all samples, and a small part of the bytes: given; not if others have some, too"""
    made = program()
    hot = touched(made, "wide", "key", 200) + touched(made, "wide", "value", 200)
    found, _ = advice(made, "hot", "wide", hot)
    equal(set(found), {"hot_and_cold"})
    assert "key, value, 16 of 144 bytes" in found["hot_and_cold"]["advice"], found
    assert "1 of 3 cache lines" in found["hot_and_cold"]["advice"], found
    equal(given(made, "hot2", "wide", hot + touched(made, "wide", "last", 36)), set())
    equal(given(made, "hot3", "wide", hot[:10] + hot[-10:]), set())


def test_hot_apart():
    """Two members on different lines that one function touches: given; not if different functions do"""
    made = program()
    key, far = touched(made, "wide", "key", 200), touched(made, "wide", "far", 200)
    found, _ = advice(made, "apart", "wide", key + far)
    equal(set(found), {"hot_and_cold", "hot_apart"})
    row = found["hot_apart"]
    assert "key and far" in row["advice"] and "offsets 0 and 128" in row["advice"], row
    equal((row["share"]["value"], row["share"]["n"]), (1, 400))
    alone = touched(made, "wide", "key", 200, "near") + touched(made, "wide", "far", 200, "away")
    equal(given(made, "apart2", "wide", alone), {"hot_and_cold"})
    # in half of the samples both are touched, which is not certainly more than half
    half = touched(made, "wide", "key", 100, "near") + touched(made, "wide", "far", 100, "away")
    equal(given(made, "apart3", "wide", key[:100] + far[:100] + half), {"hot_and_cold"})
    near = touched(made, "wide", "key", 200) + touched(made, "wide", "value", 200)
    assert "hot_apart" not in given(made, "apart4", "wide", near)


def test_padding():
    """Padding that another order saves, in a type that matters: given; not if none does, or the type is seldom used"""
    made = program()
    found, _ = advice(made, "padding", "odd", touched(made, "odd", "b", 100))
    assert "padding" in found, found
    assert "17 of 32 bytes are padding" in found["padding"]["advice"], found
    assert "it would have 16" in found["padding"]["advice"], found
    equal(given(made, "padding2", "tight", touched(made, "tight", "", 100)) & {"padding"}, set())
    rare = touched(made, "odd", "b", 60) + touched(made, "wide", "key", 940)
    equal(given(made, "padding3", "odd", rare) & {"padding"}, set())


def test_straddling():
    """Objects of 40 bytes one behind the other: half of them are on two lines; not given if none of those is used"""
    made = program()
    found, _ = advice(made, "straddling", "part", touched(made, "part", "", 160))
    assert "straddling" in found, found
    equal(round(found["straddling"]["share"]["value"], 3), round(sum(
        n * 40 % 64 + 40 > 64 for n in range(16)) / 16, 3))
    inside, notes = advice(made, "straddling2", "part", touched(made, "part", "", 160, objects=1))
    equal(set(inside), set())
    assert any("none that its samples support" in note for note in notes), notes


def reported(path, *options, form="json"):
    text = good("report", "--by", "type", "--top", "1", "--format", form, *options, path)
    return json.loads(text).get("by_ops_type_advice") if form == "json" else text


def test_report():
    """precis report --by type advises of all types what their pages do, of each that has 100 samples"""
    made = program()
    accesses = (touched(made, "wide", "key", 400) + touched(made, "odd", "b", 300) +
                touched(made, "part", "", 160, objects=1) + touched(made, "tight", "", 99))
    accesses = random.Random(17).sample(accesses, len(accesses))
    path = typed.recorded(made, "report", [typed.ibs(address, time=n + 1, ip=ip)
                                           for n, (address, ip) in enumerate(accesses)])
    table = reported(path)
    told = {(row["type"], row["row"]): row for row in table["rows"]}
    pages = {}
    for name in ("wide", "odd", "part"):
        page = json.loads(good("annotate", "--format", "json", "--type", "struct " + name, path))["type_ops_advice"]
        pages.update({("struct " + name, row["row"]): row for row in page["rows"]})
    equal({which: (row["advice"], row["share"]["value"], row["share"]["n"]) for which, row in told.items()},
          {which: (row["advice"], row["share"]["value"], row["share"]["n"]) for which, row in pages.items()})
    equal(set(told) >= {("struct wide", "one_member"), ("struct odd", "padding")}, True, told)
    assert any("3 types have the 100 samples" in note for note in table["notes"]), table["notes"]
    few = [typed.ibs(address, time=n + 1, ip=ip) for n, (address, ip) in enumerate(touched(made, "wide", "key", 99))]
    equal(reported(typed.recorded(made, "few", few)), None)
    saved = path + ".saved"
    good("report", "--by", "type", "--save", saved, path)
    for form in ("text", "csv"):
        equal(reported(saved, form=form), reported(path, form=form))
        equal(reported(path, "--jobs", "2", form=form), reported(path, "--jobs", "1", form=form))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
