/* SPDX-License-Identifier: BSD-3-Clause */
#include <precis/errata.h>
#include <precis/error.h>

#include "abi.h"
#include "catalogue.h"

int precis_erratum(uint32_t n, struct precis_erratum *erratum)
{
	const struct erratum_row *row;

	ABI_OUT(struct precis_erratum, erratum, precis_erratum(n, &abi));
	if (n >= precis_errata_count)
		return PRECIS_E_ARGUMENT;
	row = &precis_errata[n];
	erratum->effect = row->effect;
	erratum->cores = 1u << row->core;
	erratum->unit = row->unit;
	erratum->name = row->name;
	erratum->models = row->models;
	erratum->summary = row->summary;
	erratum->source = row->source;
	return 0;
}
