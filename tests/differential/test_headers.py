#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Headers that perf record of today does not write: perf_event_attr of every size that there was, and
larger ones; version 1; the other byte order; times that several samples have. Compared with the
perfs that read them; where all refuse, the samples must be those of the nearest size that one does
read.
"""

import os
import tempfile

import made
from differential import done, note, ok
from oracles import Table, programs, verdict
from recordings import Reading, form
from stock_perf import Perf

SIZES = (64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200)
FORMS = (("", made.seekable, made.MAGIC), (", pipe", made.pipe, made.MAGIC),
         (", version 1", made.seekable, made.MAGIC1), (", version 1, pipe", made.pipe, made.MAGIC1))
LAST_MEMBER = 104  # sizes from here on have all members that say how samples are laid out
E_ENDIAN = -8


def write(work, recording):
    path = os.path.join(work, "made.data")
    with open(path, "wb") as out:
        out.write(recording)
    return path


def check(name, path, table):
    """@return the samples"""
    reading = Reading(path)
    wrong, _, _ = table.row(name, form(path), reading, path)
    wrong += reading.miscounted()
    if len(reading.samples) != made.SAMPLES:
        wrong.append("%d of %d samples" % (len(reading.samples), made.SAMPLES))
    if any("error" in sample for sample in reading.samples):
        wrong.append("not taken apart: %s" % reading.samples)
    verdict(name, wrong)
    return reading.samples


def sizes(table, work):
    like = {}
    for size in SIZES:
        for words, build, magic in FORMS:
            name = "attr of %d bytes%s" % (size, words)
            path = write(work, build(size, magic))
            if build is made.pipe and size == SIZES[0]:
                # perf 6.1 looks for the ids behind an attr of its own size: whether it finds
                # some in the smallest records is chance
                ok(Reading(path).samples == seekable, name + ": the same samples as seekable")
                continue
            found = check(name, path, table)
            seekable = found if build is made.seekable else seekable
            if size >= LAST_MEMBER:
                ok(found == like.setdefault("samples", found),
                   name + ": the same samples as of %d bytes" % LAST_MEMBER)


def one_time(table, work):
    path = os.path.join(work, "directory")
    made.directory(LAST_MEMBER, path)
    name = "samples of one time in several files of a directory"
    check(name, path, table)
    found = [(sample["time"], made.turn_of(sample)) for sample in
             Reading(path, order="--sorted").samples]
    ok(found == sorted(found), name + ": that of the first file first")


def other_order(work):
    for name, recording, head in (
            ("seekable", made.seekable(128), 104), ("pipe", made.pipe(128), 16),
            ("version 1", made.seekable(104, made.MAGIC1), 104),
            ("version 1, pipe", made.pipe(104, made.MAGIC1), 16)):
        path = write(work, made.swapped(recording, head))
        readings = [Reading(path)]
        with open(path, "rb") as stdin:
            readings.append(Reading(stdin=stdin))
        for reading, how in zip(readings, ("", ", standard input")):
            refused = reading.error is not None and reading.error.startswith("code=%d " % E_ENDIAN)
            if not refused or reading.samples:
                note("%d samples, %s" % (len(reading.samples), reading.error))
            ok(refused and not reading.samples,
               "of the other byte order, %s%s: refused by name" % (name, how))


def main():
    perfs = [Perf(program) for program in programs()]
    with tempfile.TemporaryDirectory() as work:
        table = Table(perfs, work)
        sizes(table, work)
        one_time(table, work)
        other_order(work)
        table.sums()
    done()


if __name__ == "__main__":
    main()
