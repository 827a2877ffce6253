/* SPDX-License-Identifier: BSD-3-Clause */
/* cpuid strings, and which core a CPU is. */
#include <precis/cpu.h>
#include <precis/error.h>
#include <precis/ibs.h>

#include "tests/support/tap.h"

static const struct {
	const char *text;
	uint32_t vendor, family, model, stepping;
} good[] = {
	{ "AuthenticAMD,25,17,1", PRECIS_VENDOR_AMD, 25, 17, 1 },
	{ "AuthenticAMD,0x19,0x11,0x1", PRECIS_VENDOR_AMD, 25, 17, 1 },
	{ "AuthenticAMD,0X1a,0xA0,0", PRECIS_VENDOR_AMD, 26, 160, 0 },
	{ "HygonGenuine,24,0,1", PRECIS_VENDOR_HYGON, 24, 0, 1 },
	{ "GenuineIntel,6,143,8", PRECIS_VENDOR_INTEL, 6, 143, 8 },
	{ "CentaurHauls,7,11,0", PRECIS_VENDOR_OTHER, 7, 11, 0 },
	{ "GenuineIntel,6,143,8-cap", PRECIS_VENDOR_INTEL, 6, 143, 8 },
};

static const char *const bad[] = {
	"",	    "AuthenticAMD",	    "AuthenticAMD,25",	      "AuthenticAMD,25,17",
	",25,17,1", "AuthenticAMD,,17,1",   "AuthenticAMD,25,17,",    "AuthenticAMD,25,17,1x",
	"a,b,c,d",  "AuthenticAMD,-1,17,1", "AuthenticAMD,25, 17,1",  "AuthenticAMD,0x,17,1",
	"AuthenticAMD,25,17,1,1", "AuthenticAMD,12345678,1,1", "0x00000000410fd070",
};

static void parse(void)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct precis_cpu cpu = { .size = sizeof(cpu) };

		CU_ASSERT_EQUAL(precis_cpu_parse(good[i].text, &cpu), 0);
		CU_ASSERT_EQUAL(cpu.vendor, good[i].vendor);
		CU_ASSERT_EQUAL(cpu.family, good[i].family);
		CU_ASSERT_EQUAL(cpu.model, good[i].model);
		CU_ASSERT_EQUAL(cpu.stepping, good[i].stepping);
	}
}

static void refuse(void)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cpu.vendor = PRECIS_VENDOR_AMD;
		CU_ASSERT_EQUAL(precis_cpu_parse(bad[i], &cpu), PRECIS_E_SYNTAX);
		CU_ASSERT_EQUAL(cpu.vendor, PRECIS_VENDOR_UNKNOWN);
	}
	CU_ASSERT_EQUAL(precis_cpu_parse(NULL, &cpu), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_cpu_parse("AuthenticAMD,25,17,1", NULL), PRECIS_E_ARGUMENT);
	cpu.size = 4;
	CU_ASSERT_EQUAL(precis_cpu_parse("AuthenticAMD,25,17,1", &cpu), PRECIS_E_ARGUMENT);
}

/* First and last model of each range that a manual or Linux's arch/x86/kernel/cpu/amd.c names. */
static const struct {
	uint16_t family, first, last;
	uint8_t core;
} ranges[] = {
	{ 0x10, 0x02, 0x0a, PRECIS_AMD_GREYHOUND },
	{ 0x12, 0x01, 0x01, PRECIS_AMD_LLANO },
	{ 0x14, 0x01, 0x02, PRECIS_AMD_BOBCAT },
	{ 0x15, 0x00, 0x0f, PRECIS_AMD_BULLDOZER },
	{ 0x15, 0x10, 0x1f, PRECIS_AMD_PILEDRIVER },
	{ 0x15, 0x30, 0x3f, PRECIS_AMD_STEAMROLLER },
	{ 0x15, 0x60, 0x7f, PRECIS_AMD_EXCAVATOR },
	{ 0x16, 0x00, 0x30, PRECIS_AMD_JAGUAR },
	{ 0x17, 0x00, 0x2f, PRECIS_AMD_ZEN1 },
	{ 0x17, 0x50, 0x5f, PRECIS_AMD_ZEN1 },
	{ 0x17, 0x30, 0x4f, PRECIS_AMD_ZEN2 },
	{ 0x17, 0x60, 0x7f, PRECIS_AMD_ZEN2 },
	{ 0x17, 0x90, 0x91, PRECIS_AMD_ZEN2 },
	{ 0x17, 0xa0, 0xaf, PRECIS_AMD_ZEN2 },
	{ 0x18, 0x00, 0x02, PRECIS_AMD_HYGON },
	{ 0x19, 0x00, 0x0f, PRECIS_AMD_ZEN3_SERVER },
	{ 0x19, 0x20, 0x5f, PRECIS_AMD_ZEN3_CLIENT },
	{ 0x19, 0x10, 0x1f, PRECIS_AMD_ZEN4 },
	{ 0x19, 0x60, 0xaf, PRECIS_AMD_ZEN4 },
	{ 0x1a, 0x00, 0x2f, PRECIS_AMD_ZEN5 },
	{ 0x1a, 0x40, 0x4f, PRECIS_AMD_ZEN5 },
	{ 0x1a, 0x60, 0x7f, PRECIS_AMD_ZEN5 },
	{ 0x1a, 0xd0, 0xd7, PRECIS_AMD_ZEN5 },
	{ 0x1a, 0x50, 0x5f, PRECIS_AMD_ZEN6 },
	{ 0x1a, 0x80, 0xaf, PRECIS_AMD_ZEN6 },
	{ 0x1a, 0xc0, 0xcf, PRECIS_AMD_ZEN6 },
	{ 0x1a, 0xd8, 0xef, PRECIS_AMD_ZEN6 },
	{ 0x1b, 0x00, 0xff, PRECIS_AMD_ZEN6 },
};

static uint32_t cores_of(uint32_t vendor, uint32_t family, uint32_t model)
{
	struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = vendor, .family = family,
				  .model = model };

	return precis_amd_cores_of(&cpu, 0);
}

static void cores(void)
{
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		CU_ASSERT_EQUAL(cores_of(PRECIS_VENDOR_AMD, ranges[i].family, ranges[i].first),
				1u << ranges[i].core);
		CU_ASSERT_EQUAL(cores_of(PRECIS_VENDOR_AMD, ranges[i].family, ranges[i].last),
				1u << ranges[i].core);
	}
	/* family 11h, K8, and other vendors have no IBS */
	CU_ASSERT_EQUAL(cores_of(PRECIS_VENDOR_AMD, 0x11, 3), 0);
	CU_ASSERT_EQUAL(cores_of(PRECIS_VENDOR_AMD, 0x0f, 65), 0);
	CU_ASSERT_EQUAL(cores_of(PRECIS_VENDOR_INTEL, 0x19, 1), 0);
	CU_ASSERT_EQUAL(cores_of(PRECIS_VENDOR_OTHER, 0x19, 1), 0);
}

/* Each capability word as observed has its core among the candidates, and none that is younger. */
static const struct {
	uint32_t caps, with, without;
} candidates[] = {
	{ 0x1f, PRECIS_AMD_GREYHOUND, PRECIS_AMD_ZEN1 },
	{ 0xff, PRECIS_AMD_BULLDOZER, PRECIS_AMD_ZEN1 },
	{ 0x7ff, PRECIS_AMD_EXCAVATOR, PRECIS_AMD_ZEN2 },
	{ 0x3ff, PRECIS_AMD_ZEN1, PRECIS_AMD_ZEN4 },
	{ 0x3ff, PRECIS_AMD_ZEN2, PRECIS_AMD_ZEN4 },
	{ 0x3ff, PRECIS_AMD_ZEN3_SERVER, PRECIS_AMD_ZEN5 },
	{ 0x3fd, PRECIS_AMD_ZEN2, PRECIS_AMD_ZEN4 },
	{ 0xbff, PRECIS_AMD_ZEN4, PRECIS_AMD_ZEN3_SERVER },
	{ 0x81bff, PRECIS_AMD_ZEN5, PRECIS_AMD_ZEN4 },
	{ 0xfffff & ~0x400u, PRECIS_AMD_ZEN6, PRECIS_AMD_ZEN4 },
};

static void by_caps(void)
{
	struct precis_cpu unknown = { .size = sizeof(unknown) };

	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		uint32_t found = precis_amd_cores_of(NULL, candidates[i].caps);

		CU_ASSERT_TRUE(found >> candidates[i].with & 1);
		CU_ASSERT_FALSE(found >> candidates[i].without & 1);
		CU_ASSERT_EQUAL(precis_amd_cores_of(&unknown, candidates[i].caps), found);
	}
	CU_ASSERT_EQUAL(precis_amd_cores_of(NULL, 0), 0);
	CU_ASSERT_EQUAL(precis_amd_cores_of(NULL, 0x3fe), 0);
}

static void names(void)
{
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(precis_amd_core_name(core));
		CU_ASSERT_PTR_NOT_NULL_FATAL(precis_amd_core_models(core));
		CU_ASSERT_TRUE(*precis_amd_core_name(core) && *precis_amd_core_models(core));
	}
	CU_ASSERT_STRING_EQUAL(precis_amd_core_name(PRECIS_AMD_ZEN4), "Zen 4");
	CU_ASSERT_PTR_NULL(precis_amd_core_name(PRECIS_AMD_CORE_COUNT));
	CU_ASSERT_PTR_NULL(precis_amd_core_models(PRECIS_AMD_CORE_COUNT));
	CU_ASSERT_PTR_NULL(precis_amd_core_name(UINT32_MAX));
}

static const struct tap_case cases[] = {
	{ "cpuid strings are read", parse },
	{ "what is no cpuid string is refused", refuse },
	{ "family and model give the core", cores },
	{ "without them, the capability word gives candidates", by_caps },
	{ "cores have names", names },
};

int main(void)
{
	return tap_main("cpu", cases, sizeof(cases) / sizeof(cases[0]));
}
