#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Profiles for compilers and BOLT, of a program that was run step by step: its counts are exact. LLVM's own tools read
them: llvm-profdata, clang, perf2bolt and llvm-bolt; llvm-profgen makes its own profile of the same counts."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

import tap
from built import need
from tap import Skip, equal

WRITE = os.path.join(os.environ["builddir"], "tests/command/profiles/write_profile")
SOURCE = os.path.join(HERE, "stepped.cc")
SCRATCH = tempfile.TemporaryDirectory()
FLAGS = ["-O2", "-g", "-fdebug-info-for-profiling"]
# An offset in lines beyond that is none: of code without a line
LINES_MOST = 60000


def run(*command):
    told = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    equal(told.returncode, 0, "%s: %s: exit code" % (" ".join(command), told.stderr[-2000:]))
    return told.stdout, told.stderr


def tool(name):
    """@return the newest one's path; LLVM installs them in folders of their own"""
    found = glob.glob("/usr/lib/llvm-*/bin/" + name) + [path for path in [shutil.which(name)] if path]
    if not found:
        raise Skip("no " + name)
    return max(found, key=lambda path: int((re.findall(r"llvm-(\d+)", path) or ["0"])[0]))


def program():
    """The program, compiled once"""
    need("elfutils")
    need("zydis")
    path = os.path.join(SCRATCH.name, "stepped")
    if not os.path.exists(path):
        told = subprocess.run([tool("clang++"), *FLAGS, "-static", "-Wl,--emit-relocs", "-o", path, SOURCE],
                              stderr=subprocess.PIPE, text=True, check=False)
        if told.returncode:
            raise Skip("clang++ cannot compile here: %s" % told.stderr.splitlines()[-1:])
    return path


def profile(form):
    """@return the path of the profile in that form, and what is said of it; written once"""
    path = os.path.join(SCRATCH.name, form)
    if not os.path.exists(path):
        text, said = run(WRITE, form, program())
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        with open(path + ".said", "w", encoding="ascii") as file:
            file.write(said)
    with open(path + ".said", encoding="ascii") as file:
        return path, file.read()


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def test_text():
    """The counts of each line, call and inlined call"""
    text = re.sub(r"^( *\d+(?:\.\d+)?: )(\w+):\d+$", r"\1\2", read(profile("autofdo-text")[0]), flags=re.M)
    functions = {}
    for line in text.splitlines():
        if not line.startswith(" "):
            name, _, head = line.split(":")
            functions[name] = [int(head)]
        else:
            functions[name].append(line)
    equal(functions["round_of"][0], 1000, "rounds")
    equal(functions["often"], [900, " 1: 900", " 2: 900", " 2: _ZL5mixedl", "  2: 900"])
    equal(functions["seldom"][0], 100)
    # Eight copies of the loop's body, if it was unrolled
    equal(" 5: 800" in functions["seldom"] and "  2: 800" in functions["seldom"], True, "seldom's loop")
    calls = " ".join(functions["round_of"][1:])
    equal(sum(int(count) for count in re.findall(r"often:(\d+)", calls)), 900, "calls of often, by pointer too")
    equal(re.findall(r"seldom:(\d+)", calls), ["100"])
    equal(re.findall(r" round_of:(\d+)", " ".join(functions["main"][1:])), ["1000"])


def nested(text):
    """@return of each place, with what it is in: its count and calls"""
    places, around = {}, []
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip(" "))
        words = line.split()
        del around[depth:]
        if depth == 0:
            name, _, head = words[0].split(":")
            around.append(name)
            places[name] = int(head)
        elif int(re.match(r" *(\d+)", line).group(1)) > LINES_MOST:
            around.append(None)
        elif words[1][0].isdigit():
            places[(*around, words[0])] = (int(words[1]), sorted(words[2:]))
            around.append(None)
        else:
            around.append(words[0] + words[1].rsplit(":", 1)[0])
    return places


def test_profgen():
    """llvm-profgen makes the same of the same counts by address"""
    made = os.path.join(SCRATCH.name, "profgen")
    run(tool("llvm-profgen"), "--binary=" + program(), "--unsymbolized-profile=" + profile("ranges")[0], "--format=text",
        "--output=" + made)
    ours, theirs = nested(read(profile("autofdo-text")[0])), nested(read(made))
    equal(ours, theirs)
    equal(len(ours) > 15, True, "places")


def test_profdata():
    """llvm-profdata reads it"""
    merged = os.path.join(SCRATCH.name, "merged")
    run(tool("llvm-profdata"), "merge", "--sample", "--text", "-o", merged, profile("autofdo-text")[0])
    equal(nested(read(merged)), nested(read(profile("autofdo-text")[0])))


def test_clang():
    """clang uses it: how often functions are entered, and which way branches go"""
    code = os.path.join(SCRATCH.name, "stepped.ll")
    program()
    run(tool("clang++"), *FLAGS, "-fprofile-sample-use=" + profile("autofdo-text")[0], "-S", "-emit-llvm", "-o", code,
        SOURCE)
    text = read(code)
    found = re.search(r"@round_of\(.*!prof !(\d+)", text)
    equal(found is not None, True, "round_of has a profile")
    entered = int(re.search(r"^!%s = !{!\"function_entry_count\", i64 (\d+)}" % found.group(1), text, re.M).group(1))
    equal(1000 <= entered <= 1001, True, "entries of round_of: %d" % entered)
    weights = {tuple(map(int, pair)) for pair in re.findall(r"branch_weights\", i32 (\d+), i32 (\d+)", text)}
    equal(any(abs(small / large - 1 / 9) < 0.02 for pair in weights for small, large in [sorted(pair)] if large), True,
          "a branch of 100 against 900: %s" % sorted(weights))


def test_bolt():
    """perf2bolt and llvm-bolt read it, find no branch that the code has not, and make a program that runs"""
    path, said = profile("bolt")
    data, better = os.path.join(SCRATCH.name, "fdata"), os.path.join(SCRATCH.name, "bolted")
    told = "".join(run(tool("perf2bolt"), program(), "-p", path, "-pa", "-o", data))
    equal(re.search(r"mismatching disassembled function contents: (\d+)", told).group(1), "0", "mismatches")
    equal(re.search(r"involving unknown regions: (\d+)", told).group(1), "0", "unknown regions")
    equal(said.rstrip().endswith("of " + program()), True, said)
    calls, ways = {}, {}
    for line in read(data).splitlines():
        words = line.split()
        if words[3:6:2] == ["1", "0"]:
            calls[words[4]] = calls.get(words[4], 0) + int(words[7])
        if words[1] == "round_of":
            ways.setdefault(words[2], []).append(int(words[7]))
    equal([100, 900] in map(sorted, ways.values()), True, "both ways of a branch: %s" % ways)
    equal({name: calls.get(name) for name in ("often", "seldom", "round_of")},
          {"often": 900, "seldom": 100, "round_of": 1000})
    told = "".join(run(tool("llvm-bolt"), program(), "-data", data, "-o", better, "-reorder-blocks=ext-tsp",
                       "-dyno-stats"))
    equal(int(re.search(r"(\d+) out of \d+ functions .* have non-empty execution profile", told).group(1)) > 20, True,
          told[-2000:])
    equal(run(better)[0], "done\n")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
