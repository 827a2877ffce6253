# SPDX-License-Identifier: BSD-3-Clause
"""Side files as tests see them: what print_objects says, and what has to be true of each."""
import collections
import os
import subprocess

PRINT = os.path.join(os.environ["builddir"], "tests", "recorder", "print_objects")
HEAP_BEGINS = ("alloc", "realloc-alloc")
HEAP_ENDS = ("free", "realloc-free")

Event = collections.namedtuple("Event", "time tid operation address bytes stack probability count stride "
                                        "present file_offset name type")


def info_of(path):
    """What a file says of itself, without its events"""
    with subprocess.Popen([PRINT, path], stdout=subprocess.PIPE, text=True, errors="replace") as process:
        line = process.stdout.readline()
        process.kill()
    return SideFile.values(line.partition(" ")[2])


class SideFile:
    """A file, read"""

    def __init__(self, path):
        done = subprocess.run([PRINT, path], capture_output=True, text=True, errors="replace", check=False)
        self.path, self.code, self.text = path, done.returncode, done.stdout
        self.info, self.executable, self.error = {}, "", ""
        self.threads, self.moments, self.events, self.stacks, self.warnings = [], [], [], {}, []
        for line in done.stdout.splitlines():
            word, _, rest = line.partition(" ")
            getattr(self, "take_" + word, lambda rest: None)(rest)

    @staticmethod
    def values(rest):
        rest, _, name = rest.partition(" name=")
        pairs = dict(pair.split("=", 1) for pair in rest.split())
        found = {key: int(value) for key, value in pairs.items()}
        found["name"] = name
        return found

    def take_info(self, rest):
        self.info = self.values(rest)

    def take_executable(self, rest):
        self.executable = rest

    def take_thread(self, rest):
        self.threads.append(self.values(rest))

    def take_moment(self, rest):
        self.moments.append(self.values(rest))

    def take_event(self, rest):
        words, name, kind = rest.split("|")
        time, tid, operation, address, size, stack, probability, count, stride, present, place = words.split()
        self.events.append(Event(int(time), int(tid), operation, int(address, 16), int(size), int(stack),
                                 float(probability), int(count), int(stride), int(present), int(place, 16), name,
                                 kind))

    def take_stack(self, rest):
        words = rest.split()
        self.stacks[int(words[0])] = [int(word, 16) for word in words[2:]]

    def take_warning(self, rest):
        self.warnings.append(rest)

    def take_error(self, rest):
        self.error = rest

    def take_end(self, rest):
        code, count = rest.split()
        self.end = int(code)
        if int(count) != len(self.events):
            self.warnings.append("%s events, %d printed" % (count, len(self.events)))


def faults(file, all_blocks=True):
    """What must not be in any file: times that step back, lifetimes that overlap, ends without a begin"""
    live, last, wrong, unknown = {}, 0, [], 0
    undone = {}
    for event in file.events:
        if event.time < last:
            wrong.append("%d is before %d" % (event.time, last))
        last = event.time
        if event.operation in HEAP_BEGINS:
            if event.address in live:
                wrong.append("%x is there twice: %r and %r" % (event.address, live[event.address], event))
            live[event.address] = event
        elif event.operation in HEAP_ENDS:
            undone[event.tid, event.address] = live.pop(event.address, None)
            unknown += undone[event.tid, event.address] is None
        elif event.operation == "restored" and (event.tid, event.address) in undone:
            if event.address in live:
                wrong.append("%x is restored, and there" % event.address)
            if undone[event.tid, event.address]:
                live[event.address] = undone.pop((event.tid, event.address))
    ends = sorted((event.address, event.address + event.bytes) for event in live.values())
    wrong += ["%x to %x overlaps with %x" % (*one, other[0]) for one, other in zip(ends, ends[1:])
              if one[1] > other[0]]
    if unknown > 2 and all_blocks and not file.info["parent"]:
        wrong.append("%d blocks end that never began" % unknown)
    if file.code or file.warnings:
        wrong.append("code %d, %s %s" % (file.code, file.error, file.warnings))
    if file.info.get("lost") or file.info.get("chunks_lost") or file.info.get("unread"):
        wrong.append("lost: %r" % file.info)
    return wrong[:10]
