#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis diff --mix: what was executed, compared, of programs of which it is known how often all of them ran."""
import csv
import functools
import io
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../mix")]

import known_program as known
import tap
from command import good, run, usage
from known_files import addresses, kept, there
from known_program import CYCLES
from quick import FEW
from tap import equal

SEEDS = 12 if FEW else 60
OTHER = {"packed": 46, "scalar": 42}  # rounds of its loops


@functools.lru_cache(maxsize=None)
def executed(is_other):
    return known.Execution(addresses(), **(OTHER if is_other else {}))


@functools.lru_cache(maxsize=None)
def recorded(is_other, seed, samples=3000, stacks=3000, **how):
    data = known.recording(executed(is_other), there("known"), samples, stacks, seed, **how)
    return kept("%d.%d.%d.%d.%d.data" % (is_other, seed, samples, stacks, hash(str(how))), data)


def page(*arguments):
    return json.loads(good("diff", "--format", "json", "--top", "1000", *arguments))


def rows(table, *keys):
    """@return by figure, and the row's names"""
    return {(row["figure"], *(row.get(key) for key in keys)): row for row in table["rows"]}


def shares(is_other, key=known.mnemonic):
    sums = executed(is_other).sums(key)
    return {name: count / executed(is_other).executed for name, count in sums.items()}


def test_holds():
    """over seeds: all intervals of a comparison hold together, of different programs and of one program twice"""
    wrong, compared = {True: 0, False: 0}, 0
    for seed in range(SEEDS):
        for is_other in (True, False):
            before, after = shares(False), shares(is_other)
            table = page("--mix", "mnemonic", recorded(False, 2 * seed), recorded(is_other, 2 * seed + 1))["diff_mix"]
            fails = 0
            for (figure, mnemonic), row in rows(table, "mnemonic").items():
                if figure == "share":
                    compared += 1
                    truth = after[mnemonic] - before[mnemonic]
                elif figure == "executions":
                    counts = [executed(of).sums(known.mnemonic).get(mnemonic) for of in (False, is_other)]
                    truth = counts[1] - counts[0] if mnemonic else executed(is_other).executed - executed(0).executed
                else:
                    continue
                fails += not row["difference_low"] <= truth <= row["difference_high"]
            wrong[is_other] += fails > 0
    assert compared >= 20 * SEEDS, compared
    assert max(wrong.values()) <= 0.1 * SEEDS, (wrong, SEEDS)


def test_decided():
    """what differs by more than a percent has its verdict and is a finding; of one program nothing has"""
    before, after = shares(False), shares(True)
    found = page("--mix", "mnemonic", recorded(False, 1, 20000, 20000), recorded(True, 2, 20000, 20000))
    table = rows(found["diff_mix"], "mnemonic")
    certain = {mnemonic: after[mnemonic] - before[mnemonic] for mnemonic in before
               if abs(after[mnemonic] - before[mnemonic]) > 0.004}
    assert len(certain) >= 3, certain
    for mnemonic, truth in certain.items():
        row = table["share", mnemonic]
        equal(row["verdict"], "more" if truth > 0 else "less", mnemonic)
        assert abs(row["difference"] - (row["after"] - row["before"])) < 3e-6, row
    told = {finding["of"]: finding for finding in found["findings"] if finding["rule"] == "share"}
    for mnemonic, finding in told.items():
        assert table["share", mnemonic]["verdict"] in ("more", "less"), finding
        equal([finding[key] for key in ("before", "after", "difference_low", "difference_high")],
              [table["share", mnemonic][key] for key in ("before", "after", "difference_low", "difference_high")],
              "finding of " + mnemonic)
    assert set(told) & set(certain), (told, certain)
    same = page("--mix", "mnemonic", recorded(False, 1, 20000, 20000), recorded(False, 2, 20000, 20000))
    equal(same["findings"], [], "findings of one program")
    assert {row["verdict"] for row in same["diff_mix"]["rows"]} <= {"undecided"}, same["diff_mix"]["rows"]


def test_dimensions():
    """by several dimensions: rows match by names, and the shares of each side add up to all"""
    paths = recorded(False, 1), recorded(True, 2)
    for by in ("function,packed", "extension", "module,mode,category", "block"):
        keys = by.split(",")
        table = rows(page("--mix", by, *paths)["diff_mix"], *keys)
        for side in ("before", "after"):
            whole = sum(row[side] for (figure, *_), row in table.items() if figure == "share")
            assert abs(whole - 1) < 1e-4, (by, side, whole)
    packed = rows(page("--mix", "function,packed", *paths)["diff_mix"], "function", "packed")
    assert packed["share", "packed (known)", "packed"]["after"] < \
        packed["share", "packed (known)", "packed"]["before"], packed


def test_text_and_csv():
    """text has the findings, the table and what its level is; CSV the figures of JSON"""
    paths = recorded(False, 1, 20000, 20000), recorded(True, 2, 20000, 20000)
    text = good("diff", "--mix", "mnemonic", *paths)
    assert text.startswith("Findings\n  1. "), text
    assert "Instructions executed by mnemonic, compared" in text and "Bonferroni" in text, text
    table = {row["row"]: row for row in page("--mix", "mnemonic", *paths)["diff_mix"]["rows"]}
    found = {}
    for row in csv.DictReader(io.StringIO(good("diff", "--mix", "mnemonic", "--top", "1000", "--format", "csv", *paths))):
        if row["section"] == "diff_mix" and row["row"]:
            found.setdefault(row["row"], {})[row["column"]] = row["value"]
    equal(set(found), set(table), "rows")
    for name, row in found.items():
        equal(float(row["difference"]), table[name]["difference"], "CSV of " + name)
    assert "none: no difference is certainly one" in good("diff", "--mix", "mnemonic", recorded(False, 1),
                                                          recorded(False, 2))


def test_missing():
    """a class that no sample of a side met: from 0, up to what so few would have missed, but not further"""
    missed = 0
    for seed in range(8):
        few = recorded(False, seed, samples=12, stacks=0)
        for by, name in (("locked", "locked"), ("mnemonic", "mulsd"), ("mnemonic", "call")):
            row = rows(page("--mix", by, few, recorded(False, 1))["diff_mix"], by)["share", name]
            equal(row["verdict"], "undecided", (seed, by, row))
            missed += row["before"] < 1e-6
    assert missed >= 4, missed
    many = kept("many.data", known.recording(known.Execution(addresses(), packed=1), there("known"), 3000, 3000, 5))
    row = rows(page("--mix", "packed", many, recorded(False, 1))["diff_mix"], "packed")["share", "packed"]
    equal(row["verdict"], "more", row)


def test_runs():
    """--runs: means of runs, whose interval is no narrower than what they differ by"""
    paths = [recorded(is_other, seed) for is_other in (False, True) for seed in (1, 2, 3)]
    three = rows(page("--mix", "packed", "--runs", "3", *paths)["diff_mix"], "packed")
    singles = [rows(page("--mix", "packed", before, after)["diff_mix"], "packed")
               for before, after in zip(paths[:3], paths[3:])]
    for key in (("share", "packed"), ("share", "scalar")):
        for side in ("before", "after"):
            mean = sum(single[key][side] for single in singles) / 3
            assert abs(three[key][side] - mean) < 1e-6, (key, side, three[key], mean)
        truth = [shares(of, lambda does: "vmov" in does.mnemonic or "vadd" in does.mnemonic)[True]
                 for of in (False, True)]
        if key[1] == "packed":
            assert three[key]["difference_low"] <= truth[1] - truth[0] <= three[key]["difference_high"], three[key]


def test_numbers_unknown():
    """stacks by something else than branches: shares alone are compared, and it is said"""
    paths = [recorded(False, seed, samples=0, kind=CYCLES, unit=7) for seed in (1, 2)]
    found = page("--mix", "mnemonic", *paths)["diff_mix"]
    equal({row["figure"] for row in found["rows"]}, {"share"}, "figures")
    assert any("shares alone are compared" in note for note in found["notes"]), found["notes"]


def test_refused():
    """what has no mix, other modes, dimensions that are not compared, two things asked for"""
    both = recorded(False, 1)
    draw = [record for _, record in known.draw_samples(executed(False), 500, 3)]
    cycles = kept("cycles.data", known.file_of([(known.event(CYCLES), 1)], draw, there("known")))
    done = run("diff", "--mix", "mnemonic", both, cycles)
    equal(done.code, 1, done)
    assert "no sample tells what was executed" in done.err and "a side is not complete" in done.err, done
    assert not done.out, done
    users = kept("users.data", known.file_of([(known.event((0, 1), flags=1 << 5), 1)], draw, there("known")))
    every = kept("every.data", known.file_of([(known.event((0, 1)), 1)], draw, there("known")))
    done = run("diff", "--mix", "mnemonic", users, every)
    equal(done.code, 1, done)
    assert "cannot be compared with" in done.err and "the kernel's" in done.err, done
    for words, said in ((("--mix", "process"), "processes and threads are not compared"),
                        (("--mix", "group"), "groups are not compared"),
                        (("--mix", "mnemomic"), "did you mean 'mnemonic'"),
                        (("--mix", "mnemonic,mnemonic"), "twice"),
                        (("--mix", "packed", "--by", "symbol"), "--mix and --by"),
                        (("--mix", "packed", "--columns", "share"), "--mix and --columns"),
                        (("--mix", "packed", "--sort", "share"), "--mix and --sort"),
                        (("--mix", "packed", "--latency", "dcache_miss_latency"), "--mix and --latency")):
        assert said in usage("diff", *words, both, recorded(True, 2)), words
    assert "mnemonic" in good("diff", "--mix", "help")
    assert "unknown" in usage("report", "--mix", "mnemonic", both)


def test_damaged():
    """a damaged side ends in an error, or in what can be read"""
    both = recorded(False, 1)
    with open(both, "rb") as file:
        data = file.read()
    for cut in (40, 400, len(data) // 3, len(data) - 5):
        done = run("diff", "--mix", "mnemonic", both, kept("cut.data", data[:cut]))
        assert done.code in (0, 1) and (done.code == 0 or done.err), done
    for at in range(104, len(data), max(1, len(data) // 24)):
        run("diff", "--mix", "packed", both, kept("bad.data", data[:at] + struct.pack("<Q", 2**64 - 1) + data[at + 8:]))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
