#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Random IBS registers, decoded by stock perf (perf report -D) and by precis: each bit field that perf
prints must be the one of precis' register view, and where both have the same thing to say of the
sample (a data source, a page size, an address), they must say the same.

PRECIS_SEED chooses the registers; PRECIS_FEW_REPETITIONS=1 takes a tenth of them.
"""

import itertools
import json
import os
import re
import subprocess
import tempfile

from differential import BUILD, FEW, PERF, PRECIS, Lines, done, need, note, ok

CONTEXTS = ("zen2", "zen3", "zen4", "zen5")
SAMPLES = 2600 if FEW else 26000  # of each context, of op and of fetch
REPORTED = 10

# A register's line: name, value, then "Name number" pairs, some with text behind the number
REGISTER = re.compile(rb"^(\w+):\t([0-9a-f]{16})(.*)$")
PAIR = re.compile(rb"([A-Z]\w*) +(\d+)")
TEXT = re.compile(rb"(DataSrc|CntCtl|CacheHitSt) \d+=(.*?)(?= CurCnt| RmtNode| DataSrc|$)"
                  rb"|(L1TlbPgSz) (\w+)")
SAMPLE = re.compile(rb"^-?\d+ (\d+) 0x[0-9a-f]+ \[0x[0-9a-f]+\]: PERF_RECORD_SAMPLE")

# What a perf prints of CPUs that it is older than, and precis knows to be otherwise
# (Linux 7.3: CacheHitSt is not valid on Zen 3; caps[19] gives four bits of IbsOpData3 another
# meaning): perf's value must be the bit of the register all the same.
OBSOLETE = {
    "zen3": {"CacheHitSt": ("ibs_op_data2", 5)},
    "zen5": {"DcL1TlbHit2M": ("ibs_op_data3", 4), "DcL1TlbHit1G": ("ibs_op_data3", 5),
             "DcL2TlbHit2M": ("ibs_op_data3", 6), "DcL2TlbHit1G": ("ibs_op_data3", 19)},
}
OBSOLETE["zen6"] = OBSOLETE["zen5"]

# What a perf does not print yet of CPUs that it is older than
NEWER = {"zen5": {"DcPageSize", "LdLatThrsh", "LdLatEn"}}
# Reserved data sources, which perf does not print
RESERVED = {("DataSrc", source) for source in range(13, 32)}

# Bit fields that perf leaves out where it knows an erratum, and only there: #1293, #1238
ERRATA = {"op": {"L2Miss", "OpDcMissOpenMemReqs"}, "fetch": {"IcMiss"}}

FIELDS = ("time,period_unit,ip,addr,phys_addr,access_bytes,mem_level,mem_snoop,dcache_miss,l2_miss,"
          "page_size,branch_target,fetch_page_size,fetch_phys_addr")

# perf's words for a data source, as the level that precis has for it
LEVELS = {
    False: {"Local node cache": "local_cache", "DRAM": "DRAM", "Remote node cache": "far_cache",
            "Other": "IO"},
    True: {"Local L3 or other L1/L2 in CCX": "L3", "A peer cache in a near CCX": "near_cache",
           "Data returned from DRAM": "DRAM", "A peer cache in a far CCX": "far_cache",
           "DRAM address map with \"long latency\" bit set": "PMEM",
           "Data returned from MMIO/Config/PCI/APIC": "IO",
           "Extension Memory (S-Link, GenZ, etc)": "CXL", "Peer Agent Memory": "peer_agent"},
}
LEVELS_BY_SOURCE = {name for names in LEVELS.values() for name in names.values()}
STATES = {"M-state": "modified", "O-State": "owned"}
PAGES = {"4KB": 4096, "16KB": 16384, "2MB": 2 << 20, "1GB": 1 << 30}
UNITS = {"cycles": "cycles", "uOps": "ops"}


def perf_samples(lines):
    """(time, registers, values, texts) of each sample, from perf report -D"""
    registers, values, texts = {}, {}, {}
    for line in lines:
        found = REGISTER.match(line)
        if found:
            name, value, rest = found.groups()
            registers[name.decode()] = int(value, 16)
            for key, number in PAIR.findall(rest):
                values[key.decode()] = int(number)
            for key, text, page, size in TEXT.findall(rest):
                texts[(key or page).decode()] = (text or size).decode().strip()
            continue
        found = SAMPLE.match(line)
        if found:
            yield int(found.group(1)), registers, values, texts
            registers, values, texts = {}, {}, {}


class Comparison:
    def __init__(self, context, kind):
        self.context, self.kind = context, kind
        self.compared = self.semantic = self.wrong = self.samples = 0
        self.struck = self.not_samples = 0

    def differ(self, time, what):
        self.wrong += 1
        if self.wrong <= REPORTED:
            note("%s %s, sample %d: %s" % (self.context, self.kind, time, what))

    def sample(self, perf, precis):
        """One sample as both have it."""
        time, registers, values, texts = perf
        self.samples += 1
        if precis.get("time") != time:
            self.differ(time, "precis is at sample %s" % precis.get("time"))
            return
        if not registers or "caps" not in precis:
            self.not_samples += 1
            if registers or "caps" in precis:
                self.differ(time, "only one of both says that it is a sample")
            return
        self.registers(time, registers, precis)
        self.bit_fields(time, registers, values, precis)
        self.names(time, values, texts, precis)
        self.errata(time, values, precis)
        self.meaning(time, registers, values, texts, precis)

    def registers(self, time, registers, precis):
        for name, value in registers.items():
            self.compared += 1
            if name not in precis or int(precis[name], 16) != value:
                self.differ(time, "%s: perf 0x%x, precis %s" % (name, value, precis.get(name)))

    def bit_fields(self, time, registers, values, precis):
        fields = precis["fields"]
        obsolete = OBSOLETE.get(self.context, {})
        for name, value in values.items():
            self.compared += 1
            if name in obsolete and name not in fields:
                register, bit = obsolete[name]
                mine = registers[register] >> bit & 1
            elif name == "L1TlbPgSz":
                continue  # a word: names()
            else:
                mine = fields.get(name)
            if mine != value:
                self.differ(time, "%s: perf %d, precis %s" % (name, value, mine))

    def names(self, time, values, texts, precis):
        """precis names no bit field that perf leaves out."""
        for name, mine in precis["fields"].items():
            if name == "L1TlbPgSz":
                perfs = texts.get(name)
                # perf has no size for the coalesced 16K pages of family 17h
                if mine != perfs and (self.context, mine, perfs) != ("zen2", "16KB", "RESERVED"):
                    self.differ(time, "%s: perf %s, precis %s" % (name, perfs, mine))
            elif name not in values and name not in precis["errata"] and \
                    name not in NEWER.get(self.context, ()) and (name, mine) not in RESERVED:
                self.differ(time, "%s: perf leaves it out, precis %s" % (name, mine))

    def errata(self, time, values, precis):
        """perf is silent where precis names an erratum, and nowhere else."""
        for name in ERRATA[self.kind]:
            struck = name in precis["errata"]
            self.struck += struck
            if struck == (name in values):
                self.differ(time, "%s: perf %s, precis %s" % (
                    name, "prints it" if name in values else "leaves it out",
                    precis["errata"].get(name, "knows no erratum")))

    def meaning(self, time, registers, values, texts, precis):
        """What precis has in the sample, and perf has words or a register for."""
        pairs = [("addr", registers.get("IbsDCLinAd")), ("phys_addr", registers.get("IbsDCPhysAd")),
                 ("branch_target", registers.get("IbsBrTarget")),
                 ("fetch_phys_addr", registers.get("IbsFetchPhysAd"))]
        for name, register in pairs:
            if name in precis:
                self.equal(time, name, precis[name], None if register is None else "0x%x" % register)
        if "access_bytes" in precis:
            self.equal(time, "access_bytes", precis["access_bytes"], values.get("OpMemWidth"))
        # perf has no size for the coalesced 16K pages of family 17h
        if "fetch_page_size" in precis and texts.get("L1TlbPgSz") != "RESERVED":
            self.equal(time, "fetch_page_size", precis["fetch_page_size"],
                       PAGES.get(texts.get("L1TlbPgSz")))
        if "mem_snoop" in precis:
            self.equal(time, "mem_snoop", precis["mem_snoop"],
                       STATES.get(texts.get("CacheHitSt")))
        if self.kind == "op" and "period_unit" in precis:
            self.equal(time, "period_unit", precis["period_unit"], UNITS.get(texts.get("CntCtl")))
        if precis.get("mem_level") in LEVELS_BY_SOURCE:
            names = LEVELS[self.context in ("zen4", "zen5", "zen6")]
            self.equal(time, "mem_level", precis["mem_level"], names.get(texts.get("DataSrc")))

    def equal(self, time, name, mine, perfs):
        self.semantic += 1
        if mine != perfs:
            self.differ(time, "%s: precis %s, perf %s" % (name, mine, perfs))


def compare(path, work, comparison):
    """@return what is wrong with the programs themselves, or nothing"""
    # perf's dump is mostly bytes in hexadecimal: grep is quicker at leaving them out
    perf = Lines(["sh", "-c", "\"$1\" report -D -i \"$2\" | "
                  "grep -aE '^(ibs_|Ibs|ic_ibs)|PERF_RECORD_SAMPLE'", "sh", PERF, path],
                 os.path.join(work, "perf.err"))
    precis = Lines([PRECIS, "dump", "--registers", "--perf-names", "--format", "json", "-F", FIELDS,
                    path], os.path.join(work, "precis.err"))
    try:
        for theirs, mine in itertools.zip_longest(perf_samples(perf), map(json.loads, precis)):
            if theirs is None or mine is None:
                return "after %d samples only one of both goes on" % comparison.samples
            comparison.sample(theirs, mine)
    finally:
        perf_code, perf_errors = perf.close()
        code, errors = precis.close()
    if perf_code:
        return "perf: exit code %d: %s" % (perf_code, perf_errors)
    # exit code 1: precis counts the payloads that are no samples
    if code != (1 if comparison.not_samples else 0):
        return "precis: exit code %d: %s" % (code, errors)
    return None


def main():
    need(PERF, "nothing to compare with")
    make = os.path.join(BUILD, "tests", "differential", "make_recording")
    seed = int(os.environ.get("PRECIS_SEED") or "20261120", 0)
    note("PRECIS_SEED=%d, %d samples for each context and kind" % (seed, SAMPLES))
    totals = dict.fromkeys(("op", "fetch"), 0)
    fields = 0
    with tempfile.TemporaryDirectory() as work:
        for number, (context, kind) in enumerate(itertools.product(CONTEXTS, ("op", "fetch"))):
            path = os.path.join(work, "perf.data")
            subprocess.run([make, path, context, kind, str(SAMPLES), str(seed + number)], check=True)
            comparison = Comparison(context, kind)
            problem = compare(path, work, comparison)
            if problem:
                note(problem)
            note("%d samples, %d without Val or En; %d fields compared, %d by their meaning, "
                 "%d struck by errata" % (comparison.samples, comparison.not_samples,
                                          comparison.compared, comparison.semantic,
                                          comparison.struck))
            ok(not problem and not comparison.wrong and comparison.samples == SAMPLES and
               comparison.compared > 8 * SAMPLES,
               "%s, ibs_%s: all that perf prints" % (context, kind))
            totals[kind] += comparison.samples
            fields += comparison.compared + comparison.semantic
    note("%d op and %d fetch samples, %d fields compared" % (totals["op"], totals["fetch"], fields))
    done()


if __name__ == "__main__":
    main()
