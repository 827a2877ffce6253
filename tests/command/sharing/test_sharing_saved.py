#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing --save: what is told of files that were saved is what is told of the recordings, byte by byte,
without the recordings; damaged files are refused.
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import accesses
import tap
from accesses import HITM_LOAD, comm, ibs, ibs_recording, load, mmap, recording, store
from command import SRCDIR, run, usage
from command import recording as committed
from quick import FEW
from saved_files import contents, grouped, lies, parts_of, same, saved, summed, there, told
from tap import equal

LINE = 0x7f0000001000
BY = ("thread", "process", "cpu", "core", "node")


def made(name, seed, more=None):
    """Lines of the heap, of a file, of nothing that is known, by threads on four CPUs; functions of nobody's"""
    numbers = random.Random(seed)
    records = [comm(100, 101, "alpha %d" % seed), comm(100, 102, "beta"), comm(200, 201, "gamma"),
               mmap(100, LINE - 0x1000, 0x10000, "[heap]"), mmap(200, LINE - 0x1000, 0x10000, "/dev/shm/of-both"),
               mmap(100, 0x400000, 0x2000, "/tmp/no-such-program", is_data=False)]
    for n in range(600):
        tid = numbers.choice((101, 102, 103, 201, 202))
        address = LINE + 8 * numbers.randrange(200) if n % 7 else LINE + 0x100000 + 64 * n
        how = {"pid": tid - tid % 100, "ip": 0x401000 + 4 * numbers.randrange(9), "cpu": numbers.randrange(4),
               "time": 10 ** 9 + n * 10 ** 6 + seed}
        records.append(load(address, tid, HITM_LOAD, **how) if numbers.randrange(3) else store(address, tid, **how))
    return recording(name, records, more=more)


def recordings():
    """Two whose cores are known, one whose are not"""
    more = {accesses.CPU_TOPOLOGY: accesses.topology([0, 1, 0, 1])}
    return [made("one", 1, more), made("two", 2, more), made("three", 3)]


def test_alone():
    """of each recording, by each of those who may share"""
    for path in (*recordings(), committed("zen4-op"), committed("skylake-loads_phys"), committed("spr-mix-loads")):
        for by in BY:
            same([path], "--by", by, command="sharing")
        same([path], command="sharing")


def test_together():
    """of several recordings, saved alone or some of them together; beside recordings"""
    paths = recordings()
    same(paths, "--access-bytes", "8", command="sharing")
    same(paths, "--by", "cpu", "--time", "10%-80%", command="sharing")
    same(paths[::-1], "--top", "3", command="sharing", formats=("text",))
    grouped(paths, command="sharing")
    grouped(paths, "--by", "process", command="sharing")
    grouped([*paths, committed("zen4-op"), committed("zen4-mix-op")], "--symfs",
            os.path.join(SRCDIR, "tests/recordings/symfs"), command="sharing")


def test_without_recordings():
    """what lines are, and whose functions access them, is in the file"""
    path = recordings()[0]
    expected = told("--format", "json", path, command="sharing")
    assert "no-such-program" in expected[1] and "[heap]" in expected[1] and "alpha 1" in expected[1]
    file = saved(path, command="sharing")
    os.rename(path, path + ".away")
    equal(told("--format", "json", file, command="sharing"), expected)
    again = saved(file, command="sharing")
    equal(contents(again), contents(file))


def test_many():
    """more who share than are told apart, and accesses of IBS with their widths"""
    many = recording("many", [store(LINE, 101)] + [load(LINE, 1000 + n, HITM_LOAD) for n in range(700)])
    wide = ibs_recording("wide", [ibs(LINE + 8, 101, 2, 8)] * 4 + [ibs(LINE + 12, 102, 1, 8, (1, 0))] * 3)
    same([many], command="sharing")
    same([wide], command="sharing")
    same([many, wide, many], command="sharing", formats=("json",))


def test_drawn():
    """the matrix is drawn of what was saved, too"""
    path, one, other = recordings()[0], there("one.svg"), there("other.svg")
    equal(run("sharing", "--svg", one, path).code, 0)
    equal(run("sharing", "--svg", other, saved(path, command="sharing")).code, 0)
    equal(contents(other), contents(one))


def test_refused():
    """other options, and what another command saved, by name"""
    path = recordings()[0]
    file = saved(path, "--by", "cpu", command="sharing")
    assert "saved with --by cpu, asked for without it" in usage("sharing", file)
    assert "saved by precis sharing, which tells it" in usage("report", file)
    assert "saved by precis report, which tells it" in usage("sharing", saved(path))
    assert "--save and --svg" in usage("sharing", "--save", there("no.saved"), "--svg", there("no.svg"), path)
    for command in ("diff", "annotate"):
        result = run(command, *(["f"] if command == "annotate" else []), file, path)
        assert result.code in (1, 2) and "what precis" in result.err, result


def test_damage():
    """cut, changed, and words that lie behind checksums that are right"""
    numbers = random.Random(5)
    data = contents(saved(ibs_recording("small", [comm(100, 101, "a"), mmap(100, LINE, 0x1000, "//anon")] +
                                        [ibs(LINE + 8, 101, 2)] * 3 + [ibs(LINE, 102, 1, 8, (1, 0))] * 3),
                          command="sharing"))
    equal(summed(data), data)
    equal([name for _, name, _ in parts_of(data)], ["options", "recording", "events", "counts", "run", "end"])
    path = there("damaged.saved")

    def write(changed):
        with open(path, "wb") as file:
            file.write(changed)
        return run("sharing", path)

    for at in numbers.sample(range(8, len(data)), 60 if FEW else 1000):
        changed = bytearray(data)
        changed[at] ^= 1 << numbers.randrange(8)
        result = write(changed)
        assert result.code == 1 and "offset 0x" in result.err and not result.out, (at, result)
        assert write(data[:at]).code == 1, at
    codes = [write(changed).code for _, changed in lies(data, numbers, 20 if FEW else 500)]
    assert set(codes) <= {0, 1, 2} and codes.count(1) > 3, codes


if __name__ == "__main__":
    os.environ["COLUMNS"] = "100"
    sys.exit(tap.main(sys.modules[__name__]))
