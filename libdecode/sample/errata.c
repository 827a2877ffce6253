/* SPDX-License-Identifier: BSD-3-Clause */
/* The errata of all vendors by number. */
#include <precis/errata.h>
#include <precis/error.h>

#include "abi.h"
#include "find_vendor.h"

int precis_erratum(uint32_t n, struct precis_erratum *erratum)
{
	ABI_OUT(struct precis_erratum, erratum, precis_erratum(n, &abi));
	for (const struct vendor *const *vendor = precis_vendors; *vendor; vendor++) {
		if (n < (*vendor)->errata)
			return (*vendor)->erratum(n, erratum);
		n -= (*vendor)->errata;
	}
	return PRECIS_E_ARGUMENT;
}
