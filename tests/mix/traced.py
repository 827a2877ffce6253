# SPDX-License-Identifier: BSD-3-Clause
"""Programs as qemu-user executes them, and what programs of the build make of their traces."""
import os
import subprocess

from tap import Skip

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.environ["builddir"]


def printed(lacks, *command):
    """@return what a command prints; 'lacks': what it does without by exit code 77, unless it says so"""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise Skip(done.stderr.strip().split("\n")[-1] or lacks)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def built(program, *arguments):
    return printed("a build without Zydis", os.path.join(BUILT, program), *arguments)


def traced(directory, executions, *programs):
    """@return the traces of those that this machine has; see trace.sh"""
    printed("no compiler", os.path.join(HERE, "trace.sh"), directory, str(executions), *programs)
    traces = (os.path.join(directory, program.split("=")[0]) for program in programs)
    return [trace for trace in traces if os.path.exists(trace)]
