#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
--filter with comm, dso, symbol and cgroup: the samples that precis dump prints these names of, and those
that perf script selects by its own options.
"""
import collections
import fnmatch
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import built
import page_faults
import perfdata
import tap
from command import SHARED, good, recording, run, usage
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
RECORDINGS = ("zen4-mix-op", "zen4-op", "zen4-fetch", "zen4-freq", "spr-mix-loads", "skylake-loads_phys")


def there(name):
    return os.path.join(SCRATCH.name, name)


def lines(path, *options):
    return [json.loads(line) for line in
            good("dump", "--format", "json", "-F", "default,parts", *options, path, live=True).splitlines()]


def reported(path, expression):
    """How many samples a report without keys has"""
    found = json.loads(run("report", "--no-symbols" if "symbol" not in expression else "--no-demangle",
                           "--format", "json", "--filter", expression, path).out)
    return found["recording"]["values"]["selected"]


def basename(path):
    return path.rsplit("/", 1)[-1]


def conditions(samples):
    """Expressions about what the samples have, and what each says of one"""
    found = []
    for name in ("comm", "dso", "symbol"):
        for text in sorted({s[name] for s in samples if name in s})[:4]:
            short = text if name != "dso" else basename(text)
            if '"' in text:
                continue
            found += [('%s == "%s"' % (name, text), lambda s, n=name, t=text: s.get(n) == t),
                      ('%s != "%s"' % (name, text), lambda s, n=name, t=text: n in s and s[n] != t),
                      ('not %s == "%s"' % (name, text), lambda s, n=name, t=text: s.get(n) != t)]
            pattern = short[:2] + "*"
            if not set("[]*?\\") & set(short[:2]):
                found.append(('%s ~ "%s"' % (name, pattern),
                              lambda s, n=name, p=pattern: n in s and fnmatch.fnmatchcase(
                                  basename(s[n]) if n == "dso" else s[n], p)))
        found.append(("missing(%s)" % name, lambda s, n=name: n not in s))
    found.append(('symbol ~ "*a*" && cpu >= 1 or comm ~ "p*"',
                  lambda s: "a" in s.get("symbol", "") and s.get("cpu", -1) >= 1 or
                  s.get("comm", "").startswith("p")))
    return found


def test_dumped():
    """precis dump: the lines that have these names; precis report: as many samples"""
    compared = 0
    for name in RECORDINGS:
        path = recording(name)
        samples = lines(path)
        for expression, is_so in conditions(samples):
            wanted = [s for s in samples if is_so(s)]
            equal(lines(path, "--filter", expression), wanted, (name, expression))
            if compared % 7 == 0:
                equal(reported(path, expression), len(wanted), (name, expression))
            compared += 1
    print("# %d expressions" % compared)
    assert compared > 40, compared


def test_same_everywhere():
    """report with keys, by several threads, and diff see the same samples"""
    path = recording("zen4-op")
    expression = 'comm == "busy" and dso ~ "l*"'
    wanted = [s["dso"] for s in lines(path) if s.get("comm") == "busy" and
              basename(s.get("dso", "")).startswith("l")]
    assert wanted
    one = run("report", "--by", "comm,dso", "--format", "json", "--filter", expression, path)
    rows = json.loads(one.out)["by_ops"]["rows"]
    equal([row["samples"] for row in rows if row["row"] == "1"], [len(wanted)])
    equal({row["dso"]: row["samples"] for row in rows if row["row"].startswith("1.")},
          collections.Counter(wanted))
    equal(run("report", "--by", "comm,dso", "--format", "json", "--filter", expression, "--jobs", "4",
              path).out, one.out)
    other, copy = recording("zen4-freq"), there("copy")
    shutil.copyfile(path, copy)
    diff = json.loads(run("diff", "--format", "json", "--columns", "share", "--by", "comm", "--filter",
                          'comm ~ "perf*"', path, copy).out)
    names = {row["comm"] for table in diff.values() if isinstance(table, dict)
             for row in table.get("rows", ()) if row.get("comm")}
    assert names and all(name.startswith("perf") for name in names), names
    both = json.loads(run("report", "--by", "comm", "--format", "json", "--filter",
                          'comm == "perf-exec"', path, other).out)["by_ops"]["rows"]
    counted = sum(s.get("comm") == "perf-exec" for p in (path, other) for s in lines(p))
    equal([(row["comm"], row["samples"]) for row in both], [("perf-exec", counted)])


PROGRAM = r"""
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define TOUCH(name, pages)                                                                         \
	__attribute__((noinline)) void name(void)                                                  \
	{                                                                                          \
		for (int n = 0; n < (pages); n++)                                                  \
			*(volatile char *)mmap(0, 4096, PROT_READ | PROT_WRITE,                    \
					       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;            \
	}
TOUCH(touch_few, 50)
TOUCH(touch_many, 300)

static void *other(void *name)
{
	prctl(PR_SET_NAME, "earlier");
	touch_many();
	prctl(PR_SET_NAME, "later");
	touch_few();
	return name;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1) { /* the same process, another program by the same functions */
		touch_few();
		return 0;
	}
	pthread_create(&thread, 0, other, 0);
	pthread_join(thread, 0);
	touch_few();
	execl("/proc/self/exe", "again", "x", (char *)0);
	(void)argv;
	return 1;
}
"""


def recorded():
    """Of a program whose threads change their names"""
    return page_faults.recorded(SCRATCH.name, PROGRAM)


def perf_count(path, *options):
    done = subprocess.run([PERF, "script", "-G", "-F", "comm,tid,ip,sym,dso", "-i", path, *options],
                          capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines())


def our_count(path, expression):
    return len(good("dump", "-F", "ip", "--filter", expression, path, live=True).splitlines())


def test_perf_script():
    """as many as perf script --comms, --dsos, --symbols select"""
    built.need("elfutils")
    path = recorded()
    counts = collections.Counter()
    for option, name, texts in (("--comms", "comm", ("earlier", "later", "program", "exe", "none")),
                                ("--dsos", "dso", (there("program"), "libc.so.6", "none")),
                                ("--symbols", "symbol", ("touch_few", "touch_many", "_start"))):
        for text in texts:
            wanted = perf_count(path, option + "=" + text)
            equal(our_count(path, '%s == "%s"' % (name, text)), wanted, (option, text))
            counts[name] += wanted
    assert min(counts.values()) > 200, counts
    both = perf_count(path, "--comms=later", "--symbols=touch_few")
    equal(our_count(path, 'comm == later && symbol ~ "touch_[ef]ew"'), both)
    assert 50 <= both < 55, both


def cgroups():
    """Two cgroups, one of which no record names"""
    kind, first, second = 19, 7, 8
    sample_type = perfdata.IP | perfdata.TID | perfdata.TIME | 1 << 21

    def sample(time, cgroup):
        return perfdata.record(perfdata.RECORD_SAMPLE, struct.pack(
            "<QIIQQ", 0x401000, 1, 1, time, cgroup), 2)

    def trailer(time):
        return struct.pack("<IIQ", 1, 1, time)
    named = perfdata.record(kind, struct.pack("<Q", first) +
                            b"/user.slice/a\0\0\0" + trailer(1))
    path = there("cgroups")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data([named] + [sample(5 + n, first) for n in range(30)] +
                                      [sample(50 + n, second) for n in range(20)],
                                      [(perfdata.attr(1, sample_type), [1], "clock")]))
    return path


def test_cgroups():
    """paths that records tell, and by quotes: without them it is the field, the id"""
    path = cgroups()
    for expression, count in (('cgroup == "/user.slice/a"', 30), ('cgroup ~ "/user.slice/*"', 30),
                              ('cgroup == "/"', 0), ('cgroup != "/"', 30), ("cgroup == 7", 30),
                              ("cgroup == 8", 20), ('not cgroup ~ "*"', 20)):
        equal(our_count(path, expression), count, expression)


def test_order():
    """a name that stands in the file behind samples that came after it, as of another CPU's buffer"""
    sample_type = perfdata.IP | perfdata.TID | perfdata.TIME

    def sample(time):
        return perfdata.record(perfdata.RECORD_SAMPLE,
                               struct.pack("<QIIQ", 0x401000, 1, 1, time), 2)

    def comm(name, time):
        return perfdata.record(3, struct.pack("<II16sIIQ", 1, 1, name, 1, 1, time))
    path = there("order")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(
            [comm(b"early", 1)] + [sample(10 * n) for n in range(1, 31)] + [comm(b"late", 205)],
            [(perfdata.attr(1, sample_type), [1], "clock")]))
    for name, count in (("early", 20), ("late", 10)):
        equal(our_count(path, "comm == " + name), count, name)
        rows = json.loads(run("report", "--by", "comm", "--format", "json", "--filter",
                              "comm == " + name, path).out)["by_other"]["rows"]
        equal([(row["comm"], row["samples"]) for row in rows], [(name, count)])


def test_mistakes():
    """what is wrong is marked, and a dump of PEBS records has no such names"""
    path = recording("zen4-op")
    assert "comm is a text" in usage("dump", "--filter", "comm > 5", path)
    assert "ip is no text" in usage("report", "--filter", "ip ~ 5", path)
    result = run("report", "--filter", 'symbol == "a', path)
    equal((result.code, result.err.splitlines()[2].index("^")), (2, len("precis report: ") + 10))
    result = run("dump", "--pebs-format", "4", "--cpu", "6,143,8", "--event", "load-latency", "--filter",
                 "comm == a", path)
    assert result.code == 2 and "no field 'comm'" in result.err, result


def test_recordings_of_others():
    """names of other people's recordings: the samples that precis dump prints with them"""
    folder = os.path.join(SHARED, "perfdata")
    if not os.path.isdir(folder):
        raise Skip("PRECIS_SHARED has no recordings")
    compared = 0
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or os.path.getsize(path) > 4 << 20 or "perf" not in name:
            continue
        found = run("dump", "--format", "json", "-F", "ip,comm,dso", path)
        if found.code or not found.out:
            continue
        samples = [json.loads(line) for line in found.out.splitlines()]
        for key in ("comm", "dso"):
            texts = [s[key] for s in samples if key in s and '"' not in s[key]]
            for text, count in collections.Counter(texts).most_common(2):
                told = run("dump", "-F", "ip", "--filter", '%s == "%s"' % (key, text), path)
                equal(len(told.out.splitlines()), count if "/" in text or key == "comm" else
                      sum(basename(t) == text for t in texts), (name, key, text))
                compared += 1
    print("# %d names" % compared)
    assert compared >= 10, compared


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
