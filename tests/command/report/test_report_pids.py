#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Objects of processes that have the same pid one after the other, where too many side files are named, or none."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import accesses
import built
import side_file
import tap
from command import good
from tap import equal

PID, AT, SIZE, MOST = 7, 0x10000, 4096, 4096
LEFT_OUT = "side files are left out, as there are too many: its own may be one"


def file_of(name, start=AT):
    path = os.path.join(accesses.SCRATCH.name, name + ".objects")
    return side_file.written(path, side_file.named(PID, start, SIZE, name))


def told(name, records, times):
    """The object of a sample at each time"""
    found = {}
    for time in times:
        samples = [accesses.ibs(AT + 8, PID, 1, pid=PID, time=time)]
        path = accesses.ibs_recording(name, [side_file.counter_is_time()] + records + samples)
        row, = json.loads(good("report", "--by", "object", "--format", "json", path))["by_ops"]["rows"]
        found[time] = row["object"]
    return found


def fillers(count, time):
    return [side_file.mapped(1000 + n, f"/nowhere/precis-{n}.objects", time) for n in range(count)]


def test_left_out():
    """The process whose file is left out is not what the one of its pid was before"""
    built.need("elfutils")
    first, second = file_of("first"), file_of("second")
    begin = [side_file.mapped(PID, first, 100)]
    again = [side_file.mapped(PID, second, 1000)]
    equal(told("room", begin + fillers(MOST - 2, 200) + again, (500, 999, 1000, 2000)),
          {500: "first", 999: "first", 1000: "second", 2000: "second"}, "as many as are read")
    equal(told("full", begin + fillers(MOST - 1, 200) + again, (500, 999, 1000, 2000)),
          {500: "first", 999: "first", 1000: LEFT_OUT, 2000: LEFT_OUT}, "one more")


def test_in_one_recording():
    """As is asked again and again"""
    built.need("elfutils")
    times = (300, 999, 1000, 1500, 2000)
    records = [side_file.counter_is_time(), side_file.mapped(PID, file_of("one"), 100)] + fillers(MOST - 1, 200)
    records += [side_file.mapped(PID, file_of("two"), 1000)]
    records += [accesses.ibs(AT + 8, PID, 1, pid=PID, time=time) for time in times]
    path = accesses.ibs_recording("all", records)
    rows = json.loads(good("report", "--by", "object", "--format", "json", path))["by_ops"]["rows"]
    equal({row["object"]: row["samples"] for row in rows}, {"one": 2, LEFT_OUT: 3}, "rows")


def test_forked_left_out():
    """A process that was forked with objects, and is left out, is not what the one of its pid was"""
    built.need("elfutils")
    parent = os.path.join(accesses.SCRATCH.name, "parent.objects")
    side_file.written(parent, side_file.named(6, AT, SIZE, "parent"))
    begin = [side_file.mapped(PID, file_of("before"), 100), side_file.mapped(6, parent, 110)]
    fork = [side_file.forked(PID, 6, 1000)]
    equal(told("forked", begin + fork, (500, 2000)), {500: "before", 2000: "parent"}, "there is room")
    equal(told("forked", begin + fillers(MOST - 2, 200) + fork, (500, 2000)), {500: "before", 2000: LEFT_OUT},
          "there is none")


def test_forked_by_another():
    """A process that was forked by one that is not recorded has no objects of the one of its pid before"""
    built.need("elfutils")
    begin = [side_file.mapped(PID, file_of("ended"), 100)]
    equal(told("stranger", begin + [side_file.forked(PID, 5, 1000)], (500, 2000)), {500: "ended", 2000: None}, "objects")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
