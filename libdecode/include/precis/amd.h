/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's cores, and Hygon's, as far as IBS tells them apart: which CPU has which, and their names.
 */
#ifndef PRECIS_AMD_H
#define PRECIS_AMD_H

#include <precis/cpu.h>
#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** AMD cores as far as IBS tells them apart. The values are bit numbers of precis_amd_cores_of(). */
enum precis_amd_core {
	PRECIS_AMD_GREYHOUND = 0,   /* family 10h */
	PRECIS_AMD_LLANO = 1,       /* 12h */
	PRECIS_AMD_BOBCAT = 2,      /* 14h */
	PRECIS_AMD_BULLDOZER = 3,   /* 15h 00-0Fh */
	PRECIS_AMD_PILEDRIVER = 4,  /* 15h 10-2Fh */
	PRECIS_AMD_STEAMROLLER = 5, /* 15h 30-5Fh */
	PRECIS_AMD_EXCAVATOR = 6,   /* 15h 60-7Fh */
	PRECIS_AMD_JAGUAR = 7,      /* 16h */
	PRECIS_AMD_ZEN1 = 8,        /* 17h 00-2F, 50-5Fh: Zen and Zen+ */
	PRECIS_AMD_ZEN2 = 9,        /* 17h, the other models */
	PRECIS_AMD_HYGON = 10,      /* 18h */
	PRECIS_AMD_ZEN3_SERVER = 11, /* 19h 00-0Fh */
	PRECIS_AMD_ZEN3_CLIENT = 12, /* 19h 20-5Fh */
	PRECIS_AMD_ZEN4 = 13,       /* 19h 10-1F, 60-AFh */
	PRECIS_AMD_ZEN5 = 14,       /* 1Ah 00-4F, 60-7F, D0-D7h */
	PRECIS_AMD_ZEN6 = 15,       /* 1Ah 50-5F, 80-CF, D8-EFh, and later families */
	PRECIS_AMD_CORE_COUNT = 16
};

/**
 * The AMD cores that this CPU can be, as bits of enum precis_amd_core.
 *
 * One bit for a known CPU. For an unknown one all cores whose hardware can
 * have produced that capability word: decoding then gives only what is right
 * on each of them. 0 for a CPU that is known to have no IBS.
 *
 * @param cpu   NULL or vendor UNKNOWN: judge by caps alone
 * @param caps  CPUID Fn8000_001B EAX as the payload carries it; 0 if not known
 */
PRECIS_API uint32_t precis_amd_cores_of(const struct precis_cpu *cpu, uint32_t caps);

/** "Zen 4", "Bulldozer", …; NULL for a number that is none. */
PRECIS_API const char *precis_amd_core_name(uint32_t core);

/** The families and models of a core as the manuals write them: "19h 10-1Fh, 60-AFh". */
PRECIS_API const char *precis_amd_core_models(uint32_t core);

PRECIS_END_DECLS

#endif
