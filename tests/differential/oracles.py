# SPDX-License-Identifier: BSD-3-Clause
"""Which perfs there are to compare with, and the table that says what was compared with them."""

import os
import shutil
import subprocess

from comparison import Comparison
from differential import BUILD, PERF, QUICK, TOP, note, ok
from recordings import Reading
from stock_perf import NotUnderstood, Refusal

NEWER = os.path.join(TOP, "tests", "support", "newer_perf.sh")
COLUMNS = "%-46s %-18s %-16s %7s %6s %8s %6s %s"


def newer_perf():
    """@return the program, or nothing; and why not"""
    if QUICK:
        return None, "PRECIS_QUICK asks for the installed perf alone"
    run = subprocess.run(["sh", NEWER, os.path.join(BUILD, "tests", "support", "newer_perf")],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if run.returncode:
        return None, run.stderr.decode(errors="replace").strip()
    return run.stdout.decode().strip(), ""


def programs():
    """@return perf programs to compare with, the installed one first; notes why there is but one"""
    found = [PERF] if PERF and shutil.which(PERF) else []
    newer, reason = newer_perf()
    if newer:
        found.append(newer)
    else:
        note("no newer perf: " + reason)
    return found


class Table:
    """One line for each recording; the last says the sums."""

    def __init__(self, perfs, work):
        self.perfs, self.work = perfs, work
        self.samples = self.values = self.differences = self.recordings = self.alone = 0
        note(COLUMNS % ("recording", "form", "perf", "samples", "fields", "values", "differ",
                        "remarks"))

    def row(self, name, form, reading, path, remarks=()):
        """
        Compare with every perf that reads 'path', and print the line. What is compared is 'reading'
        and the order in which the library sorts 'path'.

        @return what differs; the versions of those that read it; {version: why not} of the others
        """
        wrong, versions, refused, fields = [], [], {}, set()
        values, remarks = 0, list(remarks)
        ordered = Reading(path, order="--sorted")
        for perf in self.perfs:
            try:
                result = Comparison(reading, ordered, perf, path, self.work)
            except Refusal as refusal:
                refused[perf.version] = str(refusal)
                remarks.append("perf %s: %s" % (perf.version, refusal))
                continue
            except NotUnderstood as line:
                wrong.append("perf %s: not taken apart: %s" % (perf.version, line))
                continue
            versions.append(perf.version)
            wrong += ["perf %s: %s" % (perf.version, words) for words in result.wrong]
            values += result.values
            fields.update(result.fields)
            remarks += [remark for remark in result.remarks if remark not in remarks]
        for result in (reading, ordered):
            wrong += ["precis: " + result.error] if result.error else []
        if ordered.totals["late"]:
            remarks.append("%d records came too late to be sorted" % ordered.totals["late"])
        self.add(len(reading.samples), values, len(wrong), versions)
        note(COLUMNS % (name[-46:], form, "+".join(versions) or "none", len(reading.samples),
                        len(fields), values, len(wrong), "; ".join(remarks)))
        return wrong, versions, refused

    def add(self, samples, values, differences, versions):
        self.recordings += 1
        self.samples += samples
        self.values += values
        self.differences += differences
        self.alone += not versions

    def sums(self):
        note("%d recordings, %d samples, %d values compared, %d differences; "
             "%d recordings that no perf here reads" % (
                 self.recordings, self.samples, self.values, self.differences, self.alone))
        if self.perfs and self.recordings > self.alone:
            ok(self.values > 0, "something has been compared")


def verdict(name, wrong):
    for words in wrong:
        note(words[:400])
    ok(not wrong, name)
