# SPDX-License-Identifier: BSD-3-Clause
"""Every record other than SAMPLE, member by member, against perf report -D.

The files are foreign ones of many versions of perf, where they are there, and recordings that are
made here, where the machine lets perf make them.
"""

import collections
import glob
import os
import re
import subprocess
import tempfile

from differential import BUILD, ENVIRONMENT, PERF, SHARED, TOP, need, note, ok, done, skip
from oracles import programs
from recordings import NO_ZSTD

PRINT = os.path.join(BUILD, "tests", "differential", "print_records")
HEAD = re.compile(r"^[-0-9 ]*?(0x[0-9a-f]+|0) \[(0x[0-9a-f]+)\]: PERF_RECORD_([A-Z0-9_]+)(.*)$")
# perf has its own names for two, and prints of these no member, or its decoder's view of them
NAMES = {"ATTR": "HEADER_ATTR", "FEATURE": "HEADER_FEATURE", "BUILD_ID": "HEADER_BUILD_ID"}
NO_MEMBERS = ("HEADER_ATTR", "HEADER_FEATURE", "FINISHED_ROUND", "FINISHED_INIT", "THROTTLE",
              "UNTHROTTLE", "HEADER_TRACING_DATA", "HEADER_BUILD_ID")
# perf unpacks these before it shows anything
HIDDEN = ("COMPRESSED", "COMPRESSED2")


def command(arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, env=ENVIRONMENT, check=False)


def cpus(text):
    """"0-3,8" and "0,1,2,3,8," as the same"""
    found = []
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.lstrip("-").partition("-")
        if part.startswith("-"):
            found.append(-1)
        else:
            found += range(int(first), int(last or first) + 1)
    return found


def normal(name, text):
    """What the members say, without what depends on the printer"""
    text = " ".join(text.replace(": unhandled!", "").split())
    if name in NO_MEMBERS:
        return ""
    if name == "CPU_MAP":
        return str(cpus(text.lstrip(": ")))
    if name == "STAT_CONFIG":
        return str(sorted(filter(None, (part.strip() for part in text.split("...")))))
    if name in ("AUXTRACE", "AUXTRACE_INFO"):  # perf's view of the trace stands behind them
        return re.match(r"(size: .* cpu: -?\d+)|(type: \d+)", text).group()
    if name == "EVENT_UPDATE":
        ident, found = re.match(r"... id: (\d+) \.\.\. (?:cpus: )?(.*)$", text).groups()
        return ident + " " + (str(cpus(found)) if re.match(r"[-0-9]", found) else found)
    return text


def ours(path):
    result = command([PRINT, path])
    found = []
    for line in result.stdout.decode(errors="replace").splitlines():
        offset, size, name, text = line.split("\t", 3)
        if name not in HIDDEN:
            found.append((int(offset, 16), int(size, 16), name, normal(name, text)))
    return result, found


def theirs(perf, path):
    """Records of perf; none if it gives up, which its exit code does not always say"""
    result = command([perf, "report", "-D", "-i", path])
    if result.returncode or b"failed to process" in result.stderr:
        return []
    found, lines = [], []
    for line in result.stdout.decode(errors="replace").splitlines():
        head = HEAD.match(line)
        if head:
            name = NAMES.get(head.group(3), head.group(3))
            lines = [head.group(4)]
            found.append((int(head.group(1), 16), int(head.group(2), 16), name, lines))
        elif not line or line.startswith("0x") or line.startswith(". "):
            lines = []
        elif line[0] in ".\t " and found and lines is found[-1][3]:
            lines.append(line)
    return [(offset, size, name, normal(name, " ".join(text)))
            for offset, size, name, text in found if name != "SAMPLE"]


def judge(path, name, seen, perfs, has_offsets=True):
    """Against the first perf that reads it"""
    theirs_found = next(filter(None, (theirs(perf, path) for perf in perfs)), None)
    if not theirs_found:
        skip(name, "no perf here reads it")
        return
    result, ours_found = ours(path)
    if NO_ZSTD in result.stderr.decode(errors="replace"):
        skip(name, "built without zstd")
        return
    first = 0 if has_offsets else 1
    difference = collections.Counter(entry[first:] for entry in ours_found)
    difference.subtract(collections.Counter(entry[first:] for entry in theirs_found))
    wrong = sorted((entry, count) for entry, count in difference.items() if count)
    for entry, count in wrong[:6]:
        note("%s %s" % ("only precis:" if count > 0 else "only perf:  ", repr(entry)[:300]))
    ok(not wrong and not result.returncode, name)
    seen.update(collections.Counter(entry[2] for entry in ours_found))


def record(arguments, path):
    """Make a recording. @return is it there?"""
    command([PERF] + arguments[:2] + ["-o", path] + arguments[2:])
    return os.path.exists(path) and os.path.getsize(path) > 200


RECORDINGS = (
    ("tasks, namespaces, cgroups, switches of the machine",
     ["record", "-q", "--all-cgroups", "--namespaces", "--switch-events", "-e", "cpu-clock",
      "-e", "page-faults", "-a", "sleep", "0.1"]),
    ("the counts of tasks", ["record", "-q", "-s", "-e", "cpu-clock", "-e", "page-faults",
                             "sh", "-c", "true; true"]),
    ("build ids in mappings", ["record", "-q", "--buildid-mmap", "-e", "cpu-clock", "true"]),
    ("data mappings", ["record", "-q", "-d", "-e", "cpu-clock", "true"]),
    ("perf stat", ["stat", "record", "-I", "20", "-e", "cpu-clock,page-faults", "sleep", "0.1"]),
    ("perf stat of every CPU", ["stat", "record", "-a", "-A", "-e", "cpu-clock", "true"]),
)

# Perf counts the offsets in these from elsewhere
FOREIGN_WITHOUT_OFFSETS = (".zstd", "compressed", "piped", ".pipe.")


def main():
    need(PERF, "perf is the oracle")
    seen = collections.Counter()
    perfs = programs()
    for path in sorted(glob.glob(os.path.join(TOP, "tests", "recordings", "*.perf.data"))):
        judge(path, os.path.basename(path), seen, perfs)
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, arguments) in enumerate(RECORDINGS):
            path = os.path.join(scratch, "%d.data" % number)
            if record(arguments, path):
                judge(path, name, seen, perfs)
            else:
                skip(name, "perf cannot record it here")
        path = os.path.join(scratch, "pipe.data")
        with open(path, "wb") as file:
            subprocess.run([PERF, "record", "-q", "-e", "cpu-clock", "-o", "-", "true"],
                           stdout=file, stderr=subprocess.DEVNULL, env=ENVIRONMENT, check=False)
        if os.path.getsize(path) > 200:
            judge(path, "a recording through a pipe", seen, perfs, False)
        else:
            skip("a recording through a pipe", "perf cannot record it here")
    foreign = [path for path in sorted(glob.glob(os.path.join(SHARED, "perfdata", "*")))
               if os.path.isfile(path) and not path.endswith(".tsv")]
    if not foreign:
        skip("foreign recordings", "PRECIS_SHARED has none")
    for path in foreign:
        judge(path, os.path.basename(path), seen, perfs,
              not any(part in path for part in FOREIGN_WITHOUT_OFFSETS))
    note("records compared: " + ", ".join("%s %d" % pair for pair in sorted(seen.items())))
    done()


if __name__ == "__main__":
    main()
