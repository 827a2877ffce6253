#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The texts of tracepoints against perf script -F trace, of foreign and of fresh recordings."""
import collections
import glob
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))

import built
import tap
from quick import some
from tap import Skip

PERF = os.environ.get("PERF", "")
SHARED = os.environ["PRECIS_SHARED"]
PRINTER = os.path.join(os.environ["builddir"], "tests/differential/print_traces")
SCRATCH = tempfile.TemporaryDirectory()
EVENTS = ("sched:*", "raw_syscalls:*", "exceptions:*", "task:*", "syscalls:*", "signal:*", "irq:*",
          "kmem:*", "filemap:*", "timer:*", "writeback:*")
FAILED = "[FAILED TO PARSE]"


def lines(text):
    """What differs in blanks alone is equal: perf aligns."""
    return collections.Counter(" ".join(line.split()) for line in text.split("\n") if line.strip())


def ours(path):
    done = subprocess.run([PRINTER, path], capture_output=True, errors="replace", check=False)
    if done.returncode:
        raise Skip("%s: %s" % (os.path.basename(path), done.stderr.strip()))
    return lines(done.stdout)


def theirs(path):
    # perf would ask the machine that runs for the names of kernel functions
    done = subprocess.run([PERF, "script", "-i", path, "--kallsyms", "/dev/null", "-F", "event,trace"],
                          capture_output=True, errors="replace", check=False)
    if "incompatible file format" in done.stderr:
        raise Skip("%s: perf does not read it" % os.path.basename(path))
    done.check_returncode()
    return lines(done.stdout.replace(FAILED, ""))


def compare(path):
    """How many texts were equal."""
    found = ours(path)
    tracepoints = {line.split()[0] for line in found}
    # a recording may have other events
    expected = collections.Counter({line: count for line, count in theirs(path).items()
                                    if line.split()[0] in tracepoints})
    missing, added = expected - found, found - expected
    assert not missing and not added, "%s:\nperf: %r\nprecis: %r" % (
        path, sorted(missing)[:3], sorted(added)[:3])
    return sum(found.values())


def record(name, events, *options):
    path = os.path.join(SCRATCH.name, name)
    command = [PERF, "record", "-q", "-o", path, "-m", "1024"] + list(options)
    for event in events:
        command += ["-e", event]
    work = "ls /usr/lib >/dev/null; sleep 0.02; cat /etc/passwd | sort >/dev/null; kill -0 $$"
    done = subprocess.run(command + ["--", "sh", "-c", work], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise Skip("perf record: %s" % " ".join(done.stderr.split())[:200])
    return path


def need_perf():
    if not PERF:
        raise Skip("no perf")
    if subprocess.run([os.environ["PRECIS"], "info", "--help"], check=False,
                      capture_output=True).returncode:
        raise Skip("no precis")


def need_tracefs():
    need_perf()
    places = ("/sys/kernel/tracing", "/sys/kernel/debug/tracing")
    if not any(os.path.isdir(os.path.join(place, "events/sched")) for place in places):
        raise Skip("no tracefs is mounted, or it may not be read")


def known(event):
    system = event.split(":")[0]
    return bool(glob.glob("/sys/kernel/tracing/events/%s/*/format" % system) or
                glob.glob("/sys/kernel/debug/tracing/events/%s/*/format" % system))


def test_foreign():
    """foreign recordings"""
    built.need("libtraceevent")
    need_perf()
    done = 0
    for path in sorted(glob.glob(os.path.join(SHARED, "perfdata", "*"))):
        if not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            if file.read(8) != b"PERFILE2":
                continue
        try:
            done += compare(path)
        except Skip:
            pass
    if not done:
        raise Skip("none has tracepoints")
    print("# %d texts" % done)


def each(events, *options):
    built.need("libtraceevent")
    need_tracefs()
    texts = 0
    for number, event in enumerate(events):
        if not known(event):
            print("# %s: this kernel has none" % event)
            continue
        texts += compare(record("%d" % number, [event], *options))
    if not texts:
        raise Skip("nothing happened")
    print("# %d texts" % texts)


def test_programs():
    """fresh recordings of a program, one for each system of tracepoints"""
    each(some(EVENTS))


def test_system():
    """fresh recordings of the whole system"""
    each(("sched:*", "raw_syscalls:*"), "-a")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
