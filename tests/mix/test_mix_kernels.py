#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Floating-point operations and bytes of kernels for which arithmetic has them: exact by the true counts, and
inside of the intervals by samples.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../command/cli"))

import tap
from tap import Skip
from traced import built, traced

SCRATCH = tempfile.TemporaryDirectory()
STATES = 4


def there(name):
    return os.path.join(SCRATCH.name, name)


def arguments(kernel):
    """@return the count and the rounds that trace.sh calls it with"""
    with open(os.path.join(HERE, "trace.sh"), encoding="utf-8") as file:
        found = re.search(r"\) kernel %s (\d+) (\d+) ;;" % kernel, file.read())
    return int(found[1]), int(found[2])


def by_arithmetic(kernel):
    """
    Of all rounds, by (figure, how far it is known). A return reads its address from the stack, 8 bytes.
    """
    n, rounds = arguments(kernel)
    flops, read, written = {
        "daxpy_scalar": (2 * n, 16 * n, 8 * n),
        "daxpy_sse": (2 * n, 16 * n, 8 * n),
        "daxpy_avx": (2 * n, 16 * n, 8 * n),
        "product": (2 * n ** 3, 4 * n ** 2 + 8 * n ** 3, 4 * n ** 3),
        "copy": (0, 8 * n, 8 * n),
        "gather": (n, 4 * n, 0),
        "copy_repeated": (0, 0, 0),
    }[kernel]
    figures = {("flops", "exact"): flops, ("read", "exact"): read + 8, ("written", "exact"): written}
    if kernel == "gather":
        figures["read", "masked"] = 8 * n  # all elements: the mask has them all
    if kernel == "copy_repeated":
        figures["read", "unknown"] = figures["written", "unknown"] = 1
    return {key: rounds * value for key, value in figures.items() if value}


def place(kernel):
    if not shutil.which("nm"):
        raise Skip("no nm")
    symbols = subprocess.run(["nm", "-S", there("kernels")], capture_output=True, text=True, check=True)
    first, size = re.search(r"^([0-9a-f]+) ([0-9a-f]+) T %s$" % kernel, symbols.stdout, re.M).groups()
    return first, "%x" % (int(first, 16) + int(size, 16))


def figures(kernel):
    """@return by (model, state): by (figure, how): (value, low, high)"""
    trace = traced(SCRATCH.name, 100000000, kernel)[0]
    text = built("tests/mix/mix_figures", "--states", str(STATES), trace, *place(kernel))
    found = {}
    for line in text.split("\n")[:-1]:
        model, state, figure, how, *values = line.split()
        found.setdefault((model, int(state)), {})[figure, how] = tuple(map(float, values))
    return found


def judge(kernel):
    """@return of models without and with biased windows: [states whose intervals hold all figures, states]"""
    wanted, found = by_arithmetic(kernel), figures(kernel)
    true = {key: values[0] for key, values in found.pop(("true", 0)).items() if values[0]}
    assert true == wanted, (kernel, true, wanted)
    judged = {False: [0, 0], True: [0, 0]}
    for (model, state), by_figure in found.items():
        is_held = True
        for key, value in wanted.items():
            got, low, high = by_figure[key]
            assert abs(got - value) <= 0.025 * value, (kernel, model, state, key, got, value)
            assert low <= got <= high <= 1.1 * low, (kernel, model, state, key, low, got, high)
            is_held &= low <= value <= high
        count = judged["biased" in model or "both" in model]
        count[0] += is_held
        count[1] += 1
    assert sum(count[1] for count in judged.values()) == 10 * STATES, judged
    return judged


def judge_all(*kernels):
    """Intervals are of 95 %; where windows are biased less is promised: demands.def"""
    counts = [judge(kernel) for kernel in kernels]
    for is_biased, least in ((False, 0.93), (True, 0.85)):
        held, judged = (sum(count[is_biased][n] for count in counts) for n in (0, 1))
        # By chance two of a few states may fail
        assert held + 2 >= least * judged, (kernels, is_biased, held, judged)


def test_daxpy():
    """y += a x by scalars, by two and fused by four: operations and bytes by arithmetic"""
    judge_all("daxpy_scalar", "daxpy_sse", "daxpy_avx")


def test_product():
    """a product of matrices: 2 n^3 operations"""
    judge_all("product")


def test_copy():
    """a copy: bytes, and no operation"""
    assert ("flops", "exact") not in by_arithmetic("copy")
    judge_all("copy")


def test_gather():
    """a gather: its elements are at most what the mask allows, its indices are exact"""
    judge_all("gather")


def test_repeated():
    """REP MOVSQ: nobody knows how many bytes, and how often it ran is known"""
    judge_all("copy_repeated")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
