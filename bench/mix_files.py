#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
How far precis mix is from the truth, out of files: recordings of programs that were traced, as simulated CPUs take
them, through all that reads them, finds their code and cuts it into blocks. No totals are counted, so that errors
of the number of all executions are in it. Beside tests/mix/mix_table, which has the program's own blocks and totals.

    mix_files.py --built DIRECTORY [--states N] [--models NAME,...] [--demands] TRACE...

Errors are in percent of all instructions executed. --demands: of the means over all traces; exit code 1 if one is
missed.
"""
import argparse
import collections
import json
import math
import os
import re
import subprocess
import sys
import tempfile

METHODS = ("ebs", "lbr", "rule", "joint")
# Conditions have several names each
CONDITION = re.compile(r"(j|set|cmov)(e|ne|a|ae|g|ge)$")
OTHER = {"e": "z", "ne": "nz", "a": "nbe", "ae": "nb", "g": "nle", "ge": "nl"}
SHARE_LEAST = 0.001  # of which intervals are judged

# Model: of joint, by mnemonic and by block; beside the rule; above the best of the three; intervals that hold
DEMANDS = {"ideal-16": (0.5, math.inf, math.inf, math.inf, 93), "both-16": (2, 6, 0.6, 1.5, 85),
           "both-32": (2, 6, 0.6, 1.5, 85)}
FIGURES = ("joint, error by mnemonic", "joint, error by block", "joint beside the rule, by mnemonic",
           "joint above the best of the three, any program", "intervals of mnemonics that hold")


def built(options, program, *arguments):
    done = subprocess.run([os.path.join(options.built, program), *arguments], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode:
        sys.exit(done.returncode if done.returncode == 77 else "%s: exit code %d" % (program, done.returncode))
    return done.stdout


class Truth:
    """How often each instruction ran: by mnemonic, and by the file and the offset where it is"""
    def __init__(self, options, trace):
        self.mnemonics, self.places = collections.Counter(), {}
        mapped = []
        with open(trace + ".maps", encoding="utf-8") as file:
            for line in file:
                match = re.match(r"([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ \S+ +/.*?([^/\n]+)$", line)
                if match:
                    mapped.append((*(int(word, 16) for word in match.groups()[:3]), match[4]))
        for line in built(options, "tests/mix/mix_table", "--counts", trace).splitlines():
            address, count, mnemonic = line.split()
            self.mnemonics[CONDITION.sub(lambda found: found[1] + OTHER[found[2]], mnemonic)] += int(count)
            for start, end, offset, name in mapped:
                if start <= int(address, 16) < end:
                    self.places[name, int(address, 16) - start + offset] = int(count)
        self.executed = sum(self.mnemonics.values())

    def off_by(self, found, truth):
        return 100 * sum(abs(found.get(key, 0) - truth.get(key, 0)) for key in {*found, *truth}) / self.executed


def mixed(options, path, *arguments):
    return json.loads(built(options, "precis", "mix", "--format", "json", "--top", "0", "--by", "mnemonic",
                            *arguments, path))


def judge(options, truth, path):
    """@return errors by mnemonic, of each method; by block, of joint; intervals that hold, of how many"""
    compared = mixed(options, path, "--compare")
    found = mixed(options, path)
    blocks = mixed(options, path, "--blocks", "3000")["blocks"]["rows"]
    errors = {}
    for method in METHODS:
        total = compared[method]["instructions"]
        shares = {row["row"]: row[method]["value"] for row in compared["compared"]["rows"] if row[method]}
        errors[method] = truth.off_by({name: share * total for name, share in shares.items() if share and name != "all"},
                                      truth.mnemonics) if total else math.nan
    rows = {row["row"]: row for row in found["mix"]["rows"]}
    judged = [(rows.get(name), count) for name, count in truth.mnemonics.items()
              if count >= SHARE_LEAST * truth.executed]
    held = sum(row["executions_low"] <= count <= row["executions_high"] for row, count in judged if row)
    # An instruction runs as often as its block, whose first one is known by its place
    executions = {(os.path.basename(row["module"]), int(row["offset"], 16)): row for row in blocks}
    off, met = 0, 0
    for place, row in executions.items():
        count = truth.places.get(place, 0)
        off += abs(row["executions"] - count) * row["instructions"]
        met += count * row["instructions"]
    off += max(0, truth.executed - met) # in blocks that nothing leads to
    return errors, 100 * off / truth.executed, held, len(judged)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def print_line(name, model, errors, by_block, held, judged):
    print("%-14s %-12s %7.2f %7.2f %7.2f %7.2f / %5.2f  %5.1f%% of %d" %
          (name, model, *(errors[method] for method in METHODS), by_block, 100 * held / judged, judged), flush=True)


def demanded(results):
    """@return how many demands are missed, which are printed"""
    missed = 0
    for model, programs in results.items():
        joint, rule = (mean(errors[method] for errors, *_ in programs) for method in ("joint", "rule"))
        above = max(errors["joint"] - min(errors[method] for method in METHODS[:3]) for errors, *_ in programs)
        got = (joint, mean(by_block for _, by_block, *_ in programs), joint / rule, above,
               100 * sum(held for *_, held, _ in programs) / sum(judged for *_, judged in programs))
        for text, wanted, figure in zip(FIGURES, DEMANDS.get(model, ()), got):
            is_least = text.startswith("intervals")
            is_met = figure >= wanted if is_least else figure <= wanted
            if wanted != math.inf:
                print("%-12s %-48s %s %6.2f  %7.2f  %s" %
                      (model, text, ">=" if is_least else "<=", wanted, figure, "MET" if is_met else "MISSED"))
                missed += not is_met
    return missed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--built", required=True)
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--models", default=",".join(DEMANDS))
    parser.add_argument("--demands", action="store_true")
    parser.add_argument("traces", nargs="+")
    options = parser.parse_args()
    results = {model: [] for model in options.models.split(",")}
    print("# program      model            EBS     LBR    rule   joint / block  intervals")
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "recording")
        for trace in options.traces:
            truth = Truth(options, trace)
            for model, programs in results.items():
                states = []
                for state in range(1, options.states + 1):
                    built(options, "tests/mix/mix_recording", "--model", model, "--seed", str(state), trace, path)
                    states.append(judge(options, truth, path))
                programs.append(({method: mean(errors[method] for errors, *_ in states) for method in METHODS},
                                 mean(by_block for _, by_block, *_ in states), sum(held for *_, held, _ in states),
                                 sum(judged for *_, judged in states)))
                print_line(os.path.basename(trace), model, *programs[-1])
    for model, programs in results.items():
        print_line("mean", model, {method: mean(errors[method] for errors, *_ in programs) for method in METHODS},
                   mean(by_block for _, by_block, *_ in programs), sum(held for *_, held, _ in programs),
                   sum(judged for *_, judged in programs))
    sys.exit(int(options.demands and demanded(results) > 0))


if __name__ == "__main__":
    main()
