#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis plan: figures against the formula, what gives, calibration files, prediction and outcome."""
import csv
import io
import json
import math
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import good, recording, run, usage
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
# No calibration of whoever runs this
os.environ["XDG_CONFIG_HOME"] = SCRATCH.name
IBS = ("--event", "ibs_op", "--rate", "1.9e9", "--published")

CALIBRATION = """precis-calibration 1
cpu GenuineIntel,6,85,4
kernel 5.11.0
made 2026-11-20T10:00:00Z
event cpu-clock
ns sample 12000
covariance sample sample 40000
as interrupt sample 1
ns wakeup 900
ns byte 0.25
reach 2
reader-delay-ns 5000000
end 1
"""


def scratch(name, text):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def plan(*options, code=0):
    result = run("plan", "--format", "json", *options)
    equal(result.code, code, repr(result))
    return json.loads(result.out)


def test_budget():
    """a budget: the period, and what it gives, by the formula"""
    found = plan(*IBS, "--budget", "1%", "--threads", "4", "--duration", "30")
    period = found["period"]
    overhead = 1.9e9 / (period - 63.5) * 2910e-9
    equal(period % 32, 16)
    assert 0.96 * 0.01 < overhead <= 0.01, overhead
    assert math.isclose(found["overhead"]["value"], overhead, abs_tol=1e-6)
    assert math.isclose(found["samples"]["value"], 4 * 30 * 1.9e9 / (period - 63.5), rel_tol=1e-5)
    assert math.isclose(found["bytes"]["value"], 112 * found["samples"]["value"], rel_tol=1e-5)
    equal(found["coefficients"]["source"], "published")
    # no publication has an interval, and none is made up
    equal((found["overhead"]["low"], found["overhead"]["high"]), (None, None))
    assert found["long_interrupt"], "2.9 us are above the kernel's 2.5 us"
    assert "-c %d" % period in found["perf_record"], found["perf_record"]
    assert ".period = %d" % period in found["papi"], found["papi"]


def test_precision():
    """a share: as many samples as it takes, and no more"""
    found = plan(*IBS, "--share", "1%", "--error", "10%", "--duration", "60")
    needed = (2.0537 / (0.1 * 0.01)) ** 2 * 0.01 * 0.99
    assert needed < found["samples_needed"] < needed * 1.03, found["samples_needed"]
    assert found["samples_needed"] <= found["samples"]["value"] < 1.1 * found["samples_needed"]
    assert found["is_feasible"]


def test_what_gives():
    """what does not go together is said, and what would give does"""
    wanted = (*IBS, "--share", "1%", "--error", "10%", "--duration", "2")
    found = plan(*wanted, "--budget", "1%", code=1)
    equal(found["is_feasible"], False)
    more = "%.9g"
    plan(*wanted[:-1], more % (found["seconds_needed"] * 1.06), "--budget", "1%")
    plan(*wanted, "--budget", more % (found["budget_needed"] * 1.06))
    plan(*IBS, "--share", "1%", "--error", more % (found["error_reached"] * 1.06), "--duration", "2",
         "--budget", "1%")
    text = run("plan", *wanted, "--budget", "1%").out
    for word in ("--duration", "--budget", "--error"):
        assert word in text, text


def test_fields():
    """what ends large PEBS costs an interrupt each, and records get longer"""
    loads = ("--event", "mem-loads", "--rate", "1e6", "--published", "--budget", "1%", "--duration", "1")
    cheap, dear = plan(*loads), plan(*loads, "--fields", "callchain")
    equal((cheap["sample_parts_ns"]["sample"], dear["sample_parts_ns"]["sample"]), (286, 2500))
    equal(dear["record_bytes"] - cheap["record_bytes"], 8 + 8 * 16)
    assert " -g " in dear["perf_record"]
    assert dear["period"] > 7 * cheap["period"]


def test_formats():
    """CSV has what JSON has; text has the command"""
    found = plan(*IBS)
    rows = list(csv.reader(io.StringIO(good("plan", "--format", "csv", *IBS))))
    told = {tuple(row[:3]): row[3] for row in rows[1:]}
    equal(int(told["plan", "period", "value"]), found["period"])
    assert float(told["overhead", "value", "value"]) > 0
    assert found["perf_record"] in good("plan", *IBS)
    path = os.path.join(SCRATCH.name, "out")
    equal(good("plan", *IBS, "-o", path), "")
    with open(path, encoding="utf-8") as file:
        equal(file.read(), good("plan", *IBS))


def test_calibrated():
    """a calibration that is named is taken, with its interval, and said to be of another machine"""
    path = scratch("named", CALIBRATION)
    found = plan("--event", "cpu-clock", "--calibration", path, "--period", "1000003")
    rate = 1e9 / 1000003
    equal(found["coefficients"]["source"], "calibrated")
    assert "GenuineIntel,6,85,4" in found["coefficients"]["note"]
    # 200 ns, twice to each side
    half = found["overhead"]["high"] - found["overhead"]["value"]
    assert math.isclose(half, 2 * 200e-9 * rate, abs_tol=2e-6) and half > 0.0003, half
    assert math.isclose(found["sample_parts_ns"]["sample"], 12000, rel_tol=1e-4)
    equal(found["sample_parts_ns"]["interrupt"], None)


def test_other_machine():
    """a calibration of another machine that is not named is not taken"""
    os.makedirs(os.path.join(SCRATCH.name, "precis"), exist_ok=True)
    path = scratch("precis/calibration", CALIBRATION)
    try:
        result = run("plan", "--event", "cpu-clock")
        equal(result.code, 1)
        assert "which this machine is not" in result.err, result
    finally:
        os.unlink(path)


def test_bad_calibrations():
    """files that are none are refused in one line, with the line that is wrong"""
    cases = (
        ("", "line 1"), ("PERFILE2", "line 1"),
        (CALIBRATION.replace("calibration 1", "calibration 7"), "line 1"),
        (CALIBRATION.replace("12000", "nan"), "line 6"),
        (CALIBRATION.replace("sample 40000", "sample -4"), "line 7"),
        (CALIBRATION[:-6], "cut"), (CALIBRATION[:-1], "cut"),
        (CALIBRATION + "more\n", "line 13"), ("\0" * 4096, "line 1"),
    )
    for text, words in cases:
        path = scratch("bad", text)
        result = run("plan", "--event", "cpu-clock", "--calibration", path)
        equal(result.code, 1, repr(text))
        equal(result.out, "")
        equal(len(result.err.splitlines()), 1, result.err)
        assert path in result.err and words in result.err, result.err
    result = run("plan", "--event", "cpu-clock", "--calibration", os.path.join(SCRATCH.name, "nowhere"))
    equal(result.code, 1)
    assert "No such file" in result.err, result.err
    equal(run("plan", "--event", "cpu-clock", "--calibration", SCRATCH.name).code, 1)


def test_kinds():
    """any tracepoint and any breakpoint, or one by name: the line has it"""
    path = scratch("kinds", CALIBRATION.replace("event cpu-clock", "event breakpoint"))
    known = ("--calibration", path, "--rate", "1e4", "--event")
    named = plan(*known, "mem:0x601040/8:w")
    equal((named["event"], "-e mem:0x601040/8:w -c" in named["perf_record"]), ("mem:0x601040/8:w", True))
    assert "-e mem:ADDRESS/8:w -c" in plan(*known, "breakpoint")["perf_record"]
    equal((named["papi"], named["precis_record"]), (None, None))
    result = run("plan", *known, "sched:sched_switch")
    assert result.code == 1 and "has no tracepoint" in result.err, result


def test_unknown_cost():
    """an event of which nothing is known"""
    result = run("plan", "--event", "page-faults", "--rate", "1e4")
    equal((result.code, result.out), (1, ""))
    assert "not known" in result.err and "--calibrate" in result.err, result.err


def test_check():
    """prediction and outcome of a recording"""
    path = recording("zen4-op")
    found = plan("--check", path, "--published")["events"][0]
    samples = json.loads(good("info", "--format", "json", path))["events"][0]["samples"]
    equal(found["samples"]["came"], samples)
    equal(found["samples"]["predicted"]["value"], None)
    assert "--rate" in found["samples"]["reason"]
    equal(found["overhead"]["came"], None)
    assert found["overhead"]["reason"]
    # the rate that the recording has predicts what came
    rate = found["samples"]["came"] / found["seconds"] / found["cpus"]
    # it counts cycles: nothing is random
    period = json.loads(good("info", "--format", "json", path))["events"][0]["period"]
    again = plan("--check", path, "--published", "--rate", "%.12g" % (rate * period))
    equal(again["events"][0]["samples"]["verdict"], "within")
    wrong = plan("--check", path, "--published", "--rate", "%.12g" % (1.5 * rate * period))
    equal(wrong["events"][0]["samples"]["verdict"], "outside")
    assert math.isclose(found["overhead"]["predicted"]["value"], rate * 2910e-9, abs_tol=2e-6)


def test_check_refuses():
    """a frequency, and what is no recording"""
    found = plan("--check", recording("zen4-freq"), "--published")["events"][0]
    assert "varies" in found["refused"], found
    equal(run("plan", "--check", scratch("text", "hello\n" * 100)).code, 1)
    equal(run("plan", "--check", os.path.join(SCRATCH.name, "nowhere")).code, 1)


def test_usage():
    """wrong usage"""
    for options in (("--rate", "-1"), ("--rate", "nan"), ("--rate", "many"), ("--share", "100%"),
                    ("--error", "5%"), ("--threads", "0"), ("--threads", "1.5"), ("--blocks", "7"),
                    ("--event", "ibs_ops"), ("--fields", "adr"), ("--fields", ""), ("--format", "xml"),
                    ("--calibrate", "--check", "x"), ("more",), ("--budget", "0"),
                    ("--event", "ibs_op", "--rate", "1e9", "--period", "1000"),
                    ("--event", "ibs_op", "--rate", "1e9", "--period", "128"),
                    ("--event", "ibs_op", "--rate", "1e9", "--peak", "1e8"),
                    ("--event", "ibs_op")):
        usage("plan", *options)
    assert "ibs_op'" in usage("plan", "--event", "ibs_ops")
    assert "addr" in usage("plan", "--fields", "adr")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
