#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Variables, types and members, against programs that print the truth of their own data."""
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../command/cli"))
sys.path.insert(0, HERE)

import tap
from programs import (DWARFS, CannotCompile, ask, compare, compilers, compile_rust, compile_units, damaged,
                      find_program, new_directory, run)
from quick import fewer, some
from tap import Skip, equal

PLAIN, PIE = ["-fno-pie"], ["-fpie"]


def no_elfutils():
    return "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split()


def variants(language):
    for compiler in compilers(language):
        for name, dwarf in DWARFS.items():
            for level in ("-O0", "-O2"):
                pie = PLAIN if level == "-O0" else PIE
                yield compiler, name, [*dwarf, level, *pie], ["-no-pie" if pie is PLAIN else "-pie"]


def check(language, one_in):
    if no_elfutils():
        raise Skip("built without elfutils")
    tried, right, wrong, not_compiled = 0, 0, [], []
    for compiler, name, flags, link in some(variants(language), one_in):
        directory = new_directory()
        try:
            program = compile_units(language, compiler, flags, directory, link)
        except CannotCompile as error:
            not_compiled.append("%s %s: %s" % (compiler, " ".join(flags), str(error).splitlines()[-1:]))
            continue
        # GCC's split files have addresses of thread storage that the linker does not make offsets of
        found, bad = compare(program, without=("thread", "pointer") if compiler in ("gcc", "g++") and "split" in name else ())
        tried += 1
        right += found
        wrong += ["%s, %s, %s: %s" % (compiler, name, " ".join(flags), line) for line in bad]
        shutil.rmtree(directory)
    for line in not_compiled:
        print("# not compiled: " + line)
    if not tried:
        raise Skip("no compiler of " + language)
    print("# %s: %d programs, %d answers right, %d wrong" % (language, tried, right, len(wrong)))
    equal(wrong[:20], [], "wrong answers (%d)" % len(wrong))


def test_c():
    """C: gcc and clang, DWARF 2 to 5, split, type units, compressed"""
    check("c", 5)


def test_cplusplus():
    """C++: bases, templates, static members, bytes that a base leaves"""
    check("c++", 5)


def test_supplement():
    """Compressed by dwz: a program alone, and two with a supplementary file, which is then taken away"""
    if no_elfutils():
        raise Skip("built without elfutils")
    if not find_program("dwz") or not find_program("gcc"):
        raise Skip("no dwz, or no gcc")
    right, wrong = 0, []
    for language, compiler in (("c", "gcc"), ("c++", "g++")):
        for dwarf in ("-gdwarf-4", "-gdwarf-5") if find_program(compiler) else ():
            directory = new_directory()
            program = compile_units(language, compiler, [dwarf, "-O0", *PLAIN], directory, ["-no-pie"])
            others = [program + suffix for suffix in ("1", "2", "3")]
            for other in others:
                shutil.copy(program, other)
            for command in ([others[0]], ["-m", "common", *others[1:]]):
                done = run(["dwz", *command], cwd=directory)
                equal((done.returncode, done.stderr), (0, ""), "dwz " + " ".join(command))
            for other in others:
                found, bad = compare(other)
                right += found
                wrong += ["%s, %s: %s" % (other[-1], dwarf, line) for line in bad]
            os.remove(os.path.join(directory, "common"))
            if ask(others[1], [])[0] != "in a supplementary debug file (dwz) that was not found":
                wrong.append("no reason without the supplementary file: " + ask(others[1], [])[0])
    print("# %d answers right" % right)
    equal(wrong[:20], [])


OF_BOTH = "struct of_both { long key; const char *name; struct of_both *next, *last; unsigned char bytes[40]; };\n"


def test_supplement_of_a_distribution():
    """As Debian has it: named /usr/lib/debug/.dwz/NAME, and found below another directory of debug files; not outside"""
    if no_elfutils():
        raise Skip("built without elfutils")
    if not find_program("dwz") or not find_program("gcc"):
        raise Skip("no dwz, or no gcc")
    lacking = "in a supplementary debug file (dwz) that was not found"
    for name, is_right in (("/usr/lib/debug/.dwz/here/common", True), ("/usr/lib/debug/.dwz/../outside", False)):
        directory = new_directory()
        debug = os.path.join(directory, "debug")
        os.makedirs(os.path.join(debug, ".dwz", "here"))
        programs = []
        for count in ("3", "5"):
            programs.append(os.path.join(directory, "of_" + count))
            done = run(["gcc", "-g", *PLAIN, "-no-pie", "-o", programs[-1], "-x", "c", "-"],
                       input=OF_BOTH + "struct of_both own[%s]; int main(void) { return 0; }\n" % count)
            equal((done.returncode, done.stderr), (0, ""), "gcc")
        done = run(["dwz", "-m", debug + name.partition("/debug")[2], "-M", name, *programs], cwd=directory)
        equal((done.returncode, done.stderr), (0, ""), "dwz")
        at = next(line.split()[0] for line in run(["nm", programs[0]]).stdout.splitlines() if line.endswith(" own"))
        question = ["address 0x%x 8" % (int(at, 16) + 2 * 72 + 8)]
        equal(ask(programs[0], question, [debug]), ("present", ["own[2].name"]) if is_right else
              (lacking, ["!" + lacking]))
        # Its array is here, the elements are there: that is not malformed
        equal(ask(programs[0], question), (lacking, ["!" + lacking]))


def test_damaged():
    """Bytes of the debug information that are changed: answers or reasons, and an end"""
    if no_elfutils():
        raise Skip("built without elfutils")
    tried = 0
    for language in ("c", "c++"):
        if not compilers(language):
            continue
        directory = new_directory()
        program = compile_units(language, compilers(language)[0], ["-gdwarf-5", "-O0", *PLAIN], directory, ["-no-pie"])
        for _ in damaged(program, (".debug_info", ".debug_abbrev"), fewer(240, 6)):
            # ask() complains of any other end than a good one
            ask(program, ["variables", "layout struct node", "layout ns::derived", "member struct node, 0 64",
                          "type row_t", "pointed to_hidden, 8 8"])
            tried += 1
    if not tried:
        raise Skip("no compiler")
    print("# %d damaged programs" % tried)


def test_fortran():
    """Fortran: arrays by columns, COMMON blocks, names of types"""
    if no_elfutils():
        raise Skip("built without elfutils")
    if not find_program("gfortran"):
        raise Skip("no gfortran")
    wrong, right = [], 0
    for flags in (["-gdwarf-4", "-O0"], ["-gdwarf-5", "-O0"], ["-gdwarf-5", "-O2"], ["-gdwarf-5", "-gsplit-dwarf"]):
        program = compile_units("fortran", "gfortran", [*flags, *PLAIN], new_directory(), ["-no-pie"])
        found, bad = compare(program)
        right += found
        wrong += ["%s: %s" % (" ".join(flags), line) for line in bad]
        # As Fortran names a type where it is used
        names = ("shapes::point", "point", "type(point)", "class(point)", "shape", "type(shapes)", "type()", "mytype(point)")
        told = ask(program, ["type " + name for name in names])[1]
        assert re.fullmatch(r"\d+ shapes::point", told[0]), told
        equal(told, [told[0]] * 4 + ["!no type of that name"] * 4, names)
    print("# %d answers right" % right)
    equal(wrong, [])


def test_rust():
    """Rust: reordered structures, variants"""
    if no_elfutils():
        raise Skip("built without elfutils")
    if not find_program("rustc"):
        raise Skip("no rustc")
    wrong, right = [], 0
    for flags in (["-g"], ["-g", "-O"]):
        try:
            program = compile_rust(flags, new_directory())
        except CannotCompile as error:
            raise Skip("rustc cannot compile here: %s" % str(error).splitlines()[-1:])
        found, bad = compare(program)
        right += found
        wrong += ["%s: %s" % (" ".join(flags), line) for line in bad]
    print("# %d answers right" % right)
    equal(wrong, [])


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
