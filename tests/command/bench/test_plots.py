#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis bench --plots: SVG that is well-formed, says what the JSON of the same run says, and stays in its frame."""
import functools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from bench_file import ladder, need_files, write
from command import PRECIS, good, run
from tap import equal
from test_bench import bench, need, sysroot

SCRATCH = tempfile.TemporaryDirectory()
SVG = "{http://www.w3.org/2000/svg}"
# what a character is wide by its size in the mean of sans-serif text, as the writer counts
CHARACTER = 0.5
OPTIONS = ("--events", "breakpoint_store", "--kernels", "stores4", "--periods", "7,8,13", "--runs", "3")


@functools.cache
def made(*options):
    """What one run with these options said, and the plots by name; not to be changed"""
    directory = tempfile.mkdtemp(dir=SCRATCH.name)
    told = bench("--plots", directory, *options)
    files = sorted(os.listdir(directory))
    equal(sorted(row["file"] for row in told["plots"]["rows"]), files)
    return told, {name: xml.etree.ElementTree.parse(os.path.join(directory, name)).getroot() for name in files}


def data(root):
    """The attributes of each datum; numbers are numbers"""
    for group in root.iter(SVG + "g"):
        if "data-metric" in group.attrib:
            yield {name[5:]: value if name in ("data-metric", "data-event", "data-kernel", "data-resonance")
                   else float(value) for name, value in group.attrib.items() if name.startswith("data-")}


def near(a, b):
    assert (a is None) == (b is None), (a, b)
    assert a is None or abs(a - b) <= 1e-5 * max(1, abs(a), abs(b)), (a, b)


def test_files():
    """One plot of shares for each period, one of errors, of overhead, of deviations"""
    need("breakpoint_store")
    _, plots = made(*OPTIONS)
    equal(sorted(plots), ["deviation-1.svg", "error-breakpoint_store-stores4.svg",
                          "overhead-breakpoint_store-stores4.svg"] +
          ["shares-breakpoint_store-stores4-%s.svg" % period for period in ("13", "7", "8")])


def test_shares():
    """Bars are the samples of the raw counts, with intervals that hold the share; all at one store in step"""
    need("breakpoint_store")
    told, plots = made(*OPTIONS)
    for period in (7, 8, 13):
        sites = [sum(column) for column in zip(*(row["sites"] for row in told["runs"]["rows"]
                                                  if row["period"] == period))]
        bars = list(data(plots["shares-breakpoint_store-stores4-%d.svg" % period]))
        equal(len(bars), 4)
        equal(sum(bar["samples"] for bar in bars), sum(sites))
        for bar in bars:
            equal(bar["samples"], sites[int(bar["site"])])
            near(bar["value"], 100 * bar["samples"] / sum(sites))
            assert bar["low"] <= bar["value"] <= bar["high"], bar
        equal(sum(bar["samples"] > 0 for bar in bars), 1 if period == 8 else 4)


def test_errors():
    """Errors are those of the results, and the period in step is marked"""
    need("breakpoint_store")
    told, plots = made(*OPTIONS)
    results = {row["period"]: row for row in told["results"]["rows"] if row["metric"] == "error"}
    points = list(data(plots["error-breakpoint_store-stores4.svg"]))
    equal([point["period"] for point in points], [7, 8, 13])
    for point in points:
        for name in ("value", "low", "high", "floor"):
            near(point.get(name), results[point["period"]][name])
    equal({point["period"]: point["resonance"] for point in points},
          {7: "not in step", 8: "in step", 13: "not in step"})


def test_overheads():
    """Overheads are the results', with their intervals: CPU time of all runs by that of those without events"""
    need("breakpoint_store")
    told, plots = made(*OPTIONS)
    results = {row["period"]: row for row in told["results"]["rows"] if row["metric"] == "time_overhead"}
    points = list(data(plots["overhead-breakpoint_store-stores4.svg"]))
    equal([point["period"] for point in points], [7, 8, 13])
    for point in points:
        rows = [row for row in told["runs"]["rows"] if row["period"] == point["period"]]
        near(point["value"], 100 * (sum(row["cpu_ns"] for row in rows) / sum(row["bare_cpu_ns"] for row in rows) - 1))
        for name in ("value", "low", "high"):
            near(point[name], results[point["period"]][name])
        assert point["low"] < point["value"] < point["high"], point


def test_threads():
    """By threads: errors and overheads of the results, one file for each period; shares have the number in the name"""
    need("breakpoint_store")
    told, plots = made("--events", "breakpoint_store", "--kernels", "stores4", "--periods", "7", "--threads", "1,3",
                       "--runs", "3")
    equal(sorted(plots), ["deviation-1.svg", "error-by-threads-breakpoint_store-stores4-7.svg",
                          "overhead-by-threads-breakpoint_store-stores4-7.svg",
                          "shares-breakpoint_store-stores4-7-3threads.svg", "shares-breakpoint_store-stores4-7.svg"])
    for name, metric in (("error", "error"), ("overhead", "time_overhead")):
        root = plots["%s-by-threads-breakpoint_store-stores4-7.svg" % name]
        points = list(data(root))
        equal([point["threads"] for point in points], [1, 3])
        for point in points:
            (row,) = [row for row in told["results"]["rows"]
                      if row["metric"] == metric and row["threads"] == point["threads"]]
            for end in ("value", "low", "high", "floor"):
                near(point.get(end), row[end])
        check_frame(root)


def test_ladder():
    """By memory: what loads take, timed and sampled, of the results"""
    need_files()
    path = write(os.path.join(SCRATCH.name, "ladder.json"), ladder(5))
    directory = tempfile.mkdtemp(dir=SCRATCH.name)
    told = json.loads(good("bench", "--read", path, "--plots", directory, "--format", "json"))
    results = {(row["kernel"], row["metric"]): row for row in told["results"]["rows"]}
    root = xml.etree.ElementTree.parse(os.path.join(directory, "ladder-ibs_loads-100016.svg")).getroot()
    points = list(data(root))
    equal(sorted((point["kernel"], point["metric"], point["kib"]) for point in points),
          [("ladder16k", "load_cycles", 16), ("ladder8m", "load_cycles", 8192),
           ("ladder8m", "sampled_latency", 8192)])
    for point in points:
        for end in ("value", "low", "high"):
            near(point[end], results[point["kernel"], point["metric"]][end])
    check_frame(root)


def test_deviations():
    """Deviations are those of the errors of the runs"""
    need("minor_faults")
    told, plots = made("--events", "minor_faults", "--runs", "4")
    (point,) = data(plots["deviation-1.svg"])
    errors = [100 * (row["user_mode"] * row["period"] / row["truth"] - 1) for row in told["runs"]["rows"]]
    mean = sum(errors) / len(errors)
    near(point["value"], (sum((error - mean) ** 2 for error in errors) / (len(errors) - 1)) ** 0.5)
    (result,) = [row for row in told["results"]["rows"] if row["metric"] == "error"]
    near(point["floor"], result["floor"])


def corners(element):
    """Points of what is drawn; of text where it begins and ends"""
    at = {name: float(value) for name, value in element.attrib.items()
          if name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "font-size")}
    kind = element.tag.replace(SVG, "")
    if kind == "rect":
        return [(at["x"], at["y"]), (at["x"] + at["width"], at["y"] + at["height"])]
    if kind == "line":
        return [(at["x1"], at["y1"]), (at["x2"], at["y2"])]
    if kind == "circle":
        return [(at["cx"] - at["r"], at["cy"] - at["r"]), (at["cx"] + at["r"], at["cy"] + at["r"])]
    if kind == "polygon":
        return [tuple(map(float, pair.split(","))) for pair in element.attrib["points"].split()]
    if kind == "text":
        wide = CHARACTER * at["font-size"] * len(element.text or "")
        left = at["x"] - wide * {"start": 0, "middle": 0.5, "end": 1}[element.attrib["text-anchor"]]
        return [(left, at["y"] - at["font-size"]), (left + wide, at["y"] + at["font-size"] / 4)]
    return []


def check_frame(root):
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    turned = [text for group in root.iter(SVG + "g") if "transform" in group.attrib
              for text in group.iter(SVG + "text")]
    shapes = 0
    for element in root.iter():
        for x, y in corners(element):
            shapes += 1
            if element in turned:
                # by a quarter about its middle
                middle = float(element.attrib["y"])
                x, y = float(element.attrib["x"]), middle + x - float(element.attrib["x"])
            assert left <= x <= left + wide and top <= y <= top + high, (element.tag, element.attrib,
                                                                         element.text)
    assert shapes > 20, shapes


def test_frame():
    """Nothing is outside the view box; each plot has title, axes with units and where it is from"""
    need("breakpoint_store")
    _, plots = made(*OPTIONS)
    for name, root in plots.items():
        check_frame(root)
        texts = [text.text for text in root.iter(SVG + "text")]
        assert root.find(SVG + "title").text in texts, (name, texts)
        assert any("(%" in text for text in texts), (name, texts)
        assert any("Linux" in text and "precis" in text for text in texts), (name, texts)
        assert any("n = " in text and "runs" in text for text in texts), (name, texts)


def test_hostile_names():
    """What a CPU calls itself is text, whatever it is: markup, quotes, no UTF-8, too long"""
    need("minor_faults")
    root = sysroot("")
    name = b'<b x="1">&amp;\xff\x01\xc3\xa4]]>' + b"W" * 200
    with open(os.path.join(root, "proc/cpuinfo"), "wb") as file:
        file.write(b"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: " +
                   name + b"\nstepping\t: 1\nflags\t\t: fpu\n\n")
    _, plots = made("--events", "minor_faults", "--runs", "2", "--sysroot", root)
    for plot in plots.values():
        texts = [text.text for text in plot.iter(SVG + "text")]
        (source,) = [text for text in texts if text.startswith("<b x=")]
        assert source.startswith('<b x="1">&amp;\ufffd\ufffd\xe4]]>WWW') and source.endswith("\u2026"), source
        check_frame(plot)


def fails(directory, *words, **more):
    done = run("bench", "--events", "minor_faults", "--runs", "2", "--plots", directory, **more)
    equal(done.code, 1, done)
    for word in words:
        assert word in done.err, done.err


def test_errors_of_directories():
    """A directory that is none, or cannot be written, is said before anything is measured"""
    fails("/there/is/none", "--plots: /there/is/none: No such file or directory")
    path = os.path.join(SCRATCH.name, "file")
    with open(path, "w", encoding="utf-8"):
        pass
    fails(path, "Not a directory")
    if os.geteuid():
        os.mkdir(os.path.join(SCRATCH.name, "mine"), 0o500)
        fails(os.path.join(SCRATCH.name, "mine"), "Permission denied")


def no_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_full():
    """Where a file cannot be written to its end that is said, and no part of it is left"""
    need("minor_faults")
    directory = tempfile.mkdtemp(dir=SCRATCH.name)
    done = subprocess.run([PRECIS, "bench", "--events", "minor_faults", "--runs", "2", "--plots", directory],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=1200,
                          preexec_fn=no_files)
    equal(done.returncode, 1, done)
    assert b"deviation-1.svg: cannot write: File too large" in done.stderr, done.stderr
    equal(os.listdir(directory), [])
    assert b"Results" in done.stdout, done.stdout


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
