#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Recordings that the writer writes anew in each of its forms, read by stock perf: the same samples as of the
original, the same records byte by byte, the same features; and the same by precis dump.
"""

import glob
import os
import re
import subprocess
import tempfile

from differential import (BUILD, ENVIRONMENT, PERF, PRECIS, QUICK, SHARED, TOP, done, need, note, ok,
                          skip, some)

COPY = os.path.join(BUILD, "tests/differential/copy_recording")
FORMS = [("file", 0), ("file", 1), ("file", 19), ("pipe", 0), ("pipe", 3)]
FEWER = [("file", 3), ("pipe", 0)]  # of foreign recordings
USER_TYPES = 64
# perf does not print ip and symbols of a dynamic PMU's events that come through a pipe: their raw
# bytes are compared instead, in which the times are as well: not every recording has them.
FIELDS = "comm,pid,tid,event"
UNSUPPORTED = 77
# What perf says of a file and not of its content; what a pipe has not
FILE_LINES = re.compile(r"^# (captured on|header version|data offset|data size|feat offset|compressed"
                        r"|event|missing features|contains|perf version)\b")


def output(command, path, by_pipe=False):
    """Of a program that reads a recording: stdout, or None where it fails"""
    with open(path if by_pipe else os.devnull, "rb") as source:
        run = subprocess.run(command + (["-i", "-"] if by_pipe else ["-i", path]), stdin=source,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
    if run.returncode:
        note("%s: %s" % (" ".join(command), run.stderr.decode(errors="replace")[-300:]))
        return None
    return run.stdout


def dump(path, by_pipe):
    """The bytes of every kernel record as perf report -D shows them, and perf's line of each sample"""
    text = output([PERF, "report", "-D"], path, by_pipe)
    records, samples = [], []
    if text is None:
        return None, None
    lines = iter(text.decode(errors="replace").splitlines())
    for line in lines:
        if line.startswith(". ... raw event: size "):
            hexdump = []
            for line in lines:
                if not line.startswith(".  "):
                    break
                hexdump.append(line[1:].split(":", 1)[1][:50])
            kind = int.from_bytes(bytes.fromhex("".join(hexdump[0].split()[:4])), "little")
            if kind < USER_TYPES:
                records.append("".join("".join(hexdump).split()))
        if "PERF_RECORD_SAMPLE(" in line:
            samples.append(line[line.index("PERF_RECORD_SAMPLE("):])
    return records, samples


def header(path):
    """What perf tells of a seekable recording, without what is of the file itself"""
    text = output([PERF, "script", "--header-only"], path)
    return text and [line for line in text.decode(errors="replace").splitlines()
                     if not FILE_LINES.match(line)]


def judge(form, level, original, copy):
    by_pipe = form == "pipe"
    what = "%s, %s%s: " % (os.path.basename(original), form, ", zstd -%d" % level if level else "")
    fields = [PERF, "script", "-F", FIELDS]
    expected = output(fields, original)
    ok(expected is not None and output(fields, copy, by_pipe) == expected, what + "perf script")
    if not by_pipe and expected is not None:
        plain = [PERF, "script"]
        ok(output(plain, copy) == output(plain, original), what + "perf script, all it prints")
        ok(header(copy) == header(original), what + "perf script --header-only")
    records, samples = dump(original, False)
    copied, copied_samples = dump(copy, by_pipe)
    ok(bool(records) and copied == records, what + "perf report -D, %d records" % len(records or []))
    ok(bool(samples) and copied_samples == samples, what + "perf report -D, %d samples"
       % len(samples or []))
    dumps = [subprocess.run([PRECIS, "dump", "--format", "csv", "-F", "all", path],
                            stdout=subprocess.PIPE, check=False, env=ENVIRONMENT)
             for path in (copy, original)]
    ok(dumps[1].stdout and dumps[0].stdout == dumps[1].stdout
       and dumps[0].returncode == dumps[1].returncode, what + "precis dump")


def main():
    need(PERF, "perf")
    own = sorted(glob.glob(os.path.join(TOP, "tests/recordings/*.perf.data")))
    names = {os.path.basename(path) for path in own}
    foreign = [path for path in sorted(glob.glob(os.path.join(SHARED, "recordings/*.perf.data")))
               if os.path.basename(path) not in names]
    work = [(path, FORMS) for path in some(own)]
    if not QUICK:
        work += [(path, FEWER) for path in foreign]
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy")
        for path, forms in work:
            for form, level in forms:
                with open(copy, "wb") as target:
                    run = subprocess.run([COPY, form, str(level), path], stdout=target, check=False)
                if run.returncode == UNSUPPORTED:
                    skip("%s, zstd -%d" % (os.path.basename(path), level), "built without zstd")
                elif run.returncode:
                    ok(False, "%s: written as %s" % (os.path.basename(path), form))
                else:
                    judge(form, level, path, copy)
    done()


main()
