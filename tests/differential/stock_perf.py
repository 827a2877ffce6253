# SPDX-License-Identifier: BSD-3-Clause
"""
What stock perf has to say of a recording, sample by sample: its words taken apart, nothing judged.

    Perf.script()     perf script -F: what a user is shown
    Perf.dump()       perf report -D: each record's bytes, and the members that -F cannot print
    Perf.raw_sizes()  perf script -s: how many bytes of RAW a script is handed
"""

import os
import re
import subprocess
import tempfile

from differential import ENVIRONMENT
from perf_cache import remembered

# Types of perf_event_attr that perf script -F can name; all others follow what is said of none
TYPE_NAMES = {0: "hw", 1: "sw", 2: "trace", 4: "raw", 5: "break"}

# Fields of perf script in the order in which it prints them behind the event's name
SCRIPT_TAIL = ("addr", "data_src", "weight", "ins_lat", "retire_lat", "ip", "brstack", "phys_addr")
SCRIPT_HEAD = ("pid", "tid", "cpu", "time", "period")
HEXADECIMAL = {"addr", "data_src", "ip", "phys_addr"}

REFUSED = re.compile(r"Samples for '(.*)' event do not have \w+ attribute set. "
                     r"Cannot print '(\w+)' field")

# What perf says, with exit code 0, of a recording that it does not read
NOT_READ = re.compile(r"incompatible file format|failed to process type: \d+")

HEADER = re.compile(r"(?:0x[0-9a-f]+|0)@.* \[0x[0-9a-f]+\]: event: (\d+)$")
SAMPLE = re.compile(r"((?:-?\d+ )*)(?:0x[0-9a-f]+|0) \[0x[0-9a-f]+\]: PERF_RECORD_SAMPLE"
                    r"\(IP, (0x[0-9a-f]+)\): (-?\d+)/(-?\d+): (0x[0-9a-f]+|0) "
                    r"period: (\d+) addr: (0x[0-9a-f]+|0)$")
# One number each in a line of its own; the first also "weight,var2,var3"
NUMBERS = (("weight", re.compile(r"\.\.\. weight: (\d+)(?:,0x([0-9a-f]+),0x([0-9a-f]+))?$")),
           ("data_src", re.compile(r" \. data_src: 0x([0-9a-f]+)$")),
           ("phys_addr", re.compile(r" \.\. phys_addr: 0x([0-9a-f]+)$")),
           ("data_page_size", re.compile(r" \.\. data page size: (\S+)$")),
           ("code_page_size", re.compile(r" \.\. code page size: (\S+)$")),
           ("transaction", re.compile(r"\.\.\. transaction: ([0-9a-f]+)$")),
           ("stack_dynamic", re.compile(r"\.\.\. ustack: size (\d+), offset 0x[0-9a-f]+$")))
ADDRESS = re.compile(r"\.\.\.\.\. +\d+: ([0-9a-f]{16})$")
BRANCH = re.compile(r"\.\.\.\.\. +\d+: ([0-9a-f]{16}) -> ([0-9a-f]{16}) (\d+) cycles "
                    r"(M| )(P| )(A| )(T| ) ")
REGISTERS = re.compile(r"\.\.\. (user|intr) regs: mask 0x([0-9a-f]+) ABI ")
REGISTER = re.compile(r"\.\.\.\. \S+ +0x([0-9a-f]+)$")
COUNTER = re.compile(r"\.\.\.\.\. id ([0-9a-f]{16}), value ([0-9a-f]{16})(?:, lost (\d+))?$")

RAW_SCRIPT = """
def process_event(event):
    sample = event["sample"]
    print(sample["time"], sample["pid"], sample["tid"], sample["ip"], len(event["raw_buf"]))
def trace_unhandled(name, context, fields, sample):
    pass
"""


class Refusal(Exception):
    """perf does not read the recording; its own words."""


class NotUnderstood(Exception):
    """A line of perf's that is not taken apart here: nothing is known of that sample."""


def page_bytes(text):
    """'4K' -> 4096; "N/A" is perf's word for 0"""
    units = {"K": 10, "M": 20, "G": 30}
    return 0 if text == "N/A" else int(text[:-1]) << units[text[-1]]


def branch(text):
    """FROM/TO/M|P|-/X|-/A|-/cycles/type[/speculation] as perf script prints it"""
    start, end, predicted, transaction, abort, cycles, kind = text.split("/")[:7]
    return (int(start, 16), int(end, 16), predicted, transaction, abort, int(cycles), kind)


class Perf:
    def __init__(self, program):
        self.program = program
        run = subprocess.run([program, "--version"], stdout=subprocess.PIPE, check=True)
        self.version = run.stdout.decode().split()[2]
        self.has_retire_latency = tuple(map(int, self.version.split(".")[:2])) >= (6, 2)

    def ask(self, arguments, path):
        """@return exit code, stdout, stderr"""
        environment = dict(ENVIRONMENT, HOME=os.path.join(tempfile.gettempdir(), "no-home"))
        # into files: perf writes in small pieces, each of which a pipe would have to be waited for
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            code = subprocess.run([self.program] + arguments + ["-i", path], stdout=out,
                                  stderr=errors, stdin=subprocess.DEVNULL, env=environment,
                                  check=False).returncode
            out.seek(0)
            errors.seek(0)
            return code, out.read().decode("latin-1"), errors.read().decode("latin-1")

    def run(self, arguments, path):
        """@return stdout, stderr; raises Refusal if perf fails"""
        code, out, errors = remembered(self.version, arguments, path,
                                       lambda: self.ask(arguments, path))
        why = REFUSED.search(errors) or NOT_READ.search(errors)
        if code or NOT_READ.search(errors):
            words = why.group(0) if why else errors.strip().rpartition("\n")[2]
            raise Refusal(words or "exit code %d" % code)
        return out, errors

    def event_names(self, path):
        """In the file's order; empty where perf evlist is silent (some recordings from a pipe)"""
        lines = self.run(["evlist"], path)[0].splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    def script_fields(self, path, events):
        """
        What perf script can print of the events of each type.

        @param events  (name, type, fields that its samples have)
        @return {type name, or None for what has no name: list of fields}, its output
        """
        wanted = {}
        for _, kind, fields in events:
            wanted.setdefault(TYPE_NAMES.get(kind), set()).update(fields)
        while True:
            arguments = ["script", "--ns", "-G", "--no-itrace"]
            for kind in sorted(wanted, key=str):  # None, for all types, comes first
                fields = [f for f in SCRIPT_HEAD + SCRIPT_TAIL if f in wanted[kind]]
                text = ",".join(fields + ["event"])
                arguments += ["-F", text if kind is None else kind + ":" + text]
            try:
                return wanted, self.run(arguments, path)[0]
            except Refusal as refusal:
                refused = REFUSED.search(str(refusal))
                if not refused:
                    raise
                kinds = {TYPE_NAMES.get(k) for name, k, _ in events if name == refused.group(1)}
                kinds = [kind for kind in kinds if refused.group(2) in wanted.get(kind, ())]
                if not kinds:
                    raise
                for kind in kinds:
                    wanted[kind].discard(refused.group(2))

    def script(self, path, events):
        """
        @param events  as script_fields() has them, under each name that perf may use
        @return a list of {field: value}, in perf's order; 'event' is the name
        """
        wanted, text = self.script_fields(path, events)
        kinds = {name: TYPE_NAMES.get(kind) for name, kind, _ in events}
        names = "|".join(sorted(map(re.escape, kinds), key=len, reverse=True))
        line_of = re.compile(r"\s*(?:(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+)?(?:\[(?P<cpu>-?\d+)\]\s+)?"
                             r"(?:(?P<seconds>\d+)\.(?P<time>\d{9}):\s+)?(?:(?P<period>\d+)\s+)?"
                             r"(?P<event>%s): ?(?P<tail>.*)$" % names)
        samples = []
        for line in text.splitlines():
            if not line.strip():
                continue
            found = line_of.match(line)
            if not found:
                raise NotUnderstood("perf script: " + line)
            sample = {name: int(found.group(name)) for name in ("pid", "tid", "cpu", "period")
                      if found.group(name) is not None}
            if found.group("time"):
                sample["time"] = int(found.group("seconds") + found.group("time"))
            sample["event"] = found.group("event")
            self.script_tail(sample, found.group("tail"), wanted[kinds[sample["event"]]])
            samples.append(sample)
        return samples

    @staticmethod
    def script_tail(sample, text, wanted):
        """From the right, as words that may be cut off stand behind data_src: |OP LOAD|LVL …"""
        tokens = text.split()
        fields = [field for field in SCRIPT_TAIL if field in wanted]
        words = []
        while fields:
            field = fields.pop()
            if field == "data_src":
                first = next((i for i, token in enumerate(tokens) if "|" in token), len(tokens))
                words = tokens[first:]
                del tokens[first:]
            if field == "brstack":
                count = next((i for i, t in enumerate(reversed(tokens)) if "/0x" not in t),
                             len(tokens))
                sample[field] = tuple(map(branch, tokens[len(tokens) - count:]))
                del tokens[len(tokens) - count:]
            elif tokens:
                sample[field] = int(tokens.pop(), 16 if field in HEXADECIMAL else 10)
        if tokens or "data_src" in wanted and not words:
            raise NotUnderstood("perf script: " + text)

    def dump(self, path):
        """@return a list of {member: value}, in perf's order, 'bytes' being the record's"""
        samples, sample, record, members = [], None, [], None
        collecting = False
        for line in self.run(["report", "-D"], path)[0].splitlines():
            if line.startswith(".  "):
                if collecting:
                    record.append(line[line.index(":") + 1:][2:50].replace(" ", ""))
            elif "PERF_RECORD_SAMPLE(IP" in line:
                sample = self.dump_head(line, "".join(record))
                members = None
                samples.append(sample)
            elif "]: event: " in line:
                found = HEADER.match(line)
                if found:
                    sample, record, collecting = None, [], found.group(1) == "9"
            elif sample is not None:
                members = self.dump_line(sample, members, line)
        return samples

    @staticmethod
    def dump_head(line, record):
        found = SAMPLE.match(line)
        if not found:
            raise NotUnderstood("perf report -D: " + line)
        leading, misc, pid, tid, ip, period, addr = found.groups()
        return {"bytes": record, "leading": tuple(map(int, leading.split())),
                "misc": int(misc, 16), "pid": int(pid), "tid": int(tid), "ip": int(ip, 16),
                "period": int(period), "addr": int(addr, 16)}

    @staticmethod
    def dump_line(sample, members, line):
        """@return the list that further lines belong to"""
        if not line or line.startswith(" ..."):  # thread, dso: of no member
            return members
        # most lines are of this kind, and look like no other
        found = ADDRESS.match(line) or REGISTER.match(line)
        if found and members is not None:
            members.append(int(found.group(1), 16))
            return members
        if line.startswith("... FP chain: nr:"):
            return sample.setdefault("callchain", [])
        if line.startswith("... branch stack: nr:"):
            return sample.setdefault("branches", [])
        if line.startswith("... branch callstack: nr:"):
            return sample.setdefault("branch_callstack", [])
        if line.startswith("... LBR call chain: nr:"):
            return []
        if line.startswith("... sample_read:"):
            return sample.setdefault("read", [])
        found = REGISTERS.match(line)
        if found:
            sample["regs_%s_mask" % found.group(1)] = int(found.group(2), 16)
            return sample.setdefault("regs_" + found.group(1), [])
        for name, pattern in NUMBERS:
            found = pattern.match(line)
            if not found:
                continue
            if name == "weight" and found.group(2):
                sample["var2"], sample["var3"] = int(found.group(2), 16), int(found.group(3), 16)
            if name.endswith("page_size"):
                sample[name] = page_bytes(found.group(1))
            else:
                decimal = name in ("weight", "stack_dynamic")
                sample[name] = int(found.group(1), 10 if decimal else 16)
            return None
        found = BRANCH.match(line)
        if found:
            start, end, cycles, *flags = found.groups()
            members.append((int(start, 16), int(end, 16), int(cycles)) + tuple(flags))
            return members
        found = COUNTER.match(line)
        if found:
            members.append((int(found.group(1), 16), int(found.group(2), 16),
                            int(found.group(3) or 0)))
        elif line.startswith("...... time "):
            members.append((line.split()[2], int(line.split()[3], 16)))
        return members

    def raw_sizes(self, path, work):
        """@return (time, pid, tid, ip, bytes) of each sample that is no tracepoint's"""
        script = os.path.join(work, "raw_sizes.py")
        with open(script, "w") as out:
            out.write(RAW_SCRIPT)
        text = self.run(["script", "--no-itrace", "-s", script], path)[0]
        return [tuple(map(int, line.split())) for line in text.splitlines() if line.strip()]
