# SPDX-License-Identifier: BSD-3-Clause
"""
What a scenario left, for checks: the '@' lines of its log (guest/steps.sh), and TAP.
"""

import os
import re
import subprocess

TOP = os.environ.get("srcdir") or os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                               "../../..")
PRECIS = os.environ.get("PRECIS", "precis")
PERF = os.environ.get("PERF") or "perf"

_count = 0
_failed = 0


def ok(passed, title, *diagnostics):
    """One case. Diagnostics are shown if it failed."""
    global _count, _failed
    _count += 1
    _failed += not passed
    print("%s %d - %s" % ("ok" if passed else "not ok", _count, title), flush=True)
    if not passed:
        for text in diagnostics:
            for line in str(text).splitlines():
                print("# " + line, flush=True)


def equal(found, expected, title):
    ok(found == expected, title, "expected %r" % (expected,), "found    %r" % (found,))


def skip(title, reason):
    """A case that cannot be judged here"""
    global _count
    _count += 1
    print("ok %d - %s # SKIP %s" % (_count, title, reason), flush=True)


def done():
    """Exit status of the check"""
    print("1..%d" % _count)
    return 1 if _failed or not _count else 0


def skip_all(reason):
    """Instead of any case. Exit status of the check"""
    print("1..0 # SKIP " + reason)
    return 0


def output(*command):
    """What a command prints; it has to succeed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            errors="replace", check=False)
    if result.returncode:
        raise RuntimeError("%s: exit status %d\n%s" % (" ".join(command), result.returncode,
                                                       result.stderr[-2000:]))
    return result.stdout


def _number(text):
    try:
        return int(text, 0)
    except ValueError:
        return text


class Step:
    """One command of a scenario: what it printed, its status, what the model counted meanwhile."""

    def __init__(self, name, status):
        self.name = name
        self.status = status
        self.words = {}  # of the module: machine, caps, clock, ...
        self.units = {}  # (PMU, CPU): {count: value}
        self.stepper = {}
        self.nmis = None
        self.command = ""
        self.printed = []  # by the command
        self.known = None  # of an estimate: low, high, row of the key figures

    @property
    def text(self):
        return "\n".join(self.printed)

    def total(self, pmu, count):
        """Over all CPUs; sums are modulo 2^64."""
        return sum(unit.get(count, 0) for (name, _), unit in self.units.items()
                   if name == pmu) % 2**64

    def pmus(self):
        return sorted({name for name, _ in self.units})

    def add(self, line):
        kind, *words = line.split()
        values = {key: _number(value) for key, _, value in (w.partition("=") for w in words)}
        if kind == "modeled":
            self.words = values
        elif kind == "stepper":
            self.stepper = values
        else:
            self.units[kind, values.pop("cpu")] = values


def totals(directory, name, seed=None):
    """
    /proc/precis_model/totals as a scenario saved it, of all or up to a seed:
    {address, "all", "thread:N", ...: {count: value}}
    """
    found = {}
    name += ".totals" if seed is None else ".totals.%d" % seed
    with open(os.path.join(directory, name), encoding="ascii") as lines:
        first = next(lines)
        assert first.startswith("modeled: "), first
        for line in lines:
            key, *words = line.split()
            found[_number(key)] = {w.partition("=")[0]: int(w.partition("=")[2]) for w in words}
    return found


def steps(directory):
    """The steps of a scenario's log, in their order"""
    found, command, printed = {}, "", []
    with open(os.path.join(directory, "log.txt"), encoding="utf-8", errors="replace") as log:
        for line in log:
            if line.startswith("=== "):
                command, printed = line.rstrip("\n"), []
            elif not line.startswith("@"):
                printed.append(line.rstrip("\n"))
            match = re.match(r"@step (\S+) rc=(\d+)$", line)
            if match:
                found[match[1]] = Step(match[1], int(match[2]))
                found[match[1]].command = command
                found[match[1]].printed = printed
            match = re.match(r"@nmis (\S+) (\d+)$", line)
            if match:
                found[match[1]].nmis = int(match[2])
            match = re.match(r"@known (\S+) (\S+) (\S+) (.*)", line)
            if match:
                found[match[1]].known = (float(match[2]), float(match[3]), match[4])
            match = re.match(r"@counts (\S+) (.*)", line)
            if match:
                found[match[1]].add(match[2])
    return list(found.values())


def estimates(directory):
    """The steps that are estimates"""
    return [step for step in steps(directory) if step.known]


def check_each(found, check, directory):
    """check(step, directory) of steps(), or of estimates(), which have to be done. @return exit status"""
    for step in found:
        equal(step.status, 0, "%s: done" % step.name)
        check(step, directory)
    return done()
