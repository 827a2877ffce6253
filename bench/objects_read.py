#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
objects_read.py --precis COMMAND --recorder LIBRARY --replay-speed PROGRAM [--rounds N] [--turns N]: what it costs to read
and to replay what the recorder of objects wrote of a program, beside heaptrack's own analysis of what that wrote of the
same one, in CPU time of one core. Each is run in turn; figures are medians, and medians of the ratios of a round.
"""
import argparse
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

INTERPRET = ("/usr/lib/heaptrack/libexec/heaptrack_interpret", "/usr/libexec/heaptrack_interpret",
             "/usr/lib/x86_64-linux-gnu/libexec/heaptrack_interpret")
# Objects that come and go, and many that stay
SCRIPT = ("import json\nkept = []\nfor turn in range(%d):\n d = {str(n): [n] * (n %% 7) for n in range(60000)}\n"
          " kept.append(json.loads(json.dumps(d)))\n")


def cpu(command, reads=None, writes=subprocess.DEVNULL):
    """(CPU seconds, what was printed)"""
    with open(reads or os.devnull, "rb") as source:
        process = subprocess.Popen(command, stdin=source, stdout=writes, stderr=subprocess.DEVNULL)
        text = process.stdout.read().decode() if writes == subprocess.PIPE else ""
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("objects_read.py: %s: exit status %d" % (" ".join(command), process.returncode))
    return used.ru_utime + used.ru_stime, text


def record(work, recorder, turns):
    """The side file of a program"""
    program = [shutil.which("python3", path="/usr/bin:" + os.environ["PATH"]), "-S", "-c", SCRIPT % turns]
    environment = dict(os.environ, PYTHONMALLOC="malloc", PYTHONHASHSEED="0")
    subprocess.run(program, check=True, env=dict(environment, LD_PRELOAD=recorder,
                                                 PRECIS_OBJECTS="interval=all,overhead=any,directory=" + work))
    raw = os.path.join(work, "heaptrack")
    if shutil.which("heaptrack") and shutil.which("heaptrack_print"):
        subprocess.run(["heaptrack", "-r", "-o", raw] + program, check=True, env=environment, stdout=subprocess.DEVNULL)
    return max(glob.glob(work + "/*.objects"), key=os.path.getsize), sorted(glob.glob(raw + "*"))


def unpacked(path):
    """heaptrack's file as it is before it is compressed"""
    if path.endswith((".zst", ".gz")):
        with open(path + ".plain", "wb") as plain:
            subprocess.run([{"t": "zstd", "z": "gzip"}[path[-1]], "-dc", path], check=True, stdout=plain)
        return path + ".plain"
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--precis", required=True)
    parser.add_argument("--recorder", required=True)
    parser.add_argument("--replay-speed", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=8)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        side, raw = record(work, os.path.abspath(arguments.recorder), arguments.turns)
        interpret = next((path for path in INTERPRET if os.path.exists(path)), None)
        ways = {"precis objects": lambda: cpu([arguments.precis, "objects", side])}
        found = {"replayed": [], "read": []}

        def replay():
            text = cpu([arguments.replay_speed, "2", "2", side], writes=subprocess.PIPE)[1]
            seconds = {}
            for what, key in (("read and replayed", "replayed"), ("read", "read")):
                words = re.search(r"^%s +([0-9.]+) million events a second, +([0-9.]+) ns each" % what, text, re.M)
                found[key].append(float(words[2]))
                seconds[key] = float(words[2])
            return seconds["replayed"] * events / 1e9, text
        events = json.loads(cpu([arguments.precis, "objects", "--format", "json", side], writes=subprocess.PIPE)[1])["events"]
        ways["read and replayed, as reports do"] = replay
        if raw and interpret:
            plain = unpacked(raw[0])
            interpreted = os.path.join(work, "interpreted")

            def interpreting():
                with open(interpreted, "wb") as file:
                    return cpu([interpret], plain, file)
            interpreting()
            ways["heaptrack_interpret"] = interpreting
            ways["heaptrack_print, of what that wrote"] = lambda: cpu(["heaptrack_print", interpreted])
            with open(interpreted, "rb") as file:
                of_heaptrack = sum(line[:1] in b"+-" for line in file)
        else:
            of_heaptrack = 0
            print("without heaptrack: it is not installed, or its heaptrack_interpret is not in %s" % ", ".join(INTERPRET))
        taken = {way: [] for way in ways}
        for _ in range(arguments.rounds):
            for way, measure in ways.items():
                taken[way].append(measure()[0])
    print("%d events of a side file%s" % (events, of_heaptrack and ", %d of heaptrack's" % of_heaptrack or ""))
    for way, seconds in taken.items():
        count = of_heaptrack if "heaptrack" in way else events
        ratios = [one / base for one, base in zip(seconds, taken["precis objects"])]
        print("  %-36s %7.3f s, %6.1f ns an event, %6.3f of precis objects (%.3f to %.3f)" % (
            way, statistics.median(seconds), 1e9 * statistics.median(seconds) / count, statistics.median(ratios),
            min(ratios), max(ratios)))
    print("  of that, reading alone: %.1f ns an event" % statistics.median(found["read"]))


if __name__ == "__main__":
    main()
