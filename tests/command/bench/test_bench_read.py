#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis bench --read: the same results as when it was measured, and no trust in what a file says."""
import copy
import json
import os
import random
import statistics
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from bench_file import MODEL, ladder, made, model, need_files, of_event, write
from built import WITHOUT
from command import good, run, usage
from quick import FEW
from tap import Skip, equal

SCRATCH = tempfile.TemporaryDirectory()
PATH = os.path.join(SCRATCH.name, "bench.json")
NOTHING = 77


def refused(told, *words):
    """That file is not read, and it is said why, in one line, by its name, with nothing on standard output."""
    done = run("bench", "--read", write(PATH, told))
    equal(done.code, 1, done)
    equal(done.out, "")
    assert done.err.count("\n") == 1 and PATH in done.err, done
    for word in words:
        assert word in done.err, (word, done.err)


def table_of(text, title):
    """A table of a page of text"""
    lines = text.splitlines()
    first = lines.index(title)
    last = next((n for n in range(first, len(lines)) if not lines[n]), len(lines))
    return "\n".join(lines[first:last])


def test_live():
    """What is measured here is read again: JSON and CSV byte for byte, and the table of results"""
    need_files()
    events = ("--events", "page_faults,breakpoint_access,breakpoints_four", "--runs", "2", "--threads", "1,2",
              "--cpu", "1023", "--seed", str(2 ** 63 - 1))
    done = run("bench", *events, "--format", "json", "-o", PATH)
    if done.code == NOTHING:
        raise Skip("no page faults can be sampled here")
    equal(done.code, 0, done)
    with open(PATH, encoding="utf-8") as file:
        text = file.read()
    equal(good("bench", "--read", PATH, "--format", "json"), text)
    page = good("bench", "--read", PATH)
    results = table_of(page, "Results")
    assert "CPUs from 1023 on are not all there" in " ".join(results.split()), results
    assert "page_faults with touch, period 1: 2 runs" in results, results
    assert "page_faults with touch, period 1, 2 threads: 2 runs" in results, results
    equal(table_of(page, "Threads"), table_of(good("bench", "--read", PATH), "Threads"))


def test_formats():
    """Text, JSON and CSV, from a file and from standard input, and again from what was read"""
    need_files()
    told = json.loads(good("bench", "--read", MODEL, "--format", "json"))
    equal(told["results"], model()["results"])
    with open(MODEL, encoding="utf-8") as file:
        equal(json.loads(good("bench", "--read", "-", "--format", "json", stdin=file)), told)
    again = write(PATH, told)
    for form in ("text", "json", "csv"):
        equal(good("bench", "--read", again, "--format", form), good("bench", "--read", MODEL, "--format", form))


def test_independence():
    """Correlations of positions are made again of what is written of them"""
    need_files()
    rows = [row for row in model()["results"]["rows"] if row["metric"] == "independence"]
    assert any(row["value"] is not None for row in rows), rows
    told = model()
    for row in told["runs"]["rows"]:
        row["products"] = [value // 2 for value in row["products"]]
    found = json.loads(good("bench", "--read", write(PATH, told), "--format", "json"))["results"]["rows"]
    assert [row for row in found if row["metric"] == "independence"] != rows


def test_choice():
    """--metrics, --events, --kernels, --bound and --check work on what is read"""
    need_files()
    path = write(PATH, made(1, wrong=0.05))
    rows = json.loads(good("bench", "--read", path, "--metrics", "wrong_rate,error", "--format", "json"))
    equal([row["metric"] for row in rows["results"]["rows"]], ["error", "wrong_rate"])
    only = ("bench", "--read", path, "--metrics", "wrong_rate", "--check")
    equal(run(*only).code, 1)
    equal(run(*only, "--bound", "wrong_rate=20").code, 0)
    told = json.loads(good("bench", "--read", MODEL, "--events", "page_faults", "--format", "json"))
    equal([row["set"] for row in told["cells"]["rows"]], ["page_faults"])
    equal({row["set"] for row in told["runs"]["rows"]}, {"page_faults"})
    told = json.loads(good("bench", "--read", MODEL, "--kernels", "touch", "--format", "json"))
    equal({row["kernel"] for row in told["runs"]["rows"]}, {"touch"})


def test_figures():
    """What is read is what results are made of"""
    need_files()
    told = made(3)
    found = json.loads(good("bench", "--read", write(PATH, told), "--format", "json"))["results"]["rows"]
    runs = told["runs"]["rows"]
    figures = {row["metric"]: row["value"] for row in found}
    wrong = 100 * sum(row["wrong"] for row in runs) / sum(row["samples"] for row in runs)
    errors = [100 * (row["samples"] * row["period"] / row["truth"] - 1) for row in runs]
    assert abs(figures["wrong_rate"] - wrong) < 1e-4, (figures, wrong)
    assert abs(figures["error"] - sum(errors) / len(errors)) < 1e-4, (figures, errors)


def test_not_json():
    """What is no JSON is told with line, column and offset"""
    need_files()
    with open(MODEL, encoding="utf-8") as file:
        lines = file.read().split("\n")
    lines[9] = "}}"
    for text, words in (("\n".join(lines), "line 10, column 1, offset "), ("", "line 1, column 0"),
                        ('{"a": 1, "a": 2}', "duplicate"), ("[1, 2]", "no JSON object"),
                        ("[" * 100000, "depth"), ('{"a": "\\u0000"}', "\\u0000")):
        with open(PATH, "w", encoding="utf-8") as file:
            file.write(text)
        done = run("bench", "--read", PATH)
        equal(done.code, 1, done)
        assert words in done.err and not done.out, (words, done)
    done = run("bench", "--read", os.path.join(SCRATCH.name, "none"))
    assert done.code == 1 and "No such file" in done.err, done
    done = run("bench", "--read", SCRATCH.name)
    assert done.code == 1 and "directory" in done.err, done


def test_others():
    """Other JSON, other schemas, and files without runs are refused by name"""
    need_files()
    refused({}, "precis bench --format json has not written it")
    told = model()
    told["bench"]["values"]["schema"] = 1
    refused(told, "bench.values.schema", "it is 1, and this precis reads 3", "lacks")
    told["bench"]["values"]["schema"] = 4
    refused(told, "it is 4, and this precis reads 3")
    told["bench"]["values"]["schema"] = "2"
    refused(told, "bench.values.schema: expected a whole number, found a text")
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(good("bench", "--list", "--format", "json"))
    done = run("bench", "--read", PATH)
    assert done.code == 1 and "nothing was measured" in done.err, done


def test_unknown():
    """Events and kernels that are not known are named, counted and left out; all others are there"""
    need_files()
    told = model()
    rows = [row for table in ("cells", "runs") for row in told[table]["rows"]]
    skipped = 0
    for row in rows:
        if row["set"] == "minor_faults":
            row["set"] = "event_of\x1b[31m_tomorrow"
            skipped += "run" in row
        elif row["set"] == "enter_read":
            row["kernel"] = "kernel_of_tomorrow"
            skipped += "run" in row
    done = run("bench", "--read", write(PATH, told), "--format", "json")
    equal(done.code, 0, done)
    assert "\x1b" not in done.err, done.err
    assert "the event event_of" in done.err and "the kernel kernel_of_tomorrow is not known" in done.err, done
    assert "2 cells and %d rows of runs are left out" % skipped in done.err, done
    found = json.loads(done.out)
    gone = {"minor_faults", "enter_read"}
    equal([row for row in found["results"]["rows"] if row["value"] is not None],
          [row for row in model()["results"]["rows"]
           if row["value"] is not None and row["row"].split("/")[0] not in gone])


def changed(number, **members):
    told = of_event(model(), "breakpoint_access")
    told["runs"]["rows"][number].update(members)
    return told


def test_counts():
    """Counts that cannot be, or that contradict each other, are told with row and name"""
    need_files()
    refused(changed(1, samples=-1), "runs.rows[1].samples: expected 0 to", "found -1")
    refused(changed(0, truth=2 ** 60), "runs.rows[0].truth", "found %d" % 2 ** 60)
    refused(changed(0, all=1.5), "runs.rows[0].all: expected a whole number, found a number that is not whole")
    refused(changed(0, all=None), "runs.rows[0].all: expected a whole number, found null")
    refused(changed(0, truth=0), "runs.rows[0].truth: the kernel makes some")
    refused(changed(0, user_mode=0), "runs.rows[0].samples: samples of the modes")
    refused(changed(0, wrong_address=10 ** 9), "wrong_address: it is more than 'samples'")
    refused(changed(0, skid=[0, 0, 0, 0]), "skid: 'right' and 'wrong' are not as many")
    refused(changed(0, skid=[0, 0]), "skid: expected 4 numbers, found 2")
    refused(changed(0, right=1), "right: with 'wrong' it is not as many")
    refused(changed(0, all=1), "all: it is less than 'samples'")
    sites = model()["runs"]["rows"][0]["sites"]
    refused(changed(0, sites=[0] * 200), "sites: expected ", "numbers, found 200")
    refused(changed(0, sites=[0] * len(sites)), "runs.rows[0].sites")
    refused(changed(0, first=[999] * 16), "first: expected 0 to", "found 999")
    refused(changed(0, last=[1]), "last: expected 16 numbers, found 1")
    refused(changed(0, products=[2 ** 60] * 16), "products")
    refused(changed(2, run=0), "runs.rows[2]: expected breakpoint_access/breakpoint_access/watch/7/1, run 2")
    refused(changed(2, thread=64), "runs.rows[2]")
    refused(changed(2, thread=65), "runs.rows[2].thread: expected 0 to 64, found 65")
    refused(changed(0, event="breakpoint_store"), "runs.rows[0]: expected")
    refused(changed(0, period=0), "runs.rows[0].period: expected 1 to")


def test_tables():
    """Settings, cells and tables that cannot be likewise"""
    need_files()
    for name, value, words in (("threads", [1, 65], "expected 0 to 64, found 65"),
                               ("threads", 1, "expected an array, found a number"),
                               ("threads", [2, 2], "larger than the one before"), ("threads", [0], "than 0"),
                               ("threads", [], "expected 1 to 16 numbers, found 0"), ("runs", 1001, "2 to 1000"),
                               ("full", 1, "expected true or false, found a number"), ("cpu", -2, "found -2"),
                               ("seed", "x", "found a text")):
        told = model()
        told["measured"]["values"][name] = value
        refused(told, "measured.values." + name, words)
    told = of_event(model(), "page_faults")
    told["cells"]["rows"] *= 2
    refused(told, "cells.rows[1]: it is there twice")
    told = of_event(model(), "page_faults")
    told["cells"]["rows"] = told["cells"]["rows"] * 3000
    refused(told, "cells.rows: there are more than 2048")
    told = of_event(model(), "page_faults")
    told["runs"]["rows"].pop()
    refused(told, "runs of it are not in the file")
    told["cells"]["rows"][0]["runs"] -= 2
    refused(told, "none of the cells has it")
    told = of_event(model(), "page_faults")
    for table in ("cells", "runs"):
        for row in told[table]["rows"]:
            row["kernel"] = "alu20"
    refused(told, "alu20 makes no events of page_faults")
    for table in ("preflight", "events", "plan", "cells", "runs", "measured"):
        told = model()
        told[table] = []
        refused(told, table + ": expected an object, found an array")
        del told[table]
        refused(told, "nothing was measured" if table == "measured" else table + ": expected an object")


def test_large():
    """Files and values that take too much memory are refused, in memory that is bounded"""
    need_files()
    with open(PATH, "wb") as file:
        file.truncate((256 << 20) + 1)
    done = run("bench", "--read", PATH)
    assert done.code == 1 and "larger than 256 MiB" in done.err, done
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        return
    with open(PATH, "w", encoding="ascii") as file:
        file.write("[" + "{}," * (1 << 20) + "0]")
    done = run("bench", "--read", PATH)
    assert done.code == 1 and "more than 112 MiB of memory" in done.err, done


def test_ladder():
    """Latencies are read, with the figures that they make; what they contradict is told"""
    need_files()
    told = ladder(3)
    text = good("bench", "--read", write(PATH, told), "--format", "json")
    found = json.loads(text)
    equal(found["runs"]["rows"], told["runs"]["rows"])
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(text)
    equal(good("bench", "--read", PATH, "--format", "json"), text)
    results = {(row["kernel"], row["metric"]): row for row in found["results"]["rows"]}
    medians, errors, times = [], [], []
    for row in told["runs"]["rows"]:
        if row["kernel"] == "ladder8m":
            pairs = zip(row["latencies"][::2], row["latencies"][1::2])
            medians.append(statistics.median(value for value, times in pairs for _ in range(times)))
            times.append(row["bare_cpu_ns"] / (row["outer"] * row["inner"]))
            errors.append(100 * (medians[-1] / (times[-1] * 4) - 1))
    for metric, values in (("sampled_latency", medians), ("latency_error", errors), ("load_ns", times)):
        row = results["ladder8m", metric]
        assert abs(row["value"] - sum(values) / len(values)) < 1e-5, (row, values)
        assert row["low"] < row["value"] < row["high"], row
    equal(results["ladder16k", "sampled_latency"]["says"], "no sample of a load has dcache_miss_latency")
    rungs = {row["kernel"]: row for row in found["ladder"]["rows"]}
    equal((rungs["ladder16k"]["kib"], rungs["ladder16k"]["sampled_latency"]), (16, None))
    equal(rungs["ladder8m"]["latency_error"], results["ladder8m", "latency_error"]["value"])
    where = next(n for n, row in enumerate(told["runs"]["rows"]) if row["kernel"] == "ladder8m")
    right = told["runs"]["rows"][where]["latencies"]
    for wrong, words in ((right + [1], "not of as many samples"), (right[:-2], "not of as many samples"),
                         ([200, 1] + right[2:], "entries 2 and 3"), ([right[0], 10 ** 6], "entries 0 and 1"),
                         ([70000, 1], "entries 0 and 1"), (["a", 1], "entries 0 and 1"), ("none", "expected an array")):
        told["runs"]["rows"][where]["latencies"] = wrong
        refused(told, "runs.rows[%d].latencies" % where, words)
    told = made(1)
    told["runs"]["rows"][0].update(with_latency=1, latencies=[5, 1])
    refused(told, "runs.rows[0].latencies", "have none")
    told["runs"]["rows"][0].update(with_latency=10 ** 6)
    refused(told, "runs.rows[0].with_latency")


def test_many():
    """More counts than a document holds: each is written, and read again"""
    need_files()
    threads, runs = 64, 54
    told = made(7)
    told["measured"]["values"].update(threads=[threads], runs=runs)
    told["cells"]["rows"][0].update(runs=runs, threads=threads)
    few = told["runs"]["rows"]
    told["runs"]["rows"] = [
        dict(few[(run_of + thread) % len(few)], run=run_of, thread=thread, threads=threads, interrupts=None,
             row="/".join(few[0]["row"].split("/")[:-3] + [str(n) for n in (threads, run_of, thread)]))
        for run_of in range(runs) for thread in range(threads)]
    counts = sum(len(value) for row in told["runs"]["rows"] for value in row.values() if isinstance(value, list))
    assert counts > 1 << 18, counts
    write(PATH, told)
    equal(json.loads(good("bench", "--read", PATH, "--format", "json"))["runs"]["rows"], told["runs"]["rows"])
    lines = good("bench", "--read", PATH, "--format", "csv").splitlines()
    equal(sum(line.startswith("runs,") and ",sites." in line for line in lines),
          sum(len(row["sites"]) for row in told["runs"]["rows"]))


def test_damaged():
    """Files with bytes flipped, cut at any place, and with numbers that are others, never end it by a signal"""
    need_files()
    with open(write(PATH, of_event(model(), "breakpoint_access")), "rb") as file:
        whole = file.read()
    draw = random.Random(20261125)
    read = 0
    for n in range(60 if FEW else 300):
        damaged = bytearray(whole)
        if n % 3 == 0:
            del damaged[(n + 1) * len(damaged) // 301:]
        elif n % 3 == 1:
            for _ in range(draw.choice((1, 3, 20))):
                damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        else:
            digits = [at for at, byte in enumerate(damaged) if 48 <= byte <= 57]
            for _ in range(draw.choice((1, 3))):
                damaged[draw.choice(digits)] = draw.choice(b"0123456789-.e")
        with open(PATH, "wb") as file:
            file.write(damaged)
        done = run("bench", "--read", PATH, "--compare", MODEL, "--format", "json")
        assert done.code in (0, 1), done
        assert done.code == 0 or (done.err and not done.out), done
        read += done.code == 0
    # damage that nobody can see is there too: else only syntax would be tried
    assert read, "each damaged file is refused"


def test_runs_again():
    """Runs that were left out and made again are told of what is read, too"""
    need_files()
    whole = of_event(model(), "breakpoint_access")
    whole["measured"]["values"]["runs_again"] = 3
    told = json.loads(good("bench", "--read", write(PATH, whole), "--format", "json"))
    equal(told["measured"]["values"]["runs_again"], 3)
    assert any(note.startswith("Made again: 3 runs") for note in told["results"]["notes"]), told["results"]["notes"]
    whole["measured"]["values"]["runs_again"] = 0
    done = run("bench", "--read", write(PATH, whole))
    assert done.code == 1 and "runs_again" in done.err, done


def test_mixed():
    """Values of another kind in any place: none ends it by a signal"""
    need_files()
    whole = of_event(model(), "breakpoint_access")
    draw = random.Random(7)
    values = (None, True, -1, 0, 1, 2 ** 46, 2 ** 62, 0.5, "", "x" * 5000, [], {}, [[]], [0] * 16)
    for _ in range(60 if FEW else 300):
        told = copy.deepcopy(whole)
        at = told
        while True:
            key = draw.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if isinstance(at[key], (dict, list)) and at[key] and draw.random() < 0.9:
                at = at[key]
                continue
            at[key] = draw.choice(values)
            break
        done = run("bench", "--read", write(PATH, told))
        assert done.code in (0, 1), (done, key)
        assert done.code == 0 or done.err, done


def test_usage():
    """What is read is not measured: options that say how to measure are refused"""
    for option in (("--runs", "3"), ("--threads", "2"), ("--cpu", "1"), ("--seed", "1"), ("--full",), ("--quick",),
                   ("--list",), ("--dry-run",)):
        assert "--read measures nothing" in usage("bench", "--read", "x", *option), option
    assert "nothing is measured" in usage("bench", "--compare", "x", "--list")
    assert "not both" in usage("bench", "--read", "-", "--compare", "-")
    if "jansson" in WITHOUT:
        for option in ("--read", "--compare"):
            done = run("bench", option, MODEL)
            assert done.code == 1 and "built without jansson" in done.err and not done.out, done


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
