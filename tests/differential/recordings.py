# SPDX-License-Identifier: BSD-3-Clause
"""Recordings as the library reads them (tests/support/print_samples), and what form they have."""

import os
import struct
import subprocess

from differential import BUILD, ENVIRONMENT

PRINT_SAMPLES = os.path.join(BUILD, "tests", "support", "print_samples")

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU = (1 << n for n in range(8))
PERIOD, STREAM_ID, RAW, BRANCH_STACK, REGS_USER, STACK_USER = (1 << n for n in range(8, 14))
WEIGHT, DATA_SRC = 1 << 14, 1 << 15
REGS_INTR, PHYS_ADDR = 1 << 18, 1 << 19
WEIGHT_STRUCT = 1 << 24

DECIMAL = {"event", "pid", "tid", "time", "identifier", "id", "stream_id", "cpu", "period",
           "raw_size", "regs_user_abi", "regs_intr_abi", "stack_size", "stack_dynamic", "weight",
           "var2", "var3", "cgroup", "data_page_size", "code_page_size", "error", "index",
           "samples", "unread", "records", "late", "form", "compressed", "code", "offset", "type"}
LISTS = {"read", "callchain", "regs_user", "regs_intr"}
MAGIC = b"PERFILE2"
NO_ZSTD = "this build of precis has no zstd"


def value(name, text):
    if name in LISTS:
        return tuple(int(item, 16) for item in text.split(",")) if text else ()
    if name == "ids":
        return tuple(map(int, text.split(","))) if text else ()
    if name == "branches":
        return tuple(tuple(int(part, 16) for part in item.split("/"))
                     for item in text.split(",")) if text else ()
    if name in ("bytes", "name", "text"):
        return text
    return int(text, 10 if name in DECIMAL else 16)


class Reading:
    """Everything that print_samples says of a recording. 'error' is None if it got to the end."""

    def __init__(self, path=None, stdin=None, order=None):
        arguments = [PRINT_SAMPLES] + ([order] if order else []) + ["-" if path is None else path]
        run = subprocess.run(arguments, stdin=subprocess.DEVNULL if stdin is None else stdin,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.samples, self.events, self.warnings = [], [], []
        self.error, self.totals = None, {"samples": 0, "unread": 0, "records": 0}
        for line in run.stdout.decode("utf-8", "replace").splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "sample":
                self.samples.append(self.members(rest.split(" ")))
            elif kind == "event":
                rest, _, name = rest.partition(" name=")
                self.events.append(dict(self.members(rest.split(" ")), name=name))
            elif kind == "total":
                self.totals = self.members(rest.split(" "))
            elif kind == "warning":
                self.warnings.append(rest.partition("text=")[2])
            elif kind == "error":
                self.error = rest
        if run.returncode not in (0, 1) or run.returncode == 1 and self.error is None:
            self.error = "print_samples: exit code %d: %s" % (run.returncode,
                                                              run.stderr.decode()[-2000:])

    def lacks_zstd(self):
        return self.error is not None and NO_ZSTD in self.error

    @staticmethod
    def members(words):
        members = {}
        for word in words:
            name, _, text = word.partition("=")
            members[name] = value(name, text)
        return members

    def miscounted(self):
        """What is wrong with the library's own counts, in words"""
        by_event = [0] * len(self.events)
        for sample in self.samples:
            if "event" in sample:
                by_event[sample["event"]] += 1
        wrong = ["event %s: counted %d samples, handed out %d" % (event["name"], event["samples"], n)
                 for event, n in zip(self.events, by_event) if event["samples"] != n]
        if self.totals["samples"] != len(self.samples) or self.totals["unread"]:
            wrong.append("%d samples handed out: %s" % (len(self.samples), self.totals))
        return wrong

    def event_of(self, sample):
        return self.events[sample["event"]]


def form(path):
    """How the recording is stored, in words, from its first bytes alone"""
    if os.path.isdir(path):
        return "directory"
    with open(path, "rb") as recording:
        head = recording.read(104)
        if len(head) < 16 or head[:8] not in (MAGIC, b"PERFFILE"):
            return "foreign byte order" if head[:8] == MAGIC[::-1] else "no perf.data"
        version = "v1" if head[:8] != MAGIC else "v2"
        if struct.unpack_from("<Q", head, 8)[0] == 16:
            return "pipe"
        data_offset, data_bytes = struct.unpack_from("<QQ", head, 40)
        features = struct.unpack_from("<Q", head, 72)[0]
        words = [version] if version != "v2" else []
        words += ["unfinished"] if not data_bytes else []
        words += ["zstd"] if features >> 27 & 1 and data_bytes else []
        return " ".join(words) or "seekable"
