/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of a sample: which bit of sample_regs_* is which.
 * Source: arch/x86 and arch/arm64, include/uapi/asm/perf_regs.h of Linux 7.3.
 */
#include <precis/error.h>
#include <precis/sample_parts.h>

#include "libdecode/perf/records/bytes.h"

#define REGISTERS 64u

static const char *const x86_names[REGISTERS] = {
	"AX",        "BX",        "CX",        "DX",        "SI",        "DI",
	"BP",        "SP",        "IP",        "FLAGS",     "CS",        "SS",
	"DS",        "ES",        "FS",        "GS",        "R8",        "R9",
	"R10",       "R11",       "R12",       "R13",       "R14",       "R15",
#define XMM(n, bit) [(bit)] = "XMM" #n "_LOW", [(bit) + 1] = "XMM" #n "_HIGH"
	XMM(0, 32),  XMM(1, 34),  XMM(2, 36),  XMM(3, 38),  XMM(4, 40),  XMM(5, 42),
	XMM(6, 44),  XMM(7, 46),  XMM(8, 48),  XMM(9, 50),  XMM(10, 52), XMM(11, 54),
	XMM(12, 56), XMM(13, 58), XMM(14, 60), XMM(15, 62),
#undef XMM
};

static const char *const arm64_names[REGISTERS] = {
	"X0",  "X1",  "X2",  "X3",  "X4",  "X5",  "X6",  "X7",  "X8",  "X9",        "X10", "X11",
	"X12", "X13", "X14", "X15", "X16", "X17", "X18", "X19", "X20", "X21",       "X22", "X23",
	"X24", "X25", "X26", "X27", "X28", "X29", "LR",  "SP",  "PC",  [46] = "VG",
};

static const struct {
	const char *arch;
	const char *const *names;
} architectures[] = {
	{ "x86_64", x86_names },  { "i386", x86_names }, { "i486", x86_names },
	{ "i586", x86_names },    { "i686", x86_names }, { "aarch64", arm64_names },
	{ "arm64", arm64_names },
};

const char *precis_register_name(const char *arch, uint32_t bit)
{
	if (!arch || bit >= REGISTERS)
		return NULL;
	for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++) {
		if (!strcmp(arch, architectures[i].arch))
			return architectures[i].names[bit];
	}
	return NULL;
}

int precis_register(uint64_t mask, struct precis_bytes registers, uint32_t n, uint32_t *bit,
		    uint64_t *value)
{
	if (!bit || n >= (uint32_t)__builtin_popcountll(mask) ||
	    precis_bytes_u64(registers, n, value))
		return PRECIS_E_ARGUMENT;
	for (; n; n--)
		mask &= mask - 1;
	*bit = (uint32_t)__builtin_ctzll(mask);
	return 0;
}
