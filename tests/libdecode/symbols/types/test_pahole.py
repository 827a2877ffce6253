#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How structures are laid out, against pahole: those of programs, and of the library itself."""
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../command/cli"))
sys.path.insert(0, HERE)

import tap
from programs import CannotCompile, ask, compile_text, compile_units, compilers, find_program, new_directory, run
from quick import fewer
from random_types import Program
from tap import Skip, equal

TITLE = re.compile(r"(struct|union) (\w+) \{$")
MEMBER = re.compile(r"\t(?:\S.*?|\}.*?)\s*/\*\s+(\d+)(?::\s*(\d+))?\s+(\d+) \*/$")
# The declarator's name: before brackets, bits, the end, or in the parentheses of a pointer to a function
NAME = re.compile(r"\(\s*\*+\s*(\w+)(?:\[\d*\])*\)|(\w+)\s*(?:\[\d*\])*(?::\d+)?\s*(?:__attribute__\(\(\S*\)\))?;\s*/\*")


def structures(program):
    """What pahole says: name to members (bit, name); those that it describes once, and as a whole"""
    told = run(["pahole", program])
    found, again, name = {}, set(), None
    for line in told.stdout.splitlines():
        if TITLE.match(line):
            name = " ".join(TITLE.match(line).groups())
            again |= {name} if name in found else set()
            found[name] = []
        elif line.startswith("}"):
            name = None
        elif name and "<ERROR" in line: # as for _Atomic
            again.add(name)
        elif name and MEMBER.match(line) and NAME.search(line):
            byte, bit, _ = MEMBER.match(line).groups()
            named = NAME.search(line)
            found[name].append((8 * int(byte) + int(bit or 0), named[1] or named[2]))
    return {name: members for name, members in found.items() if name not in again and members}


def rows_of(rows):
    """Members of the type itself, as the library has them"""
    for row in rows:
        depth, kind, byte, _, bit, _, _, rest = row.split(" ", 7)
        name = rest.split(";")[0]
        if depth == "0" and kind == "member" and name:
            yield 8 * int(byte) + int(bit), name


def compare(program):
    """@return (how many members are the same, lines about what is not)"""
    told = structures(program)
    answers = ask(program, ["layout " + name for name in told])[1]
    same, wrong = 0, []
    for (name, members), rows in zip(told.items(), answers):
        if isinstance(rows, str):
            wrong.append("%s: %s" % (name, rows))
        elif sorted(rows_of(rows)) != sorted(members):
            wrong.append("%s: %s; pahole has %s" % (name, sorted(rows_of(rows)), sorted(members)))
        else:
            same += len(members)
    return same, wrong


def need():
    if "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split():
        raise Skip("built without elfutils")
    if not find_program("pahole"):
        raise Skip("no pahole")


def test_programs():
    """Structures, unions and bit fields of C, each compiler and version of DWARF"""
    need()
    same, wrong, tried = 0, [], 0
    for compiler in filter(find_program, ("gcc", "clang-14", "clang-19")):
        for version in ("-gdwarf-4", "-gdwarf-5"):
            try:
                program = compile_units("c", compiler, [version, "-O0", "-fno-pie"], new_directory(), ["-no-pie"])
            except CannotCompile as error:
                print("# not compiled: %s" % str(error).splitlines()[-1:])
                continue
            found, bad = compare(program)
            tried, same = tried + 1, same + found
            wrong += ["%s %s: %s" % (compiler, version, line) for line in bad]
            if found < 30:
                wrong.append("%s %s: pahole told of %d members" % (compiler, version, found))
    if not tried:
        raise Skip("no compiler of C")
    print("# %d programs, %d members alike" % (tried, same))
    equal(wrong, [])


def test_random():
    """Structures and unions that were made by chance"""
    need()
    same, wrong, tried = 0, [], 0
    for seed in range(1, 1 + fewer(20, 4)):
        dice = random.Random("pahole %d" % seed)
        text = Program(dice, "c", 12).source().replace("_Atomic ", "") # which stops pahole
        for compiler in compilers("c"):
            flags = [dice.choice(["-gdwarf-4", "-gdwarf-5"]), dice.choice(["-O0", "-O2"]), "-std=gnu11", "-w"]
            found, bad = compare(compile_text("c", compiler, flags, new_directory(), text))
            tried, same = tried + 1, same + found
            wrong += ["%s %s, seed %d: %s" % (compiler, " ".join(flags), seed, line) for line in bad]
    if not tried:
        raise Skip("no compiler of C")
    print("# %d programs, %d members alike" % (tried, same))
    equal(wrong, [])


def test_library():
    """All structures of the library itself"""
    need()
    same, wrong = compare(os.environ["LIBPRECIS"])
    if not same and not wrong:
        raise Skip("pahole knows no structure of the library: built without debug information")
    print("# %d members alike" % same)
    equal(wrong, [])


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
