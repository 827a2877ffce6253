#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis_recording.py against precis dump and stock perf: samples one by one, and as columns."""
import csv
import glob
import os
import subprocess
import sys
import tempfile

# A sanitized library wants its runtime first in the process
PRELOAD = os.environ.get("PRECIS_PRELOAD", "")
if PRELOAD and os.environ.get("LD_PRELOAD") != PRELOAD:
    os.environ.update(LD_PRELOAD=PRELOAD, ASAN_OPTIONS="detect_leaks=0")
    os.execv(sys.executable, [sys.executable, *sys.argv])
if os.environ.get("PRECIS_SANITIZED") == "yes" and not PRELOAD:
    print("1..0 # SKIP this compiler's sanitized libraries cannot be loaded into other programs")
    sys.exit()

SOURCE = os.environ["srcdir"]
sys.path[:0] = [os.path.join(os.environ["builddir"], "perf_scripts/python"),
                os.path.join(SOURCE, "perf_scripts/python")]
os.environ["PRECIS_LIBRARY"] = os.environ["LIBPRECIS"]
sys.path += [os.path.join(SOURCE, "tests/command", folder) for folder in ("cli", "dump", "report")]

import precis
import precis_recording
import tap
import test_pebs
import test_report_buffer

try:
    import numpy
except ImportError:
    numpy = None

# What a distribution's NumPy is of, where this one has none
OTHER_PYTHON = "/usr/bin/python3"

FORMS = os.path.join(SOURCE, "tests/recordings/forms")
RECORDINGS = sorted(glob.glob(SOURCE + "/tests/recordings/*.perf.data")
                    + [os.path.join(FORMS, name) for name in ("seekable", "v1", "pipe", "directory",
                                                              "pebs-loads", "ibs-fetch")])
SHARED = sorted(path for path in glob.glob(os.environ["PRECIS_SHARED"] + "/recordings/*.perf.data")
                if os.path.getsize(path) < 100000)
NAMES = [field.name for field in precis.fields]


def dump(path, *options):
    """The cells of each sample as precis dump prints them."""
    done = subprocess.run([os.environ["PRECIS"], "dump", "--format", "csv", "-F", "all", *options,
                           path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def text_of(name, value, events):
    if value is None:
        return ""
    if name == "event":
        return events[value]
    field = precis.find(name)
    if isinstance(value, bool):
        return str(int(value))
    hexadecimal = precis._type_names[field.type] in ("address", "hex")
    return "0x%x" % value if hexadecimal and isinstance(value, int) else str(value)


def compare(path, *options, opens=precis_recording.Recording):
    """What differs between precis dump, samples and columns; None: no sample."""
    expected = dump(path, *options)
    with opens(path) as recording:
        events = recording.events()
        samples = list(recording)
        batches = list(recording.columns(*NAMES, rows=100))
    if len(samples) != len(expected) or sum(map(len, batches)) != len(expected):
        return "%d samples, %d rows, expected %d" % (len(samples), sum(map(len, batches)),
                                                     len(expected))
    columns = [{name: batch[name] for name in NAMES} for batch in batches]
    for n, cells in enumerate(expected):
        for name in NAMES:
            value = samples[n].get(name)
            if text_of(name, value, events) != cells[name]:
                return "%s of sample %d: %r, expected %s" % (name, n, value, cells[name])
            if columns[n // 100][name][n % 100] != value:
                return "%s of row %d: %r" % (name, n, columns[n // 100][name][n % 100])
        if n % 50 == 0 and set(samples[n].reasons()) | set(samples[n]) != set(NAMES):
            return "sample %d: a field is neither there nor absent" % n
    return "" if expected else None


def check_all(paths, least):
    found = {path: compare(path) for path in paths}
    faults = ["%s: %s" % item for item in found.items() if item[1]]
    compared = sum(fault is not None for fault in found.values())
    return "; ".join(faults) or ("" if compared >= least else "only %d were compared" % compared)


def check_perf(path):
    """Addresses and times, as stock perf prints them"""
    done = subprocess.run([os.environ["PERF"], "script", "-i", path, "-F", "ip,time,cpu", "--ns"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    expected = []
    for line in done.stdout.splitlines():
        cpu, time, ip = line.split()[:3]
        seconds, nanoseconds = time.rstrip(":").split(".")
        expected.append((int(cpu.strip("[]")), int(seconds) * 10**9 + int(nanoseconds), int(ip, 16)))
    found = []
    with precis_recording.Recording(path, sorted=True) as recording:
        for batch in recording.columns("cpu", "time", "perf_weight"):
            found += zip(batch["cpu"].values, batch["time"].values)
    if not expected:
        return "perf printed nothing"
    return "" if found == [row[:2] for row in expected] else "they differ"


def check_lives(path):
    """Columns outlive their batch, the recording, everything."""
    with precis_recording.Recording(path) as recording:
        batches = recording.columns("ip", rows=64)
        first = next(batches)["ip"]
        before = list(first.values)
        others = [list(batch["ip"].values) for batch in batches]
    del recording, batches
    return "" if list(first.values) == before and others and others[0] != before else "overwritten"


def check_cut(path):
    with tempfile.NamedTemporaryFile(suffix=".data") as cut, open(path, "rb") as whole:
        content = whole.read()
        cut.write(content[: len(content) * 2 // 3])
        cut.flush()
        recording = precis_recording.Recording(cut.name)
        for read in (lambda: recording, lambda: recording.columns("ip")):
            count = 0
            try:
                for got in read():
                    count += len(got) if isinstance(got, precis_recording.Batch) else 1
            except precis.Error as error:
                if "offset 0x" not in str(error):
                    return str(error)
            else:
                return "no error"
            if count < 10:
                return "%d samples before the error" % count
    return ""


def check_numpy(path):
    with precis_recording.Recording(path) as recording:
        for batch in recording.columns("dcache_miss_latency", "pid"):
            column = batch["dcache_miss_latency"]
            values, present = column.numpy(), column.present()
            address = values.__array_interface__["data"][0]
            if address % 64 or not numpy.shares_memory(values, numpy.asarray(column.values)):
                return "a copy, or not aligned"
            rows = [row for row in range(len(column)) if column.has(row)]
            if list(numpy.flatnonzero(present)) != rows or column.nulls != len(batch) - len(rows):
                return "validity"
            if [int(value) for value in values[present]] != [column[row] for row in rows]:
                return "values"
            if batch["pid"].numpy().dtype != numpy.int64:
                return "pid is %s" % batch["pid"].numpy().dtype
    return ""


def check_filter(path):
    wanted = precis.Filter("op == load && dcache_miss_latency > 100")
    with precis_recording.Recording(path) as recording:
        one_by_one = [sample["ip"] for sample in recording if wanted.match(sample)]
        batches = recording.columns("ip", filter=wanted)
        columns = [ip for batch in batches for ip in batch["ip"].values]
    return "" if columns == one_by_one and columns else "they differ"


def check_errors():
    for path, text in (("/nonexistent", "No such file"), (SOURCE + "/LICENSE", "")):
        try:
            precis_recording.Recording(path)
        except precis.Error as error:
            if path not in str(error) or text not in str(error):
                return str(error)
        else:
            return "no error"
    return ""


OP = SOURCE + "/tests/recordings/zen4-mix-op.perf.data"


def test_dump():
    """samples and columns of recordings are what precis dump prints"""
    tap.equal(check_all(RECORDINGS, len(RECORDINGS)), "")


def test_shared():
    """and those of others"""
    if not SHARED:
        raise tap.Skip("PRECIS_SHARED has none")
    tap.equal(check_all(SHARED, len(SHARED) // 2), "")


def test_perf():
    """CPUs and times are what perf script prints"""
    if not os.environ.get("PERF"):
        raise tap.Skip("no perf")
    tap.equal(check_perf(OP), "")


def test_pebs_dump():
    """dumps of PEBS buffers of each format are what precis dump prints, with and without a machine"""
    for seed, form in enumerate(test_pebs.FORMATS):
        path, _ = test_pebs.make(form, 150, seed)
        cpu = test_report_buffer.CPUS[form]
        tap.equal(compare(path, "--pebs-format", form,
                          opens=lambda path: precis_recording.PebsDump(path, form)), "", form)
        for event in ("load-latency", "0x82d0"):
            number = int(event, 0) if event[0] == "0" else event
            tap.equal(compare(path, "--pebs-format", form, "--cpu", cpu, "--event", event,
                              opens=lambda path: precis_recording.PebsDump(
                                  path, form, "GenuineIntel," + cpu, number)), "", (form, event))


def test_pebs_dump_extent():
    """bytes in front, and how many there are; what is cut off; what no dump is"""
    path, made = test_pebs.make("3", 20, 1)
    record = made[0]["bytes"]
    data = test_pebs.read(path)
    padded = test_pebs.scratch("padded", bytes(24) + data + b"rest")
    with precis_recording.PebsDump(padded, "3", skip=24, count=len(data)) as found, \
            precis_recording.PebsDump(path, "3") as whole:
        tap.equal([dict(sample) for sample in found], [dict(sample) for sample in whole])
        tap.equal([sample.offset for sample in found],
                  [24 + sample.offset for sample in whole])
        tap.equal(sum(len(batch) for batch in found.columns("ip")), 20)
        tap.equal(len(whole.events()), 1)
    cut = precis_recording.PebsDump(test_pebs.scratch("cut", data[:-1]), "3")
    count = 0
    try:
        for _ in cut:
            count += 1
    except precis.Error as error:
        assert "offset 0x%x" % (19 * record) in str(error), error
    else:
        raise AssertionError("no error")
    tap.equal(count, 19)
    for arguments, text in ((("/nonexistent", "3"), "No such file"), ((path, "9"), "format: "),
                            ((path, "3", "AuthenticAMD,25,17,1"), "cpuid: "),
                            ((path, "3", None, "none"), "event: "),
                            ((path, "3", None, None, "q"), "core_type: ")):
        try:
            precis_recording.PebsDump(*arguments)
        except precis.Error as error:
            assert text in str(error), error
        else:
            raise AssertionError(arguments)


def test_lives():
    """columns outlive batch and recording"""
    tap.equal(check_lives(OP), "")


def test_cut():
    """a broken file: what comes before, then an error"""
    tap.equal(check_cut(OP), "")


def test_filter():
    """a filter"""
    tap.equal(check_filter(OP), "")


def test_errors():
    """errors name the file"""
    tap.equal(check_errors(), "")


def test_numpy():
    """NumPy arrays are the same memory"""
    if numpy is not None:
        tap.equal(check_numpy(OP), "")
        return
    if not os.path.exists(OTHER_PYTHON) or subprocess.run([OTHER_PYTHON, "-c", "import numpy"], check=False,
                                                          stderr=subprocess.DEVNULL).returncode:
        raise tap.Skip("no NumPy")
    done = subprocess.run([OTHER_PYTHON, __file__, "numpy"], check=False, stdout=subprocess.PIPE, text=True)
    tap.equal((done.returncode, done.stdout), (0, "\n"))


if __name__ == "__main__":
    if sys.argv[1:] == ["numpy"]:
        print(check_numpy(OP))
        sys.exit()
    sys.exit(tap.main(sys.modules[__name__]))
