#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing with the PMU as the source of accesses. There is one that is made up (fake_pmu.c): its rings are the
kernel's, ibs_op's payloads are sent into them by a BPF program, and registers that watch are real. What the program
did it knows by itself.
"""
import json
import os
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import tap
from command import PRECIS, run
from programs import LIVE, compiled, need_registers, pairs, path, sums
from quick import FEW
from tap import equal

SECONDS = "1" if FEW else "2.5"
DEVICES = "sys/bus/event_source/devices"
# Of ibs_op Linux sets periods in steps of 16, and the hardware begins at a number below 128: 192.5 ops in the mean
PERIOD, MEAN = 256, 192
CPUS = {"amd": ("AuthenticAMD", 25, 17, 1), "intel": ("GenuineIntel", 6, 143, 8)}
MACHINES = {
    "ibs": ("amd", {"ibs_op/type": "4242", "ibs_op/format/cnt_ctl": "config:19"}),
    "cycles": ("amd", {"ibs_op/type": "4242"}),
    "pebs": ("intel", {"cpu/type": "4243"}),
}


def write(name, text):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w", encoding="ascii") as file:
        file.write(text)


def machine(name):
    root = path("machines", name)
    cpu, files = MACHINES[name]
    write(os.path.join(root, "proc/cpuinfo"), "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\n"
          "stepping\t: %d\nflags\t\t: fpu\n\n" % CPUS[cpu])
    for file, text in files.items():
        write(os.path.join(root, DEVICES, file), text + "\n")
    return root


def offset_of(file, symbol):
    """In a file, by its tables of symbols and segments"""
    lines = subprocess.run(["nm", file], check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    address = int([line.split()[0] for line in lines if line.split()[1:] == ["T", symbol]][0], 16)
    with open(file, "rb") as binary:
        data = binary.read()
    first, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    for n in range(count):
        kind, _, offset, virtual, _, bytes_, *_ = struct.unpack_from("<IIQQQQQQ", data, first + n * size)
        if kind == 1 and virtual <= address < virtual + bytes_:
            return address - virtual + offset
    raise AssertionError("%s has no %s" % (file, symbol))


def need_pmu():
    """What the kernel lends to root alone"""
    if os.getuid() or not os.path.exists("/sys/bus/event_source/devices/uprobe/type"):
        raise tap.Skip("BPF and uprobes want root, and a kernel that has them")
    need_registers()


def preload(name, **more):
    """precis as it is run on that machine"""
    return {"FAKE_PMU_ROOT": machine(name), "LD_PRELOAD": compiled("fake_pmu.so", "-shared", "-fPIC", "-ldl"),
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
            "FAKE_PMU_CALLS": "%s:%d" % (compiled("workload"), offset_of(compiled("workload"), "sampled")), **more}


def fake(name, *words, **more):
    return subprocess.run([PRECIS, "sharing", *map(str, words)], env=dict(os.environ, **preload(name, **more)),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)


def loaded(file):
    with open(file, encoding="utf-8") as told:
        return json.load(told)


def long_enough(attempt, is_enough, seconds=SECONDS):
    """What is found of a program that runs so long that enough is seen: on a busy machine it has little of a second"""
    for times in (1, 4, 16):
        found = attempt(str(float(seconds) * times))
        if is_enough(found):
            break
    return found


def has_enough(found):
    """Of a second there are some 600 samples and 60 experiments, where nothing else runs"""
    row = found[1]["sharing_experiments"]["rows"][0]
    return row["samples"] >= 100 and row["experiments"] >= 20


def ibs_for(seconds, pattern, threads, options):
    result = fake("ibs", *LIVE, "--period", PERIOD, *options, "-o", path("told"), "--", compiled("workload"), pattern,
                  threads, seconds, MEAN, 1)
    if "fake_pmu:" in result.stderr:
        raise tap.Skip(result.stderr.strip())
    truth = json.loads(result.stdout)
    equal(truth["ring"], False, "the program is not asked for accesses where there is a PMU")
    return truth, loaded(path("told")), result


def ibs(pattern, threads, *options):
    """The truth, and what is told"""
    need_pmu()
    truth, told, result = long_enough(lambda seconds: ibs_for(seconds, pattern, threads, options), has_enough)
    assert result.returncode == 0, result
    return truth, told


def check_sum(row, count):
    """In an interval that is half as wide again on each side, and 15% wider: two words of eight are watched"""
    reach = (row["transfers_high"] - row["transfers_low"]) / 2 + 0.15 * count
    assert row["transfers_low"] - reach <= count <= row["transfers_high"] + reach, (count, row)


def check_instructions(told):
    """Samples are of where the PMU says that they are, on a CPU; traps of what they were met by"""
    rows = told["sharing_accesses"]["rows"]
    samples = [row for row in rows if row["samples"]]
    assert samples, rows
    equal({row["traps"] for row in samples}, {0})
    equal(len({row["ip"] for row in samples}), 1)
    # the made-up PMU has a breakpoint in the place of its first byte
    equal(int(samples[0]["ip"], 16) % 4096 - offset_of(compiled("workload"), "sampled") % 4096, 0)
    assert {row["cpu"] for row in samples} <= set(os.sched_getaffinity(0)), samples
    if "elfutils" not in built.WITHOUT:
        equal({row["function"] for row in samples}, {"sampled"})
    traps = [row for row in rows if row["traps"]]
    assert traps and all(row["next_ip"] != samples[0]["ip"] for row in traps), traps


def test_ibs():
    """ibs_op: who shares with whom, and how much of it, as the program counts it"""
    truth, told = ibs("false", 4)
    found = sums(told)
    check_sum(found["all"], sum(map(sum, truth["all"])))
    equal(found["true sharing"]["transfers"], 0)
    equal(sorted(row["id"] for row in told["sharing_parties"]["rows"]), sorted(truth["tids"]))
    notes = " ".join(told["sharing"]["notes"])
    check_instructions(told)
    assert "that the PMU sampled (ibs_op), one in some 192" in notes and "published to cost (2910 ns)" in notes, notes


def test_ibs_loads():
    """loads alone begin no experiment: one thread stores, and nothing comes from the others"""
    truth, told = ibs("writer", 3)
    check_sum(sums(told)["all"], sum(map(sum, truth["all"])))
    equal({writer for writer, _ in pairs(told)}, {truth["tids"][0]})


def test_others():
    """whole CPUs are sampled: what other processes do there is none of the program's"""
    need_pmu()
    with subprocess.Popen([compiled("workload"), "true", "2", "60", str(MEAN), "3"], stdout=subprocess.PIPE) as other:
        try:
            truth, told = ibs("none", 2)
        finally:
            other.kill()
    equal(sorted(row["id"] for row in told["sharing_parties"]["rows"]), sorted(truth["tids"]))
    equal(sums(told)["all"]["transfers"], 0)
    assert "samples were of other processes" in " ".join(told["sharing"]["notes"]), told["sharing"]["notes"]


def test_process():
    """ibs_op of a process that runs"""
    need_pmu()
    with subprocess.Popen([compiled("workload"), "false", "2", "600", str(MEAN), "3"],
                          stdout=subprocess.DEVNULL) as program:
        def watched(seconds):
            result = fake("ibs", *LIVE, "--period", PERIOD, "--seconds", seconds, "-p", program.pid)
            return result, json.loads(result.stdout)

        try:
            result, told = long_enough(watched, has_enough)
        finally:
            program.kill()
    assert result.returncode == 0, result
    assert told["sharing_experiments"]["rows"][0]["experiments"] > 0, told["sharing_experiments"]
    equal(sums(told)["true sharing"]["transfers"], 0)


def stores(told):
    return {row["id"]: row["stores"] for row in told["sharing_parties"]["rows"]}


def test_threads_of_command():
    """PEBS: events are inherited: each thread's stores are its own, from the first one on, and no child's"""
    need_pmu()
    result = fake("pebs", *LIVE, "-o", path("told"), "--", compiled("faults"), "8", "20")
    assert result.returncode == 0, result
    tids, told = json.loads(result.stdout)["tids"], loaded(path("told"))
    found = stores(told)
    for n, tid in enumerate(tids):
        # and what its stack and its arena take
        assert 20 * (n + 1) <= found[tid] <= 20 * (n + 1) + 19, (n, tid, found)
    equal(len(set(found) - set(tids)), 1, "the main thread, and no child")
    notes = " ".join(told["sharing"]["notes"])
    assert "samples were of other processes" in notes, notes


def test_small_cores():
    """CPUs that lack the event are told"""
    need_pmu()
    if os.cpu_count() < 2:
        raise tap.Skip("one CPU")
    result = fake("pebs", *LIVE, "-o", path("told"), "--", compiled("faults"), "4", "20", FAKE_PMU_LARGE="1")
    # 1: it ran there alone
    assert result.returncode in (0, 1), result
    notes = " ".join(loaded(path("told"))["sharing"]["notes"])
    assert "1 CPUs have no such event" in notes, notes


def await_enabled(file, count, observer):
    """So many events are enabled, or the observer has ended: then it says why"""
    deadline = time.monotonic() + 120
    while observer.poll() is None and time.monotonic() < deadline:
        if os.path.exists(file) and os.path.getsize(file) >= count:
            return
        time.sleep(0.01)


def test_threads_of_process():
    """PEBS: of a process that runs each thread has an event"""
    need_pmu()
    enabled = path("enabled")
    with subprocess.Popen([compiled("faults"), "8", "20", "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as program:
        tids = json.loads(program.stdout.readline())["tids"]
        with subprocess.Popen([PRECIS, "sharing", *LIVE, "-p", str(program.pid)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, **preload("pebs", FAKE_PMU_ENABLED=enabled))) as observer:
            await_enabled(enabled, 9, observer)
            program.stdin.write("\n")
            program.stdin.flush()
            program.wait(60)
            out, err = observer.communicate(timeout=60)
    assert observer.returncode == 0, err
    found = stores(json.loads(out))
    for n, tid in enumerate(tids):
        assert 20 * (n + 1) <= found[tid] <= 20 * (n + 1) + 19, (n, tid, found)


def test_descriptors():
    """threads for which no more files may be open are told, each time that they are met, and why"""
    need_pmu()
    with subprocess.Popen([compiled("faults"), "32", "20", "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as program:
        program.stdout.readline()
        result = subprocess.run(["sh", "-c", 'ulimit -n 16; exec "$@"', "sh", PRECIS, "sharing", *LIVE, "-p",
                                 str(program.pid), "--seconds", "0.3"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                env=dict(os.environ, **preload("pebs")))
        program.communicate("\n", timeout=60)
    # no thread has stored meanwhile
    assert result.returncode == 1 and "the PMU sampled no access" in result.stderr and \
        "the time is too short" in result.stderr, result
    notes = " ".join(json.loads(result.stdout)["sharing"]["notes"])
    assert "times a thread could not be sampled: Too many open files" in notes, notes
    assert "one in some 250007; " in notes, notes


def test_refusals():
    """no PMU, not permitted, counted in cycles: each by its name, and what can be done"""
    need_pmu()
    result = fake("cycles", "--source", "pmu", "--", "/bin/true")
    assert result.returncode == 1 and "the PMU ibs_op has no format cnt_ctl here" in result.stderr, result
    result = fake("ibs", "--source", "pmu", "--", "/bin/true", FAKE_PMU_ERROR="13")
    assert result.returncode == 1 and "not permitted" in result.stderr, result
    result = fake("pebs", "-p", os.getpid(), "--seconds", "0.1", FAKE_PMU_ERROR="2")
    assert result.returncode == 1 and "neither kernel nor CPU have it" in result.stderr and \
        "--accesses FILE" in result.stderr, result
    # where the PMU does not, the program may
    result = long_enough(lambda seconds: fake("pebs", *LIVE, "--", compiled("workload"), "none", "2", seconds, "50", "1",
                                              FAKE_PMU_ERROR="1"), lambda result: result.returncode == 0, 0.3)
    assert result.returncode == 0, result
    truth, end = json.JSONDecoder().raw_decode(result.stdout)
    equal(truth["ring"], True)
    told = json.loads(result.stdout[end:])
    assert "the PMU samples no accesses here: not permitted" in " ".join(told["sharing"]["notes"]), told


def test_nothing():
    """no access at all is an error that says what can be done; the command's own failure stays what it is"""
    need_pmu()
    result = fake("ibs", "--", "/bin/true")
    assert result.returncode == 1 and "the PMU sampled no access (ibs_op)" in result.stderr, result
    equal(fake("ibs", "-o", path("page"), "--", "/bin/sh", "-c", "exit 7").returncode, 7)
    result = fake("ibs", "--source", "program", "--", "/bin/true")
    assert result.returncode == 1 and "the program handed none over" in result.stderr, result
    equal(fake("ibs", "--", "/no/such/program").returncode, 127)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
