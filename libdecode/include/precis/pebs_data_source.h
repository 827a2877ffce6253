/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data source word of a PEBS record (DSE; "auxiliary information" in adaptive and
 * architectural records): as the kernel's word, and as vendor-neutral values.
 *
 * What the word says depends on the core and on the event. Nothing here allocates, prints
 * or keeps state: all of it may be called from a signal handler.
 *
 * Sources: Linux 6.1, 6.12 and 7.3 arch/x86/events/intel/ds.c, each row of the tables with the
 * version that it was read in; Intel SDM vol. 3, tables "Data Source Encoding", as of 2010-2016.
 */
#ifndef PRECIS_PEBS_DATA_SOURCE_H
#define PRECIS_PEBS_DATA_SOURCE_H

#include <precis/access.h>
#include <precis/data_source.h>
#include <precis/export.h>
#include <precis/fields.h>
#include <precis/intel.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

/** The facility of the SDM that an event's records come from: it decides what they say of an access. */
enum precis_pebs_facility {
	PRECIS_PEBS_FACILITY_OTHER = 0,         /* none of memory accesses: the words are stale */
	PRECIS_PEBS_FACILITY_LOAD_LATENCY = 1,
	PRECIS_PEBS_FACILITY_STORE_LATENCY = 2,
	PRECIS_PEBS_FACILITY_PRECISE_STORE = 3, /* Sandy Bridge, Ivy Bridge */
	PRECIS_PEBS_FACILITY_DATA_LA_LOAD = 4,  /* loads, address only */
	PRECIS_PEBS_FACILITY_DATA_LA_STORE = 5, /* stores, address and L1 hit */
	PRECIS_PEBS_FACILITY_DATA_LA_OTHER = 6, /* either; address only */
	PRECIS_PEBS_FACILITY_COUNT = 7
};

/** How to read the word. Take precis_dse_encoding_of(), and change what you know better. */
struct precis_dse_encoding {
	uint32_t size;          /* sizeof(struct precis_dse_encoding), set by the caller */
	uint32_t load_layout;   /* enum precis_dse_layout, of load latency events */
	uint32_t load_table;    /* enum precis_dse_table */
	uint32_t store_layout;  /* of store latency events */
	uint32_t store_table;
	uint32_t precise_store; /* 1: the core has the precise store event */
	uint32_t data_la;       /* 1: it has DataLA events */
	uint32_t unknown_core;  /* 1: all of the above is 0 because the core is not known */
	uint32_t reserved_word; /* 1: the core leaves the word undefined */
};

/**
 * How a core's words are to be read.
 *
 * @param core  enum precis_intel_core; PRECIS_INTEL_UNKNOWN and other numbers give an
 *              encoding of which nothing is decoded
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_dse_encoding_of(uint32_t core, struct precis_dse_encoding *encoding);

/**
 * The kernel's word for a data source: what Linux writes as PERF_SAMPLE_DATA_SRC.
 *
 * @param event  enum precis_pebs_facility
 * @param dse    the record's word
 * @param word   PRECIS_DATA_SOURCE_NA for an event that has none on this core
 * @return 0, or PRECIS_E_ARGUMENT, also for a layout or table that is none
 */
PRECIS_API int precis_dse_word(const struct precis_dse_encoding *encoding, uint32_t event,
			       uint64_t dse, uint64_t *word);

/**
 * The same as values, each with its own reason where there is none. Stricter than Linux:
 * values that a manual calls reserved, or that sources read differently, are unknown.
 *
 * @return as precis_dse_word()
 */
PRECIS_API int precis_dse_access(const struct precis_dse_encoding *encoding, uint32_t event,
				 uint64_t dse, struct precis_access *access);

/** One row of a table. All strings are static. */
struct precis_dse_row {
	uint32_t size;  /* sizeof(struct precis_dse_row), set by the caller */
	uint32_t value; /* of the data source */
	uint32_t table; /* enum precis_dse_table that has the row: the table asked for or one below */
	const char *meaning;
	const char *read_in; /* the version of Linux that the row was read in, "6.12" */
};

/**
 * What a data source is called.
 *
 * @param table  enum precis_dse_table
 * @return 0; PRECIS_E_NO_FIELD for a value that is reserved; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_dse_row(uint32_t table, uint32_t value, struct precis_dse_row *row);

/** "SNB", "SKL_PMEM", …; NULL for a number that is no table. */
PRECIS_API const char *precis_dse_table_name(uint32_t table);

PRECIS_END_DECLS

#endif
