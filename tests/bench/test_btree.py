#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lookups in a B+-tree by level and member (bench/btree): the recordings that come with precis against what their
program counted, and here each access of four addresses, by breakpoints, against the same count."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SRCDIR, BUILDDIR, PRECIS = os.environ["srcdir"], os.environ["builddir"], os.environ["PRECIS"]
WITHOUT = os.environ.get("PRECIS_WITHOUT", "").split()
BTREE = os.path.join(SRCDIR, "bench", "btree")
RECORDINGS = os.path.join(SRCDIR, "tests", "recordings")
RECORDER = os.path.join(BUILDDIR, ".libs", "libprecis-objects.so")
LOOKUPS = 3000

count = failures = 0


def tap(good, name, diagnostics=()):
    global count, failures
    count += 1
    failures += not good
    print("%sok %d - %s" % ("" if good else "not ", count, name), flush=True)
    for line in [] if good else list(diagnostics)[:20]:
        print("#", line)


def skip(name, reason):
    global count
    count += 1
    print("ok %d - %s # SKIP %s" % (count, name, reason), flush=True)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)


def check_recording(machine):
    lacks = [library for library in ("elfutils", "zstd") if library in WITHOUT]
    if lacks:
        skip(machine, "built without " + lacks[0])
        return
    done = run(sys.executable, os.path.join(SRCDIR, "tests", "vm", "checks", "check_btree.py"),
               os.path.join(RECORDINGS, "btree", machine), os.path.join(RECORDINGS, "symfs"))
    for line in re.findall(r"^(?:not )?ok .*(?:\n#.*)*", done.stdout, re.MULTILINE):
        first, *rest = line.splitlines()
        tap(first.startswith("ok "), "%s: %s" % (machine, first.partition(" - ")[2]), rest)
    tap(done.returncode == 0, "%s: all of it was checked" % machine, done.stderr.splitlines()[-5:])


def check_guide():
    """Each line of its tables is printed"""
    lacks = [library for library in ("elfutils", "zstd") if library in WITHOUT]
    if lacks:
        skip("the guide's tables", "built without " + lacks[0])
        return
    with open(os.path.join(SRCDIR, "doc", "which-array-which-member.md"), encoding="utf-8") as guide:
        section = guide.read().split("## A B+-tree, level by level\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^```text\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    for machine, block in zip(("zen4", "sapphire_rapids"), blocks):
        printed = run(sys.executable, os.path.join(BTREE, "btree.py"), "--precis", PRECIS, "--symfs",
                      os.path.join(RECORDINGS, "symfs"), os.path.join(RECORDINGS, "btree", machine, "btree.data")).stdout
        missing = [line for line in block.splitlines() if line not in printed.splitlines()]
        tap(not missing and "MODELED" in printed, "%s: the guide's table is what is printed, and labelled" % machine, missing)
    tap(len(blocks) == 2, "the guide has a table of either vendor")


def check_program(program):
    done = run(program, "--keys", "30000", "--lookups", str(LOOKUPS), "--count", "--zipf", "0")
    loads = {(int(words[0]), words[1]): int(words[2]) for words in re.findall(
        r"^loads (\d+) (\S+) (\d+)$", done.stdout, re.MULTILINE)}
    height = int(re.search(r"height (\d+)", done.stdout)[1])
    wrong = [level for level in range(height) if
             [loads.get((level, member)) for member in ("header.version", "header.type", "header.count")] !=
             [2 * LOOKUPS, LOOKUPS, LOOKUPS]]
    tap(done.returncode == 0 and height == 2 and not wrong and loads.get((height - 1, "payloads[]")) == LOOKUPS,
        "a lookup reads a node's version twice, its type, its count, and in a leaf one payload", done.stdout.splitlines())
    for words in (["--keys", "0"], ["--zipf", "1"], ["--zipf", "nan"], ["keys"], ["--frobnicate"]):
        done = run(program, *words)
        tap(done.returncode == 2 and "Usage:" in done.stderr, "btree %s: refused" % " ".join(words),
            [done.stdout, done.stderr])
    done = run(program, "--help")
    tap(done.returncode == 0 and "--lookups" in done.stdout and not done.stderr, "btree --help")


def check_breakpoints(program, perf, work):
    name = "breakpoints: each access of four addresses, by level and member"
    done = run(sys.executable, os.path.join(BTREE, "btree.py"), "--precis", PRECIS, "--recorder",
               os.path.abspath(RECORDER), "--record", os.path.join(SRCDIR, "perf_scripts", "record", "precis-record"),
               "--perf", perf, "--program", program, "--directory", work, "--source", "breakpoints", "--keys", "100000",
               "--lookups", str(LOOKUPS))
    if "perf record" in done.stderr:
        skip(name, " ".join(done.stderr.split())[:150])
        return
    counted = sorted((int(words[0]), words[1], int(words[2])) for words in
                     re.findall(r"^watch (\d+) (\S+) \S+ \d+ (\d+)$", done.stdout, re.MULTILINE))
    told = sorted((int(words[0]), words[1], int(words[2])) for words in
                  re.findall(r"^(\d) +(?:inner|leaf)\.(\S+) +(\d+)$", done.stdout, re.MULTILINE))
    tap(done.returncode == 0 and len(counted) == 4 and told == counted, name + ", as often as the program counted",
        [repr(counted), repr(told)] + done.stderr.splitlines())


def main():
    for machine in ("zen4", "sapphire_rapids"):
        check_recording(machine)
    check_guide()
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "btree")
        subprocess.run(shlex.split(os.environ["CC"]) + ["-O2", "-g", "-I", os.path.join(
            SRCDIR, "libdecode", "include")] + [os.path.join(BTREE, name) for name in (
                "btree.c", "tree.c", "zipf.c")] + ["-lm", "-o", program], check=True)
        check_program(program)
        perf = os.environ.get("PERF") or shutil.which("perf")
        lacks = "there is no perf" if not perf else "there is no recorder" if not os.path.exists(RECORDER) else \
            "built without elfutils" if "elfutils" in WITHOUT else None
        if lacks:
            skip("breakpoints", lacks)
        else:
            check_breakpoints(program, perf, work)
    print("1..%d" % count)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
