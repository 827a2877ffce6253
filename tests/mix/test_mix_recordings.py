#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Recordings of simulated CPUs: stock perf and the library read the same samples, which are of code that ran,
and stacks go from branch to branch as the trace did.
"""
import bisect
import collections
import fractions
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../command/cli"))

import tap
from tap import Skip
from traced import built, traced

SCRATCH = tempfile.TemporaryDirectory()
SPECULATION = ("-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH")
PERF = shutil.which("perf")


def there(name):
    return os.path.join(SCRATCH.name, name)


def trace():
    """@return the trace of a program, and how often each of its instructions ran, by address"""
    if not os.path.exists(there("queens")):
        traced(SCRATCH.name, 400000, "queens")
    if not hasattr(trace, "kept"):
        lines = built("tests/mix/mix_table", "--counts", there("queens")).split()
        trace.kept = dict(zip([int(word, 16) for word in lines[::3]], map(int, lines[1::3])))
    return there("queens"), trace.kept


def recorded(model):
    path = there(model + ".data")
    if not os.path.exists(path):
        built("tests/mix/mix_recording", "--model", model, "--samples", "3000", "--stacks", "2000",
              trace()[0], path)
    return path


def models():
    return built("tests/mix/mix_recording", "--models").split()


def read_periods(path):
    """@return of each sample as the library has it: (event, ip, stack, period); a stack of (from, to, flags)"""
    found = []
    for line in built("tests/support/print_samples", "--sorted", path).split("\n"):
        words = dict(word.split("=", 1) for word in line.split(" ")[1:] if "=" in word)
        if line.startswith("sample "):
            stack = [tuple(int(part, 16) for part in entry.split("/"))
                     for entry in words.get("branches", "").split(",") if entry]
            found.append((int(words["event"]), int(words["ip"], 16), stack, int(words["period"])))
    return found


def read(path):
    return [sample[:3] for sample in read_periods(path)]


def open_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def by_perf(path, fields):
    done = subprocess.run([PERF, "script", "-i", path, "-F", fields], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


def entry_of(text):
    """0xFROM/0xTO/P/-/-/5, where a newer perf has the kind of branch and how speculative it was behind"""
    words = text.split("/")
    flags = {"M": 1, "P": 2, "-": 0}[words[2]] | (int(words[5]) << 4)
    return int(words[0], 16), int(words[1], 16), flags


def test_perf():
    """stock perf reads the samples, their addresses, functions and stacks that the library reads"""
    if not PERF:
        raise Skip("no perf")
    for model in models():
        path = recorded(model)
        lines = [line.split() for line in by_perf(path, "ip,sym,brstack") if line.strip()]
        ours = read(path)
        assert len(lines) == len(ours) > 2000, (model, len(lines), len(ours))
        named = 0
        for words, (_, address, stack) in zip(lines, ours):
            assert int(words[0], 16) == address, (model, words[:2], hex(address))
            entries = [entry_of(word) for word in words[1:] if word.startswith("0x")]
            known = (1 << 20) - 1  # M, P, X, A, cycles
            assert entries == [(start, end, flags & known) for start, end, flags in stack], (model, words)
            named += words[1] == "queens"
        assert named > len(ours) / 2, (model, named)


def ran_by_perf(path):
    """By address how often perf script says that stacks ran through it: from the oldest branch to the newest"""
    counts = collections.Counter()
    lines = []
    for line in [*by_perf(path, "ip,brstackinsn"), "end"]:
        match = re.match(r"\t([0-9a-f]{16})\tinsn: [0-9a-f \t]+(#)?", line)
        if match:
            lines.append((int(match[1], 16), match[2]))
        elif lines and not line.startswith("\t"):
            # The oldest branch itself, and what is behind the newest one, are of no stream
            newest = max(n for n, (_, is_branch) in enumerate(lines) if is_branch)
            counts.update(address for address, _ in lines[1:newest + 1])
            lines = []
    return counts


def test_streams():
    """stock perf lists the instructions of the streams of each block that precis counts"""
    if not PERF:
        raise Skip("no perf")
    for model in ("ideal-16", "both-32"):
        path = recorded(model)
        counts = ran_by_perf(path)
        text = built("precis", "mix", "--format", "json", "--top", "1", "--blocks", "100000", path)
        rows = json.loads(text)["blocks"]["rows"]
        if not rows:
            raise Skip("a build that reads no code")
        # The program is not moved: its code begins where the first file's mapping does
        first = re.search(r"^([0-9a-f]+)-\S+ \S+ ([0-9a-f]+) .*programs$", open_text(trace()[0] + ".maps"), re.M)
        moved = int(first[1], 16) - int(first[2], 16)
        compared = sum(row["streams"] for row in rows)
        for row in rows:
            address = int(row["offset"], 16) + moved
            assert counts[address] == row["streams"], (model, hex(address), counts[address], row)
        assert compared > 20000, (model, compared)


def test_symbols():
    """precis finds the functions by build id that perf finds"""
    if not PERF:
        raise Skip("no perf")
    path = recorded("ideal-16")
    ours = built("precis", "dump", "--sorted", "-F", "ip,symbol", "--format", "csv", path).split("\n")[1:-1]
    if not any("queens" in line for line in ours):
        raise Skip("a build that reads no symbols")
    lines = [line.split()[:2] for line in by_perf(path, "ip,sym") if line.strip()]
    assert len(lines) == len(ours)
    for words, line in zip(lines, ours):
        # perf has one of the names of an address, precis maybe another
        if "queens" in words[1] or "queens" in line:
            assert line == "0x%s,\"%s\"" % tuple(words), (words, line)


def test_code_that_ran():
    """each address is an instruction that was executed; entries of wrong paths are marked as such"""
    counts = trace()[1]
    for model in models():
        wrong = entries = 0
        for _, address, stack in read(recorded(model)):
            assert counts.get(address), (model, hex(address))
            for start, end, flags in stack:
                assert counts.get(start) and counts.get(end), (model, hex(start), hex(end))
                entries += 1
                wrong += SPECULATION[flags >> 24 & 3] == "SPEC_WRONG_PATH"
        assert bool(wrong) == model.startswith("ext"), (model, wrong, entries)
        assert (entries > 2000 * 15) == (model != "ibs"), (model, entries)


def test_levels():
    """all that stacks stand for are the branches that were taken, whoever's they are"""
    table = built("tests/mix/mix_table", "--states", "1", "--samples", "100", "--stacks", "100", trace()[0])
    taken = int(re.search(r"(\d+) taken branches", table).group(1))
    for model in models():
        branches = sum(period for _, _, stack, period in read_periods(recorded(model)) if stack)
        assert model == "ibs" or abs(branches / taken - 1) < 0.01, (model, branches / taken)


def naive(model):
    """
    The paper's formulas as they stand there, over what the file says: a sample stands for its block, a
    stack's stream, each a part of its stack, for all blocks up to the next branch.
    @return by the address of a block's first instruction: (EBS, LBR), and the same as precis counts them
    """
    path = there(model + ".whole.data")
    built("tests/mix/mix_recording", "--model", model, trace()[0], path)
    lines = [line.split() for line in built("tests/mix/mix_table", "--published", model,
                                            trace()[0]).split("\n")[:-1]]
    blocks = [(int(words[0], 16), int(words[1], 16), int(words[2])) for words in lines]
    starts = [block[0] for block in blocks]
    ours = {int(words[0], 16): (float(words[3]), float(words[4])) for words in lines}
    found = {start: [0, 0] for start in starts}
    for event, address, stack, period in read_periods(path):
        if event == 0:
            start, _, length = blocks[bisect.bisect(starts, address) - 1]
            found[start][0] += fractions.Fraction(period, length)
            continue
        for newer, older in zip(stack, stack[1:]):
            at = bisect.bisect_left(starts, older[1])
            while at < len(blocks) and blocks[at][0] <= newer[0]:
                found[blocks[at][0]][1] += fractions.Fraction(period, len(stack) - 1)
                at += 1
    return found, ours


def test_published():
    """counts by EBS and LBR equal a naive reading of the paper to the last count, out of the file"""
    for model in ("ideal-16", "biased-16", "both-32"):
        found, ours = naive(model)
        assert len(found) == len(ours) > 500, len(ours)
        for start, counts in found.items():
            for method, count in enumerate(counts):
                assert abs(ours[start][method] - count) <= 1e-8 * count, (model, hex(start), ours[start], counts)
        assert all(sum(counts[method] > 0 for counts in found.values()) > 10 for method in (0, 1))


def test_shapes():
    """depths, copies of the newest entry, payloads: what each model says"""
    for model in models():
        stacks = [stack for event, _, stack in read(recorded(model)) if stack]
        if model == "ibs":
            assert not stacks
            continue
        depth = int(re.search(r"\d+$", model).group())
        # The first of all may come before that many branches were taken
        assert sum(len(stack) == depth for stack in stacks) >= len(stacks) - 1, model
        twins = sum(stack[0] == stack[1] for stack in stacks) / len(stacks)
        others = sum(stack[5] == stack[6] for stack in stacks) / len(stacks)
        assert (twins > others + 0.1) == (model == "copied-32"), (model, twins, others)


def ops():
    text = built("precis", "dump", "--format", "csv", "-F",
                 "ip,branch_taken,branch_return,branch_target,fused_branch", recorded("ibs"))
    return [line.split(",") for line in text.split("\n")[1:-1]]


def test_ops():
    """precis decodes the payloads: branches that were taken or not, returns, fused pairs, targets"""
    counts = trace()[1]
    found = ops()
    branches = [op for op in found if op[1] in ("0", "1")]
    assert len(found) > 2000 and 0.02 < len(branches) / len(found) < 0.5, (len(found), len(branches))
    assert all(counts.get(int(op[3], 16)) for op in branches), branches[:3]
    for column in (1, 2, 4):
        assert {op[column] for op in branches} == {"0", "1"}, column
    assert all(op[1] == "1" for op in branches if op[2] == "1"), "a return that was not taken"


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
