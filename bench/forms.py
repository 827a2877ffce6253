#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What reading costs for each form of a recording: plain, compressed, in the order of time.

The recording is made up: ibs_op samples of eight CPUs, written in rounds. A small program reads all
records and does nothing with them; next to it cat, zstd -d on the compressed bytes alone, and stock
perf. Everything runs on one CPU, from the page cache, with its output thrown away; commands take
turns, and the figure is the median of their runs. Times are those on the CPU, user and system: of
a machine that is shared, the others' shares do not count.
"""
import argparse
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from throughput import Row, cpu_name, run

SAMPLE_BYTES = 160
COMPRESSED = 81
END_OF_FRAME = b"\x01\x00\x00"  # an empty last block: the writer, as perf, never ends its stream


class CpuRow(Row):
    def measure(self, *how):
        _, rss, seconds = run(self.command, *how)
        self.seconds.append(seconds)
        self.rss = max(self.rss, rss)


def zstd_stream(recording, target):
    """The zstd stream of a recording as a file of its own. @return its size"""
    with open(recording, "rb") as file, open(target, "wb") as out:
        start, size = struct.unpack_from("<QQ", file.read(104), 40)
        file.seek(start)
        while file.tell() < start + size:
            kind, _, bytes_ = struct.unpack("<IHH", file.read(8))
            body = file.read(bytes_ - 8)
            if kind == COMPRESSED:
                out.write(body)
        out.write(END_OF_FRAME)
        return out.tell()


def scanned(scan, *arguments):
    """Records, bytes and late records that a scan finds"""
    done = subprocess.run([scan, *arguments], stdout=subprocess.PIPE, check=True)
    return tuple(map(int, done.stdout.split()[:3]))


def make(args, folder):
    """The recordings; they are checked to hold the same"""
    paths = {name: os.path.join(folder, name) for name in ("plain", "zstd", "stream", "part")}
    program = [args.make_recording, "-r", str(args.cpus)]
    subprocess.run(program + [paths["plain"], str(args.samples)], check=True)
    subprocess.run(program + ["-z", str(args.level), paths["zstd"], str(args.samples)], check=True)
    part = int(args.samples * args.perf_share)
    if part == args.samples:
        paths["part"] = paths["plain"]
    else:
        subprocess.run(program + [paths["part"], str(part)], check=True)
    stream = zstd_stream(paths["zstd"], paths["stream"])
    plain = scanned(args.scan, paths["plain"])
    ordered = scanned(args.scan, "-t", paths["plain"])
    if ordered != plain or ordered[2]:
        sys.exit(f"bench: in order of time {ordered}, in the file's {plain}")
    return paths, plain[1], stream, part


def rows_of(args, paths, part):
    count = args.samples
    rows = {
        "cat": CpuRow("cat", ["cat", paths["plain"]], count),
        "plain": CpuRow("scan", [args.scan, paths["plain"]], count),
        "sorted": CpuRow("scan, in the order of time", [args.scan, "-t", paths["plain"]], count),
        "zstd": CpuRow("scan of the compressed recording", [args.scan, paths["zstd"]], count),
        "both": CpuRow("scan of it in the order of time", [args.scan, "-t", paths["zstd"]], count),
    }
    if shutil.which("zstd"):
        rows["zstd-d"] = CpuRow("zstd -d of the same stream", ["zstd", "-dcq", paths["stream"]], count)
    if args.perf:
        rows["script"] = CpuRow("perf script -F ip",
                             [args.perf, "script", "-i", paths["part"], "-F", "ip"], part)
        rows["report"] = CpuRow("perf report --stdio",
                             [args.perf, "report", "--stdio", "-i", paths["part"]], part)
    return rows


def targets(rows):
    """(what, value, what it should reach, True: at least, False: at most)"""
    plain = rows["plain"]
    yield "scan, GB/s", plain.rate * SAMPLE_BYTES / 1e9, 2, True
    if "zstd-d" in rows:
        yield "compressed scan : zstd -d, time", rows["zstd"].median / rows["zstd-d"].median, 1.3, False
    yield "in the order of time : scan, time", rows["sorted"].median / plain.median, 2, False
    yield "peak RSS in the order of time, MiB", rows["sorted"].rss, 128, False
    yield "peak RSS of it, compressed, MiB", rows["both"].rss, 128, False


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make-recording", required=True)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--scan", required=True)
    parser.add_argument("--perf", default="")
    parser.add_argument("--samples", type=int, default=(1 << 30) // SAMPLE_BYTES,
                        help="default: 1 GiB of them")
    parser.add_argument("--cpus", type=int, default=8, help="that the samples are of (default 8)")
    parser.add_argument("--level", type=int, default=1, help="of zstd (default 1, as perf record -z)")
    parser.add_argument("--perf-share", type=float, default=1,
                        help="how much of the samples perf reads, 0 to 1 (default 1)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--perf-runs", type=int, default=1, help="of stock perf, which is slow")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--folder", help="where the recordings are made (default: $TMPDIR)")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="precis-bench-", dir=args.folder) as folder:
        paths, size, stream, part = make(args, folder)
        rows = rows_of(args, paths, part)
        for turn in range(args.runs + 1):  # the first brings files and programs into memory
            for name, row in rows.items():
                runs = args.perf_runs if name in ("script", "report") else args.runs
                if 0 < turn <= runs or (turn == 0 and runs == args.runs):
                    row.measure(args.measure, folder, args.cpu)
                if turn == 0:
                    row.seconds.clear()

    print(f"{time.strftime('%Y-%m-%d')}, {cpu_name()}, Linux {platform.release()}, one CPU; "
          f"{args.samples} ibs_op samples of {args.cpus} CPUs, {size / 1e6:.0f} MB of records in "
          f"the page cache; zstd -{args.level}: {size / stream:.1f} times smaller; median of "
          f"{args.runs} runs, of perf {args.perf_runs}")
    if part != args.samples:
        print(f"perf reads a recording of {part} samples, {part / args.samples:.0%} of the others'")
    for name, program in (("zstd", shutil.which("zstd")), ("perf", args.perf)):
        if not program:
            print(f"{name}: not found, not compared with")
    print()
    print(f"{'command':<36} {'CPU s':>8} {'min':>7} {'max':>7} {'MB/s':>7} {'ns/sample':>9} "
          f"{'MiB RSS':>8}")
    for row in rows.values():
        print(f"{row.name:<36} {row.median:8.3f} {min(row.seconds):7.3f} {max(row.seconds):7.3f} "
              f"{row.rate * SAMPLE_BYTES / 1e6:7.0f} {1e9 / row.rate:9.1f} {row.rss:8.1f}")
    print()
    print(f"{'ratio':<36} {'measured':>9} {'target':>9}")
    for what, value, goal, at_least in targets(rows):
        sign = ">=" if at_least else "<="
        reached = value >= goal if at_least else value <= goal
        print(f"{what:<36} {value:9.2f} {sign:>4} {goal:4g} {'' if reached else '  MISSED'}")


main()
