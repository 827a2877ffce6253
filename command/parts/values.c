/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that are one value, and why a sample has none of a part. */
#include "values.h"

#include <string.h>

#include "lists.h"

static int absent(struct part_absence *absence, enum precis_reason reason, const char *detail)
{
	absence->reason = precis_reason_name(reason);
	absence->detail = detail;
	return 1;
}

static int absent_place(struct part_absence *absence, uint32_t why)
{
	absence->reason = places_absent_name(why);
	absence->detail = precis_symbol_absent_text(why);
	return 1;
}

/* A list of which the kernel wrote that it is empty */
static int is_empty(uint64_t count, struct part_absence *absence)
{
	return count == 0 && absent(absence, PRECIS_NOT_APPLICABLE, "the kernel had none to write");
}

static int no_callchain(struct parts *parts, struct part_absence *absence)
{
	return is_empty(parts->perf.callchain_count, absence);
}

static int no_branches(struct parts *parts, struct part_absence *absence)
{
	return is_empty(parts->perf.branch_count, absence);
}

static int no_raw(struct parts *parts, struct part_absence *absence)
{
	static const uint8_t filler[4]; /* is what the kernel writes for an empty one */
	const struct precis_bytes *raw = &parts->perf.raw;
	int is_filler = raw->bytes == sizeof(filler) && !memcmp(raw->data, filler, sizeof(filler));

	return is_empty(is_filler ? 0 : raw->bytes, absence);
}

static const char *trace_of(struct parts *parts, enum precis_reason *reason, const char **detail)
{
	return trace_text_of(&parts->trace, parts->file, parts->event, &parts->perf.raw, reason,
			     detail);
}

static int no_trace(struct parts *parts, struct part_absence *absence)
{
	enum precis_reason reason;
	const char *detail;

	return !trace_of(parts, &reason, &detail) && absent(absence, reason, detail);
}

static void put_trace(struct parts *parts, struct value_sink *sink)
{
	value_text(sink, parts->trace.text);
}

static int no_user_registers(struct parts *parts, struct part_absence *absence)
{
	return is_empty(parts->perf.regs_user_abi, absence);
}

static int no_interrupt_registers(struct parts *parts, struct part_absence *absence)
{
	return is_empty(parts->perf.regs_intr_abi, absence);
}

static int no_user_stack(struct parts *parts, struct part_absence *absence)
{
	return is_empty(parts->perf.stack_user_dynamic, absence);
}

static int no_hw_index(struct parts *parts, struct part_absence *absence)
{
	return parts->perf.branch_hw_index == UINT64_MAX &&
	       absent(absence, PRECIS_NOT_CAPTURED, "not with this branch stack");
}

static int parse_read(struct parts *parts, struct precis_read *read)
{
	read->size = sizeof(*read);
	return precis_read_parse(parts->event->layout->read_format, parts->perf.read, read);
}

static int no_read_bit(struct parts *parts, uint32_t bit, struct part_absence *absence)
{
	struct precis_read read;

	if (parse_read(parts, &read))
		return absent(absence, PRECIS_MALFORMED, "counts that are not as read_format says");
	return bit && !(read.present & bit) &&
	       absent(absence, PRECIS_NOT_CAPTURED, "the event's read_format has it not");
}

static int no_read(struct parts *parts, struct part_absence *absence)
{
	return no_read_bit(parts, 0, absence);
}

static int no_time_enabled(struct parts *parts, struct part_absence *absence)
{
	return no_read_bit(parts, PRECIS_FORMAT_TIME_ENABLED, absence);
}

static int no_time_running(struct parts *parts, struct part_absence *absence)
{
	return no_read_bit(parts, PRECIS_FORMAT_TIME_RUNNING, absence);
}

static const char *cgroup_path(struct parts *parts)
{
	uint64_t id;

	return precis_get_cgroup(parts->sample, &id) ? cgroup_paths_find(&parts->cgroups, id)
						     : NULL;
}

static int no_cgroup_path(struct parts *parts, struct part_absence *absence)
{
	uint64_t id;

	if (!precis_get_cgroup(parts->sample, &id))
		return absent(absence, PRECIS_NOT_CAPTURED, "the event does not sample the cgroup");
	return !cgroup_path(parts) &&
	       absent(absence, PRECIS_NOT_CAPTURED, "no record names the cgroup");
}

static int no_dso(struct parts *parts, struct part_absence *absence)
{
	if (!parts->has_ip)
		return absent(absence, precis_why(parts->sample, PRECIS_FIELD_IP),
			      precis_why_detail(parts->sample, PRECIS_FIELD_IP));
	return !parts->place.object && absent_place(absence, parts->place.symbol_absent);
}

static int no_symbol(struct parts *parts, struct part_absence *absence)
{
	return no_dso(parts, absence) ||
	       (!parts->place.symbol && absent_place(absence, parts->place.symbol_absent));
}

static int no_srcline(struct parts *parts, struct part_absence *absence)
{
	return no_dso(parts, absence) ||
	       (!parts->line.file && absent_place(absence, parts->line.absent));
}

static int no_comm(struct parts *parts, struct part_absence *absence)
{
	uint64_t tid;

	if (!precis_get_tid(parts->sample, &tid))
		return absent(absence, PRECIS_NOT_CAPTURED,
			      parts->is_traced ? precis_why_detail(parts->sample, PRECIS_FIELD_TID) :
						 "the event does not sample the thread");
	return !places_task(&parts->places, parts->sample) &&
	       absent(absence, PRECIS_NOT_CAPTURED, "no record names the thread");
}

static void put_id(struct parts *parts, struct value_sink *sink)
{
	value_number(sink, parts->perf.present & PRECIS_SAMPLE_IDENTIFIER ? parts->perf.identifier
									  : parts->perf.id);
}

static void put_stream_id(struct parts *parts, struct value_sink *sink)
{
	value_number(sink, parts->perf.stream_id);
}

static void put_time_enabled(struct parts *parts, struct value_sink *sink)
{
	struct precis_read read;

	parse_read(parts, &read);
	value_number(sink, read.time_enabled);
}

static void put_time_running(struct parts *parts, struct value_sink *sink)
{
	struct precis_read read;

	parse_read(parts, &read);
	value_number(sink, read.time_running);
}

static void put_raw_bytes(struct parts *parts, struct value_sink *sink)
{
	value_number(sink, parts->perf.raw.bytes);
}

static void put_raw(struct parts *parts, struct value_sink *sink)
{
	value_bytes(sink, parts->perf.raw.data, parts->perf.raw.bytes);
}

static void put_hw_index(struct parts *parts, struct value_sink *sink)
{
	value_number(sink, parts->perf.branch_hw_index);
}

/* What the kernel copied; the area for it may be larger */
static size_t user_stack_bytes(struct parts *parts)
{
	uint64_t bytes = parts->perf.stack_user_dynamic;

	return bytes < parts->perf.stack_user.bytes ? (size_t)bytes : parts->perf.stack_user.bytes;
}

static void put_user_stack_bytes(struct parts *parts, struct value_sink *sink)
{
	value_number(sink, user_stack_bytes(parts));
}

static void put_user_stack(struct parts *parts, struct value_sink *sink)
{
	value_bytes(sink, parts->perf.stack_user.data, user_stack_bytes(parts));
}

static void put_aux_bytes(struct parts *parts, struct value_sink *sink)
{
	value_number(sink, parts->perf.aux.bytes);
}

static void put_cgroup_path(struct parts *parts, struct value_sink *sink)
{
	value_text(sink, cgroup_path(parts));
}

static void put_dso(struct parts *parts, struct value_sink *sink)
{
	value_text(sink, parts->place.object);
}

static void put_dso_offset(struct parts *parts, struct value_sink *sink)
{
	value_hex(sink, parts->place.offset);
}

static void put_symbol(struct parts *parts, struct value_sink *sink)
{
	value_text(sink, places_symbol(&parts->places, &parts->place));
}

static void put_symbol_offset(struct parts *parts, struct value_sink *sink)
{
	value_hex(sink, parts->place.symbol_offset);
}

static void put_srcline(struct parts *parts, struct value_sink *sink)
{
	value_line(sink, parts->line.file, parts->line.number);
}

static void put_comm(struct parts *parts, struct value_sink *sink)
{
	value_text(sink, places_task(&parts->places, parts->sample));
}

static void put_offset(struct parts *parts, struct value_sink *sink)
{
	value_hex(sink, parts->record->offset);
}

static int no_file_part(struct parts *parts, struct part_absence *absence)
{
	struct precis_file_info info = { .size = sizeof(info) };

	precis_file_info(parts->file, &info);
	return info.form != PRECIS_FORM_DIRECTORY &&
	       absent(absence, PRECIS_NOT_APPLICABLE, "the recording is one file");
}

static void put_file_part(struct parts *parts, struct value_sink *sink)
{
	value_number(sink, parts->record->data_file);
}

const struct part_value part_values[PART_COUNT] = {
	[PART_ID] = { NULL, put_id },
	[PART_STREAM_ID] = { NULL, put_stream_id },
	[PART_READ] = { no_read, put_read },
	[PART_TIME_ENABLED] = { no_time_enabled, put_time_enabled },
	[PART_TIME_RUNNING] = { no_time_running, put_time_running },
	[PART_CALLCHAIN] = { no_callchain, put_callchain },
	[PART_CALLCHAIN_SYMBOLS] = { no_callchain, put_callchain_symbols },
	[PART_RAW_BYTES] = { NULL, put_raw_bytes },
	[PART_RAW] = { no_raw, put_raw },
	[PART_TRACE] = { no_trace, put_trace },
	[PART_BRANCH_STACK] = { no_branches, put_branch_stack },
	[PART_BRANCH_STACK_SYMBOLS] = { no_branches, put_branch_stack_symbols },
	[PART_HW_INDEX] = { no_hw_index, put_hw_index },
	[PART_USER_REGISTERS] = { no_user_registers, put_user_registers },
	[PART_USER_STACK_BYTES] = { no_user_stack, put_user_stack_bytes },
	[PART_USER_STACK] = { no_user_stack, put_user_stack },
	[PART_INTERRUPT_REGISTERS] = { no_interrupt_registers, put_interrupt_registers },
	[PART_AUX_BYTES] = { NULL, put_aux_bytes },
	[PART_CGROUP_PATH] = { no_cgroup_path, put_cgroup_path },
	[PART_COMM] = { no_comm, put_comm },
	[PART_DSO] = { no_dso, put_dso },
	[PART_DSO_OFFSET] = { no_dso, put_dso_offset },
	[PART_SYMBOL] = { no_symbol, put_symbol },
	[PART_SYMBOL_OFFSET] = { no_symbol, put_symbol_offset },
	[PART_SRCLINE] = { no_srcline, put_srcline },
	[PART_OFFSET] = { NULL, put_offset },
	[PART_FILE_PART] = { no_file_part, put_file_part },
};
