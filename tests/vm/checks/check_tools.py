#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_tools.py DIRECTORY: precis info, dump and report, the dlfilter and precis.py take every
recording of a scenario, and the latter two say of all samples what precis dump says.
"""

import glob
import os
import sys

from scenario import PRECIS, TOP, done, ok, output

sys.path.insert(0, os.path.join(TOP, "tests/perf_scripts"))
import test_agreement as agreement  # noqa: E402


def case(title, function, *arguments):
    """One case, which fails by raising something"""
    try:
        function(*arguments)
    except Exception as problem:  # pylint: disable=broad-except
        ok(False, title, problem)
    else:
        ok(True, title)


def agree(found, path, apart):
    expected = agreement.dumped(path, "--reasons")
    assert expected, "no samples"
    agreement.compare(found, expected, apart, path)


def main(directory):
    for path in sorted(glob.glob(os.path.join(directory, "*.data"))):
        name = os.path.basename(path)
        case(name + ": precis info", output, PRECIS, "info", path)
        case(name + ": precis report", output, PRECIS, "report", path)
        case(name + ": dlfilter",
             lambda: agree(agreement.filtered(path, "reasons=1"), path, agreement.NOT_IN_FILTERS))
        case(name + ": precis.py",
             lambda: agree(agreement.scripted(path, "--reasons"), path, agreement.NOT_IN_SCRIPTS))
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
