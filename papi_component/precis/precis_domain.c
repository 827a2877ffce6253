/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_domain.c
 * @see precis_domain.h
 */
#include "precis_domain.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"

static const struct {
	const char *name;
	int domain;
} domains[] = {
	{ "user", PAPI_DOM_USER },
	{ "kernel", PAPI_DOM_KERNEL },
	{ "all", PAPI_DOM_USER | PAPI_DOM_KERNEL },
};

int precis_domain_of_environment(void)
{
	const char *text = getenv(PRECIS_DOMAIN_VARIABLE);

	for (size_t n = 0; text && n < sizeof(domains) / sizeof(domains[0]); n++) {
		if (!strcmp(text, domains[n].name))
			return domains[n].domain;
	}
	return PAPI_DOM_USER;
}
