/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel's PEBS as the library asks for it. */
#include "../sample/vendor.h"

static const struct vendor_cpu cpus[] = {
	{ "GenuineIntel", PRECIS_VENDOR_INTEL },
	{ NULL, 0 },
};

/* Its cores are numbers, not bits, and of a hybrid CPU each PMU has another. */
static uint32_t cores_of(const struct precis_cpu *cpu)
{
	(void)cpu;
	return 0;
}

const struct vendor precis_vendor_pebs = {
	.cpus = cpus,
	.cores_of = cores_of,
};
