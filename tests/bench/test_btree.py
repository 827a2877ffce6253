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

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../command/cli"))

import tap
from built import need
from command import PRECIS, SRCDIR
from tap import Skip, equal

BTREE = os.path.join(SRCDIR, "bench", "btree")
RECORDINGS = os.path.join(SRCDIR, "tests", "recordings")
SYMFS = os.path.join(RECORDINGS, "symfs")
RECORDER = os.path.abspath(os.path.join(os.environ["builddir"], ".libs", "libprecis-objects.so"))
SCRATCH = tempfile.TemporaryDirectory()
LOOKUPS = 3000


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def btree_py(*arguments):
    return run(sys.executable, os.path.join(BTREE, "btree.py"), "--precis", PRECIS, *arguments)


def program():
    """Its path, compiled when it is asked for first"""
    path = os.path.join(SCRATCH.name, "btree")
    if not os.path.exists(path):
        sources = [os.path.join(BTREE, name) for name in ("btree.c", "tree.c", "zipf.c")]
        subprocess.run(shlex.split(os.environ["CC"]) + ["-O2", "-g", "-I", os.path.join(SRCDIR, "libdecode", "include")] +
                       sources + ["-lm", "-o", path], check=True)
    return path


def need_recordings():
    need("elfutils")
    need("zstd")


def check_recording(machine):
    need_recordings()
    done = run(sys.executable, os.path.join(SRCDIR, "tests", "vm", "checks", "check_btree.py"),
               os.path.join(RECORDINGS, "btree", machine), SYMFS)
    wrong = re.findall(r"^not ok .*(?:\n#.*)*", done.stdout, re.MULTILINE)
    assert done.returncode == 0 and not wrong, "\n".join(wrong) + done.stderr


def test_zen4():
    """Zen 4: each level and member has as many samples as the program counts loads, and what the model does to them"""
    check_recording("zen4")


def test_sapphire_rapids():
    """Sapphire Rapids: the same"""
    check_recording("sapphire_rapids")


def test_guide():
    """The guide has a table of either vendor, each line of which is printed, and labelled"""
    need_recordings()
    with open(os.path.join(SRCDIR, "doc", "which-array-which-member.md"), encoding="utf-8") as guide:
        section = guide.read().split("## A B+-tree, level by level\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^```text\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    equal(len(blocks), 2)
    for machine, block in zip(("zen4", "sapphire_rapids"), blocks):
        printed = btree_py("--symfs", SYMFS, os.path.join(RECORDINGS, "btree", machine, "btree.data")).stdout
        equal([line for line in block.splitlines() if line not in printed.splitlines()], [], machine)
        assert "MODELED" in printed, machine


def test_loads():
    """A lookup reads a node's version twice, its type, its count, and in a leaf one payload"""
    done = run(program(), "--keys", "30000", "--lookups", str(LOOKUPS), "--count", "--zipf", "0")
    loads = {(int(words[0]), words[1]): int(words[2]) for words in re.findall(
        r"^loads (\d+) (\S+) (\d+)$", done.stdout, re.MULTILINE)}
    equal((done.returncode, re.search(r"height (\d+)", done.stdout)[1]), (0, "2"), done.stdout)
    for level in range(2):
        equal([loads.get((level, member)) for member in ("header.version", "header.type", "header.count")],
              [2 * LOOKUPS, LOOKUPS, LOOKUPS], level)
    equal(loads.get((1, "payloads[]")), LOOKUPS)


def test_arguments():
    """Wrong arguments are refused, and --help is printed"""
    for words in (["--keys", "0"], ["--zipf", "1"], ["--zipf", "nan"], ["keys"], ["--frobnicate"]):
        done = run(program(), *words)
        assert done.returncode == 2 and "Usage:" in done.stderr, (words, done)
    done = run(program(), "--help")
    assert done.returncode == 0 and "--lookups" in done.stdout and not done.stderr, done


def test_breakpoints():
    """Breakpoints: each access of four addresses, by level and member, as often as the program counted"""
    perf = os.environ.get("PERF") or shutil.which("perf")
    if not perf:
        raise Skip("there is no perf")
    if not os.path.exists(RECORDER):
        raise Skip("there is no recorder")
    need("elfutils")
    done = btree_py("--recorder", RECORDER, "--record", os.path.join(SRCDIR, "perf_scripts", "record", "precis-record"),
                    "--perf", perf, "--program", program(), "--directory", SCRATCH.name, "--source", "breakpoints",
                    "--keys", "100000", "--lookups", str(LOOKUPS))
    if "perf record" in done.stderr:
        raise Skip(" ".join(done.stderr.split())[:150])
    assert done.returncode == 0, done.stderr
    counted = sorted((int(words[0]), words[1], int(words[2])) for words in
                     re.findall(r"^watch (\d+) (\S+) \S+ \d+ (\d+)$", done.stdout, re.MULTILINE))
    told = sorted((int(words[0]), words[1], int(words[2])) for words in
                  re.findall(r"^(\d) +(?:inner|leaf)\.(\S+) +(\d+)$", done.stdout, re.MULTILINE))
    equal(len(counted), 4)
    equal(told, counted)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
