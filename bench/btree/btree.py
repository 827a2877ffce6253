#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What lookups in a B+-tree wait for, by level and member of its nodes: the case of "Breaking the Cycle" (DaMoN 2025),
with what this machine's samples measure, or those of a recording.
"""
import argparse
import json
import os
import re
import subprocess
import sys

# What each vendor measures of a load, each by its own definition: they share no column
LATENCIES = {"ibs": ["tlb_refill_latency", "dcache_miss_latency", "completion_to_retire", "tag_to_completion"],
             "pebs": ["cache_latency", "load_latency", "instruction_latency", "retire_latency"], "other": []}
SHARES = {"ibs": ["L1", "L2", "LFB", "L3", "DRAM", "tlb_miss", "tlb_walk", "miss_buffer_allocated"],
          "pebs": ["L1", "L2", "LFB", "L3", "DRAM", "tlb_miss", "tlb_walk"], "other": []}
# Options of precis-record for loads, whose latency counts however short it is
PMU_OPTIONS = {"ibs": ["--ops", "--period", "104752"], "pebs": ["--loads", "--ldlat", "3", "--period", "1049"]}


def fail(text):
    print("btree.py: %s" % text, file=sys.stderr)
    sys.exit(1)


def run(command, **options):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    except OSError as error:
        fail("%s: %s" % (command[0], error.strerror))
    if done.returncode:
        fail("%s: exit status %d\n%s" % (" ".join(command[:2]), done.returncode, done.stderr.strip()))
    return done.stdout


# ---- figures ----

def vendor_of(name):
    """Of a report's table: ibs, pebs, other; None: it is none of --by"""
    for vendor, start in (("ibs", "by_ops"), ("pebs", "by_pebs"), ("other", "by_other")):
        if name.startswith(start) and "_type_" not in name: # what is told of the types themselves
            return vendor
    return None


def tables(arguments, columns, latency, loads=()):
    """{name: table} of precis report --by tag,member, with these options that choose loads"""
    command = [arguments.precis, "report", "--by", "tag,member", "--columns", ",".join(columns), "--top", "100",
               "--format", "json"] + arguments.report
    if latency:
        command += ["--latency", latency]
    document = json.loads(run(command + list(loads) + [arguments.recording]))
    return document["recording"]["values"], {name: table for name, table in document.items() if vendor_of(name)}


def levels(table):
    """{(level, member): row} of rows that have both"""
    found = {}
    for row in table["rows"]:
        level = re.fullmatch(r"level=(\d+)", row.get("tag") or "")
        if level and row.get("member"):
            kind, _, member = row["member"].partition(".")
            found[int(level[1]), kind.replace("struct ", "", 1), member] = row
    return found


def samples_of(table):
    """How many it is of"""
    return next((told[1] for told in (re.search(r"; (\d+) samples$", note) for note in table["notes"]) if told), None)


def choice_of_loads(arguments, name, everything):
    """
    Options that choose loads, and what they keep the report from telling: of samples that a filter chose it does not
    know whether they are in step with the program. None where all samples are loads.
    """
    loads = ["--filter", "op == load"]
    _, chosen = tables(arguments, ["samples"], None, loads)
    in_step = [note for note in everything["notes"] if "in step with" in note]
    if name in chosen and samples_of(chosen[name]) and samples_of(chosen[name]) == samples_of(everything):
        return [], []
    return loads, ["of all samples: " + note + "; here no interval is" for note in in_step]


def percent(cell):
    return "-" if not cell or cell["value"] is None else "%.1f" % (100 * cell["value"])


def share(cell):
    """With its interval, unless samples in step with the program have none"""
    interval = "" if cell["low"] is None else " [%.1f,%.1f]" % (100 * cell["low"], 100 * cell["high"])
    return percent(cell) + interval


def cycles(row):
    """Number and mean; a mean without an interval has too few samples for one"""
    if not row or not row["n"]:
        return "0", "-"
    interval = "" if row["mean_low"] is None else " [%.0f,%.0f]" % (row["mean_low"], row["mean_high"])
    return str(row["n"]), "%.1f%s" % (row["mean"], interval)


def print_table(header, rows):
    """The last column is on the left side"""
    widths = [max(len(line[n]) for line in [header] + rows) for n in range(len(header))]
    for line in [header] + rows:
        print("  ".join([line[0].ljust(widths[0]), line[1].ljust(widths[1])] +
                        [cell.rjust(width) for cell, width in zip(line[2:-1], widths[2:-1])] + line[-1:]).rstrip())


def paper(vendor):
    """[(root or leaf, member or *, words)]"""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "damon2025.tsv")
    with open(path, encoding="ascii") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [row[1:] for row in rows if row[0] == vendor]


def words_of_paper(rows, key, last):
    level, kind, member = key
    place = "root" if level == 0 and kind == "inner" else "leaf" if level == last and kind == "leaf" else ""
    return next((words for where, which, words in rows if where == place and which in ("*", member)), "")


def is_in_order(key):
    """Members in the order of their offsets"""
    order = ["header.version", "header.type", "header.count", "children[]", "keys[]", "payloads[]"]
    return key[0], order.index(key[2]) if key[2] in order else len(order), key[2]


def print_where(vendor, rows):
    shares = [name for name in SHARES[vendor] if any(row.get(name) and row[name]["value"] is not None for row in rows.values())]
    print_table(["level", "member", "samples", "% [95% CI] of loads"] + shares + [""],
                [[str(key[0]), "%s.%s" % key[1:], str(row["samples"]), share(row["share"])] +
                 [percent(row.get(name)) for name in shares] + [""] for key, row in rows.items()])


def print_cycles(vendor, rows, of_latency):
    last = max(key[0] for key in rows)
    published = paper(vendor)
    lines = [["", ""] + [word for name in of_latency for word in ("", name)] + [""],
             ["level", "member"] + ["n", "mean [95% CI]"] * len(of_latency) + ["published, cycles"]]
    for key in rows:
        cells = [cell for found in of_latency.values() for cell in cycles(found.get(key))]
        lines.append([str(key[0]), "%s.%s" % key[1:]] + cells + [words_of_paper(published, key, last)])
    print_table(lines[0], lines[1:])


def meanings(arguments, names):
    for name in names:
        told = re.search(r"^    meaning +(.*(?:\n {10,}.*)*)", run([arguments.precis, "fields", name]), re.MULTILINE)
        print("  %s: %s" % (name, " ".join(told[1].split())))


def tell_measured(arguments, vendor, name, everything):
    loads, untold = choice_of_loads(arguments, name, everything)
    _, found = tables(arguments, ["samples", "share"] + SHARES[vendor], None, loads)
    rows = dict(sorted(levels(found[name]).items(), key=lambda item: is_in_order(item[0])))
    if not rows:
        fail("%s: no load has a level and a member; is the recorder's file beside it, and the program at its place "
             "(--symfs)?" % arguments.recording)
    of_latency = {}
    for latency in LATENCIES[vendor]:
        _, found = tables(arguments, ["n", "mean"], latency, loads)
        of_row = levels(found[name])
        if any(row["n"] for row in of_row.values()):
            of_latency[latency] = of_row
    print("\nWhere loads found their data: % of the row's samples\n")
    print_where(vendor, rows)
    print("\nCycles\n")
    print_cycles(vendor, rows, of_latency)
    print()
    meanings(arguments, of_latency)
    for note in found[name]["notes"] + untold:
        if any(words in note for words in ("loads of more than", "times are known", "in step")):
            print("  %s" % note)


def tell_counted(found):
    """Breakpoints: each access of a few addresses"""
    counts = {}
    for table in found.values():
        for key, row in levels(table).items():
            counts[key] = counts.get(key, 0) + row["samples"]
    if not counts:
        fail("no sample has a level and a member; is the recorder's file beside the recording?")
    print("\nNeither IBS nor PEBS: breakpoints, each access of one address in each row; nothing is said of cycles\n")
    print_table(["level", "member", "accesses", ""], [[str(key[0]), "%s.%s" % key[1:], str(counts[key]), ""]
                                                      for key in sorted(counts, key=is_in_order)])


def tell(arguments):
    values, found = tables(arguments, ["samples"], None)
    measured = [(vendor_of(name), name) for name in found if vendor_of(name) != "other"]
    cpu = values.get("cpu") or {}
    print("B+-tree lookups: %s, %s; %d samples" % (
        cpu.get("cores") or cpu.get("description") or "unknown CPU",
        ", ".join(event["name"] for event in values["events"] if event["samples"]), values["samples"]))
    note = os.path.join(os.path.dirname(arguments.recording), "note.txt")
    if os.path.exists(note):
        with open(note, encoding="utf-8") as file:
            print(file.read().strip())
    for vendor, name in measured:
        tell_measured(arguments, vendor, name, found[name])
    if not measured:
        tell_counted(found)


# ---- recording ----

def program(arguments, source):
    return [arguments.program, "--keys", str(arguments.keys), "--lookups", str(arguments.lookups_of[source])]


def pmu_command(arguments, vendor):
    return [arguments.record, "-q", "-o", arguments.recording, *PMU_OPTIONS[vendor],
            "--objects=interval=all,stack=none,overhead=any,directory=" + arguments.directory, "--"] + program(arguments, "pmu")


def find_pmu(arguments, environment):
    """The vendor whose loads can be recorded here; None and why there is none"""
    why = []
    for vendor in ("ibs", "pebs"):
        command = pmu_command(arguments, vendor)
        done = subprocess.run([command[0], "-n", *command[1:]], env=environment, capture_output=True, text=True,
                              check=False)
        if done.returncode == 0:
            return vendor, None
        why.append(done.stderr.strip())
    return None, why[0]


def record_pmu(arguments, environment, vendor):
    print(run(pmu_command(arguments, vendor), env=environment), end="")


def record_breakpoints(arguments, environment):
    """The program says what it will load, and waits until perf looks."""
    environment = dict(environment, LD_PRELOAD=arguments.recorder,
                       PRECIS_OBJECTS="interval=all,stack=none,overhead=any,directory=" + arguments.directory)
    with subprocess.Popen(program(arguments, "breakpoints") + ["--count", "--wait"], env=environment, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as running:
        events = []
        for line in running.stdout:
            print(line, end="")
            if line.startswith("watch "):
                words = line.split()
                events += ["-e", "mem:%s/%s:rw:u" % (words[3], words[4])]
            if line.startswith("level ") and "struct leaf" in line:
                break
        if not events:
            fail("%s: exit status %d" % (arguments.program, running.wait()))
        watch_lookups(arguments, running, events)
        print(running.stdout.read(), end="")


def watch_lookups(arguments, running, events):
    control, orders = os.pipe()
    answers, told = os.pipe()
    command = [arguments.perf, "record", "-q", "-k", "mono", "-d", "-c", "1", "-m", "1024", "-D", "-1", "--control",
               "fd:%d,%d" % (control, told), "-o", arguments.recording, "-p", str(running.pid), *events]
    try:
        with subprocess.Popen(command, pass_fds=(control, told), stderr=subprocess.PIPE, text=True) as perf:
            os.close(told)
            os.close(control)
            os.write(orders, b"enable\n")
            if not os.read(answers, 16).startswith(b"ack"):
                running.kill()
                fail("perf record: %s" % perf.stderr.read().strip())
            running.stdin.write("\n")
            running.stdin.close()
            perf.stderr.read()
    except OSError as error:
        running.kill()
        fail("%s: %s" % (arguments.perf, error.strerror))


def record(arguments):
    environment = dict(os.environ, PERF=arguments.perf, PRECIS_OBJECTS_LIBRARY=arguments.recorder)
    vendor, why = find_pmu(arguments, environment) if arguments.source != "breakpoints" else (None, None)
    if arguments.source == "pmu" and not vendor:
        fail("neither IBS nor PEBS:\n%s" % why)
    if vendor:
        record_pmu(arguments, environment, vendor)
    else:
        record_breakpoints(arguments, environment)


def positive(text):
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError("'%s' is no number above 0" % text)
    return int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="Without RECORDING the program is recorded: loads by "
                                     "IBS or PEBS, by breakpoints where there is neither.")
    parser.add_argument("recording", nargs="?", metavar="RECORDING", help="print what is in it; record nothing")
    parser.add_argument("--precis", default="precis")
    parser.add_argument("--symfs", help="where that of the recorded machine is")
    recording = parser.add_argument_group("recording")
    recording.add_argument("--program", default=os.path.join(os.curdir, "btree"))
    recording.add_argument("--record", default="precis-record")
    recording.add_argument("--recorder", help="libprecis-objects.so")
    recording.add_argument("--perf", default=os.environ.get("PERF") or "perf")
    recording.add_argument("--keys", type=positive, default=1000000)
    recording.add_argument("--lookups", type=positive, help="default: 10 million; with breakpoints 10000")
    recording.add_argument("--source", choices=("any", "pmu", "breakpoints"), default="any")
    recording.add_argument("--directory", default=os.curdir, help="where btree.data and the recorder's file go")
    arguments = parser.parse_args()
    arguments.report = ["--symfs", arguments.symfs] if arguments.symfs else []
    arguments.lookups_of = {"pmu": arguments.lookups or 10000000, "breakpoints": arguments.lookups or 10000}
    if not arguments.recording:
        if not arguments.recorder:
            parser.error("--recorder is wanted: where is libprecis-objects.so?")
        arguments.directory = os.path.abspath(arguments.directory)
        arguments.recording = os.path.join(arguments.directory, "btree.data")
        record(arguments)
    tell(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
