#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where output goes: closed descriptors, full disks. What is said never lands in a file of results,
and what could not be written is never called a success."""
import itertools
import os
import subprocess
import sys
import tempfile

import tap
from command import PRECIS, recording
from perfdata import op_payload, perf_data, sample
from tap import equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()


def damaged():
    """A recording of which messages tell: one of its payloads is none."""
    path = os.path.join(SCRATCH.name, "damaged")
    with open(path, "wb") as file:
        file.write(perf_data([sample(op_payload(), cpu=1), sample(op_payload(caps=0), cpu=2)]))
    return path


def run_closed(closed, *arguments):
    """Run the command with these descriptors closed; its exit code, output, messages."""
    pipes = {fd: subprocess.PIPE for fd in (1, 2)}
    done = subprocess.run([PRECIS, *arguments], stdin=subprocess.DEVNULL, stdout=pipes[1],
                          stderr=pipes[2], timeout=1200, check=False,
                          preexec_fn=lambda: [os.close(fd) for fd in closed])
    assert done.returncode >= 0, done
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_closed_descriptors():
    """each of stdin, stdout, stderr closed: an output file holds the output alone"""
    path = os.path.join(SCRATCH.name, "out")
    for command in (("dump", "-F", "cpu"), ("report",), ("info",), ("dump", "--records")):
        code, out, said = run_closed((), *command, "-o", path, damaged())
        equal((code, out), (1, ""), command)
        assert said, command
        with open(path, encoding="utf-8") as file:
            expected = file.read()
        for count in range(1, 4):
            for closed in itertools.combinations(range(3), count):
                equal(run_closed(closed, *command, "-o", path, damaged()),
                      (1, "", "" if 2 in closed else said), (command, closed))
                with open(path, encoding="utf-8") as file:
                    equal(file.read(), expected, (command, closed))


def test_closed_output():
    """a closed standard output is told, not taken for success"""
    for command in (("dump", recording("zen4-op")), ("report", recording("zen4-op")),
                    ("info", recording("zen4-op")), ("fields",), ("errata",), ("--version",)):
        code, _, err = run_closed((1,), *command)
        equal(code, 1, command)
        assert "standard output: cannot write: Bad file descriptor" in err, (command, err)


def test_closed_input():
    """a closed standard input is no recording"""
    for command in ("dump", "report", "info"):
        code, out, err = run_closed((0,), command, "-")
        equal((code, out), (1, ""), command)
        assert "standard input: Bad file descriptor" in err, (command, err)


def test_full_disk():
    """whatever prints says when it could not, and fails"""
    if not os.path.exists("/dev/full"):
        raise tap.Skip("no /dev/full")
    path = recording("zen4-op")
    commands = [("--version",), ("-V",), ("--help",), ("help",), ("fields",), ("errata",),
                ("fields", "op"), ("fields", "--format", "json"), ("errata", "--format", "json"),
                ("info",), ("info", path), ("info", "--format", "json", path),
                ("info", "--compare")]
    for command in ("info", "report", "dump", "fields", "errata"):
        commands += [(command, "--help"), ("help", command)]
    for form in ("text", "csv", "json"):
        commands += [("report", "--format", form, path), ("dump", "--format", form, path)]
    for command in commands:
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([PRECIS, *command], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, timeout=1200, check=False)
        equal(done.returncode, 1, command)
        assert b"standard output: cannot write: No space left on device\n" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
