#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
--time: ranges of times and of percents of a recording, as perf script selects by them, and as they are
worked out here where perf record noted no times.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

import perfdata
import tap
from command import PRECIS, good, recording, run, usage
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
NOTED = ("zen4-op", "zen4-fetch", "zen4-freq", "skylake-loads_phys", "spr-loads")
PERCENTS = ("10%", "10%/2", "10%-20%", "0%-50%,50%-100%", "0%-100%", "90%-100%", "12.5%-37.25%",
            "10%/10", "33.3%/3", "5%/1,5%/3,5%/20", "20%-20%", "0%-0.001%")


def there(name):
    return os.path.join(SCRATCH.name, name)


def times(path, *options):
    return [json.loads(line).get("time") for line in
            good("dump", "--format", "json", "-F", "time", *options, path).splitlines()]


def perf_times(path, span):
    done = subprocess.run([PERF, "script", "-i", path, "--ns", "-F", "time", "--time", span],
                          capture_output=True, text=True, check=True)
    return [int(line.strip().rstrip(":").replace(".", "")) for line in done.stdout.splitlines()]


def test_perf():
    """the samples that perf script selects"""
    if not PERF:
        raise Skip("no perf")
    for name in NOTED:
        path = recording(name)
        every = times(path)
        middle = sorted(every)[len(every) // 2]
        seconds = "%d.%09d" % divmod(middle, 10**9)
        for span in PERCENTS + (seconds + ",", "," + seconds, "0,1 %s," % seconds):
            equal(sorted(times(path, "--time", span)), sorted(perf_times(path, span)), (name, span))


def place(percent, first, last):
    return first + int(percent / 100 * (last - first) + 0.5)


def selected(every, *ranges):
    """What ends one part does not begin the next"""
    first, last = min(every), max(every)
    def is_in(time):
        for low, high in ranges:
            start, stop = place(low, first, last), place(high, first, last)
            if start <= time <= (stop - 1 if stop > start and stop != last else stop):
                return True
        return False
    return [time for time in every if is_in(time)]


def unnoted(name, stamps, sample_type=perfdata.IP | perfdata.TIME):
    path = there(name)
    samples = [perfdata.record(perfdata.RECORD_SAMPLE, struct.pack("<QQ", 0x401000, time)
                               [:16 if sample_type & perfdata.TIME else 8], 2) for time in stamps]
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(samples, [(perfdata.attr(1, sample_type), [1], "clock")]))
    return path


def test_unnoted():
    """without times in the header: those of all samples, in whatever order they are"""
    stamps = [1000 + (n * 7919) % 997 for n in range(997)]
    path = unnoted("unnoted", stamps)
    for span, ranges in (("10%", [(0, 10)]), ("10%/2", [(10, 20)]), ("10%-20%,30%-40%", [(10, 20), (30, 40)]),
                         ("99%-100%", [(99, 100)]), ("0%-100%", [(0, 100)])):
        wanted = selected(stamps, *ranges)
        assert wanted
        equal(times(path, "--time", span), wanted, span)
        found = json.loads(run("report", "--by", "cpumode", "--format", "json", "--time", span, path).out)
        equal(sum(row["samples"] for row in found["by_other"]["rows"]), len(wanted), span)
    parts = [times(path, "--time", "10%%/%d" % n) for n in range(1, 11)]
    equal(sorted(sum(parts, [])), sorted(stamps))
    one = unnoted("one", [5])
    equal(times(one, "--time", "50%"), [5])


def test_refused():
    """percents of what has no times, or is a pipe, and what is no range"""
    path = unnoted("pipe", range(50))
    with open(path, "rb") as file:
        pipe = subprocess.run([PRECIS, "dump", "--time", "10%", "-"], input=file.read(),
                              capture_output=True, check=False)
    equal((pipe.returncode, pipe.stdout), (2, b""))
    assert b"can be read but once" in pipe.stderr, pipe
    for command in ("dump", "report"):
        said = usage(command, "--time", "10%", unnoted("timeless", range(50), perfdata.IP))
        assert "no percents of " in said and "none of its samples has a time" in said, said
    for span in ("110%", "10%-5%", "10%/0", "60%/2", "10%/", "10%-", "%", "10", "1,2,3", "1,2  3,4", "-5%",
                 "10%,", "10%-20", "1%,2", ",".join(["1%"] * 65), "2,1", "0.1234567891%", "1e1%"):
        said = usage("dump", "--time", span, path)
        assert "expected START,STOP" in said, (span, said)
    equal(len(times(path, "--time", ",".join(["100%"] * 64))), 50)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
