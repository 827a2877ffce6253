#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_patched.py DIRECTORY: kernel code that was changed in the middle of a recording (guest/patched.sh). What
precis mix shows of the blocks that ran before, meanwhile and after is the code that /proc/kcore had then, as objdump
disassembles it, where the kernel wrote TEXT_POKE records, too: static keys, a traced function, a probe, what calls of
a tracepoint call, and the code that tracer and probe have made.

Samples are of cpu-clock, which does not count instructions, so that precis mix refuses them: the copy that it is given
calls them samples of instructions. Code, times, addresses and records are the kernel's.
"""
import bisect
import collections
import json
import os
import re
import shutil
import struct
import sys
import tempfile

from scenario import PERF, PRECIS, done, equal, ok, output, skip_all, steps

PHASES = "before", "meanwhile", "after"
# Functions whose code the scenario changes, and what it does there; of each some block has to have run in each phase
CHANGED = {"vfs_read": "traced function", "pipe_write": "probe", "kmem_cache_alloc": "static key of a tracepoint"}
MADE = "ftrace_trampoline", "kprobe_optinsn_page"
# No instruction of the kernel's begins with them, so that what follows them is disassembled from its first byte on
APART = b"\x90" * 16


class Text:
    """What kernel_text saved"""

    def __init__(self, path):
        self.ranges = []
        with open(path, "rb") as file:
            data = file.read()
        at = 0
        while at < len(data):
            start, count = struct.unpack_from("<QQ", data, at)
            self.ranges.append((start, data[at + 16:at + 16 + count]))
            at += 16 + count
        self.ranges.sort()

    def code(self, address, count):
        n = bisect.bisect_right(self.ranges, (address, b"\xff" * 16)) - 1
        start, data = self.ranges[n] if n >= 0 else (address, b"")
        found = data[address - start:address - start + count]
        return found if len(found) == count else None


def as_instructions(directory, copy):
    """The same recording, in which cpu-clock (software event 0) is the hardware's event 1"""
    shutil.copytree(os.path.join(directory, "patched.data"), copy)
    path = os.path.join(copy, "data")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    attr_bytes, at, count = struct.unpack_from("<QQQ", data, 16)
    changed = 0
    for n in range(at, at + count, attr_bytes):
        if struct.unpack_from("<I4xQ", data, n) == (1, 0):
            struct.pack_into("<I4xQ", data, n, 0, 1)
            changed += 1
    assert changed == 1, changed
    with open(path, "wb") as file:
        file.write(data)
    return copy


def window(text, phase):
    """When the code was certainly that which was saved: from the end of saving it to the begin of doing so again"""
    first = re.search(r"^@text %s begin \d+ (\d+)$" % phase, text, re.M)
    last = re.search(r"^@text %s end (\d+) \d+$" % phase, text, re.M)
    return int(first[1]), int(last[1])


def seconds(nanoseconds):
    return "%d.%09d" % divmod(nanoseconds, 10 ** 9)


Block = collections.namedtuple("Block", "function address bytes instructions samples")


def blocks(data, *more):
    """Of the kernel, with their code"""
    page = json.loads(output(PRECIS, "mix", "--method", "ebs", "--format", "json", "--syntax", "intel", "--top", "1",
                             "--blocks", "100000", *more, data))
    found = []
    for n, row in enumerate(page["blocks"]["rows"], 1):
        code = page["code" if n == 1 else "code_%d" % n]["rows"]
        address = int(code[0]["row"], 16)
        if address >> 63:
            found.append(Block(re.match(r"[^+ ]*", row["place"])[0], address, row["bytes"],
                               [(int(line["row"], 16) - address, line["instruction"]) for line in code],
                               row["samples"]))
    return found


def name_of(instruction):
    """Its mnemonic, without prefixes"""
    words = re.sub(r"\{[^}]*\}|<.*", "", instruction).split()
    while len(words) > 1 and words[0] in ("lock", "rep", "repz", "repe", "repne", "repnz", "bnd", "cs", "ds", "es",
                                          "data16", "notrack", "rex.W"):
        words.pop(0)
    return words[0]


def disassembled(codes):
    """[[(offset, mnemonic)]] of each piece of code, by objdump"""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(code + APART for code in codes))
        file.flush()
        text = output("objdump", "-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", "-w",
                      "--no-show-raw-insn", file.name)
    lines = [(int(address, 16), name_of(what)) for address, what in
             re.findall(r"^\s*([0-9a-f]+):\s+(\S.*)$", text, re.M)]
    found, n, start = [], 0, 0
    for code in codes:
        found.append([])
        while n < len(lines) and lines[n][0] < start + len(code) + len(APART):
            if lines[n][0] < start + len(code):
                found[-1].append((lines[n][0] - start, lines[n][1]))
            n += 1
        start += len(code) + len(APART)
    return found


def same(ours, theirs):
    """Is it the same mnemonic? Zydis says the operand's size where objdump does not."""
    return ours == theirs or (ours, theirs) in (("nop", "xchg"), ("mov", "movabs")) or (
        re.match(r"(movs|stos|lods|scas|cmps|pushf|popf)[bwdq]$", ours) and ours[:-1] == theirs)


def check_code(phase, found, text):
    """Of all blocks, those of which nothing was saved too"""
    codes = [text.code(block.address, block.bytes) for block in found]
    equal([block for block, code in zip(found, codes) if code is None], [],
          "%s: all code of the kernel that ran was in /proc/kcore" % phase)
    wrong = []
    for block, right in zip(found, disassembled([code or b"" for code in codes])):
        ours = [(offset, name_of(what)) for offset, what in block.instructions]
        if len(ours) != len(right) or any(a[0] != b[0] or not same(a[1], b[1]) for a, b in zip(ours, right)):
            wrong.append("%s at %#x: %s; objdump: %s" % (block.function, block.address, ours, right))
    ok(found and not wrong, "%s: %d blocks have the code that objdump finds in memory" % (phase, len(found)), *wrong[:5])


def changes(old, new):
    """{address} of bytes that were changed, of what was there"""
    found = set()
    for start, data in old.ranges:
        now = new.code(start, len(data))
        found |= {start + n for n in range(len(data)) if data[n] != now[n]} if now != data else set()
    return found


def poked(data):
    """{address: {bytes}}, old and new ones, of the records that stock perf prints"""
    text = output(PERF, "script", "-i", data, "--show-text-poke-events")
    found = collections.defaultdict(set)
    for address, *lines in re.findall(r"PERF_RECORD_TEXT_POKE ([0-9a-f]+).*\n\s+Old bytes:(.*)\n\s+New bytes:(.*)", text):
        for line in lines:
            for n, byte in enumerate(line.split()):
                found[int(address, 16) + n].add(int(byte, 16))
    return found


def touched(found, places):
    """Blocks with changed code, by function, which samples are in"""
    by_function = collections.defaultdict(list)
    for block in found:
        if block.samples and any(block.address + n in places for n in range(block.bytes)):
            by_function[block.function].append(block)
    return by_function


def instructions(found, places):
    """{(address, instruction)} of instructions that begin where code was changed"""
    return {(block.address + offset, what) for block in found for offset, what in block.instructions
            if block.address + offset in places}


def check_records(data, texts, places):
    """The kernel's records have each byte that was changed, as it was and as it became"""
    records = poked(data)
    missing = [hex(address) for address in sorted(places)
               if not {texts[phase].code(address, 1)[0] for phase in PHASES[:2]} <= records[address]]
    ok(places and not missing, "%d bytes of the kernel's own text were changed, all of them told by TEXT_POKE" %
       len(places), *missing[:5])


def check_phases(data, printed, texts, places):
    """@return {phase: blocks}"""
    found = {}
    for phase in PHASES:
        begin, end = window(printed, phase)
        found[phase] = blocks(data, "--time", "%s,%s" % (seconds(begin), seconds(end)))
        check_code(phase, found[phase], texts[phase])
        ran = touched(found[phase], places)
        for function, why in CHANGED.items():
            ok(ran[function], "%s: samples are in changed code of %s (%s)" % (phase, function, why),
               *("%s: %d blocks" % (name, len(these)) for name, these in ran.items()))
        made = {block.function for block in found[phase] if block.function in MADE}
        equal(sorted(made), sorted(MADE) if phase == "meanwhile" else [], "%s: samples in code that was made" % phase)
    return found


def check_whole(data, found, places):
    """Of the whole recording each block has its code of before and its code of meanwhile"""
    whole = instructions(blocks(data), places)
    for phase in PHASES:
        wanted = instructions(found[phase], places)
        ok(wanted <= whole, "%s: the whole recording's blocks have %d changed instructions of that time" %
           (phase, len(wanted)), *sorted(wanted - whole)[:5])
    before, meanwhile, after = (dict(instructions(found[phase], places)) for phase in PHASES)
    both = before.keys() & meanwhile.keys()
    ok(both and all(before[address] != meanwhile[address] for address in both),
       "%d changed instructions ran before and meanwhile, and were others" % len(both))
    both = before.keys() & after.keys()
    ok(both and all(before[address] == after[address] for address in both),
       "%d of them ran afterwards, and were the old ones again" % len(both))


def main(directory):
    without = {"elfutils", "zydis"} & set(os.environ.get("PRECIS_WITHOUT", "").split())
    if without:
        return skip_all("built without " + ", ".join(sorted(without)))
    equal([(step.name, step.status) for step in steps(directory)], [("patched", 0)], "recorded")
    with open(os.path.join(directory, "log.txt"), encoding="utf-8") as log:
        printed = log.read()
    texts = {phase: Text(os.path.join(directory, phase + ".begin")) for phase in PHASES}
    for phase in PHASES:
        ok(texts[phase].ranges == Text(os.path.join(directory, phase + ".end")).ranges,
           "%s: the kernel's code is the same all the time" % phase)
    places = changes(texts["before"], texts["meanwhile"])
    ok(not changes(texts["before"], texts["after"]), "afterwards the kernel's own text is the old one")
    check_records(os.path.join(directory, "patched.data"), texts, places)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as copies:
        data = as_instructions(directory, os.path.join(copies, "patched.data"))
        check_whole(data, check_phases(data, printed, texts, places), places)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
