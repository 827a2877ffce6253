#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by time and --columns trend: parts of the time, counted from what precis dump prints of
each sample, and by --time with as many percent.
"""
import collections
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
from command import PRECIS, good, recording, run, usage
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
RECORDINGS = ("zen4-op", "zen4-freq", "zen4-mix-op", "zen4-fetch", "spr-mix-loads")
TREND = 32
KINDS = ("by_ops", "by_fetches", "by_pebs", "by_other")


def there(name):
    return os.path.join(SCRATCH.name, name)


def table(*arguments):
    found = json.loads(run("report", "--no-symbols", "--format", "json", *arguments).out)
    tables = [found[name] for name in KINDS if name in found]
    equal(len(tables), 1)
    return tables[0]


def rows(*arguments):
    return [row for row in table(*arguments)["rows"] if not row["row"].endswith("rest")]


def dumped(path):
    """No thread is told as a text: there is no such number"""
    samples = [json.loads(line) for line in
               good("dump", "--format", "json", "-F", "time,tid,period", path).splitlines()]
    return [{**s, "tid": s["tid"] if s["tid"] >= 0 else "tid %d" % s["tid"]} for s in samples]


def start(parts, part, total):
    return int(100.0 * part / parts / 100 * total + 0.5)


def part_of(time, first, last, parts):
    """The last one that begins up to then, but for what nobody is behind"""
    return max(n for n in range(parts) if n == 0 or first + start(parts, n, last - first) <= time)


def span(samples):
    times = [s["time"] for s in samples]
    return min(times), max(times)


def test_parts():
    """equal parts: samples of each, in their order, and where each begins"""
    for name in RECORDINGS:
        path = recording(name)
        samples = dumped(path)
        first, last = span(samples)
        for parts, words in ((50, "time"), (7, "time:7"), (1, "time:1"), (10, "time:10")):
            wanted = collections.Counter(part_of(s["time"], first, last, parts) for s in samples)
            found = rows("--by", words, "--columns", "samples", path)
            equal([(row["time"], row["samples"]) for row in found], sorted(wanted.items()), (name, words))
            for row in found:
                equal((row["time_from_ns"], row["time_to_ns"]),
                      tuple(start(parts, row["time"] + n, last - first) for n in (0, 1)))


def test_edges():
    """what is where one part ends and the next begins is of the next one; the last sample of the last"""
    path = bare("edges", [perfdata.record(9, struct.pack("<QQ", 0x401000, 1000 + n), 2) for n in range(101)],
                perfdata.IP | perfdata.TIME)
    for parts in (10, 50, 7, 3, 100, 101, 250):
        wanted = collections.Counter(part_of(1000 + n, 1000, 1100, parts) for n in range(101))
        found = {row["time"]: row["samples"]
                 for row in rows("--by", "time:%d" % parts, "--columns", "samples", path)}
        equal(found, wanted, parts)
    equal([row["samples"] for row in rows("--by", "time:10", "--columns", "samples", path)], [10] * 9 + [11])


def test_percents():
    """what --time selects by percents is the part of that number"""
    path = recording("zen4-mix-op")
    found = {row["time"]: row["samples"] for row in rows("--by", "time:50", "--columns", "samples", path)}
    for part in (0, 1, 2, 10, 25, 49):
        selected = good("dump", "-F", "ip", "--time", "%d%%-%d%%" % (2 * part, 2 * part + 2), path)
        equal(len(selected.splitlines()), found.get(part, 0), part)


def test_intervals():
    """parts of some time from the first sample on"""
    for name, words, ns in (("zen4-op", "time:20ms", 20 * 10**6), ("zen4-mix-op", "time:1s", 10**9),
                            ("zen4-op", "time:7000us", 7 * 10**6), ("zen4-op", "time:999999ns", 999999)):
        samples = dumped(recording(name))
        first, _ = span(samples)
        wanted = collections.Counter((s["time"] - first) // ns for s in samples)
        found = rows("--by", words, "--columns", "samples", recording(name))
        equal([(row["time"], row["samples"], row["time_from_ns"]) for row in found],
              [(part, count, part * ns) for part, count in sorted(wanted.items())], words)


def test_nested():
    """inside other rows, and they in it: all parts, however few rows --top lists"""
    path = recording("zen4-op")
    samples = dumped(path)
    first, last = span(samples)
    wanted = collections.Counter((s["tid"], part_of(s["time"], first, last, 20)) for s in samples)
    found = rows("--by", "tid,time:20", "--columns", "samples", "--top", "3", path)
    tids = [row["tid"] for row in found if "." not in row["row"]]
    equal(len(tids), 3)
    equal([(row["tid"], row["time"], row["samples"]) for row in found if "." in row["row"]],
          [(tid, part, wanted[tid, part]) for tid in tids for part in range(20) if wanted[tid, part]])
    found = rows("--by", "time:20,tid", "--columns", "samples", path)
    equal({(row["tid"], row["time"]): row["samples"] for row in found if "." in row["row"]}, wanted)
    equal([row["time"] for row in found if "." not in row["row"]], list(range(20)))
    found = rows("--by", "time:20", "--columns", "samples", "--sort", "samples", path)
    counts = [row["samples"] for row in found]
    equal(counts, sorted(counts, reverse=True))


def trends(samples, key, first, last):
    """Where all samples weigh the same their number, else what they stand for"""
    alike = len({s.get("period") for s in samples}) == 1
    found = collections.defaultdict(lambda: [0] * TREND)
    for sample in samples:
        found[sample[key]][part_of(sample["time"], first, last, TREND)] += \
            1 if alike else sample["period"]
    return dict(found)


def test_trend():
    """what samples of each part of the time weigh, of any key"""
    for name in RECORDINGS:
        path = recording(name)
        samples = dumped(path)
        wanted = trends(samples, "tid", *span(samples))
        found = rows("--by", "tid", "--columns", "samples,trend,DRAM", "--top", "100000", path)
        equal({row["tid"]: row["trend"] for row in found}, wanted, name)
    path = recording("zen4-op")
    whole = table("--by", "tid", "--columns", "trend", "--top", "2", path)["rows"]
    every = rows("--by", "tid", "--columns", "trend", "--top", "1000", path)
    equal(whole[-1]["row"], "rest")
    equal(whole[-1]["trend"], [sum(column) for column in zip(*(row["trend"] for row in every[2:]))])


def test_csv():
    """a line for each number of a trend"""
    path = recording("zen4-op")
    trend = rows("--by", "tid", "--columns", "trend", path)[0]["trend"]
    lines = good("report", "--no-symbols", "--by", "tid", "--columns", "trend", "--format", "csv",
                 path).splitlines()
    equal([int(line.split(",")[3]) for line in lines if line.startswith("by_ops,1,trend.")], trend)


def drawn(counts, heights):
    most = max(counts)
    return "".join(" " if not n else heights[-(-n * 8 // most) - 1] for n in counts)


def test_text():
    """heights of eight, in the locale's characters; nothing is a space"""
    path = recording("zen4-op")
    trend = rows("--by", "tid", "--columns", "trend", path)[0]["trend"]
    for locale, heights in (("C", ".:-=+*#@"), ("C.UTF-8", "▁▂▃▄▅▆▇█"), ("C.utf8", "▁▂▃▄▅▆▇█"),
                            ("", ".:-=+*#@")):
        for name in ("LC_ALL", "LC_CTYPE", "LANG"):
            env = {key: value for key, value in os.environ.items()
                   if key not in ("LC_ALL", "LC_CTYPE", "LANG")}
            env.update({name: locale, "COLUMNS": "120"})
            text = good("report", "--no-symbols", "--by", "tid", "--columns", "trend", path, env=env)
            assert "  " + drawn(trend, heights) + "  tid" in text, (name, locale, text)
    text = good("report", "--no-symbols", "--by", "time:4", path)
    assert "25%-50%, 0.0475" in text and "time is since the first sample, at 3.85214" in text, text
    text = good("report", "--no-symbols", "--by", "time:40ms", path)
    assert "  0.08 s" in text, text


def test_several():
    """several recordings: parts of each one's own time; and several threads"""
    paths = [recording("zen4-op"), recording("zen4-mix-op")]
    for words in ("time:8", "time:30ms"):
        wanted = collections.Counter()
        for path in paths:
            for row in rows("--by", words, "--columns", "samples", path):
                wanted[row["time"]] += row["samples"]
        found = rows("--by", words, "--columns", "samples,trend", *paths)
        equal({row["time"]: row["samples"] for row in found}, wanted, words)
        equal({row["time_from_ns"] is None for row in found}, {words == "time:8"})
    assert "12.5%-25%\n" in good("report", "--no-symbols", "--by", "time:8", *paths)
    rng = random.Random(11)
    path = there("large")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data([b"".join(
            perfdata.sample(perfdata.op_payload(), tid=n % 7, time=10**9 + rng.randrange(10**9))
            for n in range(60000))]))
    for words in (("--by", "time"), ("--by", "tid", "--columns", "trend,p99"), ("--by", "tid,time:5ms")):
        one = good("report", "--no-symbols", *words, "--format", "json", path)
        equal(good("report", "--no-symbols", *words, "--format", "json", "--jobs", "2", path), one)
    rest = json.loads(good("report", "--no-symbols", "--by", "time:1us", "--columns", "samples", "--format",
                           "json", path))["by_ops"]["rows"]
    equal(sum(row["samples"] for row in rest), 60000)


def bare(name, records, sample_type):
    path = there(name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, [(perfdata.attr(1, sample_type), [1], "clock")]))
    return path


def test_refused():
    """where there is no time that could have parts"""
    timed = bare("timed", [perfdata.record(9, struct.pack("<QQ", 0x401000, 5 + n), 2) for n in range(9)],
                 perfdata.IP | perfdata.TIME)
    timeless = bare("timeless", [perfdata.record(9, struct.pack("<Q", 0x401000), 2)] * 9, perfdata.IP)
    for words, what in ((("--by", "time"), "--by time"),
                        (("--by", "cpumode", "--columns", "trend"), "--columns trend")):
        said = usage("report", *words, timeless)
        assert "%s: not of " % what in said and "none of its samples has a time" in said, said
        with open(timed, "rb") as file:
            pipe = subprocess.run([PRECIS, "report", *words, "-"], input=file.read(), capture_output=True,
                                  check=False)
        equal((pipe.returncode, pipe.stdout), (2, b""))
        assert b"can be read but once" in pipe.stderr, pipe
        said = usage("report", *words, "--pebs-format", "4", "--cpu", "6,143,8", "--event", "load-latency",
                     timed)
        assert "PEBS records have no time" in said, said
    path = recording("zen4-op")
    for words, says in ((("report", "--by", "time:0"), "expected time, time:N"),
                        (("report", "--by", "time:10001"), "expected time, time:N"),
                        (("report", "--by", "time:5m"), "expected time, time:N"),
                        (("report", "--by", "time:0ms"), "expected time, time:N"),
                        (("report", "--by", "time:99999999999999999999s"), "expected time, time:N"),
                        (("report", "--by", "time,time:5"), "'time' comes twice"),
                        (("report", "--by", "tid", "--columns", "trend", "--sort", "trend"), "has no order"),
                        (("diff", "--by", "time", path), "'time' is not compared"),
                        (("diff", "--by", "tid", "--columns", "trend", path), "is not compared")):
        said = usage(*words, path)
        assert says in said, (words, said)
    one = rows("--by", "time", "--columns", "samples,trend", bare(
        "one", [perfdata.record(9, struct.pack("<QQ", 0x401000, 5), 2)] * 9, perfdata.IP | perfdata.TIME))
    equal([(row["time"], row["samples"], sum(row["trend"])) for row in one], [(0, 9, 9)])


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
