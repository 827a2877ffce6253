#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The options in each command's --help are those in its manual page, no more, no less."""

import ctypes
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import report, skip

SRCDIR = os.environ["srcdir"]
PRECIS = os.environ["PRECIS"]
PAGES = os.path.join(SRCDIR, "doc", "man")
SUBCOMMANDS = ("annotate", "bench", "diff", "dump", "errata", "export", "fields", "info", "mix",
               "objects", "plan", "report", "sharing")


def help_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=1200)
    return done.stdout if done.returncode == 0 else ""


def options_of_help(text):
    """Of lines that begin with an option: "  -F, --fields LIST   these fields"."""
    found = set()
    for line in text.splitlines():
        head = re.match(r" +(-[A-Za-z](?:, )?)?(--[a-z][-a-z0-9]*)?", line)
        if head:
            found.update(option.rstrip(", ") for option in head.groups() if option)
    return found


def page_items(page):
    """What .It lines of a manual page say; nothing if there is no such page."""
    path = os.path.join(PAGES, page)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line[4:] for line in file.read().splitlines() if line.startswith(".It ")]


def options_of_page(page):
    found = set()
    for item in page_items(page):
        for dashes, name in re.findall(r"(?<!\S)(Fl Fl|Fl) ([A-Za-z][-A-Za-z0-9]*)", item):
            found.add(("--" if dashes == "Fl Fl" else "-") + name)
    return found


def compare(page, told, documented):
    if not told:
        return [f"no help that {page} could be compared with"]
    return [f"{option}: not in {page}" for option in sorted(told - documented)] + \
           [f"{option}: not in the help" for option in sorted(documented - told)]


def check_command(page, command):
    report(f"{page}: options", compare(page, options_of_help(help_of(command)),
                                       options_of_page(page)))


def check_module():
    """precis.py runs inside perf alone: its options are those that it gives to argparse."""
    path = os.path.join(SRCDIR, "perf_scripts", "python", "precis.py.in")
    with open(path, encoding="utf-8") as file:
        calls = re.findall(r"add_argument\(\s*((?:\"-[^\"]*\",\s*)+)", file.read())
    told = {option for call in calls for option in re.findall(r"\"([^\"]*)\"", call)}
    report("precis.py.1: options", compare("precis.py.1", told and told | {"-h", "--help"},
                                           options_of_page("precis.py.1")))


def check_commands():
    told = set(re.findall(r"^  ([a-z]+) {2,}[a-z]", help_of([PRECIS, "--help"]), re.M))
    documented = {item.split()[1] for item in page_items("precis.1") if item.startswith("Cm ")}
    report("precis.1: commands", compare("precis.1", told, documented))
    report("every command has a page that is checked",
           sorted(told.symmetric_difference(SUBCOMMANDS)))


def check_dlfilter():
    """The filter tells its options itself; no perf is needed for that."""
    name = "precis-dlfilter.1: options"
    path = os.environ.get("PRECIS_DLFILTER", "")
    if not os.path.exists(path):
        return skip(name, "precis-dlfilter.so was not built")
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        return skip(name, "a sanitized library cannot be loaded here")
    text = ctypes.c_char_p()
    library = ctypes.CDLL(path)
    library.filter_description.restype = ctypes.c_char_p
    library.filter_description(ctypes.byref(text))
    told = set(re.findall(r"^  ([a-z][-a-z]*)(?:=| )", (text.value or b"").decode(), re.M))
    documented = {re.match(r"Cm ([-a-z]+)", item).group(1)
                  for item in page_items("precis-dlfilter.1") if item.startswith("Cm ")}
    return report(name, compare("precis-dlfilter.1", told, documented))


def main():
    check_commands()
    for name in SUBCOMMANDS:
        check_command(f"precis-{name}.1", [PRECIS, name, "--help"])
    record = os.path.join(SRCDIR, "perf_scripts", "record", "precis-record")
    check_command("precis-record.1", ["/bin/sh", record, "--help"])
    check_module()
    check_dlfilter()
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
