#ifndef PRECIS_ERRATA_H
#define PRECIS_ERRATA_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_erratum_effect {
	PRECIS_ERRATUM_LOSES = 0,
	PRECIS_ERRATUM_REENCODES = 1,
	PRECIS_ERRATUM_NOTE = 2
};

struct precis_erratum {
	uint32_t size;
	uint32_t effect;
	uint32_t cores;
	uint32_t unit;
	const char *name;
	const char *models;
	const char *summary;
};

PRECIS_API int precis_erratum(uint32_t n, struct precis_erratum *erratum);

PRECIS_END_DECLS

#endif
