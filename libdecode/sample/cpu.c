/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPU perf's cpuid string names. */
#include <precis/cpu.h>
#include <precis/error.h>

#include "abi.h"
#include "find_vendor.h"

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
	const struct vendor_cpu *maker;
	uint32_t family, model, stepping;
	size_t length = 0;

	ABI_OUT(struct precis_cpu, cpu, precis_cpu_parse(text, &abi));
	cpu->vendor = PRECIS_VENDOR_UNKNOWN;
	if (!text)
		return PRECIS_E_ARGUMENT;
	while (text[length] && text[length] != ',')
		length++;
	maker = precis_vendor_cpu(text, length);
	text += length;
	if (!length || parse_number(&text, &family) || parse_number(&text, &model) ||
	    parse_number(&text, &stepping))
		return PRECIS_E_SYNTAX;
	/* perf appends "-" and the capabilities on some architectures */
	if (*text && *text != '-')
		return PRECIS_E_SYNTAX;
	cpu->vendor = maker ? maker->vendor : (uint32_t)PRECIS_VENDOR_OTHER;
	cpu->family = family;
	cpu->model = model;
	cpu->stepping = stepping;
	return 0;
}
