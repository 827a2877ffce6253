#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The functions that each instruction of a program belongs to, inlined ones too, as llvm-symbolizer has them."""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../command/cli"))
sys.path.insert(0, HERE)

import tap
from programs import new_directory, run
from tap import Skip, equal

LIST = os.path.join(os.environ["builddir"], "tests/libdecode/symbols/types/list_functions")
SOURCE = os.path.join(HERE, "inlined_cc.cc")


def first_of(*names):
    found = [name for name in names if shutil.which(name)]
    if not found:
        raise Skip("no " + names[0])
    return found[0]


def need():
    if "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split():
        raise Skip("built without elfutils")


def compiled(compiler, flags):
    directory = new_directory()
    program = os.path.join(directory, "program")
    made = run([compiler, "-std=c++17", *flags, "-o", program, SOURCE], cwd=directory)
    if made.returncode:
        raise Skip("%s: %s" % (compiler, made.stderr[-200:]))
    return program


def instructions(program):
    """@return addresses of instructions of the program's own functions, and what is to be taken off to get offsets"""
    listed = run(["objdump", "-d", "--no-show-raw-insn", program]).stdout
    addresses, is_own = [], False
    for line in listed.splitlines():
        label = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if label:
            is_own = label.group(1).startswith(("_ZN4work", "_Z5outer", "main"))
        found = re.match(r" +([0-9a-f]+):\t", line)
        if found and is_own:
            addresses.append(int(found.group(1), 16))
    for row in run(["readelf", "-lW", program]).stdout.splitlines():
        words = row.split()
        if words and words[0] == "LOAD" and "E" in words[6:8]:
            return addresses, int(words[2], 16) - int(words[1], 16)
    raise RuntimeError("no segment that runs")


def symbolized(symbolizer, program, addresses):
    """@return of each address a list of (name, declared, line, discriminator, file)"""
    told = run([symbolizer, "--verbose", "--functions=linkage", "--no-demangle", "--obj=" + program],
               input="".join("0x%x\n" % address for address in addresses)).stdout
    rows = []
    for block in told.strip("\n").split("\n\n"):
        functions = []
        for line in block.splitlines():
            if not line.startswith(" "):
                functions.append([line, 0, 0, 0, ""])
            else:
                key, _, value = line.strip().partition(": ")
                place = {"Function start line": 1, "Line": 2, "Discriminator": 3}.get(key)
                if place:
                    functions[-1][place] = int(value)
                elif key == "Filename":
                    functions[-1][4] = os.path.normpath(value)
        rows.append([[*function[:4], function[4] if function[2] else "-"] for function in functions])
    return rows


def ours(program, addresses, shift):
    told = subprocess.run([LIST, program], input="".join("%d\n" % (address - shift) for address in addresses),
                          stdout=subprocess.PIPE, text=True, check=True)
    rows = []
    for line in told.stdout.splitlines():
        functions = [] if line == "-" else [text.rsplit(" ", 4) for text in line.split("; ")]
        rows.append([[name, int(declared), int(at), int(which), os.path.normpath(file)]
                     for name, declared, at, which, file in functions])
    return rows


def check(compiler, flags, least_depth, is_for_profiles=False):
    need()
    symbolizer = first_of("llvm-symbolizer-14", "llvm-symbolizer")
    program = compiled(first_of(compiler), flags)
    addresses, shift = instructions(program)
    expected = symbolized(symbolizer, program, addresses)
    equal(len(expected), len(addresses), "answers")
    for address, wanted, got in zip(addresses, expected, ours(program, addresses, shift)):
        # Padding behind a function belongs to none
        equal(got, [] if wanted[0][0] == "??" else wanted, "functions at 0x%x" % address)
    equal(max(len(functions) for functions in expected) >= least_depth, True, "nests")
    if is_for_profiles:
        equal(any(function[3] for functions in expected for function in functions), True, "discriminators")


def check_versions(compiler):
    for version in ("4", "5"):
        for level, depth in (("-O0", 1), ("-O2", 3)):
            check(compiler, ["-gdwarf-" + version, level], depth)


def test_gnu():
    """g++, DWARF 4 and 5"""
    check_versions("g++")


def test_clang():
    """clang++, DWARF 4 and 5"""
    check_versions("clang++")


def test_for_profiles():
    """clang++ -fdebug-info-for-profiling"""
    check("clang++", ["-g", "-O2", "-fdebug-info-for-profiling"], 3, True)


def test_split():
    """Of split files, also where the program has names of its own for what is in them"""
    for compiler, flags in (("g++", []), ("clang++", []), ("clang++", ["-fsplit-dwarf-inlining"])):
        for version in ("4", "5"):
            check(compiler, ["-gdwarf-" + version, "-O2", "-gsplit-dwarf", *flags], 3)


def test_no_split_file():
    """Names that the program has itself have no lines: without their split file none are told"""
    need()
    program = compiled(first_of("clang++"), ["-gdwarf-5", "-O2", "-gsplit-dwarf", "-fsplit-dwarf-inlining"])
    for name in os.listdir(os.path.dirname(program)):
        if name.endswith(".dwo"):
            os.unlink(os.path.join(os.path.dirname(program), name))
    addresses, shift = instructions(program)
    equal([functions for functions in ours(program, addresses, shift) if functions], [], "functions")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
