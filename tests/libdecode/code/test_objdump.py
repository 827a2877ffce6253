#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lengths, mnemonics, branches and targets of all instructions of Debian's binaries, and blocks, against objdump.

Where the two differ in what they call an instruction, the table below has both names: no other difference is allowed.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../command/cli"))

import tap
from quick import some
from tap import Skip, equal

HERE = sys.modules[__name__]
BLOCKS = os.path.join(os.environ["builddir"], "tests/libdecode/code/list_blocks")
LIST = os.path.join(os.environ["builddir"], "tests/libdecode/code/list_instructions")
LIBRARIES = "/lib/x86_64-linux-gnu"
# Scalar and vector code, string functions for each level of AVX, mathematics with FMA
BINARIES = ["/bin/bash", LIBRARIES + "/libm.so.6", LIBRARIES + "/libc.so.6", "/usr/bin/perl", "/usr/bin/openssl",
            LIBRARIES + "/libstdc++.so.6", LIBRARIES + "/libz.so.1", "/usr/bin/git"]

ROW = re.compile(r"^\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t(.*)$")
PREFIX = re.compile(r"^(lock|repz?|repnz|bnd|notrack|data16|addr32|[c-gs]s|rex(\.[WRXB]+)?|xacquire|xrelease)$")
# Where offsets are addresses
WITH_FUNCTIONS = [LIBRARIES + "/libc.so.6", LIBRARIES + "/libz.so.1"]
GOES_ON = ("conditional", "call", "indirect call", "system call")
BRANCHES = ["none", "conditional", "unconditional", "indirect jump", "call", "indirect call", "return",
            "system call", "halt or trap"]

# --- names of objdump and Zydis that differ ---
# Conditions: jne and jnz
CONDITIONS = {"e": "z", "ne": "nz", "ae": "nb", "a": "nbe", "ge": "nl", "g": "nle"}
CONDITIONAL = re.compile(r"^(j|set|cmov)(e|ne|ae|a|ge|g)$")
# Operand sizes that Intel's names have and objdump writes at the operand
SIZED = {"stos", "movs", "lods", "scas", "cmps", "ins", "outs"}
SIZES = {"BYTE": "b", "WORD": "w", "DWORD": "d", "QWORD": "q"}
# Predicates in the name: of the opcodes that have one in their last byte
EVEX_WITH_PREDICATE = re.compile(r"^62.{6}(1e|1f|3e|3f)")
COMPARED = re.compile(r"^vpcmp(?:eq|lt|le|neq|nlt|nle)(u?)([bwdq])$")
COMPARED_FLOATS = re.compile(r"^(v?cmp)[a-z_]+([ps][sdh])$")
# A wait of its own before what does not wait
WAITS = {"fstsw", "fstcw", "finit", "fclex", "fstenv", "fsave"}
SELECTED = re.compile(r"^(v?)pclmul[hl]q[hl]qdq$")
OTHERS = {"movabs": "mov", "retf": "ret", "pushf": "pushfq", "popf": "popfq"}


def note(text):
    print("# " + text)


def listing(path):
    """(address, bytes, text) of each instruction"""
    done = subprocess.run(["objdump", "-d", "-w", "-M", "intel", "--insn-width=16", path], capture_output=True,
                          text=True, check=True, env={**os.environ, "LC_ALL": "C"})
    found = (ROW.match(line) for line in done.stdout.split("\n"))
    return [(int(match[1], 16), match[2].replace(" ", ""), match[3]) for match in found if match]


def name_of(text):
    """As objdump has it, without prefixes; and the operands"""
    words = text.split()
    while len(words) > 1 and PREFIX.match(words[0]):
        words = words[1:]
    return re.sub(r",p[nt]$", "", words[0]), " ".join(words[1:])


def expected_name(name, operands, code):
    """As Zydis has it"""
    conditional = CONDITIONAL.match(name)
    if conditional:
        return conditional[1] + CONDITIONS[conditional[2]]
    if name in SIZED:
        return name + SIZES[re.search(r"(\w+) PTR", operands)[1]]
    compared = COMPARED.match(name)
    if compared and EVEX_WITH_PREDICATE.match(code):
        return "vpcmp%s%s" % (compared[1], compared[2])
    floats = COMPARED_FLOATS.match(name)
    if floats:
        return floats[1] + floats[2]
    selected = SELECTED.match(name)
    if selected:
        return selected[1] + "pclmulqdq"
    if name == "xchg" and re.match(r"^(66)*90$", code):
        return "nop"
    return OTHERS.get(name, name)


def expected_branch(name, operands):
    """The kind of branch and the target that objdump's text tells"""
    target = re.match(r"^([0-9a-f]+)\b", operands)
    direct = int(target[1], 16) if target and name not in ("ret", "retf") else None
    if name == "jmp":
        return ("unconditional", direct) if direct is not None else ("indirect jump", None)
    if name == "call":
        return ("call", direct) if direct is not None else ("indirect call", None)
    if re.match(r"^(j|loop|xbegin|xabort)", name):
        return "conditional", None if name == "xabort" else direct
    if name.startswith(("ret", "iret", "sysret", "sysexit")):
        return "return", None
    if name in ("syscall", "int"):
        return "system call", None
    if name in ("hlt", "ud0", "ud1", "ud2", "int1", "int3", "icebp", "sysenter"):
        return "halt or trap", None
    return "none", None


def asked(rows):
    """What our decoder is given: the bytes of an instruction, and what follows them"""
    for at, (address, code, _) in enumerate(rows):
        follows = at
        while len(code) < 30 and follows + 1 < len(rows) and \
                rows[follows + 1][0] == rows[follows][0] + len(rows[follows][1]) // 2:
            follows += 1
            code += rows[follows][1]
        yield "%x %s" % (address, code[:32])


def decoded(rows):
    """(length, mnemonic, branch, target) of each"""
    done = subprocess.run([LIST, "64"], input="\n".join(asked(rows)) + "\n", capture_output=True, text=True,
                          check=True)
    for line in done.stdout.splitlines():
        length, name, branch, target = line.split()
        yield int(length), name, BRANCHES[int(branch)], int(target, 16)


def compare(path):
    """Counts of what differs, and an example of each"""
    rows, wrong, examples = listing(path), collections.Counter(), {}
    found = list(decoded(rows))
    equal(len(found), len(rows), "rows of %s" % path)
    for (address, code, text), (length, mnemonic, branch, target) in zip(rows, found):
        name, operands = name_of(text)
        kind, direct = expected_branch(name, operands)
        ours = (length, mnemonic, branch, target)
        theirs = (len(code) // 2, expected_name(name, operands, code), kind, direct or 0)
        if name in WAITS and code.startswith("9b"):
            theirs = (1, "fwait", "none", 0)
        if ours == theirs:
            continue
        wrong[(name, mnemonic)] += 1
        examples.setdefault((name, mnemonic), "%x %s %r: %r, not %r" % (address, code, text, ours, theirs))
    return len(rows), wrong, examples


def cut(path, starts):
    """Blocks that are reached from these offsets, of objdump's listing: {offset: what list_blocks prints}"""
    code = {}
    for address, digits, text in listing(path):
        kind, target = expected_branch(*name_of(text))
        code[address] = (len(digits) // 2, kind, target)
    entries, waiting = set(starts), list(starts)
    while waiting:
        at, kind = waiting.pop(), "none"
        while kind == "none" and at in code:
            length, kind, target = code[at]
            at += length
        follow = [target] if kind in ("conditional", "unconditional") and target is not None else []
        follow += [at] if kind in GOES_ON else []
        waiting += [entry for entry in follow if entry not in entries]
        entries.update(follow)
    return {entry: block_of(code, entries, entry) for entry in entries}


def block_of(code, entries, start):
    at, count, kind, target = start, 0, "none", None
    while kind == "none" and at in code and (at == start or at not in entries):
        length, kind, target = code[at]
        at += length
        count += 1
    behind = at if kind in GOES_ON + ("none",) and at in entries else -1
    goes_to = target if target in entries and kind != "none" else -1
    return [start, at - start, count, BRANCHES.index(kind), behind, goes_to]


def functions(path):
    """Offsets of the functions that its dynamic symbols name"""
    done = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"})
    return sorted({int(row[0], 16) for row in map(str.split, done.stdout.splitlines())
                   if "DF" in row and ".text" in row})


def needed():
    if "zydis" in os.environ.get("PRECIS_WITHOUT", "").split():
        raise Skip("built without Zydis")
    if not shutil.which("objdump"):
        raise Skip("no objdump")


def test_blocks():
    """Blocks are those that objdump's listing has, from the functions on that others can call"""
    needed()
    if "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split():
        raise Skip("built without elfutils")
    path = next((path for path in WITH_FUNCTIONS if os.path.exists(path)), None)
    if not path:
        raise Skip("none of Debian's libraries is here")
    starts = functions(path)
    done = subprocess.run([BLOCKS, path], input="\n".join(map(str, starts)), capture_output=True, text=True,
                          check=True)
    found = {row[0]: row for row in ([int(word) for word in line.split()] for line in done.stdout.splitlines())}
    expected = cut(path, starts)
    for start in sorted(set(found) | set(expected)):
        equal(found.get(start), expected.get(start), "block at %x" % start)
    note("%d blocks from %d functions of %s" % (len(found), len(starts), path))
    equal(len(found) > 1000, True, "enough blocks were compared")


def test_binaries():
    """Every instruction is as long as objdump has it, and has its name, kind of branch and target"""
    needed()
    paths = [path for path in BINARIES if os.path.exists(path)]
    if not paths:
        raise Skip("none of Debian's binaries is here")
    compared = 0
    for path in some(paths):
        count, wrong, examples = compare(path)
        compared += count
        for pair, times in wrong.most_common(20):
            note("%s: %d times %s" % (path, times, examples[pair]))
        equal(sum(wrong.values()), 0, "instructions of %s that differ" % path)
    note("%d instructions of %d binaries" % (compared, len(some(paths))))
    equal(compared > 10000, True, "enough instructions were compared")


sys.exit(tap.main(HERE))
