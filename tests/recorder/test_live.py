#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which blocks a program has now, as it can ask the recorder: against a program that knows (live_blocks.c)."""
import glob
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import tap

SRCDIR, BUILDDIR = os.environ["srcdir"], os.environ["builddir"]
PATIENCE_S = 300
RECORDER = os.path.abspath(os.path.join(BUILDDIR, ".libs", "libprecis-objects.so"))


def threads(pid):
    """Of a process that does not end and its children: what each thread waits for"""
    for path in glob.glob("/proc/%d/task/*" % pid):
        for name in ("stat", "wchan", "syscall"):
            try:
                with open(os.path.join(path, name), encoding="ascii", errors="replace") as file:
                    yield "%s/%s: %s\n" % (path, name, file.read().strip())
            except OSError as error:
                yield "%s/%s: %s\n" % (path, name, error)
        try:
            with open(os.path.join(path, "children"), encoding="ascii") as file:
                children = file.read().split()
        except OSError:
            children = []
        for child in children:
            yield from threads(int(child))


def run(program, work, options, *words):
    changed = dict(os.environ)
    if options is not None:
        changed.update(LD_PRELOAD=RECORDER, PRECIS_OBJECTS="overhead=any,directory=%s,%s" % (work, options))
    with subprocess.Popen([program, *words], env=changed, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            where = "".join(threads(process.pid))
            os.killpg(process.pid, signal.SIGKILL) # its children, too
            out, err = process.communicate()
            err += "not over after %d s\n%s" % (PATIENCE_S, where)
    return subprocess.CompletedProcess(program, process.returncode, out, err)


def check(name, done, expected):
    lines = re.findall(r"^(not )?ok \d+ - (.*)$", done.stdout, re.MULTILINE)
    for wrong, what in lines:
        tap(not wrong, "%s: %s" % (name, what), done.stdout.splitlines())
    tap(done.returncode == 0 and len(lines) == expected, "%s: all was asked" % name,
        [repr(done.returncode)] + done.stderr.splitlines())


def main():
    if not os.path.exists(RECORDER):
        print("1..0 # SKIP there is no recorder")
        return 0
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "live_blocks")
        subprocess.run(shlex.split(os.environ["CC"]) + [
            "-O1", "-g", "-pthread", "-fno-builtin-malloc", "-I", os.path.join(SRCDIR, "libdecode", "include"),
            os.path.join(SRCDIR, "tests", "recorder", "live_blocks.c"), "-o", program], check=True)
        check("all blocks recorded", run(program, work, "live=yes,interval=all,stack=none"), 9)
        check("few blocks recorded", run(program, work, "live=yes,interval=512k,stack=none"), 9)
        check("without live=yes", run(program, work, "live=no,interval=all,stack=none", "unknown"), 1)
        check("without the recorder", run(program, work, None, "unknown"), 1)
        done = run(program, work, "live=perhaps", "unknown")
        tap("PRECIS_OBJECTS is wrong here" in done.stderr and "live=perhaps" in done.stderr,
            "live=perhaps is refused", done.stderr.splitlines())
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
