# SPDX-License-Identifier: BSD-3-Clause
"""TAP for tests in Python: functions named test_*, in their order in the module."""
import sys
import traceback


class Skip(Exception):
    """Raised by a case that cannot run; says why."""


def main(module):
    cases = [(name, thing) for name, thing in vars(module).items()
             if name.startswith("test_") and callable(thing)]
    failed = 0
    print("1..%d" % len(cases))
    for number, (name, case) in enumerate(cases, 1):
        title = (case.__doc__ or name).split("\n")[0]
        try:
            case()
            print("ok %d - %s" % (number, title))
        except Skip as reason:
            print("ok %d - %s # SKIP %s" % (number, title, reason))
        except Exception:  # an assertion, or a bug of the test: both fail it
            failed += 1
            print("not ok %d - %s" % (number, title))
            for line in traceback.format_exc().splitlines():
                print("# " + line)
        sys.stdout.flush()
    return 1 if failed else 0


def equal(found, expected, what=""):
    assert found == expected, "%s: expected\n%r\nfound\n%r" % (what, expected, found)
