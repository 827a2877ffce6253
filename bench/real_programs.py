#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
real_programs.py --precis COMMAND --recorder LIBRARY [--perf COMMAND] [--debug-dir DIR] [--program NAME=PATH]...: what
precis tells of the objects of programs that people use, with the debug information that there is of them (Debian's
-dbgsym and -dbg packages; those that were unpacked elsewhere by --debug-dir and --program). perf samples each page
fault, the recorder has each block. Each program has to print and end as it does alone, each side file to be read
without a warning, and each sample to have an object or the kind of memory that it is in; exit status 1 otherwise.
"""
import argparse
import collections
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

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


# Name, what it is, program, arguments, what it reads
PROGRAMS = (
    ("sqlite3", "a database", "sqlite3", [":memory:"], SQL),
    ("cc1", "a compiler", compiler("cc1"), ["-quiet", "-O2", "-o", "/dev/null", "-"], CODE),
    ("tcc", "a compiler", "tcc", ["-c", "-o", "/dev/null", "-"], CODE * 2),
    ("python3", "an interpreter", "/usr/bin/python3", ["-S", "-"], SCRIPT),
    ("lua", "an interpreter", "lua5.4", ["-"], LUA),
    ("zstd", "a compressor", "zstd", ["-q", "-12", "-c"], CODE * 40),
    ("gzip", "a compressor", "gzip", ["-c"], CODE * 40),
    ("bc", "a numerical code", "bc", ["-l"], "scale=300; 4*a(1)\n"),
    ("numpy", "a numerical code", "/usr/bin/python3", ["-"], NUMPY),
)

# Names of any program that the recorder is loaded into
RECORDER_OWN = "libprecis-objects.so"


class Failed(Exception):
    """What went wrong with a program"""


def run(command, text="", **changed):
    environment = dict(os.environ, PYTHONHASHSEED="0", PYTHONMALLOC="malloc", LC_ALL="C", **changed)
    return subprocess.run(command, input=text.encode(), capture_output=True, env=environment, timeout=600, check=False)


def rows_of(arguments, key, data):
    command = [arguments.precis, "report", "--by", key, "--columns", "samples", "--top", "100000", "--format", "json", data]
    command += ["--debug-dir", arguments.debug_dir] if arguments.debug_dir else []
    done = run(command)
    if done.returncode:
        raise Failed("%s: exit status %d: %s" % (" ".join(command[:4]), done.returncode, done.stderr.decode().strip()))
    document = json.loads(done.stdout)
    values = document["recording"]["values"]
    rows = [row for name, table in document.items()
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
    count, rows = rows_of(arguments, "object,type", data)
    whole = {row["row"]: row for row in rows if row["row"] != "rest" and "." not in row["row"]}
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


def check(arguments, path, words, text, work):
    plain = run([path, *words], text)
    data = os.path.join(work, "perf.data")
    done = run([arguments.perf, "record", "-q", "-e", "page-faults:u", "-c", "1", "-d", "-k", "mono", "-m", "1024", "-o", data,
                "env", "LD_PRELOAD=" + arguments.recorder, "PRECIS_OBJECTS=interval=all,overhead=any,directory=" + work,
                path, *words], text)
    if (done.returncode, done.stdout) != (plain.returncode, plain.stdout):
        raise Failed("exit status %d and %d bytes of output, without the recorder %d and %d: %s" % (
            done.returncode, len(done.stdout), plain.returncode, len(plain.stdout), done.stderr.decode().strip()[-500:]))
    files = glob.glob(os.path.join(work, "*.objects"))
    if not files:
        raise Failed("there is no side file: %s" % done.stderr.decode().strip()[-500:])
    for file in files:
        read = run([arguments.precis, "objects", file])
        if read.returncode or read.stderr:
            raise Failed(read.stderr.decode().strip())
    return check_rows(arguments, data)


def tell(name, what, path, found):
    count, kinds, typed, types = found
    print("%s, %s (%s): %d samples: %s" % (name, what, path, count, ", ".join(
        "%d %s" % (samples, kind) for kind, samples in kinds.most_common())))
    if kinds["blocks"]:
        print("    %.1f %% of those in blocks have a type" % (100 * typed / kinds["blocks"]))
    for told, samples in types.most_common(3):
        print("    %6d %s" % (samples, told))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--precis", required=True)
    parser.add_argument("--recorder", required=True, type=os.path.abspath)
    parser.add_argument("--perf", default="perf")
    parser.add_argument("--debug-dir")
    parser.add_argument("--program", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--only", help="names, separated by commas")
    arguments = parser.parse_args()
    elsewhere = dict(word.partition("=")[::2] for word in arguments.program)
    failures = 0
    for name, what, program, words, text in PROGRAMS:
        path = shutil.which(elsewhere.get(name, program))
        if arguments.only and name not in arguments.only.split(","):
            continue
        if not path:
            print("%s, %s: not installed" % (name, what))
            continue
        with tempfile.TemporaryDirectory() as work:
            try:
                tell(name, what, path, check(arguments, path, words, text, work))
            except Failed as failed:
                failures += 1
                print("%s, %s (%s): FAILED: %s" % (name, what, path, failed))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
