#ifndef PRECIS_PEBS_DATA_SOURCE_H
#define PRECIS_PEBS_DATA_SOURCE_H

#include <precis/access.h>
#include <precis/data_source.h>
#include <precis/export.h>
#include <precis/fields.h>
#include <precis/intel.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

enum precis_pebs_facility {
	PRECIS_PEBS_FACILITY_OTHER = 0,
	PRECIS_PEBS_FACILITY_LOAD_LATENCY = 1,
	PRECIS_PEBS_FACILITY_STORE_LATENCY = 2,
	PRECIS_PEBS_FACILITY_PRECISE_STORE = 3,
	PRECIS_PEBS_FACILITY_DATA_LA_LOAD = 4,
	PRECIS_PEBS_FACILITY_DATA_LA_STORE = 5,
	PRECIS_PEBS_FACILITY_DATA_LA_OTHER = 6,
	PRECIS_PEBS_FACILITY_COUNT = 7
};

struct precis_dse_encoding {
	uint32_t size;
	uint32_t load_layout;
	uint32_t load_table;
	uint32_t store_layout;
	uint32_t store_table;
	uint32_t precise_store;
	uint32_t data_la;
	uint32_t unknown_core;
};

PRECIS_API int precis_dse_encoding_of(uint32_t core, struct precis_dse_encoding *encoding);

PRECIS_API int precis_dse_word(const struct precis_dse_encoding *encoding, uint32_t event,
			       uint64_t dse, uint64_t *word);

PRECIS_API int precis_dse_access(const struct precis_dse_encoding *encoding, uint32_t event,
				 uint64_t dse, struct precis_access *access);

struct precis_dse_row {
	uint32_t size;
	uint32_t value;
	uint32_t table;
	const char *meaning;
};

PRECIS_API int precis_dse_row(uint32_t table, uint32_t value, struct precis_dse_row *row);

PRECIS_API const char *precis_dse_table_name(uint32_t table);

PRECIS_END_DECLS

#endif
