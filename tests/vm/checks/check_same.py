#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_same.py DIRECTORY DIRECTORY: two runs of a scenario left the same files with the same bytes.
"""

import hashlib
import os
import sys

from scenario import done, equal, ok

# The console goes on after the disk was written to, which takes the host's time.
OF_THE_HOST = ("console.log", "qemu.log")


def sums(directory):
    found = {}
    for folder, _, names in os.walk(directory):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name not in OF_THE_HOST:
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
                found[os.path.relpath(path, directory)] = digest
    return found


def main(first, second):
    once, again = sums(first), sums(second)
    equal(sorted(once), sorted(again), "both runs leave the same files")
    for name in sorted(set(once) & set(again)):
        ok(once[name] == again[name], "%s: the same bytes" % name)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
