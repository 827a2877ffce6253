#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Members of structures, unions and classes that were made by chance, against what their compiler says of them."""
import os
import random
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../command/cli"))
sys.path.insert(0, HERE)

import tap
from programs import (DWARFS, CannotCompile, ask, compilers, compile_text, expect_leaves, new_directory, spread,
                      truth_of, without_repeats)
from quick import fewer
from random_types import Program
from tap import Skip, equal

TYPED = re.compile(r"(\w+) (.*), (\d+) (\d+) (.*)$")


def members_of(rows):
    """All members of a layout: (first bit, bits, name); what fills its type is no bit field to clang"""
    for row in rows:
        _, kind, offset, count, bit, bits, _, rest = row.split(" ", 7)
        if kind == "member":
            yield 8 * int(offset) + int(bit), int(bits) or 8 * int(count), rest.split(";")[0]


def told_by(rows):
    """@return (bytes that a layout tells of, those of them that it says nobody has); of arrays' elements all"""
    told, nobody, inside = set(), set(), None
    rows = [row.split(" ", 7) for row in rows]
    for row, following in zip(rows, [*rows[1:], ["0"]]):
        depth, offset, count, elements = int(row[0]), int(row[2]), int(row[3]), int(row[6])
        if inside is not None and depth > inside:
            continue
        inside = depth if elements != 1 else None
        if int(following[0]) > depth and inside is None:
            continue
        told.update(range(offset, offset + count))
        if row[1] != "member" and not int(row[5]):
            nobody.update(range(offset, offset + count))
    return told, nobody


def questions_of(truth):
    """@return (questions, for each what is expected: an answer, a list of paths in a row, or what must be among them)"""
    sizes, leaves, fields, sort, asked = {}, {}, {}, {}, []
    for line in truth:
        word, rest = line.split(" ", 1)
        if word == "size":
            name, count = rest.rsplit(", ", 1)
            sizes[name] = int(count)
            asked.append(("type " + name, "size", count))
        elif word in ("whole", "exact", "unclear"):
            sort[rest] = word
        else:
            _, name, first, count, text = TYPED.match(line).groups()
            if word == "bits":
                fields.setdefault(name, []).append((int(first), int(count), text))
            elif word == "leaf":
                leaves.setdefault(name, []).append((int(first), int(count), text))
            else:
                asked.append(("member %s, %s %s" % (name, first, count), word, text))
    for name, bytes_ in sizes.items():
        own, bits = leaves.get(name, []), fields.get(name, [])
        if sort[name] == "whole":
            for offset, width, names in expect_leaves(bytes_, own, bits):
                asked.append(("member %s, %d %d" % (name, offset, width), "row", names))
            continue
        for first, count, text in own:
            asked.append(("member %s, %d %d" % (name, first, count), "exact" if sort[name] == "exact" else "among", text))
        for first, count, text in bits:
            for byte in {first // 8, (first + count - 1) // 8}:
                asked.append(("member %s, %d 0" % (name, byte), "among", text)) # of any width
    return asked, fields, sizes, leaves, sort


def is_right(answer, word, expected):
    if word == "size":
        return answer.split(" ")[0] == expected
    if word == "row":
        return without_repeats(spread(answer)) == without_repeats(expected)
    if word == "exact":
        return answer == expected
    if word == "virtual":
        return "(virtual base)" in answer
    return expected in re.split(r"\||, ", answer)


def compare(program):
    """@return (how many answers were right, lines about what is wrong)"""
    asked, fields, sizes, leaves, sort = questions_of(truth_of(program))
    _, answers = ask(program, [question for question, _, _ in asked])
    right, wrong = 0, []
    for (question, word, expected), answer in zip(asked, answers):
        if is_right(answer, word, expected):
            right += 1
        else:
            wrong.append("%s: %s; expected %s %s" % (question, answer, word, expected))
    for (name, size), rows in zip(sizes.items(), ask(program, ["layout " + name for name in sizes])[1]):
        found = set(members_of(rows)) if not isinstance(rows, str) else set()
        told, nobody = told_by(rows) if found else (set(), set())
        # Of elements the first one's
        own = {(first, count, re.sub(r".*(\.|::)", "", text)) for first, count, text in fields.get(name, [])
               if not re.search(r"\[[1-9]\d*\]", text)}
        if own - found:
            wrong.append("bit fields of %s: %s are not in the layout: %s" % (name, sorted(own - found), sorted(found)))
        right += len(own & found)
        if found and set(range(size)) - told:
            wrong.append("layout of %s: nothing about bytes %s" % (name, sorted(set(range(size)) - told)))
        for first, count, text in leaves.get(name, []) if sort[name] != "unclear" else ():
            if nobody & set(range(first, first + count)):
                wrong.append("layout of %s: a hole where %s is" % (name, text))
    return right, wrong


def check(language, standard, programs):
    if "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split():
        raise Skip("built without elfutils")
    if not compilers(language):
        raise Skip("no compiler of " + language)
    first = int(os.environ.get("PRECIS_SEED", "1"))
    tried, right, wrong, not_compiled = 0, 0, [], []
    for seed in range(first, first + programs):
        dice = random.Random("%s %d" % (language, seed))
        text = Program(dice, language, 12).source()
        compiler = compilers(language)[seed % len(compilers(language))]
        name, level = dice.choice(list(DWARFS)), dice.choice(["-O0", "-O2"])
        directory = new_directory()
        flags = [*DWARFS[name], level, standard, "-w", "-fno-strict-aliasing"]
        # Both leave out classes of which another unit is to tell
        flags.append("-fstandalone-debug" if "clang" in compiler else "-femit-class-debug-always")
        try:
            program = compile_text(language, compiler, flags, directory, text)
        except CannotCompile as error:
            not_compiled.append("%s %s, %d: %s" % (compiler, " ".join(flags), seed, str(error)[:300]))
            continue
        found, bad = compare(program)
        tried += 1
        right += found
        wrong += ["%s, %s %s, seed %d: %s" % (compiler, name, level, seed, line) for line in bad]
        shutil.rmtree(directory)
    print("# %s: %d programs, %d answers right, %d wrong" % (language, tried, right, len(wrong)))
    equal(wrong[:20], [], "wrong answers (%d)" % len(wrong))
    equal(not_compiled, [])


def test_c():
    """C: bit fields, packed and aligned, what has no name, flexible arrays, unions"""
    check("c", "-std=gnu11", fewer(40, 6))


def test_cplusplus():
    """C++: bases, several and virtual, bytes that they leave, members without an address of their own"""
    check("c++", "-std=c++20", fewer(40, 6))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
