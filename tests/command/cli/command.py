# SPDX-License-Identifier: BSD-3-Clause
"""The command under test, and where the recordings are."""
import os
import re
import subprocess
import sys

SRCDIR = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "../../.."))
PRECIS = os.environ.get("PRECIS", "precis")
SHARED = os.environ.get("PRECIS_SHARED", "")
LOSSES = re.compile(r"precis \w+: .*: lost: \d+ records in the ring buffer, \d+ samples in the PMU; "
                    r"throttled \d+ times.*\n?")


def recording(name):
    return os.path.join(SRCDIR, "tests/recordings", name + ".perf.data")


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode(errors="surrogateescape")
        self.err = done.stderr.decode(errors="surrogateescape")

    def __repr__(self):
        return "code %s\nstdout %r\nstderr %r" % (self.code, self.out[:2000], self.err[:2000])


def run(*arguments, **how):
    """Run the command. A signal is never right, whatever the input."""
    words = [PRECIS] + [str(word) for word in arguments]
    done = subprocess.run(words, **{"stdin": subprocess.DEVNULL, **how}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200)
    result = Result(done)
    assert result.code >= 0, "killed by signal %d: %r" % (-result.code, words)
    assert "Sanitizer" not in result.err, result
    return result


def good(*arguments, live=False, **how):
    """Run a command that must succeed in silence; its standard output. What was recorded live by
    the test may have lost or throttled samples, of which the command tells."""
    result = run(*arguments, **how)
    said = [line for line in result.err.splitlines() if not (live and LOSSES.search(line))]
    assert result.code == 0 and not said, result
    return result.out


def kib_of(*arguments, is_good=True):
    """The memory that the command takes at most; is_good: it has to succeed"""
    code = (f"import resource, subprocess, sys; subprocess.run(sys.argv[1:], check={is_good}, "
            "stdout=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    words = [sys.executable, "-c", code, PRECIS, *arguments]
    return int(subprocess.run(words, capture_output=True, check=True).stdout)


def usage(*arguments):
    """Run a command that is called wrongly; what it says, in the first line."""
    result = run(*arguments)
    assert result.code == 2, result
    lines = result.err.splitlines()
    assert not result.out and lines, result
    return lines[0]
