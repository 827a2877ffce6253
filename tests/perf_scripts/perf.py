# SPDX-License-Identifier: BSD-3-Clause
"""perf script with what this project adds to it."""
import csv
import functools
import glob
import io
import os
import re
import subprocess
import sys

SRCDIR = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "../.."))
BUILDDIR = os.environ.get("builddir", SRCDIR)
sys.path.insert(0, os.path.join(SRCDIR, "tests/command/cli"))

import tap  # noqa: E402
from quick import some  # noqa: E402

PERF = os.environ.get("PERF", "")
DLFILTER = os.environ.get("PRECIS_DLFILTER", "")
LIBRARY = os.environ.get("LIBPRECIS", "")
PRELOAD = os.environ.get("PRECIS_PRELOAD", "")
SCRIPT = os.path.join(BUILDDIR, "perf_scripts/python/precis.py")


def recordings():
    """Ours, and those of the shared directory; in a quick run some of them."""
    shared = os.environ.get("PRECIS_SHARED", "")
    found = {}
    for directory in (os.path.join(shared, "recordings"), os.path.join(SRCDIR, "tests/recordings")):
        for path in glob.glob(os.path.join(directory, "*.perf.data")):
            found[os.path.basename(path)] = path
    return [found[name] for name in some(sorted(found))]


def loading_environment():
    """In which perf and python3 can load what was built."""
    if os.environ.get("PRECIS_SANITIZED") == "yes" and not PRELOAD:
        raise tap.Skip("this compiler's sanitized libraries cannot be loaded into other programs")
    environment = dict(os.environ, PRECIS_LIBRARY=LIBRARY, ASAN_OPTIONS="detect_leaks=0")
    environment.pop("PERF_EXEC_PATH", None)
    if PRELOAD:
        environment["LD_PRELOAD"] = PRELOAD
    return environment


def perf(*arguments):
    """Run perf: exit code, stdout, stderr."""
    if not PERF:
        raise tap.Skip("configured without perf")
    done = subprocess.run([PERF, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200, env=loading_environment())
    out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    assert "Sanitizer" not in err, err
    return done.returncode, out, err


def dlfilter(path, *options, also=()):
    """perf script with our filter."""
    if not os.path.exists(DLFILTER):
        raise tap.Skip("configured without the dlfilter")
    words = ["script", "-i", path, "--dlfilter", DLFILTER, *also]
    for option in options:
        words += ["--dlarg", option]
    return perf(*words)


@functools.lru_cache(maxsize=None)
def has_python():
    """Whether this perf runs scripts in Python"""
    build = subprocess.run([PERF, "version", "--build-options"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, timeout=1200)
    return bool(re.search(rb"libpython: *\[ *on", build.stdout))


def script(path, *options):
    """perf script with precis.py."""
    if not PERF:
        raise tap.Skip("configured without perf")
    if not has_python():
        raise tap.Skip("this perf has no Python")
    return perf("script", "-i", path, "-s", SCRIPT, "--", *options)


def rows(text):
    """A CSV text as a sorted list of dictionaries; perf sorts by time, a file need not be."""
    lines = [line for line in csv.reader(io.StringIO(text)) if line]
    return [dict(zip(lines[0], line)) for line in sorted(lines[1:])]
