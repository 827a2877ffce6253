# SPDX-License-Identifier: BSD-3-Clause
"""What the comparisons with stock perf share: TAP, running programs, where things are."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))

from quick import FEW, QUICK, fewer, some  # what tests take from here

TOP = os.environ.get("srcdir", ".")
BUILD = os.environ.get("builddir", ".")
PRECIS = os.environ.get("PRECIS", os.path.join(BUILD, "precis"))
PERF = os.environ.get("PERF", "perf")
SHARED = os.environ.get("PRECIS_SHARED", os.path.join(TOP, "..", "shared"))

# Nothing of the user's perf configuration, language or pager takes part.
ENVIRONMENT = dict(os.environ, LC_ALL="C", PERF_CONFIG="/dev/null", PAGER="cat", TZ="UTC")

_cases = 0
_failures = 0


def note(text):
    print("# " + text, flush=True)


def ok(passed, name):
    global _cases, _failures
    _cases += 1
    _failures += not passed
    print("%s %d - %s" % ("ok" if passed else "not ok", _cases, name), flush=True)


def skip(name, reason):
    global _cases
    _cases += 1
    print("ok %d - %s # SKIP %s" % (_cases, name, reason), flush=True)


def skip_all(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


def done():
    print("1..%d" % _cases)
    sys.exit(_failures != 0)


def why_no_breakpoints():
    """Why data breakpoints have no samples here; None if they have, or if perf cannot say"""
    workload = os.path.join(BUILD, "tests", "support", "workload")
    run = subprocess.run([PERF, "stat", "-x", ",", "-e", "mem:0x20000000:w", workload, "2"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT)
    if run.returncode or run.stderr.split(b",")[0].strip() != b"0":
        return None
    return "data breakpoints can be set here, but never fire (virtual machine)"


def need(program, what):
    """Skip everything unless the program runs."""
    try:
        subprocess.run([program, "--version"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        skip_all("%s does not run: %s" % (program or "(none)", what))


class Lines:
    """Lines of a program's output while it runs; its exit code and stderr afterwards."""

    def __init__(self, command, errors):
        self.errors = open(errors, "w+b")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors,
                                        stdin=subprocess.DEVNULL, env=ENVIRONMENT)

    def __iter__(self):
        return iter(self.process.stdout)

    def close(self):
        """@return exit code, stderr"""
        self.process.stdout.close()
        code = self.process.wait()
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        self.errors.close()
        return code, text
