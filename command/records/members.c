/* SPDX-License-Identifier: BSD-3-Clause */
/* See members.h. */
#include "members.h"

#include <stddef.h>

#include "lists.h"

#define WHERE(type, member) sizeof(((struct type *)0)->member), offsetof(struct type, member)
#define MEMBER(type, member, kind) { #member, kind, WHERE(type, member), 0, 0, NULL }
#define MEMBER_IF(type, member, kind, flag, bits)                                                  \
	{ #member, kind, WHERE(type, member), bits, offsetof(struct type, flag), NULL }
#define NAMED(type, member, names) { #member, MEMBER_NAMED, WHERE(type, member), 0, 0, names }
#define LAST { NULL, 0, 0, 0, 0, 0, NULL }

static const struct member mmap_members[] = {
	MEMBER(precis_mmap, pid, MEMBER_INT),
	MEMBER(precis_mmap, tid, MEMBER_INT),
	MEMBER(precis_mmap, addr, MEMBER_HEX),
	MEMBER(precis_mmap, length, MEMBER_HEX),
	MEMBER(precis_mmap, page_offset, MEMBER_HEX),
	MEMBER_IF(precis_mmap, device_major, MEMBER_UINT, present, PRECIS_MMAP_INODE),
	MEMBER_IF(precis_mmap, device_minor, MEMBER_UINT, present, PRECIS_MMAP_INODE),
	MEMBER_IF(precis_mmap, inode, MEMBER_UINT, present, PRECIS_MMAP_INODE),
	MEMBER_IF(precis_mmap, inode_generation, MEMBER_UINT, present, PRECIS_MMAP_INODE),
	MEMBER_IF(precis_mmap, protection, MEMBER_HEX, present, PRECIS_MMAP_PROTECTION),
	MEMBER_IF(precis_mmap, flags, MEMBER_HEX, present, PRECIS_MMAP_PROTECTION),
	MEMBER(precis_mmap, filename, MEMBER_TEXT),
	LAST,
};
static const struct member comm_members[] = {
	MEMBER(precis_comm, pid, MEMBER_INT),
	MEMBER(precis_comm, tid, MEMBER_INT),
	MEMBER(precis_comm, name, MEMBER_TEXT),
	LAST,
};
static const struct member task_members[] = {
	MEMBER(precis_task, pid, MEMBER_INT),
	MEMBER(precis_task, parent_pid, MEMBER_INT),
	MEMBER(precis_task, tid, MEMBER_INT),
	MEMBER(precis_task, parent_tid, MEMBER_INT),
	MEMBER(precis_task, time, MEMBER_TIME),
	LAST,
};
static const struct member lost_members[] = {
	MEMBER(precis_lost, id, MEMBER_UINT),
	MEMBER(precis_lost, lost, MEMBER_UINT),
	LAST,
};
static const struct member lost_samples_members[] = {
	MEMBER(precis_lost_samples, lost, MEMBER_UINT),
	LAST,
};
static const struct member throttle_members[] = {
	MEMBER(precis_throttle, time, MEMBER_TIME),
	MEMBER(precis_throttle, id, MEMBER_UINT),
	MEMBER(precis_throttle, stream_id, MEMBER_UINT),
	LAST,
};
static const struct member aux_members[] = {
	MEMBER(precis_aux, aux_offset, MEMBER_HEX),
	MEMBER(precis_aux, aux_size, MEMBER_UINT),
	MEMBER(precis_aux, flags, MEMBER_HEX),
	LAST,
};
static const struct member itrace_start_members[] = {
	MEMBER(precis_itrace_start, pid, MEMBER_INT),
	MEMBER(precis_itrace_start, tid, MEMBER_INT),
	LAST,
};
static const struct member aux_output_hw_id_members[] = {
	MEMBER(precis_aux_output_hw_id, hw_id, MEMBER_HEX),
	LAST,
};
static const struct member switch_members[] = {
	MEMBER(precis_switch, is_out, MEMBER_BOOL),
	MEMBER(precis_switch, is_preempt, MEMBER_BOOL),
	MEMBER_IF(precis_switch, other_pid, MEMBER_INT, has_other, 1),
	MEMBER_IF(precis_switch, other_tid, MEMBER_INT, has_other, 1),
	LAST,
};
static const struct member namespaces_members[] = {
	MEMBER(precis_namespaces, pid, MEMBER_INT),
	MEMBER(precis_namespaces, tid, MEMBER_INT),
	LAST,
};
static const char *const ksymbol_types[] = { "unknown", "bpf", "out_of_line", NULL };
static const struct member ksymbol_members[] = {
	MEMBER(precis_ksymbol, addr, MEMBER_HEX),
	MEMBER(precis_ksymbol, length, MEMBER_UINT),
	NAMED(precis_ksymbol, type, ksymbol_types),
	MEMBER(precis_ksymbol, flags, MEMBER_HEX),
	MEMBER(precis_ksymbol, name, MEMBER_TEXT),
	LAST,
};
static const char *const bpf_event_types[] = { "unknown", "load", "unload", NULL };
static const struct member bpf_event_members[] = {
	NAMED(precis_bpf_event, type, bpf_event_types),
	MEMBER(precis_bpf_event, flags, MEMBER_HEX),
	MEMBER(precis_bpf_event, id, MEMBER_UINT),
	LAST,
};
static const struct member cgroup_members[] = {
	MEMBER(precis_cgroup, id, MEMBER_UINT),
	MEMBER(precis_cgroup, path, MEMBER_TEXT),
	LAST,
};
static const struct member text_poke_members[] = {
	MEMBER(precis_text_poke, addr, MEMBER_HEX),
	LAST,
};
static const struct member callchain_deferred_members[] = {
	MEMBER(precis_callchain_deferred, cookie, MEMBER_HEX),
	LAST,
};
static const struct member header_event_type_members[] = {
	MEMBER(precis_header_event_type, id, MEMBER_UINT),
	LAST,
};
static const struct member header_tracing_data_members[] = {
	MEMBER(precis_header_tracing_data, following_bytes, MEMBER_UINT),
	LAST,
};
static const struct member header_build_id_members[] = {
	MEMBER(precis_header_build_id, pid, MEMBER_INT),
	MEMBER(precis_header_build_id, filename, MEMBER_TEXT),
	LAST,
};
static const struct member auxtrace_members[] = {
	MEMBER(precis_auxtrace, following_bytes, MEMBER_UINT),
	MEMBER(precis_auxtrace, aux_offset, MEMBER_HEX),
	MEMBER(precis_auxtrace, reference, MEMBER_HEX),
	MEMBER(precis_auxtrace, index, MEMBER_UINT),
	MEMBER(precis_auxtrace, tid, MEMBER_INT),
	MEMBER(precis_auxtrace, cpu, MEMBER_INT),
	LAST,
};
static const struct member auxtrace_error_members[] = {
	MEMBER(precis_auxtrace_error, type, MEMBER_UINT),
	MEMBER(precis_auxtrace_error, code, MEMBER_UINT),
	MEMBER(precis_auxtrace_error, cpu, MEMBER_INT),
	MEMBER(precis_auxtrace_error, pid, MEMBER_INT),
	MEMBER(precis_auxtrace_error, tid, MEMBER_INT),
	MEMBER(precis_auxtrace_error, ip, MEMBER_HEX),
	MEMBER_IF(precis_auxtrace_error, time, MEMBER_TIME, has_time, 1),
	MEMBER_IF(precis_auxtrace_error, machine_pid, MEMBER_UINT, has_machine, 1),
	MEMBER_IF(precis_auxtrace_error, vcpu, MEMBER_UINT, has_machine, 1),
	MEMBER(precis_auxtrace_error, message, MEMBER_TEXT),
	LAST,
};
static const struct member stat_members[] = {
	MEMBER(precis_stat, id, MEMBER_UINT),
	MEMBER(precis_stat, cpu, MEMBER_INT),
	MEMBER(precis_stat, thread, MEMBER_INT),
	MEMBER(precis_stat, value, MEMBER_UINT),
	MEMBER(precis_stat, time_enabled, MEMBER_UINT),
	MEMBER(precis_stat, time_running, MEMBER_UINT),
	LAST,
};
static const char *const stat_round_types[] = { "interval", "final", NULL };
static const struct member stat_round_members[] = {
	NAMED(precis_stat_round, type, stat_round_types),
	MEMBER(precis_stat_round, time, MEMBER_TIME),
	LAST,
};
static const char *const event_update_types[] = { "unit", "scale", "name", "cpus", NULL };
static const struct member event_update_members[] = {
	NAMED(precis_event_update, type, event_update_types),
	MEMBER(precis_event_update, id, MEMBER_UINT),
	MEMBER(precis_event_update, text, MEMBER_TEXT),
	LAST,
};
static const struct member time_conv_members[] = {
	MEMBER(precis_time_conv, time_shift, MEMBER_UINT),
	MEMBER(precis_time_conv, time_mult, MEMBER_UINT),
	MEMBER(precis_time_conv, time_zero, MEMBER_UINT),
	MEMBER_IF(precis_time_conv, time_cycles, MEMBER_UINT, has_cycles, 1),
	MEMBER_IF(precis_time_conv, time_mask, MEMBER_HEX, has_cycles, 1),
	MEMBER_IF(precis_time_conv, is_zero_usable, MEMBER_BOOL, has_cycles, 1),
	MEMBER_IF(precis_time_conv, is_counter_short, MEMBER_BOOL, has_cycles, 1),
	LAST,
};
static const struct member header_feature_members[] = {
	MEMBER(precis_header_feature, feature, MEMBER_UINT),
	LAST,
};
static const struct member schedstat_members[] = {
	MEMBER(precis_schedstat, timestamp, MEMBER_UINT),
	MEMBER(precis_schedstat, cpu, MEMBER_UINT),
	MEMBER(precis_schedstat, version, MEMBER_UINT),
	MEMBER_IF(precis_schedstat, domain, MEMBER_UINT, is_domain, 1),
	LAST,
};
static const struct member no_members[] = { LAST };

#define PARSER(name)                                                                               \
	static int parse_##name(const struct precis_record *record, void *body)                    \
	{                                                                                          \
		struct precis_##name *parsed = body;                                               \
                                                                                                   \
		parsed->size = sizeof(*parsed);                                                    \
		return precis_##name##_parse(record, parsed);                                      \
	}
PARSER(mmap)
PARSER(comm)
PARSER(task)
PARSER(lost)
PARSER(lost_samples)
PARSER(throttle)
PARSER(aux)
PARSER(itrace_start)
PARSER(aux_output_hw_id)
PARSER(switch)
PARSER(namespaces)
PARSER(ksymbol)
PARSER(bpf_event)
PARSER(cgroup)
PARSER(text_poke)
PARSER(callchain_deferred)
PARSER(header_attr)
PARSER(header_event_type)
PARSER(header_tracing_data)
PARSER(header_build_id)
PARSER(id_index)
PARSER(auxtrace_info)
PARSER(auxtrace)
PARSER(auxtrace_error)
PARSER(thread_map)
PARSER(cpu_map)
PARSER(stat_config)
PARSER(stat)
PARSER(stat_round)
PARSER(event_update)
PARSER(time_conv)
PARSER(header_feature)
PARSER(compressed)
PARSER(bpf_metadata)
PARSER(schedstat)
#undef PARSER

static const struct body_row rows[] = {
#define ROW(TYPE, name, rest)                                                                      \
	[PRECIS_RECORD_##TYPE] = { parse_##name, name##_members, rest, 0, NULL }
#define ROW_MISC(TYPE, name, rest, bit, word)                                                      \
	[PRECIS_RECORD_##TYPE] = { parse_##name, name##_members, rest, bit, word }
#define LISTED(TYPE, name, rest)                                                                   \
	[PRECIS_RECORD_##TYPE] = { parse_##name, no_members, rest, 0, NULL }
	ROW_MISC(MMAP, mmap, NULL, PRECIS_MISC_MMAP_DATA, "data"),
	ROW(LOST, lost, NULL),
	ROW_MISC(COMM, comm, NULL, PRECIS_MISC_COMM_EXEC, "exec"),
	ROW(EXIT, task, NULL),
	ROW(THROTTLE, throttle, NULL),
	ROW(UNTHROTTLE, throttle, NULL),
	ROW_MISC(FORK, task, NULL, PRECIS_MISC_COMM_EXEC, "from_proc"),
	ROW_MISC(MMAP2, mmap, put_mmap_build_id, PRECIS_MISC_MMAP_DATA, "data"),
	ROW(AUX, aux, NULL),
	ROW(ITRACE_START, itrace_start, NULL),
	ROW(LOST_SAMPLES, lost_samples, NULL),
	ROW(SWITCH, switch, NULL),
	ROW(SWITCH_CPU_WIDE, switch, NULL),
	ROW(NAMESPACES, namespaces, put_namespaces),
	ROW(KSYMBOL, ksymbol, NULL),
	ROW(BPF_EVENT, bpf_event, put_bpf_tag),
	ROW(CGROUP, cgroup, NULL),
	ROW(TEXT_POKE, text_poke, put_text_poke),
	ROW(AUX_OUTPUT_HW_ID, aux_output_hw_id, NULL),
	ROW(CALLCHAIN_DEFERRED, callchain_deferred, put_callchain_deferred),
	LISTED(HEADER_ATTR, header_attr, put_header_attr),
	ROW(HEADER_EVENT_TYPE, header_event_type, put_header_event_type),
	ROW(HEADER_TRACING_DATA, header_tracing_data, NULL),
	ROW(HEADER_BUILD_ID, header_build_id, put_header_build_id),
	LISTED(ID_INDEX, id_index, put_id_index),
	LISTED(AUXTRACE_INFO, auxtrace_info, put_auxtrace_info),
	ROW(AUXTRACE, auxtrace, NULL),
	ROW(AUXTRACE_ERROR, auxtrace_error, NULL),
	LISTED(THREAD_MAP, thread_map, put_thread_map),
	LISTED(CPU_MAP, cpu_map, put_cpu_map),
	LISTED(STAT_CONFIG, stat_config, put_stat_config),
	ROW(STAT, stat, NULL),
	ROW(STAT_ROUND, stat_round, NULL),
	ROW(EVENT_UPDATE, event_update, put_event_update),
	ROW(TIME_CONV, time_conv, NULL),
	ROW(HEADER_FEATURE, header_feature, put_header_feature),
	LISTED(COMPRESSED, compressed, put_compressed),
	LISTED(COMPRESSED2, compressed, put_compressed),
	LISTED(BPF_METADATA, bpf_metadata, put_bpf_metadata),
	ROW(SCHEDSTAT_CPU, schedstat, put_schedstat),
	ROW(SCHEDSTAT_DOMAIN, schedstat, put_schedstat),
#undef ROW
#undef ROW_MISC
#undef LISTED
};

const struct body_row *record_body_row(uint32_t type)
{
	return type < sizeof(rows) / sizeof(rows[0]) && rows[type].parse ? &rows[type] : NULL;
}
