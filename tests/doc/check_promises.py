#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What precis is said to read is what it reads: forms of perf.data in precis(1), both vendors."""
import os
import re
import subprocess
import sys

SRCDIR = os.environ["srcdir"]
PRECIS = os.environ["PRECIS"]
FORMS = os.path.join(SRCDIR, "tests", "recordings", "forms")
# A recording of each form, and the words that name it
NAMED = {"seekable": "seekable", "pipe": "pipe", "zstd": "compressed", "directory": "director",
         "died": "recorder died", "pebs-loads": "PEBS", "ibs-op": "IBS"}


def text_of(name):
    with open(os.path.join(SRCDIR, name), encoding="utf-8") as file:
        return file.read()


def what_is_read():
    """The section of precis(1), without macros."""
    section = re.search(r"^\.Ss What is read\n(.*?)^\.S", text_of("doc/man/precis.1"), re.M | re.S)
    return re.sub(r"^\.[A-Z][a-z] |^\.[A-Z][a-z]$", "", section.group(1), flags=re.M)


def read(form):
    """(can it be read, why not)"""
    done = subprocess.run([PRECIS, "info", os.path.join(FORMS, form)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    return done.returncode == 0, done.stderr


def wrong_promises():
    section = re.sub(r"\s+", " ", what_is_read())
    refused = " ".join(sentence for sentence in re.split(r"[.;] ", section)
                       if re.search(r"refused|\bnot\b", sentence))
    wrong = []
    for form, word in NAMED.items():
        is_read, why = read(form)
        if not is_read and "zstd" not in why:
            wrong.append(f"{form}: cannot be read: {why}")
        if word not in section:
            wrong.append(f"{form}: not named")
        elif word in refused:
            wrong.append(f"{form}: read, and named as if it were not")
    return wrong


def vendors_missing():
    """Where a short text names one vendor's samples and not the other's."""
    texts = {"precis --help": subprocess.run([PRECIS, "--help"], stdout=subprocess.PIPE,
                                             text=True, check=True).stdout,
             "precis.pc.in": text_of("precis.pc.in"), "precis.1": text_of("doc/man/precis.1"),
             "precis-record.1": text_of("doc/man/precis-record.1")}
    return [f"{name}: no {word}" for name, text in texts.items() for word in ("IBS", "PEBS")
            if word not in text]


def main():
    cases = (("precis(1) names what is read as read", wrong_promises()),
             ("short texts name both AMD's and Intel's samples", vendors_missing()))
    for number, (name, wrong) in enumerate(cases, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        for line in wrong:
            print("#", line.strip())
    print(f"1..{len(cases)}")
    return 1 if any(wrong for _, wrong in cases) else 0


if __name__ == "__main__":
    sys.exit(main())
