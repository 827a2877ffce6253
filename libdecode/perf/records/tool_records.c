/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the perf tool's records that have no relatives: ids, time, compression, BPF. */
#include <precis/tool_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

#define ID_ENTRY_BYTES 32u
#define ID_MACHINE_BYTES 16u
#define BPF_KEY_ROOM 64u
#define BPF_VALUE_ROOM 256u
#define BPF_ENTRY_BYTES (BPF_KEY_ROOM + BPF_VALUE_ROOM)
#define SAMPLE_ID_MAX_BYTES 48u

int precis_id_index_parse(const struct precis_record *record, struct precis_id_index *index)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_ID_INDEX, &body);

	ABI_OUT(struct precis_id_index, index, precis_id_index_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_counted(&body, ID_ENTRY_BYTES, &index->count, &index->entries))
		return PRECIS_E_TRUNCATED;
	index->machines = (struct precis_bytes){ NULL, 0 };
	index->has_machines = index->count && cursor_left(&body);
	if (index->has_machines &&
	    !cursor_view(&body, index->count, ID_MACHINE_BYTES, &index->machines))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_id_index_entry(const struct precis_id_index *index, uint64_t n,
			  struct precis_id_index_entry *entry)
{
	struct cursor at;
	uint64_t cpu, tid, vcpu;

	ABI_IN(struct precis_id_index, index, precis_id_index_entry(&abi, n, entry));
	ABI_OUT(struct precis_id_index_entry, entry, precis_id_index_entry(index, n, &abi));
	if (entry_open(&index->entries, ID_ENTRY_BYTES, n, &at))
		return PRECIS_E_ARGUMENT;
	cursor_u64(&at, &entry->id);
	cursor_u64(&at, &entry->index);
	cursor_u64(&at, &cpu);
	cursor_u64(&at, &tid);
	entry->cpu = (int64_t)cpu;
	entry->tid = (int64_t)tid;
	entry->has_machine = !entry_open(&index->machines, ID_MACHINE_BYTES, n, &at);
	if (entry->has_machine) {
		cursor_u64(&at, &entry->machine_pid);
		cursor_u64(&at, &vcpu);
		entry->vcpu = (int64_t)vcpu;
	}
	return 0;
}

int precis_time_conv_parse(const struct precis_record *record, struct precis_time_conv *conv)
{
	const uint8_t *flags;
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_TIME_CONV, &body);

	ABI_OUT(struct precis_time_conv, conv, precis_time_conv_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &conv->time_shift) || !cursor_u64(&body, &conv->time_mult) ||
	    !cursor_u64(&body, &conv->time_zero))
		return PRECIS_E_TRUNCATED;
	conv->has_cycles = cursor_left(&body) != 0;
	if (!conv->has_cycles)
		return 0;
	if (!cursor_u64(&body, &conv->time_cycles) || !cursor_u64(&body, &conv->time_mask) ||
	    !cursor_array(&body, 2, 1, &flags))
		return PRECIS_E_TRUNCATED;
	conv->is_zero_usable = flags[0] != 0;
	conv->is_counter_short = flags[1] != 0;
	return 0;
}

int precis_compressed_parse(const struct precis_record *record,
			    struct precis_compressed *compressed)
{
	struct cursor body;
	uint64_t bytes;
	int error = record_open_either(record, PRECIS_RECORD_COMPRESSED, PRECIS_RECORD_COMPRESSED2,
				       &body);

	ABI_OUT(struct precis_compressed, compressed, precis_compressed_parse(record, &abi));
	if (error)
		return error;
	if (record->type == PRECIS_RECORD_COMPRESSED) {
		cursor_rest(&body, &compressed->data);
		return 0;
	}
	if (!cursor_u64(&body, &bytes) || !cursor_view(&body, bytes, 1, &compressed->data))
		return PRECIS_E_TRUNCATED;
	return 0;
}

/* A name padded with NULs to the end of its room */
static int take_padded_name(struct cursor *body, size_t room, const char **name, uint32_t *bytes)
{
	if (!cursor_name(body, room, name, bytes))
		return 0;
	for (size_t i = *bytes; i < room; i++) {
		if ((*name)[i])
			return 0;
	}
	return 1;
}

/*
 * The room of the program's name is KSYM_NAME_LEN of whatever header the
 * writer was compiled with. What must follow tells: exactly the entries, and
 * no more than the sample_id that the writer leaves room for.
 */
int precis_bpf_metadata_parse(const struct precis_record *record,
			      struct precis_bpf_metadata *metadata)
{
	static const uint32_t name_rooms[] = { 256, 512 };
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_BPF_METADATA, &body);

	ABI_OUT(struct precis_bpf_metadata, metadata, precis_bpf_metadata_parse(record, &abi));
	if (error)
		return error;
	for (size_t i = 0; i < sizeof(name_rooms) / sizeof(name_rooms[0]); i++) {
		struct cursor at = body;

		if (take_padded_name(&at, name_rooms[i], &metadata->program,
				     &metadata->program_bytes) &&
		    cursor_counted(&at, BPF_ENTRY_BYTES, &metadata->count, &metadata->entries) &&
		    cursor_left(&at) <= SAMPLE_ID_MAX_BYTES)
			return 0;
	}
	return PRECIS_E_TRUNCATED;
}

int precis_bpf_metadata_entry(const struct precis_bpf_metadata *metadata, uint64_t n,
			      struct precis_bpf_metadata_entry *entry)
{
	struct cursor at;

	ABI_IN(struct precis_bpf_metadata, metadata, precis_bpf_metadata_entry(&abi, n, entry));
	ABI_OUT(struct precis_bpf_metadata_entry, entry,
		precis_bpf_metadata_entry(metadata, n, &abi));
	if (entry_open(&metadata->entries, BPF_ENTRY_BYTES, n, &at))
		return PRECIS_E_ARGUMENT;
	cursor_name(&at, BPF_KEY_ROOM, &entry->key, &entry->key_bytes);
	cursor_name(&at, BPF_VALUE_ROOM, &entry->value, &entry->value_bytes);
	return 0;
}
