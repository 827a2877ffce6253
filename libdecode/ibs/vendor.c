/* SPDX-License-Identifier: BSD-3-Clause */
/* AMD's IBS, and Hygon's, as the library asks for it. */
#include <precis/amd.h>

#include "../sample/vendor.h"

static const struct vendor_cpu cpus[] = {
	{ "AuthenticAMD", PRECIS_VENDOR_AMD },
	{ "HygonGenuine", PRECIS_VENDOR_HYGON },
	{ NULL, 0 },
};

static uint32_t cores_of(const struct precis_cpu *cpu)
{
	return precis_amd_cores_of(cpu, 0);
}

const struct vendor precis_vendor_ibs = {
	.cpus = cpus,
	.cores_of = cores_of,
};
