#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What README.md shows of the command is what the command prints."""
import os
import re
import subprocess
import sys

SRCDIR = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "../.."))
PRECIS = os.environ.get("PRECIS", "precis")
HAS_SYMBOLS = "elfutils" not in os.environ.get("PRECIS_WITHOUT", "").split()


def printed(*arguments):
    done = subprocess.run([PRECIS] + list(arguments), cwd=SRCDIR, stdout=subprocess.PIPE,
                          check=True)
    return done.stdout.decode().splitlines()


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
    cases = (
        ("the report's screen", "Key figures",
         printed("report", "--symfs", "tests/recordings/symfs",
                 "tests/recordings/zen4-mix-op.perf.data")),
        ("samples by function and level", "Sampled ops",
         printed("report", "--symfs", "tests/recordings/symfs", "--by", "symbol,level", "--top",
                 "2", "--columns", "samples,share,cycle_share,p99,n",
                 "tests/recordings/zen4-mix-op.perf.data")),
        ("the catalogue's row", "tlb_refill_latency",
         ["$ precis fields tlb_refill_latency"] + printed("fields", "tlb_refill_latency")),
    )
    print(f"1..{len(cases)}")
    for number, (title, first, lines) in enumerate(cases, 1):
        if number < len(cases) and not HAS_SYMBOLS:
            print(f"ok {number} - {title} # SKIP this build reads no symbols")
            continue
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
