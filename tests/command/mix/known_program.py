# SPDX-License-Identifier: BSD-3-Clause
"""
A program whose every block is known, in assembly that is made here, with what each instruction does written
beside it by hand; its execution, block by block; and recordings of it: samples and branch stacks drawn from
that, in perf.data files that are made byte by byte.
"""
import bisect
import os
import random
import shutil
import struct
import subprocess

import perfdata
from tap import Skip

CC = os.environ.get("CC", "cc")
PID, TID = 4711, 4712
INSTRUCTIONS, TAKEN, CYCLES = (0, 1), (4, 0x20c4), (0, 0)  # type and config; near_taken of Intel
HASWELL = "GenuineIntel,6,60,3"
ARCH = 6  # HEADER_ARCH
ANY, USER, CALL_STACK = 1 << 3, 1, 1 << 11
BRANCH_STACK, PERIOD = 1 << 11, 1 << 8
SAMPLE = perfdata.IP | perfdata.TID | perfdata.TIME | perfdata.ID | PERIOD
ROUNDS = 1500


class Does:
    """An instruction: its text, and what it does, from the manual"""
    def __init__(self, text, extension="base", flops=0, read=0, written=0):
        self.text, self.mnemonic, self.extension = text, text.split()[0], extension
        self.flops, self.read, self.written = flops, read, written


# Names of Zydis's where AT&T's have a suffix
NAMES = {"movl": "mov", "decl": "dec", "retq": "ret", "callq": "call", "testb": "test", "incl": "inc",
         "jne": "jnz", "je": "jz"}

# Block: its instructions. Order is that in memory.
BLOCKS = {
    "start": [Does("movl $%d, %%r12d" % ROUNDS)],
    "outer": [Does("callq packed_0", written=8)],
    "second": [Does("callq scalar_0", written=8)],
    "again": [Does("decl %r12d"), Does("jne outer_0")],
    "end": [Does("movl $60, %eax"), Does("syscall")],
    "packed": [Does("movl $50, %ecx")],
    "packed_loop": [Does("vmovupd (%rsi), %ymm0", "avx", read=32),
                    Does("vaddpd %ymm1, %ymm0, %ymm0", "avx", flops=4),
                    Does("vmovupd %ymm0, (%rdi)", "avx", written=32),
                    Does("decl %ecx"), Does("jne packed_loop_0")],
    "packed_end": [Does("retq", read=8)],
    "scalar": [Does("movl $40, %ecx")],
    "scalar_loop": [Does("movsd (%rsi), %xmm0", "sse2", read=8),
                    Does("mulsd (%rdi), %xmm0", "sse2", flops=1, read=8),
                    Does("addsd %xmm0, %xmm2", "sse2", flops=1),
                    Does("testb $1, %cl"), Does("je scalar_next_0")],
    "scalar_odd": [Does("lock incl (%r8)", read=4, written=4)],
    "scalar_next": [Does("decl %ecx"), Does("jne scalar_loop_0")],
    "scalar_end": [Does("retq", read=8)],
}
MNEMONIC = {"lock": "inc"}


def mnemonic(does):
    name = MNEMONIC.get(does.mnemonic, does.mnemonic)
    return NAMES.get(name, name)


def assembled(path, lines, build_id="none"):
    """@return addresses by symbol"""
    if not shutil.which(CC) or not shutil.which("nm"):
        raise Skip("no compiler, or no nm")
    with open(path + ".s", "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    done = subprocess.run([CC, "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=" + build_id, "-o", path, path + ".s"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Skip("no assembler for x86-64: " + done.stderr.strip().split("\n")[-1])
    symbols = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines()}


def build_chain(path, blocks, build_id="none"):
    """So many blocks of four bytes, inc and a jump to what is behind it. @return address of the first"""
    lines = [".text", ".globl _start", ".balign 4096", "_start:", ".rept %d" % blocks, "incl %eax", "jnz .+2",
             ".endr", "movl $60, %eax", "syscall"]
    return assembled(path, lines, build_id)["_start"]


def build(path):
    """@return address of each instruction, by (block, number)"""
    lines = [".text", ".globl _start"]
    functions = {"start": "_start", "packed": "packed", "scalar": "scalar"}
    for block, instructions in BLOCKS.items():
        if block in functions:
            lines.append(".type %s, @function\n%s:" % (functions[block], functions[block]))
        for number, does in enumerate(instructions):
            lines.append(".L%s_%d: %s_%d:" % (block, number, block, number))
            lines.append("\t" + does.text)
        if block in ("end", "packed_end", "scalar_end"):
            name = {"end": "_start", "packed_end": "packed", "scalar_end": "scalar"}[block]
            lines.append(".size %s, .-%s" % (name, name))
    where = assembled(path, lines)
    # Labels of instructions, which the program is to have no symbols of
    labels = {"%s_%d" % (block, number) for block in BLOCKS for number in range(len(BLOCKS[block]))}
    words = [word for label in labels for word in ("-N", label)]
    subprocess.run(["strip", *words, path], check=True)
    return {(block, number): where["%s_%d" % (block, number)]
            for block in BLOCKS for number in range(len(BLOCKS[block]))}


def trace(packed=50, scalar=40):
    """The blocks in the order in which they run; (block, was its branch taken). Rounds of both loops"""
    yield "start", False
    for turn in range(ROUNDS, 0, -1):
        yield "outer", True
        yield "packed", False
        for n in range(packed, 0, -1):
            yield "packed_loop", n > 1
        yield "packed_end", True
        yield "second", True
        yield "scalar", False
        for n in range(scalar, 0, -1):
            yield "scalar_loop", n % 2 == 0
            if n % 2:
                yield "scalar_odd", False
            yield "scalar_next", n > 1
        yield "scalar_end", True
        yield "again", turn > 1
    yield "end", False


class Execution:
    def __init__(self, addresses, **how):
        self.addresses = addresses
        self.blocks = list(trace(**how))
        self.counts = {}
        self.jumps = []  # (address of the branch, where to)
        self.starts = []  # instructions before each block
        done = 0
        for at, (block, is_taken) in enumerate(self.blocks):
            self.counts[block] = self.counts.get(block, 0) + 1
            self.starts.append(done)
            done += len(BLOCKS[block])
            if is_taken:
                self.jumps.append((addresses[block, len(BLOCKS[block]) - 1],
                                   addresses[self.blocks[at + 1][0], 0]))
        self.executed = done

    def sums(self, key, what=lambda does: 1):
        """of all instructions executed, by what 'key' says of each"""
        found = {}
        for block, count in self.counts.items():
            for does in BLOCKS[block]:
                found[key(does)] = found.get(key(does), 0) + count * what(does)
        return found

    def total(self, what):
        return sum(self.sums(lambda does: 0, what).values())


def event(kind, sample_type=SAMPLE, period=1000, stack=0, flags=0, precise=3):
    """attr: type and config, branch_sample_type"""
    attr = bytearray(perfdata.attr(kind[0], sample_type, period, kind[1]))
    bits = perfdata.SAMPLE_ID_ALL | precise << 15 | flags
    struct.pack_into("<Q", attr, 40, bits)
    struct.pack_into("<Q", attr, 72, stack)
    return bytes(attr)


def trailer(ident, time=1):
    return struct.pack("<IIQQ", PID, TID, time, ident)


def mapping(path, start, length, offset, ident=1, pid=PID, tid=TID, end=b"", build_id=b""):
    """MMAP2 of a file, as perf synthesizes it, and COMM; 'end': of their sample_id, behind the id"""
    name = path.encode() + b"\0"
    name += b"\0" * (-len(name) % 8)
    inode = struct.pack("<BBH20s", len(build_id), 0, 0, build_id)  # or its device, number and generation
    body = struct.pack("<IIQQQ24sII", pid, pid, start, length, offset, inode, 5, 2) + name
    comm = struct.pack("<II", pid, tid) + b"known\0\0\0"
    return [perfdata.record(3, comm + trailer(ident) + end), perfdata.record(10, body + trailer(ident) + end, 2 | (1 << 14 if build_id else 0))]


def sample(ident, address, time, period, stack=None, misc=2, pid=PID, tid=TID):
    body = struct.pack("<QIIQQQ", address, pid, tid, time, ident, period)
    if stack is not None:
        body += struct.pack("<Q", len(stack))
        for source, target in stack:
            body += struct.pack("<QQQ", source, target, 0)
    return perfdata.record(perfdata.RECORD_SAMPLE, body, misc)


def jitdump(path, pid, at, code, name):
    """a jitdump with one function"""
    body = struct.pack("<IIQQQQ", pid, pid, at, at, len(code), 1) + name + b"\0" + code
    record = struct.pack("<IIQ", 0, 16 + len(body), 1) + body
    with open(path, "wb") as file:
        file.write(struct.pack("<IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, pid, 1, 0) + record)


def segment(path):
    """Of the executable's code: address, bytes, offset in the file"""
    with open(path, "rb") as file:
        head = file.read(64)
        at, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
        file.seek(at)
        for _ in range(count):
            kind, flags, offset, address, _, bytes_of = struct.unpack_from("<IIQQQQ", file.read(size))
            if kind == 1 and flags & 1:
                page = address & ~4095
                return page, (address - page + bytes_of + 4095) & ~4095, offset - (address - page)
    raise AssertionError("no code")


def file_of(events, samples, path, cpuid=HASWELL, arrange=list, pmus=(), arch=None):
    """events: [(attr, id)]; samples in the order of time; 'arrange' says how all records stand in the file"""
    return file_of_records(events, arrange(mapping(path, *segment(path)) + samples), cpuid, pmus, arch)


def file_of_records(events, records, cpuid=HASWELL, pmus=(), arch=None):
    """of all records, with mappings of the caller's; 'pmus': (attr.type, name) of those that there were"""
    events = [(attr, [ident], "event%d" % ident) for attr, ident in events]
    features = {perfdata.CPUID: perfdata.string(cpuid), perfdata.EVENT_DESC: perfdata.event_desc(events)}
    if pmus:
        features[perfdata.PMU_MAPPINGS] = perfdata.pmu_mappings(pmus)
    if arch:
        features[ARCH] = perfdata.string(arch)
    return perfdata.perf_data(records, events, features)


def share(total, n, count):
    """What the nth of so many samples stands for: together for all of it"""
    return total * (n + 1) // count - total * n // count


def draw_samples(run, count, seed, ident=1):
    """(time, record): exact samples of instructions"""
    chance = random.Random(seed)
    for n in range(count):
        period = share(run.executed, n, count)
        at = chance.randrange(run.executed)
        ran = bisect.bisect_right(run.starts, at) - 1
        block = run.blocks[ran][0]
        yield 1000 + n * 10, sample(ident, run.addresses[block, at - run.starts[ran]], 1000 + n * 10, period)


def draw_stacks(run, count, seed, ident=2, depth=16, copies=0.0, unit=1, bias=0.0):
    """
    (time, record): stacks where chance has them; 'copies' of them with the newest entry twice, 'bias' of them
    waiting until the next call is their oldest entry; their periods are in another unit than taken branches
    """
    chance = random.Random(seed)
    calls = {run.addresses["outer", 0], run.addresses["second", 0]}
    for n in range(count):
        period = share(len(run.jumps) * unit, n, count)
        at = chance.randrange(depth, len(run.jumps))
        if chance.random() < bias:
            while at < len(run.jumps) and run.jumps[at - depth][0] not in calls:
                at += 1
        stack = run.jumps[at - depth:at][::-1]
        if chance.random() < copies:
            stack = [stack[0]] + stack[:-1]
        yield 1005 + n * 10, sample(ident, stack[0][1], 1005 + n * 10, period, stack)


# Micro-ops of a core that is made up; a test and the jump behind it are one, which has the address of the test
OPS = {"mulsd": 2, "vmovupd": 2}
BRANCH_RETIRED, TAKEN_BIT, RIP_INVALID = 1 << 37, 1 << 35, 1 << 38


def draw_ops(run, count, seed, invalid=0):
    """IBS ops, whose periods count ops: records, the first of them without a valid address; all ops that there were"""
    chance = random.Random(seed)
    weights = {}  # by address: ops of all executions; the branch there, and its outcomes
    for at, (block, is_taken) in enumerate(run.blocks):
        for number, does in enumerate(BLOCKS[block]):
            address = run.addresses[block, number]
            is_last = number == len(BLOCKS[block]) - 1
            if does.mnemonic == "je":
                address = run.addresses[block, number - 1]
            ops = 0 if does.mnemonic == "testb" else OPS.get(mnemonic(does), 1)
            target = run.addresses[run.blocks[at + 1][0], 0] if is_last and is_taken else None
            is_branch = is_last and does.mnemonic in ("jne", "je", "callq", "retq")
            key = address, is_branch, target
            weights[key] = weights.get(key, 0) + ops
    total = sum(weights.values())
    drawn = chance.choices(list(weights), list(weights.values()), k=count)
    records = []
    for n, (address, is_branch, target) in enumerate(drawn):
        data = 0x210002a | (BRANCH_RETIRED if is_branch else 0) | (TAKEN_BIT if target else 0)
        data |= RIP_INVALID if n < invalid else 0
        payload = perfdata.op_payload(rip=address, data=data, data2=0, data3=0, target=target or 0)
        records.append(perfdata.sample(payload, ip=address, pid=PID, tid=TID, time=1000 + n, misc=2 | 1 << 14))
    return records, total


def ops_recording(run, path, count=20000, seed=3, invalid=0):
    records, total = draw_ops(run, count, seed, invalid)
    period = total // count
    events = [(perfdata.attr(period=period), [1], "ibs_op/cnt_ctl=1/")]
    features = {perfdata.CPUID: perfdata.string(perfdata.ZEN4), perfdata.EVENT_DESC: perfdata.event_desc(events),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(perfdata.IBS_OP_TYPE, "ibs_op")])}
    where = mapping(path, *segment(path), end=struct.pack("<II", 0, 0))
    return perfdata.perf_data(where + records, events, features)


def recording(run, path, samples=4000, stacks=4000, seed=1, kind=TAKEN, stack_type=ANY | USER, arrange=list,
              **how):
    """of a program and its execution, both kinds of samples"""
    events = [(event(INSTRUCTIONS, flags=1 << 5), 1),
              (event(kind, SAMPLE | BRANCH_STACK, stack=stack_type, precise=2), 2)]
    records = sorted(list(draw_samples(run, samples, seed) if samples else []) +
                     list(draw_stacks(run, stacks, seed + 1000, **how) if stacks else []))
    return file_of(events, [record for _, record in records], path, arrange=arrange)
