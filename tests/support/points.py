# SPDX-License-Identifier: BSD-3-Clause
"""TAP of points that are judged one after another, and of what speaks against each."""
import sys
import traceback

judged = failed = 0


def _tell(kind, error, trace):
    """What ends a test before its plan belongs to its results: of standard error reports of failures know nothing."""
    for line in "".join(traceback.format_exception(kind, error, trace)).splitlines():
        print("#", line)
    sys.stdout.flush()


sys.excepthook = _tell


def tap(good, name, wrong=()):
    """Of what speaks against it no more is told than a reader looks at."""
    global judged, failed
    judged += 1
    failed += not good
    print("%sok %d - %s" % ("" if good else "not ", judged, name), flush=True)
    for line in [] if good else list(wrong)[:40]:
        print("#", line)


def report(name, wrong):
    """Good if nothing speaks against it"""
    wrong = list(wrong)
    tap(not wrong, name, wrong)


def skip(name, why):
    global judged
    judged += 1
    print("ok %d - %s # SKIP %s" % (judged, name, why), flush=True)


def end():
    """The exit code"""
    print("1..%d" % judged)
    return 1 if failed else 0
