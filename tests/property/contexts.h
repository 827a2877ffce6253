/* SPDX-License-Identifier: BSD-3-Clause */
/* Every core that IBS knows, and the capability words that any of them may be seen with. */
#ifndef TESTS_PROPERTY_CONTEXTS_H
#define TESTS_PROPERTY_CONTEXTS_H

#include <precis/cpu.h>
#include <precis/ibs.h>

static const struct {
	uint32_t core;
	const char *cpuid;
	uint32_t caps; /* as observed or published for it */
} test_cores[] = {
	{ PRECIS_AMD_GREYHOUND, "AuthenticAMD,16,4,2", 0x1f },
	{ PRECIS_AMD_LLANO, "AuthenticAMD,18,1,0", 0xff },
	{ PRECIS_AMD_BOBCAT, "AuthenticAMD,20,2,0", 0xff },
	{ PRECIS_AMD_BULLDOZER, "AuthenticAMD,21,1,2", 0xff },
	{ PRECIS_AMD_PILEDRIVER, "AuthenticAMD,21,16,1", 0xff },
	{ PRECIS_AMD_STEAMROLLER, "AuthenticAMD,21,48,1", 0xff },
	{ PRECIS_AMD_EXCAVATOR, "AuthenticAMD,21,96,1", 0x7ff },
	{ PRECIS_AMD_JAGUAR, "AuthenticAMD,22,0,1", 0xff },
	{ PRECIS_AMD_ZEN1, "AuthenticAMD,23,1,2", 0x3ff },
	{ PRECIS_AMD_ZEN2, "AuthenticAMD,23,49,0", 0x3ff },
	{ PRECIS_AMD_HYGON, "HygonGenuine,24,0,1", 0x3ff },
	{ PRECIS_AMD_ZEN3_SERVER, "AuthenticAMD,25,1,1", 0x3ff },
	{ PRECIS_AMD_ZEN3_CLIENT, "AuthenticAMD,25,33,0", 0x3ff },
	{ PRECIS_AMD_ZEN4, "AuthenticAMD,25,17,1", 0xbff },
	{ PRECIS_AMD_ZEN5, "AuthenticAMD,26,2,1", 0x81bff },
	{ PRECIS_AMD_ZEN6, "AuthenticAMD,26,80,0", 0xffbff },
};

#define TEST_CORES (sizeof(test_cores) / sizeof(test_cores[0]))

/* What kernels were seen to report, what hypervisors leave of it, and the extremes. */
static const uint32_t test_caps[] = { 0x7,   0x1f,  0xff,    0x1ff,   0x3fd,
				      0x3ff, 0x7ff, 0xbff,   0x81bff, 0x80bff,
				      0xffbff, 0x80007, 0x807ff, 0xffffffff };

#define TEST_CAPS (sizeof(test_caps) / sizeof(test_caps[0]))

static inline int test_context(const char *cpuid, struct precis_ibs_context *context)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };
	int error = precis_cpu_parse(cpuid, &cpu);

	return error ? error : precis_ibs_context_init(context, &cpu);
}

#endif
