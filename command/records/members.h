/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A row for each type of record: its parser, and its members with their kinds. What is no
 * plain member (lists, what depends on another member) is of a function in lists.c.
 */
#ifndef RECORDS_MEMBERS_H
#define RECORDS_MEMBERS_H

#include "record_sink.h"

enum member_kind {
	MEMBER_UINT,
	MEMBER_INT,
	MEMBER_HEX,
	MEMBER_BOOL,
	MEMBER_TIME,  /* ns */
	MEMBER_TEXT,  /* const char *, NULL: absent */
	MEMBER_NAMED, /* a number that has a name */
};

struct member {
	const char *name;
	uint8_t kind;
	uint8_t width;
	uint16_t offset; /* in the parsed struct */
	/* It is there if this u32 of the struct has one of these bits; 0: always */
	uint32_t bits;
	uint16_t bits_offset;
	const char *const *names; /* of MEMBER_NAMED, ending in NULL */
};

/* What any of the parsers fills. */
union body {
	struct precis_mmap mmap;
	struct precis_comm comm;
	struct precis_task task;
	struct precis_lost lost;
	struct precis_lost_samples lost_samples;
	struct precis_throttle throttle;
	struct precis_aux aux;
	struct precis_itrace_start itrace_start;
	struct precis_aux_output_hw_id aux_output_hw_id;
	struct precis_switch context_switch;
	struct precis_namespaces namespaces;
	struct precis_ksymbol ksymbol;
	struct precis_bpf_event bpf_event;
	struct precis_cgroup cgroup;
	struct precis_text_poke text_poke;
	struct precis_callchain_deferred callchain_deferred;
	struct precis_header_attr header_attr;
	struct precis_header_event_type header_event_type;
	struct precis_header_tracing_data header_tracing_data;
	struct precis_header_build_id header_build_id;
	struct precis_id_index id_index;
	struct precis_auxtrace_info auxtrace_info;
	struct precis_auxtrace auxtrace;
	struct precis_auxtrace_error auxtrace_error;
	struct precis_thread_map thread_map;
	struct precis_cpu_map cpu_map;
	struct precis_stat_config stat_config;
	struct precis_stat stat;
	struct precis_stat_round stat_round;
	struct precis_event_update event_update;
	struct precis_time_conv time_conv;
	struct precis_header_feature header_feature;
	struct precis_compressed compressed;
	struct precis_bpf_metadata bpf_metadata;
	struct precis_schedstat schedstat;
};

struct body_row {
	int (*parse)(const struct precis_record *record, void *body);
	const struct member *members;
	void (*put_rest)(struct record_sink *sink, const void *body); /* NULL: there is no rest */
	uint16_t misc_bit;
	const char *misc_name; /* what that bit of the header's misc says */
};

/* NULL: the type has no body, or none that is known. */
const struct body_row *record_body_row(uint32_t type);

#endif
