# SPDX-License-Identifier: BSD-3-Clause
"""Programs whose page faults are known, recorded: each fault is a sample, unless another period is asked for."""
import os
import subprocess

from tap import Skip

PERF = os.environ.get("PERF", "")
CC = os.environ.get("CC", "cc")


def recorded(directory, source, *flags, options=(), period=("-c", "1"), output=None):
    """
    directory/program.data, of directory/program made of that C, which prints into 'output'; Skip where perf
    cannot record
    """
    if not PERF:
        raise Skip("no perf")
    os.makedirs(directory, exist_ok=True)
    program, path = os.path.join(directory, "program"), os.path.join(directory, "program.data")
    with open(program + ".c", "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run([*CC.split(), "-g", "-O1", *flags, "-o", program, program + ".c", "-lpthread"],
                   check=True)
    done = subprocess.run([PERF, "record", "-q", "-N", *options, "-e", "page-faults:u", *period, "-o",
                           path, program], stdout=output or subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode or not os.path.exists(path):
        raise Skip("perf record: " + (done.stderr.strip().splitlines() or ["failed"])[-1])
    return path
