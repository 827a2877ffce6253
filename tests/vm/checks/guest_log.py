# SPDX-License-Identifier: BSD-3-Clause
"""What a scenario has printed in the guest (guest/steps.sh), and results as TAP."""
import os
import re

WORDS = 1 << 64


class Step:
    """One command: its lines, its exit status, and what the modeled PMUs have counted meanwhile"""

    def __init__(self, name):
        self.name = name
        self.lines = []
        self.status = None
        self.delivered = {}  # {PMU: (samples handed to perf, their checksum)}
        self.result = {}     # of papi_samples

    @property
    def text(self):
        return "\n".join(self.lines)

    def error(self):
        found = re.search(r"^@error (.*)$", self.text, re.M)
        return found[1] if found else None

    def add_counts(self, text):
        """"ibs_op cpu=0 ... delivered=N ... sum=0xX", a line for each CPU"""
        found = re.match(r"(\w+) cpu=\d+ .*?\bdelivered=(\d+).*?\bsum=0x([0-9a-f]+)", text)
        if found:
            count, total = self.delivered.get(found[1], (0, 0))
            self.delivered[found[1]] = (count + int(found[2]),
                                        (total + int(found[3], 16)) % WORDS)


def parse(path):
    """The steps of a scenario's log, by name"""
    steps, current = {}, None
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            line = line.rstrip("\n")
            began = re.match(r"=== ([^ :]+): ", line)
            word, _, rest = line.partition(" ")
            if began:
                current = steps.setdefault(began[1], Step(began[1]))
            elif current and word == "@step":
                current.status = int(rest.rpartition("=")[2])
            elif current and word == "@counts":
                current.add_counts(rest.partition(" ")[2])
            elif current:
                current.lines.append(line)
                if word == "@result":
                    pairs = rest.split()[1:]
                    current.result = dict(zip(pairs[::2], pairs[1::2]))
    return steps


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def ok(self, is_so, text, *notes):
        self.count += 1
        self.failed += not is_so
        print("%s %d - %s" % ("ok" if is_so else "not ok", self.count, text))
        if not is_so:
            for note in notes:
                for line in str(note).splitlines():
                    print("# " + line)
        return bool(is_so)

    def done(self):
        print("1..%d" % self.count)
        return 1 if self.failed or not self.count else 0


def log_of(directory):
    return parse(os.path.join(directory, "log.txt"))
