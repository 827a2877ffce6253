/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of records that are lists, or bytes, or depend on another member. */
#ifndef RECORDS_LISTS_H
#define RECORDS_LISTS_H

#include "record_sink.h"

/* Each is given the struct that the record's parser filled. */
void put_mmap_build_id(struct record_sink *sink, const void *body);
void put_namespaces(struct record_sink *sink, const void *body);
void put_bpf_tag(struct record_sink *sink, const void *body);
void put_text_poke(struct record_sink *sink, const void *body);
void put_callchain_deferred(struct record_sink *sink, const void *body);
void put_header_attr(struct record_sink *sink, const void *body);
void put_header_event_type(struct record_sink *sink, const void *body);
void put_header_build_id(struct record_sink *sink, const void *body);
void put_id_index(struct record_sink *sink, const void *body);
void put_auxtrace_info(struct record_sink *sink, const void *body);
void put_thread_map(struct record_sink *sink, const void *body);
void put_cpu_map(struct record_sink *sink, const void *body);
void put_stat_config(struct record_sink *sink, const void *body);
void put_event_update(struct record_sink *sink, const void *body);
void put_header_feature(struct record_sink *sink, const void *body);
void put_compressed(struct record_sink *sink, const void *body);
void put_bpf_metadata(struct record_sink *sink, const void *body);
void put_schedstat(struct record_sink *sink, const void *body);

void put_read_record(struct record_sink *sink, const struct precis_event *event,
		     const struct precis_read_record *record);

#endif
