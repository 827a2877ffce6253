/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * print_records FILE: a line for each record other than SAMPLE: offset, size, type, members in the
 * words that perf report -D has for them. What perf does not show of a record is not shown here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <precis/precis.h>

struct context {
	struct precis_file *file;
	const struct precis_record *record;
};

/* Print the members. @return 0, or what the parser returned */
typedef int printer(const struct context *context);

#define PRINTER(name, type, call)                                                                  \
	static int name(const struct context *context)                                             \
	{                                                                                          \
		type parsed = { .size = sizeof(parsed) };                                          \
		int code = call(context->record, &parsed);                                         \
                                                                                                   \
		if (!code)                                                                         \
			name##_members(context, &parsed);                                          \
		return code;                                                                       \
	}

static void print_mmap_members(const struct context *context, const struct precis_mmap *map)
{
	printf("%d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64, (int)map->pid, (int)map->tid,
	       map->addr, map->length, map->page_offset);
	if (map->present & PRECIS_MMAP_INODE)
		printf(" %02x:%02x %" PRIu64 " %" PRIu64, map->device_major, map->device_minor,
		       map->inode, map->inode_generation);
	if (map->present & PRECIS_MMAP_BUILD_ID) {
		printf(" <");
		for (uint32_t i = 0; i < map->build_id_bytes; i++)
			printf("%02x", map->build_id[i]);
		printf(">");
	}
	printf("]: ");
	if (map->present & PRECIS_MMAP_PROTECTION)
		printf("%c%c%c%c", map->protection & PROT_READ ? 'r' : '-',
		       map->protection & PROT_WRITE ? 'w' : '-',
		       map->protection & PROT_EXEC ? 'x' : '-',
		       map->flags & MAP_SHARED ? 's' : 'p');
	else
		printf("%c", context->record->misc & PRECIS_MISC_MMAP_DATA ? 'r' : 'x');
	printf(" %s", map->filename);
}
PRINTER(print_mmap, struct precis_mmap, precis_mmap_parse)

static void print_comm_members(const struct context *context, const struct precis_comm *comm)
{
	printf("%s: %s:%d/%d", context->record->misc & PRECIS_MISC_COMM_EXEC ? " exec" : "",
	       comm->name, (int)comm->pid, (int)comm->tid);
}
PRINTER(print_comm, struct precis_comm, precis_comm_parse)

static void print_task_members(const struct context *context, const struct precis_task *task)
{
	(void)context;
	printf("(%d:%d):(%d:%d)", (int)task->pid, (int)task->tid, (int)task->parent_pid,
	       (int)task->parent_tid);
}
PRINTER(print_task, struct precis_task, precis_task_parse)

static void print_lost_members(const struct context *context, const struct precis_lost *lost)
{
	(void)context;
	printf(": id:%" PRIu64 ": lost:%" PRIu64, lost->id, lost->lost);
}
PRINTER(print_lost, struct precis_lost, precis_lost_parse)

static void print_lost_samples_members(const struct context *context,
				       const struct precis_lost_samples *lost)
{
	const struct precis_event *event = precis_file_event_of(context->file, context->record);
	struct precis_sample_id id = { .size = sizeof(id) };

	if (event)
		precis_sample_id_parse(event->layout, context->record, &id);
	printf(": id:%" PRIu64 ": lost samples :%" PRIu64, id.id, lost->lost);
}
PRINTER(print_lost_samples, struct precis_lost_samples, precis_lost_samples_parse)

static int print_read(const struct context *context)
{
	const struct precis_event *event = precis_file_event_of(context->file, context->record);
	struct precis_read_record read = { .size = sizeof(read) };
	struct precis_read_value value = { .size = sizeof(value) };
	int code = event ? precis_read_record_parse(event->layout, context->record, &read)
			 : PRECIS_E_BAD_ID;

	if (code || precis_read_value(&read.read, 0, &value))
		return code;
	printf(": %d %d %s %" PRIu64, (int)read.pid, (int)read.tid, event->name, value.value);
	if (read.read.present & PRECIS_FORMAT_TIME_ENABLED)
		printf(" ... time enabled : %" PRIu64, read.read.time_enabled);
	if (read.read.present & PRECIS_FORMAT_TIME_RUNNING)
		printf(" ... time running : %" PRIu64, read.read.time_running);
	if (value.present & PRECIS_FORMAT_ID)
		printf(" ... id : %" PRIu64, value.id);
	if (value.present & PRECIS_FORMAT_LOST)
		printf(" ... lost : %" PRIu64, value.lost);
	return 0;
}

static void print_aux_members(const struct context *context, const struct precis_aux *aux)
{
	(void)context;
	printf("offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64 " [%s%s%s]",
	       aux->aux_offset, aux->aux_size, aux->flags,
	       aux->flags & PRECIS_AUX_TRUNCATED ? "T" : "",
	       aux->flags & PRECIS_AUX_OVERWRITE ? "O" : "",
	       aux->flags & PRECIS_AUX_PARTIAL ? "P" : "");
}
PRINTER(print_aux, struct precis_aux, precis_aux_parse)

static void print_itrace_start_members(const struct context *context,
				       const struct precis_itrace_start *start)
{
	(void)context;
	printf("pid: %d tid: %d", (int)start->pid, (int)start->tid);
}
PRINTER(print_itrace_start, struct precis_itrace_start, precis_itrace_start_parse)

static void print_switch_members(const struct context *context, const struct precis_switch *change)
{
	(void)context;
	printf("%s", !change->is_out ? "IN" : change->is_preempt ? "OUT preempt" : "OUT");
	if (change->has_other)
		printf(" %s pid/tid: %d/%d", change->is_out ? "next" : "prev",
		       (int)change->other_pid, (int)change->other_tid);
}
PRINTER(print_switch, struct precis_switch, precis_switch_parse)

static void print_namespaces_members(const struct context *context,
				     const struct precis_namespaces *namespaces)
{
	struct precis_namespace entry = { .size = sizeof(entry) };

	(void)context;
	printf("%d/%d - nr_namespaces: %" PRIu64 " [", (int)namespaces->pid, (int)namespaces->tid,
	       namespaces->count);
	for (uint64_t n = 0; precis_namespace(namespaces, n, &entry) == 0; n++)
		printf("%s%" PRIu64 "/%s: %" PRIu64 "/%#" PRIx64, n ? ", " : "", n, entry.name,
		       entry.device, entry.inode);
	printf("]");
}
PRINTER(print_namespaces, struct precis_namespaces, precis_namespaces_parse)

static void print_ksymbol_members(const struct context *context,
				  const struct precis_ksymbol *symbol)
{
	(void)context;
	printf("addr %" PRIx64 " len %u type %u flags 0x%x name %s", symbol->addr, symbol->length,
	       symbol->type, symbol->flags, symbol->name);
}
PRINTER(print_ksymbol, struct precis_ksymbol, precis_ksymbol_parse)

static void print_bpf_event_members(const struct context *context,
				    const struct precis_bpf_event *event)
{
	(void)context;
	printf("type %u, flags %u, id %u", event->type, event->flags, event->id);
}
PRINTER(print_bpf_event, struct precis_bpf_event, precis_bpf_event_parse)

static void print_cgroup_members(const struct context *context, const struct precis_cgroup *cgroup)
{
	(void)context;
	printf("cgroup: %" PRIu64 " %s", cgroup->id, cgroup->path);
}
PRINTER(print_cgroup, struct precis_cgroup, precis_cgroup_parse)

static void print_id_index_members(const struct context *context,
				   const struct precis_id_index *index)
{
	struct precis_id_index_entry entry = { .size = sizeof(entry) };

	(void)context;
	printf("nr: %" PRIu64, index->count);
	for (uint64_t n = 0; precis_id_index_entry(index, n, &entry) == 0; n++)
		printf(" ... id: %" PRIu64 " idx: %" PRIu64 " cpu: %" PRId64 " tid: %" PRId64,
		       entry.id, entry.index, entry.cpu, entry.tid);
}
PRINTER(print_id_index, struct precis_id_index, precis_id_index_parse)

static void print_auxtrace_info_members(const struct context *context,
					const struct precis_auxtrace_info *info)
{
	(void)context;
	printf("type: %u", info->type);
}
PRINTER(print_auxtrace_info, struct precis_auxtrace_info, precis_auxtrace_info_parse)

static void print_auxtrace_members(const struct context *context,
				   const struct precis_auxtrace *trace)
{
	(void)context;
	printf("size: %#" PRIx64 " offset: %#" PRIx64 " ref: %#" PRIx64 " idx: %u tid: %d cpu: %d",
	       trace->following_bytes, trace->aux_offset, trace->reference, trace->index,
	       trace->tid, trace->cpu);
}
PRINTER(print_auxtrace, struct precis_auxtrace, precis_auxtrace_parse)

static void print_thread_map_members(const struct context *context,
				     const struct precis_thread_map *map)
{
	struct precis_thread_map_entry entry = { .size = sizeof(entry) };

	(void)context;
	printf("nr: %" PRIu64 " thread%s: ", map->count, map->count > 1 ? "s" : "");
	for (uint64_t n = 0; precis_thread_map_entry(map, n, &entry) == 0; n++)
		printf("%s%" PRId64, n ? ", " : "", entry.pid);
}
PRINTER(print_thread_map, struct precis_thread_map, precis_thread_map_parse)

static void print_cpus(const struct precis_cpu_map *map)
{
	uint32_t position = 0;
	int32_t cpu;

	while (precis_cpu_map_next(map, &position, &cpu) == 1)
		printf("%d,", cpu);
}

static void print_cpu_map_members(const struct context *context, const struct precis_cpu_map *map)
{
	(void)context;
	printf(": ");
	print_cpus(map);
}
PRINTER(print_cpu_map, struct precis_cpu_map, precis_cpu_map_parse)

static void print_stat_config_members(const struct context *context,
				      const struct precis_stat_config *config)
{
	struct precis_stat_config_entry entry = { .size = sizeof(entry) };

	(void)context;
	for (uint64_t n = 0; precis_stat_config_entry(config, n, &entry) == 0; n++)
		printf(" ... %s %" PRIu64, entry.name, entry.value);
}
PRINTER(print_stat_config, struct precis_stat_config, precis_stat_config_parse)

static void print_stat_members(const struct context *context, const struct precis_stat *stat)
{
	(void)context;
	printf("... id %" PRIu64 ", cpu %d, thread %d ... value %" PRIu64 ", enabled %" PRIu64
	       ", running %" PRIu64,
	       stat->id, stat->cpu, stat->thread, stat->value, stat->time_enabled,
	       stat->time_running);
}
PRINTER(print_stat, struct precis_stat, precis_stat_parse)

static void print_stat_round_members(const struct context *context,
				     const struct precis_stat_round *round)
{
	(void)context;
	printf("... time %" PRIu64 ", type %s", round->time, round->type ? "FINAL" : "INTERVAL");
}
PRINTER(print_stat_round, struct precis_stat_round, precis_stat_round_parse)

static void print_update_members(const struct context *context,
				 const struct precis_event_update *update)
{
	(void)context;
	printf("... id: %" PRIu64 " ... ", update->id);
	switch (update->type) {
	case PRECIS_EVENT_UPDATE_UNIT:
		printf("unit: %s", update->text);
		break;
	case PRECIS_EVENT_UPDATE_SCALE:
		printf("scale: %f", update->scale);
		break;
	case PRECIS_EVENT_UPDATE_NAME:
		printf("name: %s", update->text);
		break;
	default:
		printf("cpus: ");
		print_cpus(&update->cpus);
		break;
	}
}
PRINTER(print_update, struct precis_event_update, precis_event_update_parse)

static void print_time_conv_members(const struct context *context,
				    const struct precis_time_conv *conv)
{
	(void)context;
	printf("... Time Shift %" PRIu64 " ... Time Muliplier %" PRIu64 " ... Time Zero %" PRIu64,
	       conv->time_shift, conv->time_mult, conv->time_zero);
	if (conv->has_cycles)
		printf(" ... Time Cycles %" PRIu64 " ... Time Mask %#" PRIx64
		       " ... Cap Time Zero %u ... Cap Time Short %u",
		       conv->time_cycles, conv->time_mask, conv->is_zero_usable,
		       conv->is_counter_short);
}
PRINTER(print_time_conv, struct precis_time_conv, precis_time_conv_parse)

static printer *const printers[] = {
	[PRECIS_RECORD_MMAP] = print_mmap,
	[PRECIS_RECORD_LOST] = print_lost,
	[PRECIS_RECORD_COMM] = print_comm,
	[PRECIS_RECORD_EXIT] = print_task,
	[PRECIS_RECORD_FORK] = print_task,
	[PRECIS_RECORD_READ] = print_read,
	[PRECIS_RECORD_MMAP2] = print_mmap,
	[PRECIS_RECORD_AUX] = print_aux,
	[PRECIS_RECORD_ITRACE_START] = print_itrace_start,
	[PRECIS_RECORD_LOST_SAMPLES] = print_lost_samples,
	[PRECIS_RECORD_SWITCH] = print_switch,
	[PRECIS_RECORD_SWITCH_CPU_WIDE] = print_switch,
	[PRECIS_RECORD_NAMESPACES] = print_namespaces,
	[PRECIS_RECORD_KSYMBOL] = print_ksymbol,
	[PRECIS_RECORD_BPF_EVENT] = print_bpf_event,
	[PRECIS_RECORD_CGROUP] = print_cgroup,
	[PRECIS_RECORD_ID_INDEX] = print_id_index,
	[PRECIS_RECORD_AUXTRACE_INFO] = print_auxtrace_info,
	[PRECIS_RECORD_AUXTRACE] = print_auxtrace,
	[PRECIS_RECORD_THREAD_MAP] = print_thread_map,
	[PRECIS_RECORD_CPU_MAP] = print_cpu_map,
	[PRECIS_RECORD_STAT_CONFIG] = print_stat_config,
	[PRECIS_RECORD_STAT] = print_stat,
	[PRECIS_RECORD_STAT_ROUND] = print_stat_round,
	[PRECIS_RECORD_EVENT_UPDATE] = print_update,
	[PRECIS_RECORD_TIME_CONV] = print_time_conv,
};

static void print_record(struct precis_file *file, const struct precis_record *record)
{
	struct context context = { file, record };
	const char *name = precis_record_name(record->type);
	int code = 0;

	printf("%#" PRIx64 "\t%#x\t%s\t", record->offset, record->size, name ? name : "?");
	if (record->type < sizeof(printers) / sizeof(printers[0]) && printers[record->type])
		code = printers[record->type](&context);
	if (code)
		printf("error: %s", precis_strerror(code));
	printf("\n");
}

int main(int argc, char **argv)
{
	struct precis_record record;
	struct precis_file *file;
	int code;

	if (argc != 2 || precis_file_open(argv[1], NULL, &file, NULL))
		return 2;
	while ((code = precis_file_next(file, &record)) == 1) {
		if (record.type != PRECIS_RECORD_SAMPLE)
			print_record(file, &record);
	}
	if (code)
		fprintf(stderr, "%s\n", precis_file_last_error(file)->expected);
	precis_file_close(file);
	return code != 0;
}
