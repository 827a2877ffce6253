# SPDX-License-Identifier: BSD-3-Clause
"""
A program that knows who got what from whom (workload.c), observed by precis sharing while it runs: what is told beside
what was. The test looks at a few runs, make bench-sharing at many.
"""
import json
import math
import os
import shlex
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# A transfer may be as old as a slow machine makes it; older ones the program does not count either
WINDOW_MS = 500
LIVE = ("--source", "program", "--max-overhead", "100", "--window", str(WINDOW_MS), "--format", "json",
        "--top", "1000000")


class Observed:
    """One run: the truth by pairs of tids, and what precis tells of them"""

    def __init__(self, truth, told):
        tids = {row["row"]: row["id"] for row in told["sharing_parties"]["rows"]} if "sharing_parties" in told else {}
        self.truth = {(i, j): count for i, row in zip(truth["tids"], truth["all"])
                      for j, count in zip(truth["tids"], row) if i != j}
        self.count = sum(self.truth.values())
        self.met = sum(map(sum, truth["met"]))
        self.sums = {row["row"]: row for row in told["sharing"]["rows"]}
        self.cells = {(tids[str(row["from"])], tids[str(row["to"])]): row["transfers"]
                      for row in told.get("sharing_pairs", {"rows": []})["rows"]}
        self.notes = told["sharing"]["notes"]
        self.made = told["sharing_experiments"]["rows"][0]

    def told(self, what="all"):
        """Nothing, where no experiment was made"""
        return (self.sums[what]["transfers"] or 0) if what in self.sums else 0

    def holds(self):
        """Is the truth in the interval?"""
        row = self.sums.get("all")
        return self.width() is not None and row["transfers_low"] <= self.count <= row["transfers_high"]

    def width(self):
        """Of the interval; None: there is none"""
        row = self.sums.get("all")
        return row["transfers_high"] - row["transfers_low"] if row and row["transfers_low"] is not None else None

    def hits(self):
        """Transfers that were seen"""
        return self.made["seen"]

    def variation(self):
        """Half the sum of what shares of the matrix differ by, and what noise alone makes of that; None: no transfer"""
        if not self.count or not self.told() or not self.hits():
            return None
        differ = sum(abs(self.cells.get(pair, 0) / self.told() - count / self.count)
                     for pair, count in self.truth.items())
        cells = sum(count > 0 for count in self.truth.values())
        return differ / 2, math.sqrt(cells / (2 * math.pi * self.hits()))

    def is_true_share(self):
        """Of the transfers that are told, and of those that were: how many are true sharing; None: there are none"""
        if not self.count or not self.told():
            return None
        return self.told("true sharing") / self.told(), self.met / self.count

    def missed_partners(self):
        """
        Threads of which the first partner is not the one, where that is twice the second at the least; of those of
        which no transfer is told it is not known
        """
        missed = 0
        for reader in {reader for _, reader in self.truth}:
            counts = sorted(((count, writer) for (writer, to), count in self.truth.items() if to == reader),
                            reverse=True)
            if counts[0][0] < 50 or (len(counts) > 1 and counts[0][0] < 2 * counts[1][0]):
                continue
            told = max((self.cells.get((writer, reader), 0), writer) for _, writer in counts)
            missed += told[0] > 0 and told[1] != counts[0][1]
        return missed


def build(target, *options):
    """A program beside this file, which has the target's name"""
    source = os.path.splitext(os.path.basename(target))[0] + ".c"
    if not os.path.exists(target):
        top = os.path.join(HERE, "../../..")
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-O2", "-pthread", "-I", top, "-I",
                        os.path.join(top, "libdecode/include"), "-include",
                        os.path.join(top, "tests/support/causeless_traps.h"), "-o", target,
                        os.path.join(HERE, source), *options], check=True)
    return target


def observe(precis, workload, output, pattern, threads, seconds, period, seed, fraction=0.1, options=()):
    """None: this CPU lacks the instructions"""
    result = subprocess.run([precis, "sharing", *LIVE, *options, "--seed", str(seed), "-o", output, "--", workload,
                             pattern, *map(str, (threads, seconds, period, seed, fraction, WINDOW_MS))],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode == 3:
        return None
    assert result.returncode == 0, result
    with open(output, encoding="utf-8") as file:
        return Observed(json.loads(result.stdout), json.load(file))
