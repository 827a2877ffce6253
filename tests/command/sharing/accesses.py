# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of memory accesses: of PEBS with perf's data source words, and of IBS with its registers."""
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata

SCRATCH = tempfile.TemporaryDirectory()
SKYLAKE, SAPPHIRE_RAPIDS = "GenuineIntel,6,85,4", "GenuineIntel,6,143,8"
ZEN2, ZEN3, ZEN4 = "AuthenticAMD,23,49,0", "AuthenticAMD,25,1,1", "AuthenticAMD,25,17,1"
ADDR, PERIOD, WEIGHT, DATA_SRC, PHYS = 1 << 3, 1 << 8, 1 << 14, 1 << 15, 1 << 19
TYPE = perfdata.IP | perfdata.TID | perfdata.TIME | ADDR | perfdata.ID | perfdata.CPU | DATA_SRC
PRECISE = 3 << 15
EXACT_IP, USER, KERNEL = 1 << 14, 2, 1
CPU = 4
LOADS, STORES = 0x1cd, 0x82d0
PERIOD_OF_LOADS, PERIOD_OF_STORES = 1009, 2003  # primes, that no loop is in step with
RECORD_MMAP2, RECORD_COMM = 10, 3
NRCPUS, NUMA_TOPOLOGY, CPU_TOPOLOGY = 7, 14, 13

# perf's data source, by what it says
LOAD, STORE = 1 << 1, 1 << 2
LVL_NA, HIT, MISS, L1, LFB, L2, L3 = (1 << 5 + n for n in range(7))
LOC_RAM, REM_RAM1, REM_RAM2, REM_CCE1, REM_CCE2, IO, UNC = (1 << 12 + n for n in range(7))
SNP_NA, SNP_NONE, SNP_HIT, SNP_MISS, HITM = (1 << 19 + n for n in range(5))
LOCKED = 1 << 25
REMOTE = 1 << 37
PEER, FORWARD = 1 << 39, 1 << 38


def level(number):
    return number << 33


L1_LOAD = LOAD | HIT | L1 | SNP_NONE | level(1)
L3_LOAD = LOAD | HIT | L3 | SNP_NONE | level(3)
HITM_LOAD = LOAD | HIT | L3 | HITM | level(3)
FAR_HITM_LOAD = LOAD | HIT | REM_CCE1 | HITM | level(3) | REMOTE
PLAIN_STORE = STORE | HIT | L1 | level(1)


def attr(config, period, sample_type=TYPE):
    head = bytearray(perfdata.attr(CPU, sample_type, config=config, period=period))
    flags, = struct.unpack_from("<Q", head, 40)
    struct.pack_into("<Q", head, 40, flags | PRECISE)
    return bytes(head)


def sample(kind, address, tid, source, pid=100, ip=0x401000, time=10 ** 9, cpu=0, phys=None,
           weight=None):
    """kind: 1 of the event of loads, 2 of that of stores"""
    body = struct.pack("<QIIQQQII", ip, pid, tid, time, address, kind, cpu, 0)
    body += (b"" if weight is None else struct.pack("<Q", weight)) + struct.pack("<Q", source)
    body += b"" if phys is None else struct.pack("<Q", phys)
    return perfdata.record(perfdata.RECORD_SAMPLE, body, USER | EXACT_IP)


def load(address, tid, source=L1_LOAD, **how):
    return sample(1, address, tid, source, **how)


def store(address, tid, source=PLAIN_STORE, **how):
    return sample(2, address, tid, source, **how)


def sample_id(pid, tid, time=1, ident=1, cpu=0):
    return struct.pack("<IIQQII", pid, tid, time, ident, cpu, 0)


def comm(pid, tid, name):
    text = name.encode() + b"\0"
    text += b"\0" * (-len(text) % 8)
    return perfdata.record(RECORD_COMM, struct.pack("<II", pid, tid) + text + sample_id(pid, tid))


def mmap(pid, start, length, path, is_data=True):
    text = path.encode() + b"\0"
    text += b"\0" * (-len(text) % 8)
    body = struct.pack("<IIQQQIIQQII", pid, pid, start, length, 0, 0, 0, 0, 0, 3, 2) + text
    return perfdata.record(RECORD_MMAP2, body + sample_id(pid, pid), USER | (1 << 13 if is_data else 0))


def numa(*nodes):
    body = struct.pack("<I", len(nodes))
    for number, cpus in enumerate(nodes):
        body += struct.pack("<IQQ", number, 1 << 20, 1 << 19) + perfdata.string(cpus)
    return body


def memory(nodes):
    """Of 2 GiB blocks each node has one."""
    return struct.pack("<3Q", 1, 1 << 31, nodes) + b"".join(
        struct.pack("<4Q", node, nodes, nodes, 1 << node) for node in range(nodes))


def topology(cores):
    """CPU n is of socket 0 and core cores[n]."""
    threads = {}
    for cpu, core in enumerate(cores):
        threads.setdefault(core, []).append(str(cpu))
    body = perfdata.strings("0-%d" % (len(cores) - 1))
    body += perfdata.strings(*(",".join(threads[core]) for core in sorted(threads)))
    return body + b"".join(struct.pack("<II", core, 0) for core in cores)


def write(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def features(cpu, named, more=None):
    told = {perfdata.HOSTNAME: perfdata.string("host"), perfdata.OSRELEASE: perfdata.string("6.1.0"),
            perfdata.CPUID: perfdata.string(cpu), perfdata.EVENT_DESC: perfdata.event_desc(named),
            NRCPUS: struct.pack("<II", 4, 4), NUMA_TOPOLOGY: numa("0-1", "2-3"),
            perfdata.MEM_TOPOLOGY: memory(2),
            perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(CPU, "cpu"), (perfdata.IBS_OP_TYPE, "ibs_op")])}
    told.update(more or {})
    return told


def recording(name, records, cpu=SAPPHIRE_RAPIDS, sample_type=TYPE, more=None):
    """Of loads and stores of PEBS"""
    named = [(attr(LOADS, PERIOD_OF_LOADS, sample_type), [1], "cpu/mem-loads/P"),
             (attr(STORES, PERIOD_OF_STORES, sample_type), [2], "cpu/mem-stores/P")]
    return write(name, perfdata.perf_data(records, events=named, features=features(cpu, named, more)))


# --- IBS ---

LINEAR, PHYSICAL = 1 << 17, 1 << 18
DC_MISS, L2_MISS = 1 << 7, 1 << 20
WIDTHS = {1: 1, 2: 2, 4: 3, 8: 4, 16: 5, 32: 6, 64: 7}
CAPS = {ZEN2: 0x3ff, ZEN3: 0x3ff, ZEN4: 0xbff}


def ibs(address, tid, kind, width=8, source=None, cpu=ZEN4, pid=100, time=10 ** 9, on=0, ip=0x401000, phys=0):
    """kind: bit 0 a load, bit 1 a store; source: (DataSrc, CacheHitSt) of a load that missed, None: the L1 had it"""
    data3 = kind | LINEAR | (PHYSICAL if phys else 0) | WIDTHS[width] << 22
    data2 = 0
    if source:
        data3 |= DC_MISS | L2_MISS
        data2 = source[0] & 7 | (source[0] >> 3) << 6 | source[1] << 5
    payload = perfdata.op_payload(caps=CAPS[cpu], ctl=7 << 17 | 0x186a, rip=ip, data=0, data2=data2,
                                  data3=data3, lin=address, phys=phys)
    return perfdata.sample(payload, pid=pid, tid=tid, time=time, cpu=on, ip=ip)


def ibs_recording(name, records, cpu=ZEN4, config=None, more=None):
    named = [(perfdata.attr(config=config), [1], "ibs_op//")]
    return write(name, perfdata.perf_data(records, events=named, features=features(cpu, named, more)))
