#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that people use, under the recorder while perf samples their page faults, and one while breakpoints sample the
accesses to four of its blocks: they print what they print without, and end as they do; and as many samples are told to be
in their blocks as the events of the side files, replayed here, have."""
import bisect
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import skip, tap

BUILDDIR, PRECIS = os.environ["builddir"], os.environ["PRECIS"]
RECORDER = os.path.abspath(os.path.join(BUILDDIR, ".libs", "libprecis-objects.so"))
JUST_FREED_NS = 50000  # precis-report(1), object

SQL = ("create table t(a,b); with recursive c(x) as (select 1 union all select x+1 from c where x<20000) insert into t "
       "select x, hex(x*x) from c; create index i on t(b); select count(*), sum(length(a.b)) from t a join t b on a.b=b.b;")
CODE = "".join("int f%d(int a, int *b) { int s = 0; for (int i = 0; i < a; i++) s += b[i] * %d; return s; }\n" % (n, n)
               for n in range(60))
SCRIPT = ("import json\nd = {str(n): [n] * (n % 7) for n in range(20000)}\nt = json.dumps(d)\n"
          "print(len(t), sum(map(len, json.loads(t).values())))\n")
PERL = "my %h; $h{$_ * 7919 % 100003} = 'x' x ($_ % 50) for 1 .. 40000; print join(',', (sort keys %h)[0 .. 9]), \"\\n\";"

# What it is, the program, its arguments, what it reads
PROGRAMS = (
    ("a database", "sqlite3", [":memory:"], SQL),
    ("a database that fails", "sqlite3", ["-bail", ":memory:"], "create table t(a); select nothing from t;\n"),
    ("a compiler, of several processes", "gcc", ["-O2", "-S", "-x", "c", "-o", "-", "-"], CODE),
    ("another compiler", "clang", ["-O1", "-S", "-x", "c", "-o", "-", "-"], CODE),
    ("an interpreter", "/usr/bin/python3", ["-S", "-E", "-"], SCRIPT),
    ("another interpreter", "perl", ["-"], PERL),
    ("a compressor", "zstd", ["-q", "-12", "-c"], CODE * 40),
    ("another compressor", "xz", ["-3", "-c"], CODE * 40),
    ("a numerical code", "bc", ["-l"], "scale=300; 4*a(1)\nscale=60000; 1/7\n"),
)


def run(command, text=None, **changed):
    environment = dict(os.environ, PYTHONHASHSEED="0", PERL_HASH_SEED="0", LC_ALL="C", **changed)
    return subprocess.run(command, input=text and text.encode(), capture_output=True, env=environment, timeout=300,
                          check=False)


# ---- truth: the events of the side files, replayed ----

def lifetimes(path):
    """{pid: {address: [(begin, end, bytes)]}}, all of them blocks of the heap, and the error of their times"""
    text = run([PRECIS, "objects", "--events", "--format", "csv", path]).stdout.decode()
    pid = int(re.search(r"precis-(\d+)", os.path.basename(path))[1])
    found, live, error = [], {}, 0
    for row in csv.DictReader(io.StringIO(text)):
        if not row["monotonic_ns"]:
            continue
        at, error = int(row["monotonic_ns"]), max(error, int(row["monotonic_error_ns"] or 0))
        if row["operation"] in ("alloc", "realloc-alloc"):
            live[row["address"]] = at, int(row["bytes"])
        elif row["operation"] in ("free", "realloc-free") and row["address"] in live:
            begin, size = live.pop(row["address"])
            found.append((int(row["address"], 16), begin, at, size))
    found += [(int(address, 16), begin, 1 << 63, size) for address, (begin, size) in live.items()]
    return pid, sorted(found), error


def samples_of(perf, data):
    """[(pid, time, address)]"""
    text = run([perf, "script", "-i", data, "--ns", "-F", "pid,time,event,addr"]).stdout.decode()
    return [(int(words[0]), int(words[1]) * 10 ** 9 + int(words[2]), int(words[3], 16)) for words in re.findall(
        r"^\s*(\d+)\s+(\d+)\.(\d{9}):\s+(?:page-faults|mem):\S*:\s+([0-9a-f]+)\s*$", text, re.MULTILINE)]


def answer(lives, error, time, address, longest):
    """1: in a block; 0: in none; None: it may be either, by the times' error or as it was freed just before"""
    n, possible = bisect.bisect_right(lives, (address, 1 << 64)), 0
    while n > 0 and lives[n - 1][0] > address - longest:
        n -= 1
        start, begin, end, size = lives[n]
        if not start <= address < start + size:
            continue
        if begin + error < time < end - error:
            return 1
        possible |= begin - error <= time <= end + error + JUST_FREED_NS
    return None if possible else 0


def truth(samples, files):
    """(samples that are in blocks for certain, that may be)"""
    surely = perhaps = 0
    for path in files:
        pid, lives, error = lifetimes(path)
        longest = max((life[3] for life in lives), default=0)
        for whose, time, address in samples:
            if whose != pid:
                continue
            told = answer(lives, error, time, address, longest)
            surely += told == 1
            perhaps += told is None
    return surely, perhaps


# ---- what precis tells ----

def told_blocks(data):
    text = run([PRECIS, "report", "--by", "object", "--columns", "samples", "--top", "100000", "--format", "json",
                data]).stdout.decode()
    tables = [table for name, table in json.loads(text).items() if name.startswith("by_")]
    rows = [row for table in tables for row in table["rows"]]
    names = [row["object"] for row in rows if (row.get("object") or "").startswith(("block of ", "just freed"))]
    return sum(row["samples"] for row in rows if row.get("object") in names), names


def record(perf, work, events, command, text):
    return run([perf, "record", "-q", *events, "-d", "-k", "mono", "-m", "1024", "-o", os.path.join(work, "perf.data"), "env",
                "LD_PRELOAD=" + RECORDER, "PRECIS_OBJECTS=interval=all,overhead=any,directory=" + work, *command], text)


def check_told(name, what, perf, work, may_be_none):
    data = os.path.join(work, "perf.data")
    samples = samples_of(perf, data)
    surely, perhaps = truth(samples, glob.glob(os.path.join(work, "*.objects")))
    told, names = told_blocks(data)
    tap((surely > 0 and names or may_be_none) and surely <= told <= surely + perhaps,
        "%s: of %d %s %d are in blocks, of %d names" % (name, len(samples), what, told, len(names)),
        ["%d to %d by its events" % (surely, surely + perhaps)] + names)


def check(what, program, arguments, text, perf, work):
    name = "%s, %s" % (what, os.path.basename(program))
    path = shutil.which(program)
    if not path:
        skip(name, "%s is not here" % program)
        return
    plain = run([path, *arguments], text)
    done = record(perf, work, ["-e", "page-faults:u", "-c", "1"], [path, *arguments], text)
    tap((done.returncode, done.stdout) == (plain.returncode, plain.stdout) and (plain.stdout or plain.returncode),
        "%s: exit status %d and %d bytes of output, as without" % (name, plain.returncode, len(plain.stdout)),
        ["%d, %d bytes" % (done.returncode, len(done.stdout))] + done.stderr.decode().splitlines())
    files = glob.glob(os.path.join(work, "*.objects"))
    read = [run([PRECIS, "objects", path]) for path in files]
    tap(files and all(not one.returncode and not one.stderr for one in read), "%s: its %d side files can be read" % (
        name, len(files)), [one.stderr.decode() for one in read])
    check_told(name, "page faults", perf, work, plain.returncode != 0)


def check_breakpoints(perf, work):
    """Without random addresses two runs have their blocks at the same places: the first says what to look at."""
    name = "a database, sqlite3, without random addresses"
    path, setarch = shutil.which("sqlite3"), shutil.which("setarch")
    if not path or not setarch or run([setarch, "-R", "true"]).returncode:
        skip(name, "no sqlite3, or addresses are always random here")
        return
    first, second = os.path.join(work, "first"), os.path.join(work, "second")
    os.mkdir(first)
    os.mkdir(second)
    command = [setarch, "-R", path, ":memory:"]
    record(perf, first, ["-e", "page-faults:u"], command, SQL)
    _, lives, _ = lifetimes(max(glob.glob(os.path.join(first, "*.objects")), key=os.path.getsize))
    last = max(life[1] for life in lives)
    longest = sorted(lives, key=lambda life: min(life[2], last) - life[1])[-4:]
    events = [word for life in longest for word in ("-e", "mem:0x%x/8:rw:u" % life[0])]
    done = record(perf, second, [*events, "-c", "1"], command, SQL)
    if done.returncode:
        skip(name, " ".join(done.stderr.decode().split())[:150])
        return
    check_told(name, "accesses at breakpoints", perf, second, False)


def main():
    perf = os.environ.get("PERF") or shutil.which("perf")
    if not os.path.exists(RECORDER) or not perf:
        print("1..0 # SKIP %s" % ("there is no perf" if os.path.exists(RECORDER) else "there is no recorder"))
        return 0
    with tempfile.TemporaryDirectory() as work:
        tried = run([perf, "record", "-q", "-e", "page-faults:u", "-k", "mono", "-o", os.path.join(work, "try"), "true"])
    if tried.returncode:
        print("1..0 # SKIP perf record: %s" % " ".join(tried.stderr.decode().split())[:150])
        return 0
    chosen = [one for one in PROGRAMS if not one[0].startswith("another")] if os.environ.get("PRECIS_QUICK") else PROGRAMS
    for program in chosen:
        with tempfile.TemporaryDirectory() as work:
            check(*program, perf, work)
    with tempfile.TemporaryDirectory() as work:
        check_breakpoints(perf, work)
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
