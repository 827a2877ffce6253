#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
types_by_instruction.py --precis COMMAND --perf COMMAND [--count N] [--differences] PROGRAM [ARGUMENT]...: types by instruction
beside perf's data types (perf report -s type,typeoff; Linux 6.8 on), of N instructions of a program that access memory,
chosen by chance. The program is run once, for its mappings; each instruction has one sample then, that says it is the very
one. The program has its debug information in it, as perf finds no other everywhere. Exit status 77: perf knows no types.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import every_block

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/command/cli"))

import exact_ip

FIRST_THREAD = 100000  # each sample has a thread of its own: by that the rows of both are known
NOWHERE = 0x10
NO_DATA = ("lea", "nop", "data16", "cs", "call", "jmp", "prefetch")
UNKNOWN = ("(unknown)", "(stack operation)", "(stack canary)")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout


def instructions(program, count):
    """[(address, function, text)]"""
    function, found = None, []
    for line in output("objdump", "-d", "--no-show-raw-insn", program).splitlines():
        begin = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        parts = re.match(r"\s+([0-9a-f]+):\s+(\S+)\s*(.*)", line)
        function = begin[1] if begin else function
        if parts and function and "@plt" not in function and not function.startswith((".", "_")) and "(" in parts[3] and \
                "(%rip)" not in parts[3] and not parts[2].startswith(NO_DATA):
            found.append((int(parts[1], 16), function, "%s %s" % (parts[2], parts[3])))
    random.Random(5).shuffle(found)
    return sorted(found[:count])


def mapped_at(perf, data, program):
    """(process, what to add to an address of the file)"""
    segments = [line.split() for line in output("readelf", "-lW", program).splitlines() if line.strip().startswith("LOAD")]
    for found in re.finditer(r"PERF_RECORD_MMAP2? (\d+)/\d+: \[(0x[0-9a-f]+)\(0x[0-9a-f]+\) @ (0x[0-9a-f]+|0) .*\]: r-xp (\S+)",
                             output(perf, "script", "-i", data, "--show-mmap-events")):
        for _, offset, address, *_ in segments:
            if os.path.realpath(found[4]) == os.path.realpath(program) and int(offset, 16) == int(found[3], 16):
                return int(found[1]), int(found[2], 16) - int(address, 16)
    raise SystemExit("%s: its code is not mapped" % program)


def theirs(perf, data):
    """{thread: (type, member)}"""
    rows = (re.match(r"[^,]*,[^,]*,\s*(\d+)?[^,]*?:?(\d+)?\s*,\s*([^,]*?)\s*,\s*(.*)", line) for line in output(
        perf, "report", "-i", data, "--stdio", "-q", "-n", "-t,", "-s", "pid,type,typeoff").splitlines())
    told = {}
    for row in filter(None, rows):
        member = re.search(r"\+(?:0x[0-9a-f]+|0) \((.*?)\)?\s*$", row[4])
        told[int(row[2] or row[1])] = None if row[3] in UNKNOWN else (row[3], member[1] if member else "")
    return told


def ours(precis, data):
    told = {}
    document = json.loads(output(precis, "report", "--by", "tid,type,member", "--top", "1000000", "--columns", "samples",
                                 "--format", "json", data))
    for name, table in document.items():
        rows = table["rows"] if name.startswith("by_") and "_type_" not in name else []
        for row in rows:
            if row["row"].count(".") == 2:
                told[row["tid"]] = (row["type"], row["member"]) if row["type"] else None
    return told


def plain(text):
    return re.sub(r"\s+|\[.*?\]", "", re.sub(r"\b(struct|union|enum|const|volatile|restrict)\b", "", text))


def judge(perf, precis):
    if not perf or not precis:
        return "precis alone" if precis else "perf alone" if perf else "neither"
    if plain(perf[0]) != plain(precis[0]):
        return "types have other names or differ"
    members = [plain(member) for member in re.split(r"\||, ", precis[1][len(precis[0]):].lstrip(".") if
                                                    precis[1].startswith(precis[0]) else precis[1])]
    wanted = plain(perf[1])
    same = perf[1] in ("", "no field") or any(wanted.startswith(member) or member.startswith(wanted) or
                                              wanted.endswith(member) for member in members)
    return "same type and member" if same else "same type, other member (of a union)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--precis", required=True)
    parser.add_argument("--perf", required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--differences", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.command[0])
    if "typeoff" not in subprocess.run([arguments.perf, "report", "-h"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True, check=False).stdout:
        print("%s knows no types" % arguments.perf)
        return 77
    with tempfile.TemporaryDirectory() as work:
        data, every = os.path.join(work, "perf.data"), os.path.join(work, "every.data")
        subprocess.run([arguments.perf, "record", "-q", "-N", "-B", "-e", "page-faults:u", "-c", "1", "-d", "-o", data, program,
                        *arguments.command[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
        pid, moved = mapped_at(arguments.perf, data, program)
        chosen = dict(enumerate(instructions(program, arguments.count), FIRST_THREAD))
        # behind what else was recorded, in any clock
        every_block.rewrite(data, every, [(pid, thread, 1 << 62 | thread, NOWHERE, address + moved)
                                          for thread, (address, _, _) in chosen.items()])
        exact_ip.say_exact(every)
        perf, precis = theirs(arguments.perf, every), ours(arguments.precis, every)
    told = collections.Counter(judge(perf.get(thread), precis.get(thread)) for thread in chosen)
    print("%s: %d instructions" % (program, len(chosen)))
    for verdict, count in told.most_common():
        print("%7d  %s" % (count, verdict))
    for thread, (address, function, text) in chosen.items() if arguments.differences else ():
        verdict = judge(perf.get(thread), precis.get(thread))
        if verdict not in ("same type and member", "neither", "precis alone"):
            print("%#x %s: %s: %s: perf %s, precis %s" % (
                address, function, text, verdict, perf.get(thread), precis.get(thread)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
