/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which CPU took a sample. Decoding depends on the machine that recorded, never
 * on the one that reads.
 */
#ifndef PRECIS_CPU_H
#define PRECIS_CPU_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_vendor {
	PRECIS_VENDOR_UNKNOWN = 0,
	PRECIS_VENDOR_AMD = 1,
	PRECIS_VENDOR_HYGON = 2,
	PRECIS_VENDOR_INTEL = 3,
	PRECIS_VENDOR_OTHER = 4
};

/** A CPU by CPUID. */
struct precis_cpu {
	uint32_t size;   /* sizeof(struct precis_cpu), set by the caller */
	uint32_t vendor; /* enum precis_vendor; UNKNOWN: nothing below is known */
	uint32_t family, model, stepping; /* as CPUID displays them: 0x19 = 25 for Zen 3 and 4 */
};

/** AMD cores as far as IBS tells them apart. The values are bit numbers of precis_cpu_cores(). */
enum precis_core {
	PRECIS_CORE_GREYHOUND = 0,   /* family 10h */
	PRECIS_CORE_LLANO = 1,       /* 12h */
	PRECIS_CORE_BOBCAT = 2,      /* 14h */
	PRECIS_CORE_BULLDOZER = 3,   /* 15h 00-0Fh */
	PRECIS_CORE_PILEDRIVER = 4,  /* 15h 10-2Fh */
	PRECIS_CORE_STEAMROLLER = 5, /* 15h 30-5Fh */
	PRECIS_CORE_EXCAVATOR = 6,   /* 15h 60-7Fh */
	PRECIS_CORE_JAGUAR = 7,      /* 16h */
	PRECIS_CORE_ZEN1 = 8,        /* 17h 00-2F, 50-5Fh: Zen and Zen+ */
	PRECIS_CORE_ZEN2 = 9,        /* 17h, the other models */
	PRECIS_CORE_HYGON = 10,      /* 18h */
	PRECIS_CORE_ZEN3_SERVER = 11, /* 19h 00-0Fh */
	PRECIS_CORE_ZEN3_CLIENT = 12, /* 19h 20-5Fh */
	PRECIS_CORE_ZEN4 = 13,       /* 19h 10-1F, 60-AFh */
	PRECIS_CORE_ZEN5 = 14,       /* 1Ah 00-4F, 60-7F, D0-D7h */
	PRECIS_CORE_ZEN6 = 15,       /* 1Ah 50-5F, 80-CF, D8-EFh, and later families */
	PRECIS_CORE_COUNT = 16
};

/**
 * Read perf's cpuid string.
 *
 * @param text  HEADER_CPUID, "AuthenticAMD,25,17,1" (decimal family, model, stepping), or
 *              the same with hexadecimal numbers written 0x19
 * @param cpu   'size' must be set; vendor UNKNOWN on failure
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_SYNTAX
 */
PRECIS_API int precis_cpu_parse(const char *text, struct precis_cpu *cpu);

/**
 * The AMD cores that this CPU can be, as bits of enum precis_core.
 *
 * One bit for a known CPU. For an unknown one all cores whose hardware can
 * have produced that capability word: decoding then gives only what is right
 * on each of them. 0 for a CPU that is known to have no IBS.
 *
 * @param cpu   NULL or vendor UNKNOWN: judge by caps alone
 * @param caps  CPUID Fn8000_001B EAX as the payload carries it; 0 if not known
 */
PRECIS_API uint32_t precis_cpu_cores(const struct precis_cpu *cpu, uint32_t caps);

/**
 * A kernel's release as a number: "6.1.0-37-amd64" is 0x060100. What lies above 255 counts as 255.
 *
 * @param os_release  uname -r, or NULL
 * @return 0 if it cannot be read
 */
PRECIS_API uint32_t precis_kernel_number(const char *os_release);

/** "Zen 4", "Bulldozer", …; NULL for a number that is none. */
PRECIS_API const char *precis_core_name(uint32_t core);

/** The families and models of a core as the manuals write them: "19h 10-1Fh, 60-AFh". */
PRECIS_API const char *precis_core_models(uint32_t core);

PRECIS_END_DECLS

#endif
