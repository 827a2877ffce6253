#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Data source words in the words of stock perf: every word of real machines that was published, and
thousands of others, put into a recording and printed by perf script of 6.1 and of a newer perf.

PRECIS_SEED chooses the random words; PRECIS_FEW_REPETITIONS=1 takes a tenth of them.
"""

import itertools
import json
import os
import random
import subprocess
import tempfile

from differential import ENVIRONMENT, FEW, PERF, SHARED, done, note, ok, skip
from oracles import programs
from stock_perf import Perf
from wording import NEW, OLD, SHOWN, TOOL, texts_of, wording_of

GOLDEN = os.path.join(SHARED, "golden/datasrc_real.jsonl")
RANDOM = 2000 if FEW else 24000
REPORTED = 10

# Where the fields lie: first bit, bits, 1 if the value is a number and not bits
FIELDS = {"op": (0, 5, 0), "lvl": (5, 14, 0), "snoop": (19, 5, 0), "lock": (24, 2, 0),
          "dtlb": (26, 7, 0), "lvl_num": (33, 4, 1), "remote": (37, 1, 1), "snoopx": (38, 2, 0),
          "blk": (40, 3, 0), "hops": (43, 3, 1), "region": (46, 5, 1)}
HOPS_NAMED = 4  # perf reads beyond its table for more

# Texts of versions that nobody runs any more, or of none: not what these wordings are for
OTHER_WORDS = ("|AFF", "...", "BLK N/A", "SNP N/A|TLB Walker")


def place(field, value):
    return value << FIELDS[field][0]


def values_of(field):
    """All numbers; for bits none, each alone, and each two of them"""
    _, width, number = FIELDS[field]
    if number:
        return range(HOPS_NAMED + 1 if field == "hops" else 1 << width)
    bits = [1 << n for n in range(width)]
    return [0] + bits + [a | b for a, b in itertools.combinations(bits, 2)]


def defined_words():
    """Each value of each field, alone and beside a usual word; all that says where, together"""
    usual = place("op", 2) | place("lvl", 0xa) | place("lvl_num", 1) | place("dtlb", 0x1a)
    for field, (low, width, _) in FIELDS.items():
        for value in values_of(field):
            yield place(field, value)
            yield usual & ~(((1 << width) - 1) << low) | place(field, value)
    outcomes = (0, 2, 4, 6)
    for lvl_num, remote, hops, outcome, lvl in itertools.product(
            values_of("lvl_num"), (0, 1), values_of("hops"), outcomes, (0, 1, 8, 0x400)):
        yield place("op", 2) | place("lvl", outcome | lvl) | place("lvl_num", lvl_num) | \
            place("remote", remote) | place("hops", hops)
    for snoop, snoopx, blk in itertools.product(values_of("snoop"), range(4), range(8)):
        yield place("op", 4) | place("snoop", snoop) | place("snoopx", snoopx) | place("blk", blk)


def random_word(source):
    """Uniform, or with few bits: long texts are cut, and what is behind the cut is not compared"""
    word = source.getrandbits(64)
    for _ in range(source.randrange(5)):
        word &= source.getrandbits(64)
    if word >> FIELDS["hops"][0] & 7 > HOPS_NAMED:
        word &= ~(4 << FIELDS["hops"][0])
    return word


def perf_lines(perf, words, path):
    """@return what perf script prints of each: word, text"""
    lines = "".join("%x\n" % word for word in words).encode()
    subprocess.run([TOOL, "record", path], input=lines, check=True)
    run = subprocess.run([perf, "script", "-F", "data_src", "-i", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=ENVIRONMENT,
                         check=False)
    pairs = [line.split(None, 1) for line in run.stdout.decode("latin-1").splitlines()
             if line.strip()]
    return [(int(number, 16), text) for number, text in pairs]


def compare_with_perf(words, texts, folder):
    for perf in programs():
        version, column = Perf(perf).version, wording_of(Perf(perf))
        what = "perf %s: %d words" % (version, len(words))
        if column is None:
            skip(what, "it is not known which wording this perf has")
            continue
        lines = perf_lines(perf, words, os.path.join(folder, "words"))
        wrong = cut = 0
        for word, text, (number, perfs) in zip(words, texts, lines):
            cut += len(text[column]) > SHOWN
            if number == word and perfs.rstrip() == text[column][:SHOWN].rstrip():
                continue
            wrong += 1
            if wrong <= REPORTED:
                note("%x: precis \"%s\", perf %x \"%s\"" % (word, text[column], number, perfs))
        note("perf %s: %d words compared, %d of them cut" % (version, len(lines), cut))
        ok(len(lines) == len(words) and not wrong, what + ", %d differ" % wrong)


def compare_with_golden():
    if not os.path.exists(GOLDEN):
        skip("published words", "no %s" % GOLDEN)
        return
    with open(GOLDEN, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = texts_of([int(row["raw"], 16) for row in rows])
    for row, both in zip(rows, texts):
        expected = {"6.1": (both[OLD], row["oracle_perf_6_1"]),
                    "6.12": (both[NEW], row["oracle_perf_6_12"])}
        wrong = ["%s: \"%s\"" % (name, ours) for name, (ours, theirs) in expected.items()
                 if ours != theirs]
        published = row["decoded"]
        if published and published not in both and \
                not any(words in published for words in OTHER_WORDS):
            wrong.append("published: \"%s\"" % published)
        ok(not wrong, "%s of %s%s" % (row["raw"], row["cpu"][:40], ": " * bool(wrong) +
                                      "; ".join(wrong)))


def main():
    compare_with_golden()
    if not PERF:
        skip("stock perf", "no perf")
        done()
    seed = int(os.environ.get("PRECIS_SEED", "20261121"), 0)
    note("PRECIS_SEED=%d" % seed)
    source = random.Random(seed)
    words = [1 << bit for bit in range(64) if bit != FIELDS["hops"][0] + 2]
    words += [place("hops", 4)] + list(defined_words())
    words = list(dict.fromkeys(words + [random_word(source) for _ in range(RANDOM)]))
    with tempfile.TemporaryDirectory() as folder:
        compare_with_perf(words, texts_of(words), folder)
    done()


main()
