#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_fields.py DIRECTORY: bit field by bit field, stock perf prints of a scenario's raw samples
what precis decodes (the comparison of tests/differential/test_registers.py).
"""

import os
import sys
import tempfile

from scenario import TOP, done, ok, skip_all, steps

sys.path.insert(0, os.path.join(TOP, "tests/differential"))
from test_registers import Comparison, compare  # noqa: E402

# Stock perf does not ask which core it is: it prints fields, and a register, that these have not.
UNKNOWN_TO_PERF = ("greyhound", "bulldozer")


def single_unit(step):
    """The unit that all samples of a step are of: op, fetch, or None"""
    units = [pmu[4:] for pmu in step.pmus() if step.total(pmu, "delivered")]
    return units[0] if len(units) == 1 else None


def main(directory):
    machine = next(step.words["machine"] for step in steps(directory))
    if machine in UNKNOWN_TO_PERF:
        return skip_all("stock perf prints fields that %s does not have" % machine)
    for step in steps(directory):
        path = os.path.join(directory, step.name + ".data")
        unit = single_unit(step)
        if unit is None or not os.path.exists(path) or step.name in ("mem", "c2c"):
            continue
        comparison = Comparison(step.words["machine"], unit)
        with tempfile.TemporaryDirectory() as work:
            problem = compare(path, work, comparison)
        ok(not problem and not comparison.wrong and
           comparison.compared > 8 * comparison.samples > 0,
           "%s: %d bit fields, %d meanings of %d samples" % (
               step.name, comparison.compared, comparison.semantic, comparison.samples),
           problem or "")
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
