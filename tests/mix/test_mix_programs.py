#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Estimates of instruction mixes against programs whose every block is known: traces by qemu-user, samples by a
simulator that is biased on demand. make bench-mix does the same with more programs and longer traces.
"""
import math
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
from traced import BUILT, built, traced

TABLE = "tests/mix/mix_table"
SCRATCH = tempfile.TemporaryDirectory()
LINE = re.compile(r"^(\S+) +(\S+) +" + r" +".join([r"([0-9.]+|-)/ *([0-9.]+|-)"] * 4) +
                  r" +([0-9.]+)% of +(\d+) +([0-9.]+|nan) ([0-9.]+|nan) ([0-9.]+)$")
METHODS = ("ebs", "lbr", "rule", "joint")


def there(name):
    return os.path.join(SCRATCH.name, name)


def rows(text):
    """@return (program, model): errors by method, (mnemonic, block), and the rest"""
    found = {}
    for match in filter(None, map(LINE.match, text.split("\n"))):
        numbers = [float("nan" if text == "-" else text) for text in match.groups()[2:]]
        errors = {method: (numbers[2 * n], numbers[2 * n + 1]) for n, method in enumerate(METHODS)}
        found[match.group(1), match.group(2)] = dict(errors, held=numbers[8], flagged=numbers[12])
    return found


def program_rows():
    if not hasattr(program_rows, "kept"):
        traces = traced(SCRATCH.name, 2000000, "sorting", "interpreter", "gzip")
        # Stacks and samples as rare as their windows are long: some 60 taken branches between two
        program_rows.kept = built(TABLE, "--states", "2", "--samples", "8000", "--stacks", "8000", "--cutoffs",
                                  *traces)
    return program_rows.kept


def test_traces():
    """each instruction of a block ran as often as the block, and an edge leads to each execution"""
    heads = re.findall(r"(\d+) blocks, (\d+) broken, (\d+) unequal", program_rows())
    assert len(heads) >= 2, program_rows()
    for blocks, broken, unequal in heads:
        assert int(blocks) > 100 and int(broken) == 0 and int(unequal) == 0, heads


def test_ideal():
    """without bias: the joint estimate is no worse than the best of the others"""
    mean = rows(program_rows())["mean", "ideal-16"]
    assert mean["lbr"][0] <= 1 and mean["joint"][0] <= 0.5, mean
    assert mean["joint"][0] <= min(mean[method][0] for method in METHODS[:3]), mean
    assert mean["flagged"] == 0 and mean["held"] >= 90, mean


def test_biased():
    """biased windows and skid: within the figures that the joint estimate promises"""
    found = rows(program_rows())
    for model in ("biased-16", "both-16", "both-32"):
        mean = found["mean", model]
        assert mean["joint"][0] <= 2 and mean["joint"][1] <= 6, (model, mean)
        assert mean["joint"][0] <= 0.6 * mean["rule"][0], (model, mean)
        assert mean["held"] >= 85, (model, mean)
        for (program, of), row in found.items():
            best = min(row[method][0] for method in METHODS[:3])
            assert of != model or row["joint"][0] <= best + 1.5, (program, model, row)


def test_shadow():
    """skid alone, and copies of the newest entry: EBS is off, the joint estimate is not"""
    found = rows(program_rows())
    assert found["mean", "shadow-16"]["ebs"][0] > 4, found
    for model in ("shadow-16", "copied-32"):
        assert found["mean", model]["joint"][0] <= 0.5, (model, found["mean", model])


def test_cutoffs():
    """the rule by its cutoff: none is EBS, 18 the paper's, all LBR; of windows without bias the longest is no worse"""
    head, *lines = program_rows()[program_rows().index("# model             0"):].splitlines()
    places, means = head.split()[2:-1], rows(program_rows())
    found = {words[0]: dict(zip(places, map(float, words[1:-1])), best=words[-1]) for words in map(str.split, lines)}
    assert "ibs" not in found and len(found) == len([model for program, model in means if program == "mean"]) - 1
    for model, errors in found.items():
        for cutoff, method in (("0", "ebs"), ("18", "rule"), ("LBR", "lbr")):
            assert abs(errors[cutoff] - means["mean", model][method][0]) < 0.011, (model, cutoff, errors)
        assert errors[errors["best"]] == min(errors[place] for place in places), errors
    assert found["ideal-16"]["LBR"] <= found["ideal-16"]["18"] + 0.05, found["ideal-16"]


def test_amd():
    """IBS ops with stacks of LbrExtV2 or BRS, and alone: ops are counted, not instructions"""
    found = rows(program_rows())
    for model in ("ext-16", "brs-16"):
        assert found["mean", model]["joint"][0] <= 0.5, (model, found["mean", model])
        assert found["mean", model]["held"] >= 90, (model, found["mean", model])
    mean = found["mean", "ext-biased-16"]
    assert mean["joint"][0] <= min(2, 0.6 * mean["rule"][0]) and mean["joint"][1] <= 6, mean
    mean = found["mean", "ibs"]
    assert mean["joint"][0] <= min(2, 0.6 * mean["ebs"][0]) and mean["held"] >= 85, mean
    assert math.isnan(mean["lbr"][0]) and math.isnan(mean["rule"][0]), mean


def test_demands():
    """a demand that is not met is said and makes an exit code"""
    traces = traced(SCRATCH.name, 2000000, "interpreter")
    command = [os.path.join(BUILT, TABLE), "--states", "2", "--demands", "--samples", "8000", "--stacks", "8000",
               *traces]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise Skip("a build without Zydis")
    lines = re.findall(r"[<>]= +([0-9.]+) +(-?[0-9.]+)  (MET|MISSED)$", done.stdout, re.M)
    assert len(lines) > 30 and "MET" in {line[2] for line in lines}, done.stdout
    assert done.returncode == int("MISSED" in {line[2] for line in lines}), done.stdout
    # Of three samples nothing is good enough
    command[4:8] = ["--samples", "3", "--stacks", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "MISSED" in done.stdout and "nan" not in done.stdout.split(
        "# demands")[0].replace("nan nan", ""), done.stdout


def callgrind_counts(first, end):
    """by address, of the queens' own code: of the same binary under another translator"""
    out = there("callgrind.out")
    subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no",
                    "--compress-strings=no", "--callgrind-out-file=" + out,
                    there("programs"), "queens", "6"], capture_output=True, check=True)
    counts, is_call = {}, False
    with open(out, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"0x([0-9a-f]+) \d+ (\d+)$", line)
            # The line behind a call has what it cost inside
            if match and not is_call and first <= int(match.group(1), 16) < end:
                address = int(match.group(1), 16)
                counts[address] = counts.get(address, 0) + int(match.group(2))
            is_call = line.startswith("calls=")
    return counts


def test_second_witness():
    """callgrind counts each instruction as often as the trace does"""
    if not shutil.which("valgrind") or not shutil.which("nm"):
        raise Skip("no valgrind, or no nm")
    traced(SCRATCH.name, 1, "queens")
    trace = there("whole")
    subprocess.run(["qemu-x86_64", "-plugin", "%s,trace=%s,most=10000000" % (there("plugin.so"), trace),
                    there("programs"), "queens", "6"], capture_output=True, check=True)
    symbols = subprocess.run(["nm", "-S", there("programs")], capture_output=True, text=True, check=True)
    found = [re.match(r"([0-9a-f]+) ([0-9a-f]+) t queens", line) for line in symbols.stdout.split("\n")]
    first, size = (int(text, 16) for text in next(filter(None, found)).groups())
    ours = {}
    for line in built(TABLE, "--counts", trace).split("\n")[:-1]:
        address, count, _ = line.split()
        if first <= int(address, 16) < first + size:
            ours[int(address, 16)] = int(count)
    assert len(ours) > 20 and max(ours.values()) > 100, ours
    assert ours == callgrind_counts(first, first + size)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
