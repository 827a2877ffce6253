/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Published errata that touch what a precise sample says, as a table.
 */
#ifndef PRECIS_ERRATA_H
#define PRECIS_ERRATA_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** What an erratum does to a sample. */
enum precis_erratum_effect {
	PRECIS_ERRATUM_LOSES = 0,    /* takes fields away */
	PRECIS_ERRATUM_REENCODES = 1, /* the bits mean something else; decoded accordingly */
	PRECIS_ERRATUM_NOTE = 2      /* nothing that a decoder could see or mend */
};

/** One erratum. Strings are static. */
struct precis_erratum {
	uint32_t size;   /* sizeof(struct precis_erratum), set by the caller */
	uint32_t effect; /* enum precis_erratum_effect */
	uint32_t cores;  /* bits of enum precis_amd_core */
	uint32_t unit;   /* enum precis_ibs_unit */
	const char *name;    /* "AMD-1293" */
	const char *models;  /* "family 19h, models 00-0Fh" */
	const char *summary; /* what goes wrong, when, and what precis does */
	const char *source;  /* where it is published */
};

/** Row n. @return 0, or PRECIS_E_ARGUMENT past the last */
PRECIS_API int precis_erratum(uint32_t n, struct precis_erratum *erratum);

PRECIS_END_DECLS

#endif
