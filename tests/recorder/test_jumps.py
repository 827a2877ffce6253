#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Signal handlers at each instruction that the recorder has in an event: whether they return or jump out of it, what was
done to its end is in the file, as it was and when it was, and nothing else is."""
import collections
import glob
import os
import shlex
import subprocess
import sys
import tempfile

import side_files

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import tap

RECORDER = os.path.abspath(os.path.join(os.environ["builddir"], ".libs", "libprecis-objects.so"))
SRCDIR = os.environ["srcdir"]
SKIPPED = 77
# What the file has of each, as the recorder chooses blocks by an option or records all
KINDS = (("map", "interval=all"), ("heap", "size=1"), ("name", "interval=all"), ("stack", "interval=all"),
         ("map", "interval=all,stack=frames"))
HARMED, WHOLE = 0x200000000000, 0x300000000000


def record(program, what, how, options):
    """(exit status, lines of what it did, side files, what it told); status None: it does not end"""
    with tempfile.TemporaryDirectory() as work:
        environment = dict(os.environ, PRECIS_OBJECTS="directory=%s,overhead=any,clock=mono,%s" % (work, options))
        environment.pop("LD_PRELOAD", None)
        try:
            done = subprocess.run([program, RECORDER, what, how], env=environment, capture_output=True, text=True, timeout=300,
                                  check=False)
        except subprocess.TimeoutExpired:
            return None, [], [], ""
        return done.returncode, done.stdout.splitlines(), [side_files.SideFile(path) for path in glob.glob(work + "/*.objects")], \
            done.stderr


def missing(file, lines):
    """What was done, and is not in the file at that time"""
    times, wrong, whole = collections.defaultdict(list), [], 0
    for event in file.events:
        times[event.operation, event.address, event.bytes].append(event.time)
        if event.address >= WHOLE and event.address < WHOLE + (1 << 44):
            whole += 1
        elif event.operation in ("map", "unmap") and (event.address < HARMED or event.bytes != 8192):
            wrong.append("nobody did this: %r" % (event,))
    wrong += ["%s %x was done once, not %d times" % (*key[:2], len(seen)) for key, seen in times.items()
              if key[0] in ("map", "unmap") and key[1] >= HARMED and len(seen) > 1]
    for operation, address, size, before, after in lines:
        address, size, before, after = int(address, 16), int(size), int(before), int(after)
        whole -= WHOLE <= address < WHOLE + (1 << 44)
        if not any(before <= time <= after for time in times[operation, address, size]):
            wrong.append("%s of %d bytes at %x from %d to %d: %r" % (operation, size, address, before, after,
                                                                     times[operation, address, size]))
    return wrong + (["%d more than were done" % whole] if whole else [])


def check(program, what, how, options):
    """@return whether it could be tried"""
    status, lines, files, told = record(program, what, how, options)
    if status == SKIPPED:
        return False
    name = "%s, %s: a handler at each instruction that %s" % (what, options, how)
    if status or len(files) != 1 or not lines or not lines[-1].startswith("handled "):
        tap(False, name, ["it does not end" if status is None else "status %r" % status, told, repr(lines[-1:]), repr(len(files))])
        return True
    handled = int(lines[-1].split()[1])
    wrong = side_files.faults(files[0]) + missing(files[0], [line.split() for line in lines[:-1]])
    tap(not wrong and handled > 100, "%s, in %d places" % (name, handled), wrong)
    return True


def main():
    if not os.path.exists(RECORDER):
        print("1..0 # SKIP libprecis-objects.so was not built")
        return 0
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "jumps")
        subprocess.run(shlex.split(os.environ["CC"]) + [
            "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-I" + os.path.join(SRCDIR, "libdecode", "include"),
            os.path.join(SRCDIR, "tests", "recorder", "jumps.c"), "-o", program], check=True)
        for what, options in KINDS:
            for how in ("jumps", "jumps-first", "returns", "returns-jumps"):
                if not check(program, what, how, options):
                    print("1..0 # SKIP ptrace(2) is not allowed here")
                    return 0
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
