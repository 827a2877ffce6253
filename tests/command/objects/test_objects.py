#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis objects: totals of a program that knows them, its events, files that are cut off or damaged, wrong usage."""
import csv
import glob
import io
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from quick import FEW

SRCDIR = os.environ["srcdir"]
PRECIS = os.environ["PRECIS"]
RECORDER = os.path.join(os.environ["builddir"], ".libs", "libprecis-objects.so")
HEADER = 408

count = failures = 0


def tap(wrong, name):
    global count, failures
    count += 1
    failures += bool(wrong)
    print("%sok %d - %s" % ("not " if wrong else "", count, name), flush=True)
    for line in wrong[:20]:
        print("#", line)


def by_names(name, check, path):
    """A case that knows stacks by their functions"""
    global count
    if "elfutils" not in os.environ.get("PRECIS_WITHOUT", "").split():
        check(path)
        return
    count += 1
    print("ok %d - %s # SKIP built without elfutils" % (count, name), flush=True)


def objects(*words, data=None):
    return subprocess.run([PRECIS, "objects", *words], input=data, capture_output=True, timeout=300, check=False)


def record(program, work, options):
    with tempfile.TemporaryDirectory(dir=work) as place:
        changed = dict(os.environ, LD_PRELOAD=RECORDER, PRECIS_OBJECTS="directory=%s,%s" % (place, options))
        subprocess.run([program], env=changed, check=True)
        with open(glob.glob(place + "/*.objects")[0], "rb") as file:
            content = file.read()
    path = os.path.join(work, "of.objects")
    with open(path, "wb") as file:
        file.write(content)
    return path, content


def page(path, *words):
    done = objects("--format", "json", "--top", "1000", "--frames", "0", *words, path)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def check_totals(path):
    """By hand, from truth_stacks.c"""
    truth = {("tens", "first_caller"): (10, 10000, 6, 6000), ("tens", "second_caller"): (1, 1000, 1, 1000)}
    grown = sorted([(1, 100, 0, 0), (1, 200, 0, 0), (1, 50000, 1, 50000)])
    rows = page(path)["stacks"]["rows"]
    wrong, seen = [], []
    for row in rows:
        figures = tuple(row[name] for name in ("blocks", "bytes", "live_blocks", "live_bytes"))
        callers = (row["callers"] or "").split(" < ")
        if row["function"] == "tens" and truth.pop(("tens", callers[0]), None) != figures:
            wrong.append(repr(row))
        if row["function"] == "grown" and callers[:2] == ["growing", "main"]:
            seen.append(figures)
        if row["function"] in ("tens", "grown") and "main" not in callers:
            wrong.append("not from main: %r" % row)
        if any(row[name + end] != row[name] for name in ("blocks", "bytes") for end in ("_low", "_high")):
            wrong.append("an interval where all was recorded: %r" % row)
    if truth or sorted(seen) != grown:
        wrong.append("missing: %r, %r" % (truth, seen))
    order = [row["bytes"] for row in rows[1:]]
    if order != sorted(order, reverse=True) or rows[0]["row"] != "all" or rows[0]["bytes"] != sum(order):
        wrong.append("rows: %r" % order)
    tap(wrong, "blocks, bytes and what is left, by call stack")


def check_formats(path):
    wrong = []
    text = objects(path).stdout.decode()
    facts = page(path)
    if "tens" not in text or "first_caller" not in text or "blocks       all" not in text:
        wrong.append(text)
    figures = {}
    for row in csv.DictReader(io.StringIO(objects("--format", "csv", "--top", "1000", path).stdout.decode())):
        figures[row["row"], row["column"]] = row["value"]
    for row in facts["stacks"]["rows"]:
        for name in ("function", "blocks", "live_bytes"):
            if row[name] is not None and figures.get((row["row"], name)) != str(row[name]):
                wrong.append("%s of %s" % (name, row))
    if len(page(path, "--top", "1")["stacks"]["rows"]) != 2:
        wrong.append("--top 1")
    one = [row["callers"] for row in page(path, "--frames", "1")["stacks"]["rows"] if row["function"] == "tens"]
    if sorted(one) != ["first_caller < ...", "second_caller < ..."]:
        wrong.append("--frames 1: %r" % one)
    bare = [row["function"] for row in page(path, "--no-symbols")["stacks"]["rows"] if row["function"]]
    if not any(name.startswith("truth_stacks+0x") for name in bare) or "tens" in bare:
        wrong.append("--no-symbols: %r" % bare)
    with open(path, "rb") as file:
        piped = objects("-", data=file.read())
    if piped.stdout.decode() != text or piped.returncode:
        wrong.append("from a pipe: %r" % piped)
    tap(wrong, "text, CSV and JSON say the same")


def check_events(path):
    wrong = []
    lines = objects("--events", path).stdout.decode().splitlines()
    rows = list(csv.DictReader(io.StringIO(objects("--events", "--format", "csv", path).stdout.decode())))
    values = [json.loads(line) for line in objects("--events", "--format", "json", path).stdout.splitlines()]
    total = page(path)["events"]
    if not len(lines) == len(rows) == len(values) == total > 20:
        wrong.append("%d lines, %d rows, %d objects, %d events" % (len(lines), len(rows), len(values), total))
    for line, row, value in zip(lines, rows, values):
        there = {name: text for name, text in row.items() if text != ""}
        if set(there) != set(value) or any(str(value[name]) != text for name, text in there.items()
                                           if name != "probability"):
            wrong.append("%r, %r" % (row, value))
        if line != " ".join("%s=%s" % pair for pair in there.items()):
            wrong.append(line)
    tens = [value for value in values if value.get("frames", "").startswith("tens < first_caller")]
    if len(tens) != 10 or {(value["bytes"], value["operation"]) for value in tens} != {(1000, "alloc")}:
        wrong.append(repr(tens))
    if not any(value["operation"] == "module" and "libc" in value.get("name", "") for value in values):
        wrong.append("no module libc")
    tap(wrong, "--events: all of them, each with what it has alone")


def check_sampled(program, work):
    """Of what is not recorded at all the upper end is known of bytes, and not of blocks"""
    wrong = []
    path, _ = record(program, work, "interval=1g,size=40k,overhead=any,seed=3")
    facts = page(path)
    all_row = facts["stacks"]["rows"][0]
    # one block is always recorded: of the others' bytes there are fewer than 3.689 intervals
    if (all_row["recorded"], all_row["bytes"], all_row["blocks_high"]) != (1, 50000, None) or not (
            50000 + 3.68 * 2 ** 30 < all_row["bytes_high"] < 50000 + 3.70 * 2 ** 30) or facts["interval"] != 2 ** 30:
        wrong.append(repr(all_row))
    text = objects(path).stdout.decode()
    if "95% intervals" not in text or "[1,-]" not in text:
        wrong.append(text)
    path, _ = record(program, work, "interval=all,overhead=any,size=40k")
    if "less than 40960 bytes are not in the file" not in " ".join(objects(path).stdout.decode().split()):
        wrong.append("no word of small blocks")
    tap(wrong, "intervals, and what is not known")


def check_cost(program, work):
    """What the recorder took, as the file has it; of one that has lost its end it cannot be told in ns"""
    path, content = record(program, work, "interval=all,overhead=any,clock=mono")
    own = subprocess.run([os.path.join(os.environ["builddir"], "tests", "recorder", "print_objects"), path],
                         capture_output=True, check=True).stdout.split(b" own=")[1].split()[0]
    facts, wrong = page(path), []
    events = [json.loads(line) for line in objects("--events", "--format", "json", path).stdout.splitlines()]
    begin, end = (extreme(event["monotonic_ns"] for event in events) for extreme in (min, max))
    if facts["recorder_ns"] != int(own) or not end - begin <= facts["recorded_ns"] < end - begin + 10**9:
        wrong.append("%r ns, %r of %r" % (own, facts, end - begin))
    text = " ".join(objects(path).stdout.decode().split())
    if "recorder took %.3g ms of %.4g ms," % (facts["recorder_ns"] / 1e6, facts["recorded_ns"] / 1e6) not in text:
        wrong.append(text)
    with open(path, "wb") as file:
        file.write(content[:HEADER])
    cut = objects("--format", "json", path)
    if cut.returncode or json.loads(cut.stdout)["recorder_ns"] is not None or b"recorder" in objects(path).stdout:
        wrong.append(repr(cut))
    tap(wrong, "what the recorder took")


def check_memory(work):
    """What the recorder had no memory for is told of, and that it is not known of a file without an end"""
    source = """
        #include <sys/resource.h>
        #include <precis/objects.h>
        static char bytes[4000];
        int main(void)
        {
            const struct rlimit none = { 1 << 20, 1 << 20 };
            setrlimit(RLIMIT_AS, &none);
            for (int n = 0; n < 3000; n++) {
                __builtin_memset(bytes, 'a' + n % 26, 100 + n);
                precis_objects_name(bytes, 1, bytes, 0);
            }
        }"""
    program, wrong = os.path.join(work, "without_memory"), []
    subprocess.run(shlex.split(os.environ["CC"]) + ["-I" + os.path.join(SRCDIR, "libdecode", "include"), "-x", "c", "-", "-o",
                                                    program], check=True, text=True, input=source)
    path, content = record(program, work, "interval=all,overhead=any")
    facts, text = page(path), " ".join(objects(path).stdout.decode().split())
    lost = facts["events_without_memory"]
    told = "%d events (%d as the recorder had no memory for them)" % (lost, lost)
    if not 0 < lost == facts["events_lost"] < 3000 or told not in text:
        wrong.append("%r %s" % (facts, text))
    with open(path, "wb") as file:
        file.write(content[:HEADER])
    if page(path)["events_without_memory"] is not None:
        wrong.append(repr(page(path)))
    tap(wrong, "what there was no memory for")


def check_hostile(content, work):
    """A file that is cut off at any place, and damaged anywhere: an error or a part, with the offset"""
    wrong = []
    path = os.path.join(work, "hostile.objects")
    generator = random.Random(7)
    for n in range(40 if FEW else 400):
        damaged = bytearray(content)
        if n % 2:
            del damaged[generator.randrange(len(content)):]
        else:
            for _ in range(1 + n % 5):
                damaged[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
        with open(path, "wb") as file:
            file.write(damaged)
        for words in ((), ("--events",)):
            done = objects(*words, path)
            errors = done.stderr.decode()
            if done.returncode not in (0, 1) or done.returncode != bool(errors):
                wrong.append("%d: %r" % (n, done))
            if errors and ("offset" not in errors or path not in errors):
                wrong.append(errors)
    with open(path, "wb") as file:
        file.write(content[:HEADER - 1])
    if objects(path).returncode != 1:
        wrong.append("a header that is cut off")
    tap(wrong, "files that are cut off or damaged")


def check_usage(path, work):
    wrong = []
    for words, code in (((), 2), ((path, path), 2), (("--top", "x", path), 2), (("--frames", "-1", path), 2),
                        (("--format", "xml", path), 2), (("--nothing", path), 2), (("--help",), 0),
                        ((os.path.join(work, "none"),), 1), ((work,), 1), ((sys.executable,), 1),
                        (("-o", "/nonexistent/x", path), 1), (("--events", "-o", "/dev/full", path), 1)):
        done = objects(*words)
        if done.returncode != code or bool(done.stderr) == (code == 0):
            wrong.append("%r: %r" % (words, done))
    tap(wrong, "exit codes")


def main():
    if not os.path.exists(RECORDER):
        print("1..0 # SKIP libprecis-objects.so was not built")
        return 0
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "truth_stacks")
        source = os.path.join(SRCDIR, "tests", "command", "objects", "truth_stacks.c")
        subprocess.run(shlex.split(os.environ["CC"]) + ["-O1", "-fno-builtin", "-fno-optimize-sibling-calls", source,
                                                        "-o", program], check=True)
        path, content = record(program, work, "interval=all,overhead=any")
        by_names("totals", check_totals, path)
        by_names("formats", check_formats, path)
        by_names("events", check_events, path)
        check_hostile(content, work)
        check_usage(path, work)
        check_sampled(program, work)
        check_cost(program, work)
        check_memory(work)
    print("1..%d" % count)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
