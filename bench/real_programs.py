#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
real_programs.py --precis COMMAND --recorder LIBRARY [--perf COMMAND] [--fetch DIR [--build]] [--debug-dir DIR]
[--program NAME=PATH] [--only NAME,...] [--sites N]: what precis tells of the objects of programs that people use, with the
debug information that there is of them: that which is installed, that of --debug-dir, and with --fetch that of Debian's
archive (packages -dbg, which nothing is installed of; --build: programs of which there are none are built as Debian does).

perf samples each page fault, and then each access of four blocks at a time, by breakpoints, where addresses are the same in
each run; the recorder has each block. Each program has to print and end as it does alone, each side file to be read without
a warning, and each sample to have an object or the kind of memory that it is in; exit status 1 otherwise. Of all blocks, one
sample in the middle of each, it is told how many have a type, and --sites lists who asked for most of them, as what.
"""
import argparse
import collections
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import every_block

SQL = ("create table t(a,b); with recursive c(x) as (select 1 union all select x+1 from c where x<20000) insert into t "
       "select x, hex(x*x) from c; create index i on t(b); select count(*), sum(length(a.b)) from t a join t b on a.b=b.b;")
CODE = "".join("int f%d(int a, int *b) { int s = 0; for (int i = 0; i < a; i++) s += b[i] * %d; return s; }\n" % (n, n)
               for n in range(100))
SCRIPT = ("import json\nd = {str(n): [n] * (n % 7) for n in range(20000)}\nt = json.dumps(d)\n"
          "print(len(t), sum(map(len, json.loads(t).values())))\n")
NUMPY = "import numpy\na = numpy.arange(160000.0).reshape(400, 400)\nprint((a @ a.T).trace(), numpy.linalg.norm(a))\n"
LUA = ("local t = {} for i = 1, 60000 do t[i] = { name = 'n' .. i, value = i % 97 } end\n"
       "table.sort(t, function(a, b) return a.value * 100000 + #a.name < b.value * 100000 + #b.name end)\nprint(#t)\n")


def compiler(name):
    """gcc's own program, which does the work"""
    return subprocess.run(["gcc", "-print-prog-name=" + name], capture_output=True, text=True, check=False).stdout.strip() \
        if shutil.which("gcc") else "cc1"


PERL = ("my %h; $h{$_ * 7919 % 100003} = { a => 'x' x ($_ % 50), b => [1 .. $_ % 5] } for 1 .. 20000;\n"
        "my @k = sort { $h{$a}{a} cmp $h{$b}{a} || $a <=> $b } keys %h; print join(',', @k[0 .. 9]), \"\\n\";\n")
LUA_CODE = "local t = {}\n" + "".join("function t.f%d(a, b) local s = 0 for i = 1, a do s = s + b[i] * %d end return s end\n"
                                      % (n, n) for n in range(800))
ASSEMBLY = "".join(".globl f%d\n.type f%d,@function\nf%d:\n.cfi_startproc\nmov $%d,%%eax\njne .L%d\nadd table+%d(%%rip),"
                   "%%eax\n.L%d: ret\n.cfi_endproc\n.size f%d,.-f%d\n" % (n, n, n, n, n, n * 4, n, n, n)
                   for n in range(6000)) + ".data\ntable: .skip 40000\n"
NUMBERS = "".join("%d.5\n" % (n * 7919 % 1000) for n in range(20000))
DATABASE = "VERSION=3\nformat=print\ntype=btree\nHEADER=END\n" + "".join(
    " key%06d\n %s\n" % (n * 7919 % 100003, "v" * (n % 60)) for n in range(20000)) + "DATA=END\n"
LIBRARIES = "usr/lib/x86_64-linux-gnu/"

# 'parts': packages with a file and the package of its debug information, the program's first; 'source': where there is none
Program = collections.namedtuple("Program", "name what program words text parts source", defaults=((), None))

PROGRAMS = (
    Program("sqlite3", "a database", "sqlite3", [":memory:"], SQL, source="sqlite3"),
    Program("db", "a database", "db5.3_load", ["WORK/database"], DATABASE, (
        ("db5.3-util", "usr/bin/db5.3_load", "libdb5.3-dbg"),
        ("libdb5.3", LIBRARIES + "libdb-5.3.so", "libdb5.3-dbg"))),
    Program("cc1", "a compiler", compiler("cc1"), ["-quiet", "-O2", "-o", "/dev/null", "-"], CODE),
    Program("tcc", "a compiler", "tcc", ["-c", "-o", "/dev/null", "-"], CODE * 2),
    Program("luac", "a compiler", "luac5.4", ["-o", "/dev/null", "-"], LUA_CODE, (
        ("lua5.4", "usr/bin/luac5.4", "liblua5.4-0-dbg"),)),
    Program("as", "a compiler's assembler", "as", ["-o", "/dev/null", "-"], ASSEMBLY, (
        ("binutils-x86-64-linux-gnu", "usr/bin/x86_64-linux-gnu-as", "binutils-x86-64-linux-gnu-dbg"),
        ("libbinutils", LIBRARIES + "libbfd-2.40-system.so", "libbinutils-dbg"))),
    Program("python3", "an interpreter", "/usr/bin/python3", ["-S", "-"], SCRIPT),
    Program("lua", "an interpreter", "lua5.4", ["-"], LUA, (("lua5.4", "usr/bin/lua5.4", "liblua5.4-0-dbg"),)),
    Program("perl", "an interpreter", "perl", ["-"], PERL, (("perl-base", "usr/bin/perl", "perl-debug"),)),
    Program("zstd", "a compressor", "zstd", ["-q", "-12", "-c"], CODE * 40, source="libzstd"),
    Program("gzip", "a compressor", "gzip", ["-c"], CODE * 40, source="gzip"),
    Program("bc", "a numerical code", "bc", ["-l"], "scale=300; 4*a(1)\n", source="bc"),
    Program("gsl", "a numerical code", "gsl-histogram", ["0", "1000", "50000"], NUMBERS, (
        ("gsl-bin", "usr/bin/gsl-histogram", "libgsl-dbg"),
        ("libgsl27", LIBRARIES + "libgsl.so.27", "libgsl-dbg"))),
    Program("numpy", "a numerical code", "/usr/bin/python3", ["-"], NUMPY),
)
BREAKPOINTS, ROUNDS = 4, 5

# Names of any program that the recorder is loaded into
RECORDER_OWN = "libprecis-objects.so"


class Failed(Exception):
    """What went wrong with a program"""


def run(command, text="", **changed):
    environment = dict(os.environ, PYTHONHASHSEED="0", PYTHONMALLOC="malloc", LC_ALL="C", **changed)
    return subprocess.run(command, input=text.encode(), capture_output=True, env=environment, timeout=600, check=False)


def report(arguments, data, *words):
    command = [arguments.precis, "report", *words, "--columns", "samples", "--top", "100000", "--format", "json", data]
    command += [word for directory in arguments.debug_dir for word in ("--debug-dir", directory)]
    done = run(command)
    if done.returncode:
        raise Failed("%s: exit status %d: %s" % (" ".join(command[:4]), done.returncode, done.stderr.decode().strip()))
    document = json.loads(done.stdout)
    values = document["recording"]["values"]
    rows = [dict(row, row="%s %s" % (name, row["row"])) for name, table in document.items()
            if name.startswith("by_") and "_type_" not in name for row in table["rows"]]
    return sum(event["samples"] for event in values["events"]), rows


def kind_of(row):
    """How a sample's memory is told"""
    told = row.get("object") or ""
    if told.startswith(("block of ", "just freed")):
        return "blocks"
    if row.get("object_in") == RECORDER_OWN or told.endswith("(%s)" % RECORDER_OWN):
        return "the recorder's own"
    return "named objects" if told else row.get("object_kind") or row.get("object_in") or \
        row.get("object_reason")


def check_rows(arguments, data):
    """{kind: samples}, of those in blocks how many have a type, {object and type: samples}"""
    count, rows = report(arguments, data, "--by", "object,type")
    whole = {row["row"]: row for row in rows if not row["row"].endswith(" rest") and "." not in row["row"]}
    parts, kinds, types, typed = collections.Counter(), collections.Counter(), collections.Counter(), 0
    for row in rows:
        if "." in row["row"]:
            parts[row["row"].split(".")[0]] += row["samples"]
            if kind_of(row) == "blocks":
                typed += row["samples"] if row["type"] else 0
                types["%s: %s" % (row["object"], row["type"] or row["no_type"])] += row["samples"]
    for row in whole.values():
        if not kind_of(row):
            raise Failed("%d samples have neither an object nor a kind of memory: %r" % (row["samples"], row))
        kinds[kind_of(row)] += row["samples"]
    if sum(kinds.values()) != count or any(parts[name] != row["samples"] for name, row in whole.items()):
        raise Failed("%d samples in the recording, %d in rows, %d in their parts" % (
            count, sum(kinds.values()), sum(parts.values())))
    return count, kinds, typed, types


def record(arguments, work, events, command, text):
    """@return the program's end, and its side files"""
    for left in glob.glob(os.path.join(work, "*")):
        os.unlink(left)
    command = [word.replace("WORK", work) for word in command]
    done = run([arguments.perf, "record", "-q", *events, "-d", "-k", "mono", "-m", "1024", "-o", os.path.join(work, "perf.data"),
                "env", "LD_PRELOAD=" + arguments.recorder, "PRECIS_OBJECTS=interval=all,overhead=any,directory=" + work,
                *command], text)
    files = glob.glob(os.path.join(work, "*.objects"))
    if not files:
        raise Failed("there is no side file: %s" % done.stderr.decode().strip()[-500:])
    for file in files:
        read = run([arguments.precis, "objects", file])
        if read.returncode or read.stderr:
            raise Failed(read.stderr.decode().strip())
    return done, files


def run_alone(command, text):
    with tempfile.TemporaryDirectory() as work:
        return run([word.replace("WORK", work) for word in command], text)


def same_end(done, plain):
    if (done.returncode, done.stdout) != (plain.returncode, plain.stdout):
        raise Failed("exit status %d and %d bytes of output, without the recorder %d and %d: %s" % (
            done.returncode, len(done.stdout), plain.returncode, len(plain.stdout), done.stderr.decode().strip()[-500:]))


PAGE_FAULTS = ["-e", "page-faults:u", "-c", "1"]


def tell_samples(source, found):
    count, kinds, typed, types = found
    print("  %s: %d samples: %s" % (source, count, ", ".join(
        "%d %s" % (samples, kind) for kind, samples in kinds.most_common())))
    if kinds["blocks"]:
        print("    %.1f %% of those in blocks have a type" % (100 * typed / kinds["blocks"]))
    for told, samples in types.most_common(3):
        print("    %6d %s" % (samples, told))
    sys.stdout.flush()


def tell_blocks(arguments, data, sites):
    """Of a sample in each block"""
    _, rows = report(arguments, data, "--by", "allocation,type")
    whole = {row["row"]: row["allocation"] for row in rows if "." not in row["row"]}
    parts = [row for row in rows if "." in row["row"] and whole.get(row["row"].split(".")[0])]
    told = collections.Counter()
    for row in parts:
        calls = " < ".join(whole[row["row"].split(".")[0]].split(";")[::-1][:4])
        told[row["type"] or "(%s)" % row["no_type"], calls] += row["samples"]
    blocks, typed = (sum(row["samples"] for row in parts if row["type"] or not only) for only in (0, 1))
    if blocks:
        print("  all blocks: %d, %.1f %% have a type" % (blocks, 100 * typed / blocks))
    for (name, calls), samples in told.most_common(sites):
        print("    %6d  %-32s %s" % (samples, name, calls))
    sys.stdout.flush()


def random_blocks(precis, side, count):
    """So many places in blocks, by chance, but in each call the same"""
    _, places = every_block.middles(precis, side)
    return random.Random(count).sample(sorted({address & ~7 for _, address in places}), min(count, len(places)))


def check_breakpoints(arguments, program, command, plain, work):
    """Without random addresses two runs have their blocks at the same places: the first says what to look at."""
    command = ["setarch", "-R", *command]
    if not shutil.which("setarch") or run(["setarch", "-R", "true"]).returncode:
        print("  breakpoints: addresses are always random here")
        return
    _, files = record(arguments, work, PAGE_FAULTS, command, program.text)
    places = random_blocks(arguments.precis, max(files, key=os.path.getsize), BREAKPOINTS * ROUNDS)
    sums = [0, collections.Counter(), 0, collections.Counter()]
    while places:
        chosen, places = places[:BREAKPOINTS], places[BREAKPOINTS:]
        events = [word for place in chosen for word in ("-e", "mem:0x%x/8:rw:u" % place)]
        done, _ = record(arguments, work, [*events, "-c", "1"], command, program.text)
        if done.stderr and b"mem:" in done.stderr:
            print("  breakpoints: %s" % " ".join(done.stderr.decode().split())[:150])
            return
        same_end(done, plain)
        for n, more in enumerate(check_rows(arguments, os.path.join(work, "perf.data"))):
            sums[n] += more
    tell_samples("breakpoints", sums)


def check(arguments, program, path, work):
    command = [path, *program.words]
    data, blocks = os.path.join(work, "perf.data"), os.path.join(work, "blocks.data")
    plain = run_alone(command, program.text)
    done, files = record(arguments, work, PAGE_FAULTS, command, program.text)
    same_end(done, plain)
    tell_samples("page faults", check_rows(arguments, data))
    if every_block.write(arguments.precis, data, max(files, key=os.path.getsize), blocks):
        tell_blocks(arguments, blocks, arguments.sites)
        check_breakpoints(arguments, program, command, plain, work)


def output_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def fetched(arguments, program):
    """@return the program's path; debug information and libraries are noted"""
    here = os.path.dirname(os.path.abspath(__file__))
    if program.parts:
        fetch = os.path.join(here, "..", "tests", "vm", "fetch-program")
        cache = os.path.join(arguments.fetch, program.name)
        places = [output_of(fetch, "--cache", cache, *part) for part in program.parts]
        found = [(place, part) for place, part in zip(places, program.parts) if place]
        path = os.path.join(places[0], program.parts[0][1]) if places[0] else None
    elif program.source and arguments.build:
        place = output_of(os.path.join(here, "build-program"), "--cache", arguments.fetch, program.source)
        found = [(place, (None, LIBRARIES))] if place else []
        path = place and shutil.which(program.program, path=os.pathsep.join(
            os.path.join(place, folder) for folder in ("usr/bin", "bin")))
    else:
        return None
    arguments.debug_dir = [os.path.join(place, "usr/lib/debug") for place, _ in found] + arguments.given
    libraries = [os.path.join(place, os.path.dirname(part[1])) for place, part in found]
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join([*libraries, *filter(None, [arguments.libraries])])
    return path


def build_id(path):
    found = re.search(r"Build ID: (\w+)", subprocess.run(["readelf", "-n", path], capture_output=True, text=True,
                                                         check=False).stdout)
    return found and found[1]


def tell_program(program, path, installed):
    same = ""
    if installed and path != installed:
        same = ", the installed one's build" if build_id(path) == build_id(installed) else ", not the installed one's build"
    print("%s, %s (%s%s)" % (program.name, program.what, path, same), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--precis", required=True)
    parser.add_argument("--recorder", required=True, type=os.path.abspath)
    parser.add_argument("--perf", default="perf")
    parser.add_argument("--fetch", type=os.path.abspath, metavar="DIR")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--debug-dir", action="append", default=[], dest="given")
    parser.add_argument("--program", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--only", help="names, separated by commas")
    parser.add_argument("--sites", type=int, default=0, metavar="N")
    arguments = parser.parse_args()
    arguments.given.append("/usr/lib/debug")
    arguments.libraries = os.environ.get("LD_LIBRARY_PATH")
    elsewhere = dict(word.partition("=")[::2] for word in arguments.program)
    failures = 0
    for program in PROGRAMS:
        if arguments.only and program.name not in arguments.only.split(","):
            continue
        arguments.debug_dir = arguments.given
        installed = shutil.which(program.program)
        path = elsewhere.get(program.name) or arguments.fetch and fetched(arguments, program) or installed
        if not path:
            print("%s, %s: not installed" % (program.name, program.what))
            continue
        tell_program(program, path, installed)
        with tempfile.TemporaryDirectory() as work:
            try:
                check(arguments, program, path, work)
            except Failed as failed:
                failures += 1
                print("  FAILED: %s" % failed)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
