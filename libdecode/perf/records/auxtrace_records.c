/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the perf tool's records that tell of traces from the AUX area. */
#include <precis/tool_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

#define WORD 8u
#define MESSAGE_ROOM 64u /* MAX_AUXTRACE_ERROR_MSG */

int precis_auxtrace_info_parse(const struct precis_record *record,
			       struct precis_auxtrace_info *info)
{
	struct cursor body;
	uint32_t reserved;
	int error = record_open(record, PRECIS_RECORD_AUXTRACE_INFO, &body);

	ABI_OUT(struct precis_auxtrace_info, info, precis_auxtrace_info_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_pair(&body, &info->type, &reserved))
		return PRECIS_E_TRUNCATED;
	if (cursor_left(&body) % WORD)
		return PRECIS_E_BAD_SIZE;
	info->private_count = cursor_left(&body) / WORD;
	cursor_rest(&body, &info->private_words);
	return 0;
}

const char *precis_auxtrace_type_name(uint32_t type)
{
	/* PERF_AUXTRACE_*, by the names of the PMUs that write them */
	static const char *const names[] = {
		NULL,      "intel_pt",    "intel_bts", "cs_etm",
		"arm_spe", "s390_cpumsf", "hisi_ptt",  "vpa_dtl",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

int precis_auxtrace_parse(const struct precis_record *record, struct precis_auxtrace *trace)
{
	struct cursor body;
	uint32_t tid, cpu, reserved;
	int error = record_open(record, PRECIS_RECORD_AUXTRACE, &body);

	ABI_OUT(struct precis_auxtrace, trace, precis_auxtrace_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &trace->following_bytes) || !cursor_u64(&body, &trace->aux_offset) ||
	    !cursor_u64(&body, &trace->reference) || !cursor_pair(&body, &trace->index, &tid) ||
	    !cursor_pair(&body, &cpu, &reserved))
		return PRECIS_E_TRUNCATED;
	trace->tid = (int32_t)tid;
	trace->cpu = (int32_t)cpu;
	return 0;
}

/*
 * What stands behind 'ip' depends on fmt: 0 the message alone, from 1 on the
 * time before it, from 2 on the guest behind its room.
 */
static int take_message(struct cursor *body, uint32_t format, struct precis_auxtrace_error *error)
{
	struct cursor rest;
	const uint8_t *room;

	if (format >= 1 && !cursor_u64(body, &error->time))
		return PRECIS_E_TRUNCATED;
	error->has_time = format >= 1;
	if (!cursor_text(body, &error->message))
		return PRECIS_E_TRUNCATED;
	error->has_machine = format >= 2;
	rest = *body;
	if (error->has_machine && (!cursor_array(&rest, 1, MESSAGE_ROOM, &room) ||
				   !cursor_pair(&rest, &error->machine_pid, &error->vcpu)))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_auxtrace_error_parse(const struct precis_record *record,
				struct precis_auxtrace_error *error)
{
	struct cursor body;
	uint32_t cpu, pid, tid, format;
	int code = record_open(record, PRECIS_RECORD_AUXTRACE_ERROR, &body);

	ABI_OUT(struct precis_auxtrace_error, error, precis_auxtrace_error_parse(record, &abi));
	if (code)
		return code;
	if (!cursor_pair(&body, &error->type, &error->code) || !cursor_pair(&body, &cpu, &pid) ||
	    !cursor_pair(&body, &tid, &format) || !cursor_u64(&body, &error->ip))
		return PRECIS_E_TRUNCATED;
	error->cpu = (int32_t)cpu;
	error->pid = (int32_t)pid;
	error->tid = (int32_t)tid;
	return take_message(&body, format, error);
}
