# SPDX-License-Identifier: BSD-3-Clause
"""
Programs whose page faults are known, recorded: each fault is a sample, unless another period is asked for; with the blocks
of their heap, if these are asked for.
"""
import os
import subprocess

from tap import Skip

PERF = os.environ.get("PERF", "")
CC = os.environ.get("CC", "cc")
RECORDER = os.path.abspath(os.path.join(os.environ.get("builddir", "."), ".libs", "libprecis-objects.so"))


def need_recording(done, path):
    """Skip where perf could not record into that"""
    if done.returncode or not os.path.exists(path) or not os.path.getsize(path):
        raise Skip("perf record: " + (done.stderr.strip().splitlines() or ["failed"])[-1])


def recorded(directory, source, *flags, options=(), period=("-c", "1"), output=None, arguments=()):
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
                           path, program, *arguments], stdout=output or subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=False)
    need_recording(done, path)
    return path


def need_recorder():
    """Skip where blocks of the heap are not recorded, or page faults"""
    if not os.path.exists(RECORDER):
        raise Skip("no recorder of objects in this build")
    if not PERF:
        raise Skip("no perf")


def recorded_with_blocks(path, *command, options="interval=all,overhead=any", perf_options=(), stdout=subprocess.PIPE,
                         cwd=None):
    """The command's page faults, in 'path', beside which its side files are: what was done"""
    # perf itself is not to be recorded
    done = subprocess.run([PERF, "record", "-q", "-N", "-d", "-e", "page-faults:u", "-c", "1", "-o", path, *perf_options,
                           "env", "LD_PRELOAD=" + RECORDER,
                           f"PRECIS_OBJECTS={options},directory={os.path.dirname(path)}", *command],
                          stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=cwd, check=False)
    need_recording(done, path)
    return done
