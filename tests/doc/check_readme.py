#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What README.md shows of the command is what the command prints."""
import os
import re
import subprocess
import sys

SRCDIR = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "../.."))
PRECIS = os.environ.get("PRECIS", "precis")
WITHOUT = os.environ.get("PRECIS_WITHOUT", "").split()
SYMFS = ("--symfs", "tests/recordings/symfs")
MIX, LOCAL = ("tests/recordings/zen4-mix-op%s.perf.data" % name for name in ("", "-local"))


def printed(*arguments):
    done = subprocess.run([PRECIS] + list(arguments), cwd=SRCDIR, stdout=subprocess.PIPE,
                          check=True)
    return [line.rstrip() for line in done.stdout.decode().splitlines()]


def shown(text, first):
    """The lines of the indented block of README.md that has this line, without the indentation."""
    for block in re.findall(r"(?:^    .*\n|^\n)+", text, re.M):
        lines = [line[4:] for line in block.strip("\n").splitlines()]
        if any(line.startswith(first) for line in lines):
            return [line for line in lines if line]
    return []


def main():
    with open(os.path.join(SRCDIR, "README.md"), encoding="utf-8") as file:
        text = file.read()
    failed = 0
    cases = ( # what it is, a line of the block, what it needs, the command
        ("the report's screen", "Key figures", "elfutils", ["report", *SYMFS, MIX]),
        ("samples by function and level", "Sampled ops by symbol, mem_level", "elfutils",
         ["report", *SYMFS, "--by", "symbol,level", "--top", "2", "--columns",
          "samples,share,cycle_share,p99,n", MIX]),
        ("the time line", "Sampled ops by time", "",
         ["report", "--by", "time:8", "--columns", "samples,share,DRAM,mean", MIX]),
        ("annotated instructions", "chase (mix)", "elfutils zydis", ["annotate", *SYMFS, "chase", MIX]),
        ("what differs", "Sampled ops by symbol, compared", "elfutils",
         ["diff", *SYMFS, "--by", "symbol", "--columns", "remote,mean", "--top", "1", MIX, LOCAL]),
        ("the catalogue's row", "tlb_refill_latency", "", ["fields", "tlb_refill_latency"]),
    )
    print(f"1..{len(cases)}")
    for number, (title, first, needed, words) in enumerate(cases, 1):
        lacking = set(needed.split()) & set(WITHOUT)
        if lacking:
            print(f"ok {number} - {title} # SKIP this build is without {' '.join(sorted(lacking))}")
            continue
        lines = ["$ precis " + " ".join(words)] + printed(*words)
        block = shown(text, first)
        strange = [line for line in block if line not in lines]
        if not block or strange:
            failed += 1
            print("not ", end="")
        print(f"ok {number} - {title}, {len(block)} lines")
        for line in strange:
            print("# not printed: " + line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
