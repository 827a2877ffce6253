#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis mix of recordings of aarch64, as perf takes them where there is BRBE: programs that qemu-aarch64 executed,
sampled by the simulator. Instructions are capstone's; lengths, names and branches are judged by objdump.
"""
import collections
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../command/cli"))

import tap
from built import need
from tap import Skip, equal
from traced import built, traced

SCRATCH = tempfile.TemporaryDirectory()
PROGRAMS = ("matrices.aarch64", "sorting.aarch64", "interpreter.aarch64")
CODE_AARCH64 = "11993152"  # PRECIS_CODE_AARCH64
ROUNDS, SIZE = 10, 64  # of matrices
# Branches of branches.def by objdump's names
CONDITIONAL, UNCONDITIONAL, INDIRECT, CALL, INDIRECT_CALL, RETURN = range(1, 7)
# What sets flags, too, has one number with what does not; what capstone does not know
NAMES = {"adds": "add", "subs": "sub", "ands": "and", "bics": "bic", ".inst": "unknown instruction"}
BRANCHES = {"b": UNCONDITIONAL, "br": INDIRECT, "bl": CALL, "blr": INDIRECT_CALL, "ret": RETURN,
            "cbz": CONDITIONAL, "cbnz": CONDITIONAL, "tbz": CONDITIONAL, "tbnz": CONDITIONAL}


def there(name):
    return os.path.join(SCRATCH.name, name)


def traces():
    need("zydis")
    need("capstone")
    if not shutil.which("aarch64-linux-gnu-gcc") or not shutil.which("qemu-aarch64"):
        raise Skip("no aarch64-linux-gnu-gcc, or no qemu-aarch64")
    if not hasattr(traces, "kept"):
        traces.kept = traced(SCRATCH.name, 1000000, *PROGRAMS)
    if not traces.kept:
        raise Skip("aarch64-linux-gnu-gcc cannot compile (Debian: libc6-dev-arm64-cross)")
    return traces.kept


def truth(trace):
    counts = collections.Counter()
    for line in built("tests/mix/mix_table", "--counts", trace).splitlines():
        _, count, mnemonic = line.split()
        counts[NAMES.get(mnemonic, mnemonic)] += int(count)
    return counts


def recorded(trace, model):
    path = "%s.%s.data" % (trace, model)
    if not os.path.exists(path):
        built("tests/mix/mix_recording", "--model", model, "--seed", "1", "--samples", "8000", "--stacks", "8000",
              trace, path)
    return path


def mixed(path, *arguments):
    """@return by class, by column"""
    text = built("precis", "mix", "--by", "mnemonic", "--top", "0", "--format", "csv", *arguments, path)
    found = collections.defaultdict(dict)
    for row in csv.DictReader(text.splitlines()):
        if row["section"] == "mix" and row["value"]:
            found[row["row"]][row["column"]] = row["value"]
    return found


def test_mnemonics():
    """mnemonics are executed as often as they were, without bias and with it, and intervals hold"""
    for model, most in (("ideal-16", 0.5), ("both-16", 2)):
        held = judged = 0
        for trace in traces():
            counts, found = truth(trace), mixed(recorded(trace, model))
            total = sum(counts.values())
            off = sum(abs(float(found[name].get("executions", 0)) - counts[name])
                      for name in (set(counts) | set(found)) - {"all"})
            assert 100 * off <= most * total, (model, trace, 100 * off / total)
            for name, count in counts.items():
                if count >= 0.001 * total:
                    judged += 1
                    held += (float(found[name].get("executions_low", 0)) <= count <=
                             float(found[name].get("executions_high", 0)))
        assert judged > 40 and held >= 0.85 * judged, (model, held, judged)


def test_operations():
    """a product of matrices: operations of fmla, and what its loop reads, by arithmetic"""
    found = mixed(recorded(traces()[0], "ideal-16"))
    wanted = ROUNDS * SIZE ** 3
    for mnemonic, column, value in (("fmla", "flops", 2 * wanted), ("ldr", "bytes_read", 4 * wanted),
                                    ("ld1r", "bytes_read", wanted)):
        assert abs(float(found[mnemonic][column]) - value) <= 0.01 * value, (mnemonic, found[mnemonic], value)


def test_dimensions():
    """classes: vectors and their elements; each instruction is in one"""
    path = recorded(traces()[0], "ideal-16")
    wanted = ROUNDS * SIZE ** 3 // 4
    for dimension, name, least in (("element", "f32", wanted), ("extension", "NEON", wanted), ("width", "128", wanted),
                                   ("category", "VECTOR", wanted), ("branch", "conditional", wanted)):
        text = built("precis", "mix", "--by", dimension, "--top", "0", "--format", "csv", path)
        found = {row["row"]: float(row["value"]) for row in csv.DictReader(text.splitlines())
                 if row["section"] == "mix" and row["column"] == "executions" and row["value"]}
        assert found[name] >= 0.99 * least, (dimension, found)
        assert abs(sum(found.values()) - 2 * found["all"]) <= len(found), (dimension, found)


def test_stock_perf():
    """perf reads the same stacks"""
    if not shutil.which("perf"):
        raise Skip("no perf")
    done = subprocess.run(["perf", "script", "-F", "brstack", "-i", recorded(traces()[0], "ideal-16")],
                          capture_output=True, text=True, check=False)
    stacks = [line for line in done.stdout.splitlines() if line.count("0x") == 32]
    assert len(stacks) > 7000, (len(stacks), done.stderr[:300])


def disassembled(path):
    """@return (address, word, name, target) as objdump has them"""
    done = subprocess.run(["aarch64-linux-gnu-objdump", "-d", path], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        match = re.match(r" +([0-9a-f]+):\t([0-9a-f]{8}) \t(\S+)(?:\t(.*))?", line)
        if match:
            address, word, name, rest = match.groups()
            target = re.findall(r"\b([0-9a-f]+) <", rest or "")
            yield int(address, 16), word, name, int(target[-1], 16) if target else 0


def test_objdump():
    """each instruction of a program has objdump's branch and target, and nearly all its name"""
    traces()
    lines = list(disassembled(there("programs.aarch64")))
    words = "".join("%x %s\n" % (address, bytes.fromhex(word)[::-1].hex()) for address, word, _, _ in lines)
    done = subprocess.run([os.path.join(os.environ["builddir"], "tests/libdecode/code/list_instructions"), CODE_AARCH64],
                          input=words, capture_output=True, text=True, check=True)
    same = known = 0
    for (address, word, name, target), line in zip(lines, done.stdout.splitlines()):
        length, ours, branch, to = line.split()
        equal(length, "4", hex(address))
        kind = BRANCHES.get(name, CONDITIONAL if name.startswith("b.") else None)
        if kind:
            equal(int(branch), kind, (hex(address), word, name))
            if kind in (CONDITIONAL, UNCONDITIONAL, CALL):
                equal(int(to, 16), target, (hex(address), word, name))
        elif name not in ("svc", "brk", "udf", "hlt", ".inst"):
            equal(int(branch), 0, (hex(address), word, name))
        known += ours != "-"
        same += ours == name.lower()
    # Others are aliases, and what is younger than capstone 4
    assert len(lines) > 50000 and known > 0.99 * len(lines) and same > 0.9 * len(lines), (len(lines), known, same)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
