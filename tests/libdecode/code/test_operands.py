#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The type and member that an instruction accesses, by its operand, against programs that note it at each access."""
import collections
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../command/cli"))
sys.path.insert(0, os.path.join(HERE, "../symbols/types"))

import built
import tap
from programs import damaged, find_program, new_directory, run, sections
from quick import fewer, some
from tap import Skip, equal

LIST = os.path.join(os.environ["builddir"], "tests/libdecode/code/list_operands")
SOURCES = {"c": ("operands_c.c", "-std=gnu11"), "c++": ("operands_cc.cc", "-std=c++17")}
# What is to be found at least of all accesses of a program, and wrong at most
FOUND, WRONG = 0.95, 0.01


def program_of(language, compiler, flags):
    """None if the compiler cannot make it"""
    source, standard = SOURCES[language]
    program = os.path.join(new_directory(), "program")
    made = run([compiler, "-w", standard, *flags, "-o", program, os.path.join(HERE, source)])
    if made.returncode:
        print("# %s %s: %s" % (compiler, flags, made.stderr.splitlines()[:1]))
        return None
    return program


def accesses(program):
    """(address, what it is) of all that are noted"""
    with open(program, "rb") as file:
        whole = file.read()
    (at, end), = sections(whole, ("truth",))
    while at < end:
        address, = struct.unpack_from("<Q", whole, at)
        text = whole[at + 8:whole.index(b"\0", at + 8)].decode()
        at += 9 + len(text)
        yield address, text


def ask(program, addresses):
    told = subprocess.run([LIST, program], input="".join("%s\n" % address for address in addresses),
                          stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    return told.stdout.splitlines()


def plain(name):
    """The same type in the words of both compilers"""
    return name.replace("long unsigned int", "unsigned long").replace("long int", "long")


def judge(program):
    """@return (accesses, lines about the wrong, lines about the missing, how many by each evidence)"""
    asked = list(accesses(program))
    answers = ask(program, [hex(address) for address, _ in asked])
    equal(len(answers), len(asked), "answers")
    wrong, missing, evidences = [], [], collections.Counter()
    for (address, truth), answer in zip(asked, answers):
        if answer.startswith("!"):
            missing.append("0x%x %s: %s" % (address, truth, answer[1:]))
            continue
        name, evidence, _ = answer.split("\t")
        evidences[evidence] += 1
        if plain(name) != plain(truth):
            wrong.append("0x%x %s is %s by %s" % (address, name, truth, evidence))
    return len(asked), wrong, missing, evidences


def need():
    built.need("elfutils")
    built.need("zydis")
    if os.uname().machine != "x86_64":
        raise Skip("not x86-64")


def ways(compilers):
    for compiler in filter(find_program, compilers):
        for level in ("-O0", "-O2"):
            for version in ("-gdwarf-4", "-gdwarf-5"):
                yield compiler, level, version


def check(language, compilers):
    need()
    tried, short = 0, []
    for compiler, *flags in some(ways(compilers)):
        program = program_of(language, compiler, flags)
        if not program:
            continue
        tried += 1
        count, wrong, missing, evidences = judge(program)
        found = count - len(missing)
        name = " ".join((compiler, *flags))
        print("# %s: %d accesses, %d found, %d wrong; %s" % (
            name, count, found, len(wrong), ", ".join("%s %d" % row for row in sorted(evidences.items()))))
        if found < FOUND * count or len(wrong) > WRONG * count:
            short.append("%s: %d of %d found, wrong: %s; missing: %s" % (name, found, count, wrong, missing))
    if not tried:
        raise Skip("no compiler can make the program")
    equal(short, [], "programs with too few found, or too many wrong")


def test_c():
    """C: lists, trees, tables, arrays, the frame, saved registers, results of calls"""
    check("c", ("gcc", "clang-14", "clang-19"))


def test_cplusplus():
    """C++: this, references, bases, smart pointers, containers"""
    check("c++", ("g++", "clang++-14", "clang++-19"))


def test_position():
    """A program that is not to be moved has addresses in its instructions"""
    need()
    program = program_of("c", "gcc", ["-O2", "-g", "-fno-pie", "-no-pie"]) if find_program("gcc") else None
    if not program:
        raise Skip("no gcc")
    count, wrong, missing, evidences = judge(program)
    equal((wrong, len(missing) <= (1 - FOUND) * count), ([], True), "%d accesses: %s" % (count, missing))
    equal(evidences["the address of a variable in the instruction"] > 0, True, "by address")


REASONS = """
struct node { long key; struct node *next; };
struct other { double x, y; };
extern long others(struct node *);
long of(struct node *node, void *any, long count, struct node **nodes, struct other *other)
{
	__asm__ volatile("nothing: nop");
	__asm__ volatile("any: mov (%0), %%rcx" : : "r"(any) : "rcx");
	__asm__ volatile("beyond: mov 16(%0), %%rcx" : : "r"(node) : "rcx");
	__asm__ volatile("number: mov (%0), %%rcx" : : "r"(count) : "rcx");
	__asm__ volatile("both: push 8(%0)\\n\\tpop %%rcx" : : "r"(node) : "rcx");
	__asm__ volatile("segment: mov %%fs:0, %%rcx" : : : "rcx");
	__asm__ volatile("twice: movsb" : : "D"(node), "S"(any));
	__asm__ volatile("stack: push %%rcx\\n\\tpop %%rcx" : : : "rcx");
	__asm__ volatile("lost: mov %0, %%rcx\\n\\txor $1, %%rcx\\n\\tlast: mov (%%rcx), %%rcx" : : "r"(node) : "rcx");
	__asm__ volatile("mov %0, %%rcx\\n\\tmov %0, %%rbx\\n\\tcall others\\n\\tcalled: mov (%%rcx), %%rcx\\n\\t"
			 "saved: mov 8(%%rbx), %%rbx" : : "r"(node) : "rax", "rbx", "rcx");
	__asm__ volatile("test %2, %2\\n\\tje 1f\\n\\tmov %0, %%rcx\\n\\tjmp 2f\\n\\t1: mov %1, %%rcx\\n\\t"
			 "2: joined: mov (%%rcx), %%rcx" : : "r"(node), "r"(other), "r"(count) : "rcx");
	return others(node) + others(*nodes) + (long)other->y;
}
long others(struct node *node) { return node->key; }
int main(void) { return 0; }
"""


def test_reasons():
    """What is not known has a reason; of an instruction with two accesses it matters which was sampled"""
    need()
    if not find_program("gcc"):
        raise Skip("no gcc")
    directory = new_directory()
    program = os.path.join(directory, "program")
    with open(program + ".c", "w", encoding="ascii") as file:
        file.write(REASONS)
    made = run(["gcc", "-O1", "-g", "-w", "-o", program, program + ".c"])
    equal(made.returncode, 0, made.stderr)
    symbols = {name: int(address, 16) for address, _, name in
               (line.split() for line in run(["nm", program]).stdout.splitlines() if len(line.split()) == 3)}
    node = "struct node.next\ta pointer variable\tnode"
    expected = {
        "nothing": "!the instruction accesses no memory",
        "any": "!a pointer to nothing in particular (void)",
        "beyond": "!outside of what the pointer points to",
        "number": "!no pointer known in the instruction's registers",
        "both": "!the instruction accesses memory at two places",
        "both r": node,
        "both w": "!saved on the stack by push, pop, call or ret",
        "segment": "!relative to a segment register",
        "twice": "!the instruction accesses memory at two places",
        "stack": "!saved on the stack by push, pop, call or ret",
        "last": "!no pointer known in the instruction's registers",
        "called": "!no pointer known in the instruction's registers",
        "saved": node,
        "joined": "!no pointer known in the instruction's registers",
    }
    asked = ["%d%s" % (symbols[name.split()[0]], name[-2:] if " " in name else "") for name in expected]
    equal(dict(zip(expected, ask(program, asked))), expected, "reasons")
    equal(ask(program, [symbols["beyond"] + 1, 1]),
          ["!no instruction begins there", "!no function known at the instruction"], "addresses of nothing")
    run(["strip", "-g", program])
    equal(ask(program, [symbols["any"]])[0][0], "!", "without debug information")


THREAD = """
struct node { long key; struct node *next; };
_Thread_local struct node own = { 1 }, cleared[3];
_Thread_local long many[40];
_Thread_local char last __attribute__((aligned(64)));
long of(long count)
{
	__asm__ volatile("member: mov %0, %%rcx" : : "m"(own.next) : "rcx");
	__asm__ volatile("element: mov %0, %%rcx" : : "m"(cleared[2].key) : "rcx");
	__asm__ volatile("indexed: mov %0, %%rcx" : : "m"(many[count]) : "rcx");
	__asm__ volatile("last_one: movb %0, %%cl" : : "m"(last) : "rcx");
	__asm__ volatile("canary: mov %%fs:40, %%rcx" : : : "rcx");
	__asm__ volatile("before: mov %%fs:-8000, %%rcx" : : : "rcx");
	__asm__ volatile("of_kernel: mov %%gs:-8, %%rcx" : : : "rcx");
	return many[count];
}
int main(int count, char **words) { return (int)of(count); }
"""


def test_thread():
    """A program's own thread-local variables, by their distance from where fs points"""
    need()
    if not find_program("gcc"):
        raise Skip("no gcc")
    own = "the address of a variable in the instruction"
    expected = {
        "member": "struct node.next\t%s\town" % own,
        "element": "struct node.key\t%s\tcleared" % own,
        "indexed": "long int\t%s\tmany" % own,
        "last_one": "char\t%s\tlast" % own,
    } | dict.fromkeys(("canary", "before", "of_kernel"), "!relative to a segment register")
    for flags in ["-fno-pie", "-no-pie"], ["-fpie", "-pie"]:
        program = os.path.join(new_directory(), "program")
        with open(program + ".c", "w", encoding="ascii") as file:
            file.write(THREAD)
        made = run(["gcc", "-O1", "-g", "-w", *flags, "-o", program, program + ".c"])
        equal(made.returncode, 0, made.stderr)
        symbols = {name: int(address, 16) for address, _, name in
                   (line.split() for line in run(["nm", program]).stdout.splitlines() if len(line.split()) == 3)}
        equal(dict(zip(expected, ask(program, [symbols[name] for name in expected]))), expected, flags[0])


def test_damaged():
    """Bytes of the debug information and the code that are changed: answers or reasons, and an end"""
    need()
    tried = 0
    for language, compiler in (("c", "gcc"), ("c++", "g++")):
        program = program_of(language, compiler, ["-O2", "-gdwarf-5"]) if find_program(compiler) else None
        if not program:
            continue
        asked = [hex(address) for address, _ in accesses(program)]
        for _ in damaged(program, (".debug_info", ".debug_abbrev", ".debug_loclists", ".debug_rnglists", ".text"),
                         fewer(200, 20)):
            ask(program, asked)
            tried += 1
    if not tried:
        raise Skip("no compiler can make the program")
    print("# %d damaged programs" % tried)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
