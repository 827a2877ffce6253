#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The type of a heap block by the calls that allocated it, against programs that say it at each site."""
import collections
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../command/cli"))
sys.path.insert(0, HERE)

import tap
from programs import ask, damaged, find_program, new_directory, run, sections, truth_of
from quick import fewer
from tap import Skip, equal

SOURCES = {"c": "allocations_c.c", "c++": "allocations_cc.cc", "ways": "allocations_ways.c"}
WRAP = ["-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign"]
# What is to be found at least, and wrong at most, of all sites. Without optimization a call of a constructor
# that a library instantiated, as those of strings, says nothing of what it calls.
FOUND = {("c", "-O0"): 0.70, ("c", "-O2"): 0.70, ("c++", "-O0"): 0.85, ("c++", "-O2"): 0.95}
WRONG = 0.01
# The same type in the words of several compilers
WORDS = (
    (r"\blong int\b", "long"),
    (r"\bshort int\b", "short"),
    (r"\bconst (\w+)\b", r"\1 const"),
    (r"\(__gnu_cxx::_Lock_policy\)2|__gnu_cxx::_S_atomic", "2"),
    (r"^_Sp_cp_type$", "std::_Sp_counted_ptr_inplace<app::particle, std::allocator<void>, 2>"),
)


# A unit of two sections, before and behind that of the program: addresses and ranges are not the first, nor the last
NEIGHBOUR = """
static volatile long total;
static inline void add(long by) { for (long n = 0; n < by; n++) total += n; }
__attribute__((section(".text.one"))) void NAME_one(void) { add(3); total++; add(4); }
__attribute__((section(".text.two"))) void NAME_two(void) { add(5); total++; add(6); }
"""


def built(language, compiler, flags):
    """
    A program with its recorder; None if the compiler cannot make one. It is compiled once; who asks again has it in
    the same place, which a split file is found by, and all files as they were.
    """
    key = language, compiler, frozenset(flags)
    if key not in _built:
        directory = compiled(language, compiler, flags)
        _built[key] = directory, directory and shutil.copytree(directory, new_directory(), dirs_exist_ok=True)
    directory, kept = _built[key]
    if not directory:
        return None
    shutil.rmtree(directory)
    shutil.copytree(kept, directory)
    return os.path.join(directory, "program")


_built = {}


def compiled(language, compiler, flags):
    """@return the directory with the program and its objects; None: see above"""
    directory = new_directory()
    source = SOURCES[language]
    commands = [
        ["gcc", "-O1", "-g0", "-w", "-c", "-o", "record.o", os.path.join(HERE, "record_allocations.c")],
        [compiler, "-w", "-fno-pie", "-std=" + ("c++17" if language == "c++" else "gnu11"), *flags, "-c", "-o",
         "sites.o", os.path.join(HERE, source)],
        *([compiler, "-w", "-fno-pie", *flags, "-x", "c", "-DNAME_one=%s_one" % name, "-DNAME_two=%s_two" % name, "-c",
           "-o", name + ".o", "neighbour.c"] for name in ("before", "behind")),
        [compiler, "-no-pie", *WRAP, "-o", "program", "before.o", "sites.o", "behind.o", "record.o"],
    ]
    with open(os.path.join(directory, "neighbour.c"), "w", encoding="ascii") as file:
        file.write(NEIGHBOUR)
    for command in commands:
        made = run(command, cwd=directory)
        if made.returncode:
            print("# %s: %s" % (" ".join(command), made.stderr.splitlines()[:1]))
            return None
    return directory


def plain(name):
    for pattern, text in WORDS:
        name = re.sub(pattern, text, name)
    return name


def sites(program):
    """A question for each site, once, and the type that is there"""
    told = collections.OrderedDict()
    for line in truth_of(program):
        question, truth = line.split(";")
        told.setdefault((question.split(" ", 2)[2], truth), question)
    return [(question, truth) for (_, truth), question in told.items()]


def judge_split(name, compiled, told):
    """The same program with split files tells the same"""
    if not compiled:
        print("# %s: not compiled with split files" % name)
        return []
    return [] if judge(compiled) == told else ["%s, split: %s; not split: %s" % (name, judge(compiled), told)]


def judge(program):
    """@return (sites, those found, lines about the wrong, lines about the missing, evidences)"""
    asked = sites(program)
    answers = ask(program, [question for question, _ in asked])[1]
    wrong, missing, evidences = [], [], collections.Counter()
    for (question, truth), answer in zip(asked, answers):
        if answer.startswith("!"):
            missing.append("%s: %s" % (truth, question))
            continue
        name, evidence = answer.split(";")
        evidences[evidence] += 1
        if plain(name) != plain(truth):
            wrong.append("%s by its %s, which is %s: %s" % (name, evidence, truth, question))
    return len(asked), len(asked) - len(missing), wrong, missing, evidences


def need():
    if "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split():
        raise Skip("built without elfutils")
    if os.uname().machine != "x86_64" or not find_program("gcc"):
        raise Skip("no gcc, or not x86-64")


def check(language, compilers):
    need()
    tried, short = 0, []
    for compiler in filter(find_program, compilers):
        for level in ("-O0", "-O2"):
            for version in ("-gdwarf-4", "-gdwarf-5"):
                program = built(language, compiler, [level, version])
                if not program:
                    continue
                tried += 1
                told = count, found, wrong, missing, evidences = judge(program)
                name = "%s %s %s" % (compiler, level, version)
                print("# %s: %d sites, %d found, %d wrong; %s" % (
                    name, count, found, len(wrong), ", ".join("%s %d" % row for row in sorted(evidences.items()))))
                if os.environ.get("TYPES_VERBOSE"):
                    print("".join("#   wrong: %s\n" % line for line in wrong) +
                          "".join("#   missing: %s\n" % line for line in missing), end="")
                if found < FOUND[language, level] * count or len(wrong) > WRONG * count:
                    short.append("%s: %d of %d found, wrong: %s; missing: %s" % (name, found, count, wrong, missing))
                short += judge_split(name, built(language, compiler, [level, version, "-gsplit-dwarf"]), told)
                if (language, level, version) == ("c++", "-O2", "-gdwarf-5"):
                    flags = [level, version, "-fdebug-types-section"]
                    whole, split = (built(language, compiler, [*flags, *more]) for more in ([], ["-gsplit-dwarf"]))
                    short += judge_split(name + ", units of types", split, judge(whole))
    if not tried:
        raise Skip("no compiler can make the program")
    equal(short, [], "programs with too few found, or too many wrong")


def test_c():
    """C: results that go to variables, members, elements, parameters, and are returned"""
    check("c", ("gcc", "clang-14", "clang-19"))


def test_cplusplus():
    """C++: containers, smart pointers, strings"""
    check("c++", ("g++", "clang++-14", "clang++-19"))


def test_ways():
    """C: blocks that are given by arguments, taken as characters, divided, or longer than a structure"""
    need()
    tried, differ = 0, []
    for compiler in filter(find_program, ("gcc", "clang-14", "clang-19")):
        for level in ("-O0", "-O1", "-O2"):
            program = built("ways", compiler, [level, "-gdwarf-5"])
            if not program:
                continue
            tried += 1
            asked = sites(program)
            for (question, truth), answer in zip(asked, ask(program, [question for question, _ in asked])[1]):
                if plain(answer.split(";")[0]) != truth:
                    differ.append("%s %s: %s is told to be %s: %s" % (compiler, level, truth, answer, question))
    if not tried:
        raise Skip("no compiler can make the program")
    equal(differ, [], "blocks")


def compiled_rust(flags):
    """@return the path of the program; None if the compiler cannot make it"""
    directory = new_directory()
    commands = [["gcc", "-O1", "-g0", "-w", "-fno-pie", "-c", "-o", "record.o", os.path.join(HERE, "record_allocations.c")],
                ["rustc", "--edition", "2021", "-Aunused", "-g", *flags, "-Cforce-frame-pointers=yes",
                 "-Crelocation-model=static", "-Clink-arg=-no-pie", "-Clink-arg=record.o",
                 *("-Clink-arg=" + option for option in WRAP), "-o", "program", os.path.join(HERE, "allocations_rust.rs")]]
    for command in commands:
        made = run(command, cwd=directory)
        if made.returncode:
            print("# %s: %s" % (" ".join(command), made.stderr.splitlines()[:1]))
            return None
    return os.path.join(directory, "program")


def test_rust():
    """Rust: what is told of blocks of its containers is right, or nothing is told"""
    need()
    if not find_program("rustc"):
        raise Skip("no rustc")
    tried, wrong = 0, []
    for level in ("-Copt-level=0", "-Copt-level=3"):
        program = compiled_rust([level])
        if not program:
            continue
        tried += 1
        asked = sites(program)
        answers = ask(program, [question for question, _ in asked])[1]
        found = [(answer.split(";")[0], truth, question) for (question, truth), answer in zip(asked, answers)
                 if not answer.startswith("!")]
        print("# %s: %d sites, %d found" % (level, len(asked), len(found)))
        wrong += [(level, *row) for row in found if not re.fullmatch(row[1], row[0])]
        if level == "-Copt-level=3":
            assert {"f64", "u32"} <= {name for name, _, _ in found} and len(found) > 4, found
    if not tried:
        raise Skip("rustc cannot make the program here")
    equal(wrong, [], "blocks of another type")


# Sections to be damaged: of a program, of a split file, of what a program has for its split files
WHOLE = (".debug_info", ".debug_abbrev", ".debug_loclists", ".debug_rnglists", ".text")
SPLIT = (".debug_info.dwo", ".debug_abbrev.dwo", ".debug_loclists.dwo", ".debug_str_offsets.dwo")
LENT = (".debug_info", ".debug_abbrev", ".debug_addr")
INDEX = (".debug_cu_index", ".debug_tu_index", ".debug_str_offsets.dwo")

SAID = """struct point { double x, y, z; } sample_point;
void *malloc(unsigned long);
extern void sink(void *);
void *site(void) { void *block = malloc(sizeof(struct point)); sink(block); return block; }
"""
CALL_ORIGIN = r"\t\.uleb128 0x7f\b.*\n"
NO_SPLIT_FILE = "!in a split debug file (.dwo) that was not found or is another one"
PACKAGE = "!in a package of split debug files (.dwp) that cannot be read"
ALLOC_TYPE = "\t.uleb128 0x3e0e\n"


def test_no_split_file():
    """Without its split file, or with that of another compilation, there is a reason"""
    need()
    program = built("c", "gcc", ["-O2", "-gdwarf-5", "-gsplit-dwarf"])
    split = os.path.join(os.path.dirname(program), "sites.dwo")
    questions = [question for question, _ in sites(program)]
    other = os.path.join(os.path.dirname(built("c", "gcc", ["-O0", "-gdwarf-5", "-gsplit-dwarf"])), "sites.dwo")
    os.rename(other, split)
    for _ in range(2):
        equal(set(ask(program, questions)[1]), {NO_SPLIT_FILE}, "answers")
        if os.path.exists(split):
            os.unlink(split)


def put_in_package(program, pack):
    """Its split files, which are gone then"""
    directory = os.path.dirname(program)
    made = run([pack, "-e", program, "-o", program + ".dwp"], cwd=directory)
    equal((made.returncode, made.stderr), (0, ""), pack)
    for name in os.listdir(directory):
        if name.endswith(".dwo"):
            os.unlink(os.path.join(directory, name))


def packed(language, compiler, pack, flags):
    """A program, and what is told of it by its split files; these are in a package then, and gone"""
    program = built(language, compiler, ["-O2", "-gsplit-dwarf", *flags]) if find_program(compiler) else None
    if not program or not pack:
        return None
    told = judge(program)
    put_in_package(program, pack)
    return program, told


# GNU's form before version 5, and DWARF 5's, which dwp(1) of binutils 2.40 does not write; type units are found by
# another index
PACKED = (("c", "gcc", "gdwarf-4", "dwp"), ("c", "clang-14", "gdwarf-5", "llvm-dwp-14"),
          ("c++", "g++", "gdwarf-4", "dwp"), ("c++", "clang++-14", "gdwarf-5", "llvm-dwp-14"),
          ("c++", "g++", "gdwarf-4 fdebug-types-section", "dwp"),
          ("c++", "clang++-14", "gdwarf-5 fdebug-types-section", "llvm-dwp-14"))


def test_package():
    """A package of split files tells what these told"""
    need()
    tried, differ = 0, []
    for language, compiler, flags, pack in PACKED:
        made = packed(language, compiler, find_program(pack), ["-" + flag for flag in flags.split()])
        if not made:
            continue
        tried += 1
        program, told = made
        print("# %s -%s: %d of %d found" % (compiler, flags, told[1], told[0]))
        if judge(program) != told or not told[1]:
            differ.append((compiler, flags, told, judge(program)))
        questions = [question for question, _ in sites(program)]
        with open(program + ".dwp", "r+b") as file:
            (begin, _), = sections(file.read(), (".debug_cu_index",))
            file.seek(begin)
            file.write(b"\7")
        equal(set(ask(program, questions)[1]), {PACKAGE}, "a package of another version")
        os.truncate(program + ".dwp", begin)
        equal(set(ask(program, questions)[1]), {PACKAGE}, "the beginning of a package")
    if not tried:
        raise Skip("no program that makes packages of split files")
    equal(differ, [], "packages that tell something else")


def test_package_of_many():
    """Of so many units that their ids are in each other's way in the index"""
    need()
    pack, count = find_program("dwp"), 60
    if not pack:
        raise Skip("no dwp")
    directory = new_directory()
    for n in range(count):
        with open(os.path.join(directory, "u%d.c" % n), "w", encoding="ascii") as file:
            file.write("struct s%d { int a[%d]; struct s%d *next; } v%d;\n" % (n, n + 1, n, n))
            if not n:
                file.write("int main(void) { return 0; }\n")
    flags = ["-w", "-gdwarf-4", "-gsplit-dwarf", "-no-pie"]
    made = [run(["gcc", *flags, "-c", *("u%d.c" % n for n in range(count))], cwd=directory),
            run(["gcc", *flags, "-o", "program", *("u%d.o" % n for n in range(count))], cwd=directory)]
    equal([each.returncode for each in made], [0, 0], made)
    program = os.path.join(directory, "program")
    told = ask(program, ["variables"])
    put_in_package(program, pack)
    equal(ask(program, ["variables"]), told)
    types = {tuple(row.split(";")[1:]) for row in told[1][0]}
    equal([n for n in range(count) if ("v%d" % n, "struct s%d" % n) not in types], [], "types of variables")


def said(split):
    """What the compiler says of a call (LLVM 21): here it is written over which function the call calls"""
    directory = new_directory()
    with open(os.path.join(directory, "said.c"), "w", encoding="ascii") as file:
        file.write(SAID)
    options = ["-O2", "-gdwarf-5", "-fno-pie", "-ffreestanding"]
    made = run(["gcc", *options, *split, "-dA", "-S", "-o", "said.s", "said.c"], cwd=directory)
    equal((made.returncode, made.stderr), (0, ""), "gcc")
    with open(os.path.join(directory, "said.s"), encoding="utf-8") as file:
        text = file.read()
    structure = re.search(r"\(DIE \((0x[0-9a-f]+)\) DW_TAG_structure_type\)", text)[1]
    text = re.sub(CALL_ORIGIN, ALLOC_TYPE, text)
    text = re.sub(r"\.long\t\S+(\t# DW_AT_call_origin)", ".long\t%s\\1" % structure, text)
    with open(os.path.join(directory, "said.s"), "w", encoding="utf-8") as file:
        file.write(text)
    for command in (["-c", "-o", "said.o", "said.s"],
                    ["-nostdlib", "-no-pie", "-Wl,-e,site", "-Wl,--defsym,malloc=0x401000,--defsym,sink=0x401000",
                     "-o", "said", "said.o"]):
        made = run(["gcc", *split, *command], cwd=directory)
        equal(made.returncode, 0, made.stderr)
    listed = run(["objdump", "-d", "--no-show-raw-insn", "said"], cwd=directory).stdout
    behind = re.search(r"\tcall.*\n\s*([0-9a-f]+):", listed)[1]
    program = os.path.join(directory, "said")
    equal(ask(program, ["allocation 24 0x" + behind, "allocation 25 0x" + behind])[1],
          ["struct point;call", "!not described by the debug information"])


def test_said():
    """What the compiler says of a call"""
    need()
    said([])


def test_said_split():
    """Likewise in a split file"""
    need()
    said(["-gsplit-dwarf"])


def damage_all(program, name, damage):
    """@return how many damaged files were asked; none without a program"""
    if not program:
        return 0
    questions = [question for question, _ in sites(program)]
    tried = 0
    for _ in damaged(os.path.join(os.path.dirname(program), name), damage, fewer(200, 6)):
        ask(program, questions)
        tried += 1
    return tried


def test_damaged():
    """Bytes of the debug information and the code that are changed: answers or reasons, and an end"""
    need()
    tried = 0
    for language, compiler, split, name, damage in (
            ("c", "gcc", [], "program", WHOLE), ("c++", "g++", [], "program", WHOLE),
            ("c", "gcc", ["-gsplit-dwarf"], "sites.dwo", SPLIT), ("c++", "g++", ["-gsplit-dwarf"], "program", LENT)):
        program = built(language, compiler, ["-O2", "-gdwarf-5", *split]) if find_program(compiler) else None
        tried += damage_all(program, name, damage)
    made = packed("c++", "g++", find_program("dwp"), ["-gdwarf-4", "-fdebug-types-section"])
    tried += damage_all(made and made[0], "program.dwp", INDEX)
    if not tried:
        raise Skip("no compiler can make the program")
    print("# %d damaged programs" % tried)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
