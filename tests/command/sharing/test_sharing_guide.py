#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
The guide "False sharing, found and fixed": its program is compiled, its commands are run in their order, and
print what stands below them, but for numbers; which of two lines has more is chance. What the program does is
known by arithmetic.
"""
import functools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

import built
import tap
from command import PRECIS
from programs import need_registers, path
from tap import Skip, equal

SOURCES = os.path.join(HERE, "../../..")
MESSAGES = 100000


@functools.lru_cache
def guide():
    with open(os.path.join(SOURCES, "doc/false-sharing-found-and-fixed.md"), encoding="utf-8") as file:
        return file.read()


@functools.lru_cache
def prepare():
    """The program"""
    with open(path("stages.c"), "w", encoding="utf-8") as file:
        file.write(program())


def program():
    return re.search(r"^```c\n(.*?)^```$", guide(), re.M | re.S)[1]


def shown(word):
    """(command, what stands below it): those that have the word"""
    found = []
    for language, block in re.findall(r"^```(.*)\n((?:.*\n)*?)```$", guide(), re.M):
        found += [] if language else re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
    return [(command, below) for command, below in found if word in command]


def done(command):
    """As the guide has it, by the compiler and the precis of this build"""
    prepare()
    command = re.sub(r"^gcc", os.environ.get("CC", "cc"), command)
    command = re.sub(r"^precis|(?<= )precis(?= diff)", shlex.quote(os.path.abspath(PRECIS)), command)
    # no column is wider than where the guide was written
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    environment["CPATH"] = os.path.join(SOURCES, "libdecode/include")
    for _ in range(5):
        result = subprocess.run(["/bin/sh", "-c", command], cwd=path(), env=environment, capture_output=True,
                                text=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
        # some hypervisors name no cause for a debug exception now and then, which ends a program with breakpoints
        if result.returncode != 128 + signal.SIGTRAP:
            break
    assert result.returncode == 0, (command, result)
    return result.stdout


def words(text):
    """Without numbers; lines and verdicts are what they are by chance"""
    text = re.sub(r"0x[0-9a-f]+|[-+]?[0-9][0-9.]*", "#", text)
    text = re.sub(r"(is_full|stages)#", "LINE", text)
    return re.sub(r"undecided|better|worse", "VERDICT", text).split()


def check_shape(below, printed):
    """What is shown stands in what is printed, in its order"""
    rest = " ".join(words(printed)) + " "
    for part in below.split("…"):
        part = " ".join(words(part)) + " "
        assert part in rest, ("not printed: " + part, printed)
        rest = rest[rest.index(part) + len(part):]


@functools.lru_cache
def shared(name):
    """What is told of one of both programs, of the guide's shape; on a busy machine not each run will do"""
    need_registers()
    built.need("elfutils")
    done(shown(f"-o {name} stages.c")[0][0])
    command, below = shown(f"-- ./{name} ")[0]
    for attempt in range(5):
        printed = done(command)
        if "no experiment was made" in printed:  # its threads are switched more often than where the guide was written
            command = command.replace("--max-overhead 20", "--max-overhead 100")
        elif name == "after" or "What to move apart" in printed:
            break
    check_shape(below, printed)
    return printed


def transfers(printed, what):
    """low, value, high"""
    found = re.search(rf"^  {what} +([0-9]+) \[([0-9]+),([0-9]+)\]", printed, re.M)
    return int(found[2]), int(found[1]), int(found[3])


def check_count(printed, what, count):
    """In the interval, or one that is half as wide again: of twenty runs one is not in it"""
    low, value, high = transfers(printed, what)
    reach = (high - low) / 2
    assert low - reach <= count <= high + reach, (what, count, (low, value, high))


def kinds(printed, line):
    """True and false sharing of a line, in percent"""
    return re.search(rf"([0-9.]+) +([0-9.]+) +[0-9]+  0x[0-9a-f]+  {line}\+0 ", printed).groups()


def test_before():
    """half is false sharing, of the counters' line alone, in numbers that the program's messages make"""
    printed = shared("before")
    check_count(printed, "all", 4 * MESSAGES)
    check_count(printed, "true sharing", 2 * MESSAGES)
    check_count(printed, "false sharing", 2 * MESSAGES)
    equal(kinds(printed, "stages"), ("0.0", "100.0"))
    equal(kinds(printed, "is_full"), ("100.0", "0.0"))


def test_advice():
    """what to move, by its member and the line of the source"""
    printed = " ".join(shared("before").split("What to move apart")[1].split())
    line = program().split("\n").index("static _Alignas(64) struct stage stages[2];") + 1
    found = re.search(r"move (\S+), of before \(([0-9]+)\), 64 bytes from (\S+), of before \(([0-9]+)\): (\S+)",
                      printed)
    equal((found[1], found[3], found[5]), ("stages[1].messages", "stages[0].messages", f"stages.c:{line}"))
    assert found[2] != found[4], printed
    equal(printed.count("move "), 1)


def test_after():
    """the fix ends false sharing, and leaves the mailbox as it is"""
    printed = shared("after")
    equal(transfers(printed, "false sharing")[:2], (0, 0))
    check_count(printed, "all", 2 * MESSAGES)
    equal(kinds(printed, "is_full"), ("100.0", "0.0"))
    assert "What to move apart" not in printed and "stages+" not in printed, printed


def test_difference():
    """CPU time before and after is compared; what comes of it is the machine's own"""
    if not shutil.which("perf"):
        raise Skip("perf not found")
    try:
        done("perf record -q -e cpu-clock:u -c 250000 -o try.data true")
    except AssertionError as error:
        raise Skip("perf cannot record cpu-clock here") from error
    for name in ("before", "after"):
        done(shown(f"-o {name} stages.c")[0][0])
        done(shown(f"-o {name}.$n.data")[0][0])
    command, below = shown("precis diff --runs")[0]
    check_shape(below, done(command))


def test_modeled_difference():
    """what caches tell of two recordings that are there is what stands in the guide, to the last digit"""
    os.makedirs(path("tests"), exist_ok=True)
    os.symlink(os.path.abspath(os.path.join(SOURCES, "tests/recordings")), path("tests/recordings"))
    command, below = shown("precis diff --columns")[0]
    printed = " ".join(done(command).split())
    for part in below.split("…"):
        assert " ".join(part.split()) in printed, (part, printed)


def test_whole():
    """no command of the guide is left out"""
    equal(len(shown("")), 8)
    equal(len(re.findall(r"^\s*\$ ", guide(), re.M)), 8)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
