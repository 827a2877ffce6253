#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Guides that show what commands print: each command of a block "```console" is run, and prints the lines below
it in their order, "..." being any that are left out; blanks at their ends do not count. Such a guide has no
other command of precis's than those.
"""
import os
import re
import shlex
import subprocess
import sys

SRCDIR = os.environ["srcdir"]
PRECIS = os.environ.get("PRECIS", "precis")
WITHOUT = os.environ.get("PRECIS_WITHOUT", "").split()
# Option: the library without which it has nothing to say
NEEDS = {"--symfs": "elfutils", "--pmu": "libpfm"}


def guides():
    """(guide, its text): those with such blocks"""
    for name in sorted(os.listdir(os.path.join(SRCDIR, "doc"))):
        if not name.endswith(".md"):
            continue
        with open(os.path.join(SRCDIR, "doc", name), encoding="utf-8") as file:
            text = file.read()
        if "\n```console\n" in text:
            yield name, text


def blocks():
    """(guide, command, lines below it)"""
    for name, text in guides():
        for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
            for command, lines in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                yield name, command, lines.splitlines()


def differs(shown, printed):
    """What is shown and not printed where it should be, or is left out without saying so"""
    at, is_gap = 0, False
    for line in shown:
        if line == "...":
            is_gap = True
            continue
        while is_gap and at < len(printed) and printed[at] != line:
            at += 1
        if at == len(printed) or printed[at] != line:
            return line
        at, is_gap = at + 1, False
    return None


def main():
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    count = failed = 0
    for name, command, shown in blocks():
        words = shlex.split(command)
        count += 1
        lacking = [NEEDS[word] for word in words if NEEDS.get(word) in WITHOUT]
        if lacking:
            print("ok %d - %s: %s # SKIP this build has no %s" % (count, name, command, lacking[0]))
            continue
        done = subprocess.run([PRECIS] + words[1:], cwd=SRCDIR, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        printed = [line.rstrip() for line in done.stdout.decode().splitlines() if line]
        wrong = differs([line for line in shown if line], printed)
        is_right = words[0] == "precis" and done.returncode == 0 and shown and wrong is None
        failed += not is_right
        print("%sok %d - %s: %s" % ("" if is_right else "not ", count, name, command))
        if not is_right:
            print("# exit code %d; not printed there: %s" % (done.returncode, wrong))
    print("%sok %d - commands were found" % ("" if count else "not ", count + 1))
    unseen = [line for _, text in guides() for line in re.findall(r"^ {4}(precis .*)", text, re.M)]
    print("%sok %d - and no others" % ("not " if unseen else "", count + 2))
    for line in unseen:
        print("# run by nobody: " + line)
    print("1..%d" % (count + 2))
    return 1 if failed or unseen or not count else 0


if __name__ == "__main__":
    sys.exit(main())
