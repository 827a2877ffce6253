/* SPDX-License-Identifier: BSD-3-Clause */
/* Which AMD core a CPU is, and which it can be when only its capability word is known. */
#include <string.h>

#include <precis/amd.h>
#include <precis/error.h>
#include <precis/ibs.h>

#include "abi.h"

#define CORE(name) (1u << PRECIS_AMD_##name)
#define CORES_ZEN_BEFORE_4                                                                         \
	(CORE(ZEN1) | CORE(ZEN2) | CORE(HYGON) | CORE(ZEN3_SERVER) | CORE(ZEN3_CLIENT))

/*
 * First row that fits wins. Source: Linux 7.3 arch/x86/kernel/cpu/amd.c for the
 * Zen generations, AMD's manuals' titles for the families before.
 */
static const struct {
	uint16_t family_first, family_last, model_first, model_last;
	uint8_t core;
} core_rows[] = {
	{ 0x10, 0x10, 0x00, 0xff, PRECIS_AMD_GREYHOUND },
	{ 0x12, 0x12, 0x00, 0xff, PRECIS_AMD_LLANO },
	{ 0x14, 0x14, 0x00, 0xff, PRECIS_AMD_BOBCAT },
	{ 0x15, 0x15, 0x00, 0x0f, PRECIS_AMD_BULLDOZER },
	{ 0x15, 0x15, 0x10, 0x2f, PRECIS_AMD_PILEDRIVER },
	{ 0x15, 0x15, 0x30, 0x5f, PRECIS_AMD_STEAMROLLER },
	{ 0x15, 0x15, 0x60, 0xff, PRECIS_AMD_EXCAVATOR },
	{ 0x16, 0x16, 0x00, 0xff, PRECIS_AMD_JAGUAR },
	{ 0x17, 0x17, 0x00, 0x2f, PRECIS_AMD_ZEN1 },
	{ 0x17, 0x17, 0x50, 0x5f, PRECIS_AMD_ZEN1 },
	{ 0x17, 0x17, 0x00, 0xff, PRECIS_AMD_ZEN2 },
	{ 0x18, 0x18, 0x00, 0xff, PRECIS_AMD_HYGON },
	{ 0x19, 0x19, 0x00, 0x0f, PRECIS_AMD_ZEN3_SERVER },
	{ 0x19, 0x19, 0x20, 0x5f, PRECIS_AMD_ZEN3_CLIENT },
	{ 0x19, 0x19, 0x00, 0xff, PRECIS_AMD_ZEN4 },
	{ 0x1a, 0x1a, 0x00, 0x4f, PRECIS_AMD_ZEN5 },
	{ 0x1a, 0x1a, 0x60, 0x7f, PRECIS_AMD_ZEN5 },
	{ 0x1a, 0x1a, 0xd0, 0xd7, PRECIS_AMD_ZEN5 },
	{ 0x1a, 0xffff, 0x00, 0xffff, PRECIS_AMD_ZEN6 },
};

/* The first row whose bits are all in caps: observed values of the capability word. */
static const struct {
	uint32_t caps, cores;
} candidate_rows[] = {
	{ PRECIS_IBS_CAPS_ALT_DISABLE, CORE(ZEN6) },
	{ PRECIS_IBS_CAPS_FETCH_LATENCY, CORE(ZEN6) },
	{ PRECIS_IBS_CAPS_ADDR_BIT63, CORE(ZEN6) },
	{ PRECIS_IBS_CAPS_STRM_ST_RMT_SOCKET, CORE(ZEN6) },
	{ PRECIS_IBS_CAPS_LOAD_LATENCY, CORE(ZEN5) | CORE(ZEN6) },
	{ PRECIS_IBS_CAPS_DTLB_PAGE_SIZE, CORE(ZEN5) | CORE(ZEN6) },
	{ PRECIS_IBS_CAPS_ZEN4_EXT, CORE(ZEN4) },
	{ PRECIS_IBS_CAPS_OP_DATA4, CORE(EXCAVATOR) },
	{ PRECIS_IBS_CAPS_FETCH_CTL_EXTD, CORES_ZEN_BEFORE_4 | CORE(EXCAVATOR) },
	{ PRECIS_IBS_CAPS_OP_BRN_FUSE, CORES_ZEN_BEFORE_4 | CORE(EXCAVATOR) | CORE(STEAMROLLER) },
	{ PRECIS_IBS_CAPS_BRN_TRGT,
	  CORE(LLANO) | CORE(BOBCAT) | CORE(BULLDOZER) | CORE(PILEDRIVER) | CORE(STEAMROLLER) |
		  CORE(EXCAVATOR) | CORE(JAGUAR) },
	{ 0, CORE(GREYHOUND) | CORE(LLANO) | CORE(BOBCAT) },
};

static const struct {
	const char *name, *models;
} core_texts[PRECIS_AMD_CORE_COUNT] = {
	[PRECIS_AMD_GREYHOUND] = { "Greyhound", "10h" },
	[PRECIS_AMD_LLANO] = { "Llano", "12h" },
	[PRECIS_AMD_BOBCAT] = { "Bobcat", "14h" },
	[PRECIS_AMD_BULLDOZER] = { "Bulldozer", "15h 00-0Fh" },
	[PRECIS_AMD_PILEDRIVER] = { "Piledriver", "15h 10-2Fh" },
	[PRECIS_AMD_STEAMROLLER] = { "Steamroller", "15h 30-5Fh" },
	[PRECIS_AMD_EXCAVATOR] = { "Excavator", "15h 60-7Fh" },
	[PRECIS_AMD_JAGUAR] = { "Jaguar", "16h" },
	[PRECIS_AMD_ZEN1] = { "Zen", "17h 00-2Fh, 50-5Fh" },
	[PRECIS_AMD_ZEN2] = { "Zen 2", "17h 30-4Fh, 60-AFh" },
	[PRECIS_AMD_HYGON] = { "Hygon", "18h" },
	[PRECIS_AMD_ZEN3_SERVER] = { "Zen 3 (server)", "19h 00-0Fh" },
	[PRECIS_AMD_ZEN3_CLIENT] = { "Zen 3 (client)", "19h 20-5Fh" },
	[PRECIS_AMD_ZEN4] = { "Zen 4", "19h 10-1Fh, 60-AFh" },
	[PRECIS_AMD_ZEN5] = { "Zen 5", "1Ah 00-4Fh, 60-7Fh, D0-D7h" },
	[PRECIS_AMD_ZEN6] = { "Zen 6", "1Ah 50-5Fh, 80-CFh, D8-EFh and later" },
};

static const struct {
	const char *name;
	uint8_t vendor;
} vendor_rows[] = {
	{ "AuthenticAMD", PRECIS_VENDOR_AMD },
	{ "HygonGenuine", PRECIS_VENDOR_HYGON },
	{ "GenuineIntel", PRECIS_VENDOR_INTEL },
};

/* ",25" or ",0x19": 0 and *text behind it, or -1 */
static int parse_number(const char **text, uint32_t *number)
{
	const char *p = *text;
	uint32_t base = 10, digits = 0;

	if (*p++ != ',')
		return -1;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	}
	for (*number = 0; digits < 6; p++, digits++) {
		uint32_t digit;

		if (*p >= '0' && *p <= '9')
			digit = (uint32_t)(*p - '0');
		else if (base == 16 && (*p | 0x20) >= 'a' && (*p | 0x20) <= 'f')
			digit = (uint32_t)((*p | 0x20) - 'a' + 10);
		else
			break;
		*number = *number * base + digit;
	}
	*text = p;
	return digits ? 0 : -1;
}

int precis_cpu_parse(const char *text, struct precis_cpu *cpu)
{
	uint32_t family, model, stepping, vendor = PRECIS_VENDOR_OTHER;
	size_t length = 0;

	ABI_OUT(struct precis_cpu, cpu, precis_cpu_parse(text, &abi));
	cpu->vendor = PRECIS_VENDOR_UNKNOWN;
	if (!text)
		return PRECIS_E_ARGUMENT;
	while (text[length] && text[length] != ',')
		length++;
	for (size_t i = 0; i < sizeof(vendor_rows) / sizeof(vendor_rows[0]); i++) {
		if (strlen(vendor_rows[i].name) == length &&
		    !memcmp(vendor_rows[i].name, text, length))
			vendor = vendor_rows[i].vendor;
	}
	text += length;
	if (!length || parse_number(&text, &family) || parse_number(&text, &model) ||
	    parse_number(&text, &stepping))
		return PRECIS_E_SYNTAX;
	/* perf appends "-" and the capabilities on some architectures */
	if (*text && *text != '-')
		return PRECIS_E_SYNTAX;
	cpu->vendor = vendor;
	cpu->family = family;
	cpu->model = model;
	cpu->stepping = stepping;
	return 0;
}

uint32_t precis_amd_cores_of(const struct precis_cpu *cpu, uint32_t caps)
{
	if (cpu)
		ABI_IN_OR(0, struct precis_cpu, cpu, precis_amd_cores_of(&abi, caps));
	if (cpu && cpu->vendor != PRECIS_VENDOR_UNKNOWN) {
		if (cpu->vendor != PRECIS_VENDOR_AMD && cpu->vendor != PRECIS_VENDOR_HYGON)
			return 0;
		for (size_t i = 0; i < sizeof(core_rows) / sizeof(core_rows[0]); i++) {
			if (cpu->family >= core_rows[i].family_first &&
			    cpu->family <= core_rows[i].family_last &&
			    cpu->model >= core_rows[i].model_first &&
			    cpu->model <= core_rows[i].model_last)
				return 1u << core_rows[i].core;
		}
		return 0;
	}
	if (!(caps & PRECIS_IBS_CAPS_VALID))
		return 0;
	for (size_t i = 0;; i++) {
		if ((caps & candidate_rows[i].caps) == candidate_rows[i].caps)
			return candidate_rows[i].cores;
	}
}

const char *precis_amd_core_name(uint32_t core)
{
	return core < PRECIS_AMD_CORE_COUNT ? core_texts[core].name : NULL;
}

const char *precis_amd_core_models(uint32_t core)
{
	return core < PRECIS_AMD_CORE_COUNT ? core_texts[core].models : NULL;
}
