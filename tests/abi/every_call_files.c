/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on what is open: recordings, inputs, traces, symbols, rings, tracepoints, side files. */
#include <fcntl.h>
#include <unistd.h>

#include "../../libdecode/objects/format.h"
#include "every_call.h"

static struct precis_file *opened(struct calls *calls, const char *path)
{
	struct precis_file_options *options = NEW(precis_file_options);
	struct precis_file_error *error = NEW(precis_file_error);
	struct precis_file *file = NULL, *again = NULL;
	int fd = open(path, O_RDONLY);

	FILLS(precis_file_error, precis_file_open, memset(s, 0, sizeof(*s));
	      s->size = sizeof(*s), -precis_file_open("/nowhere", options, &file, s));
	RETURNS(precis_file_open_fd, precis_file_open_fd(fd, options, &again, error));
	RETURNS(precis_file_open, precis_file_open(path, options, &file, error));
	precis_file_close(again);
	close(fd);
	calls_drop(options);
	calls_drop(error);
	return file;
}

static void read_all(struct calls *calls, struct precis_file *file)
{
	struct precis_perf_sample *perf = NEW(precis_perf_sample);
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	struct precis_record record;
	uint32_t samples = 0;
	int code = 0;

	while (samples < 3 && precis_file_next(file, &record) > 0) {
		if (record.type != PRECIS_RECORD_SAMPLE)
			continue;
		code = precis_file_sample(file, &record, NULL, samples++ ? NULL : perf, sample);
	}
	CALLS_OF(_sample)(calls, "precis_file_sample", code, sample);
	GIVES(precis_file_sample, perf->ip);
	calls_drop(perf);
}

static void recording(struct calls *calls, const char *path)
{
	struct precis_file *file = opened(calls, path);
	struct precis_file_info *info = NEW(precis_file_info);
	struct precis_loss *loss = NEW(precis_loss);

	if (!file)
		abort();
	RETURNS(precis_file_info, precis_file_info(file, info));
	GIVES(precis_file_info, info->data_offset);
	read_all(calls, file);
	FILLS(precis_file_counts, precis_file_counts, , precis_file_counts(file, s));
	FILLS(precis_event_counts, precis_file_event_counts, ,
	      precis_file_event_counts(file, 0, s));
	FILLS(precis_loss, precis_file_loss_sum, ,
	      precis_file_loss_sum(file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, s));
	FILLS(precis_loss, precis_file_loss, , precis_file_loss(file, 0, s) >= PRECIS_E_ARGUMENT);
	FILLS(precis_loss_thread, precis_file_loss_thread, ,
	      precis_file_loss_thread(file, 0, loss, s) >= PRECIS_E_ARGUMENT);
	FILLS(precis_throttled_share, precis_file_throttled_share, ,
	      precis_file_throttled_share(file, 0, PRECIS_LOSS_ANY, s));
	RETURNS(precis_file_loss_by_thread, precis_file_loss_by_thread(file, 0));
	calls_drop(loss);
	calls_drop(info);
	precis_file_close(file);
}

static void traces(struct calls *calls, struct precis_file *file)
{
	struct precis_pebs_pt_origin *origin = NEW(precis_pebs_pt_origin);
	struct precis_perf_sample *perf = NEW(precis_perf_sample);
	struct precis_auxtrace_info *info = NEW(precis_auxtrace_info);
	struct precis_auxtrace *trace = NEW(precis_auxtrace);
	struct precis_pebs *pebs = NEW(precis_pebs);
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	struct precis_pebs_pt_samples *samples;
	struct precis_pebs_pt_events *events;
	uint64_t words[16] = { 0, 0, 1, 0, 1 }, time = 0;
	int code;

	if (precis_pebs_pt_events_open(file, &events) ||
	    precis_pebs_pt_samples_open(file, &samples))
		abort();
	FILLS(precis_pebs_pt_match, precis_pebs_pt_events_match, ,
	      precis_pebs_pt_events_match(events, trace, PRECIS_PEBS_PT_NO_TIME, pebs, s));
	code = precis_pebs_pt_samples_next(samples, NULL, perf, sample, origin);
	CALLS_OF(_sample)(calls, "precis_pebs_pt_samples_next", code, sample);
	FILLS(precis_pebs_pt_counts, precis_pebs_pt_samples_counts, ,
	      precis_pebs_pt_samples_counts(samples, s));
	info->type = 1;
	info->private_words = (struct precis_bytes){ (const uint8_t *)words, sizeof(words) };
	RETURNS(precis_pebs_pt_time, precis_pebs_pt_time(info, 77, &time));
	GIVES(precis_pebs_pt_time, time);
	precis_pebs_pt_samples_close(samples);
	precis_pebs_pt_events_close(events);
	calls_drop(origin);
	calls_drop(perf);
	calls_drop(info);
	calls_drop(trace);
	calls_drop(pebs);
}

static void traced_recording(struct calls *calls, const char *path)
{
	struct precis_file *file;

	if (precis_file_open(path, NULL, &file, NULL))
		abort();
	traces(calls, file);
	precis_file_close(file);
}

static void asked(struct calls *calls, struct precis_input *input)
{
	struct precis_perf_sample *perf = NEW(precis_perf_sample);
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	const struct precis_item *item;
	int code;

	while (precis_input_next(input, &item) > 0 && item->kind != PRECIS_ITEM_SAMPLE)
		;
	code = precis_input_sample(input, NULL, perf, sample);
	CALLS_OF(_sample)(calls, "precis_input_sample", code, sample);
	FILLS(precis_pebs_pt_origin, precis_input_origin, , precis_input_origin(input, s));
	FILLS(precis_input_counts, precis_input_counts, , precis_input_counts(input, s));
	FILLS(precis_input_fault, precis_input_fault, ,
	      precis_input_fault(input, PRECIS_INPUT_FAULT_UNREAD, s));
	FILLS(precis_pebs_pt_counts, precis_input_traces, , precis_input_traces(input, s));
	calls_drop(perf);
}

static void inputs(struct calls *calls, const char *path)
{
	struct precis_input_options *options = NEW(precis_input_options);
	struct precis_pebs_machine *machine = NEW(precis_pebs_machine);
	struct precis_pebs_dump *dump = NEW(precis_pebs_dump);
	struct precis_file_error *error = NEW(precis_file_error);
	struct precis_input *input;
	int fd = open(path, O_RDONLY);

	RETURNS(precis_input_open, precis_input_open(path, options, &input, error));
	asked(calls, input);
	precis_input_close(input);
	dump->format = PRECIS_PEBS_FORMAT_3;
	dump->machine = machine;
	options->dump = dump;
	RETURNS(precis_input_open_fd, precis_input_open_fd(fd, options, &input, error));
	asked(calls, input);
	precis_input_close(input);
	close(fd);
	calls_drop(options);
	calls_drop(machine);
	calls_drop(dump);
	calls_drop(error);
}

static void columns(struct calls *calls, const char *path)
{
	struct precis_columns_options *options = NEW(precis_columns_options);
	const uint32_t field = PRECIS_FIELD_IP;
	struct precis_columns *columns;
	struct precis_column *column = NEW(precis_column);
	struct precis_input *input;

	options->rows = 16;
	if (precis_input_open(path, NULL, &input, NULL))
		abort();
	RETURNS(precis_columns_open, precis_columns_open(&field, 1, options, &columns));
	FILLS(precis_batch, precis_columns_next, , precis_columns_next(columns, input, s));
	RETURNS(precis_columns_get, precis_columns_get(columns, 0, column));
	GIVES(precis_columns_get, column->values[0]);
	precis_columns_close(columns);
	precis_input_close(input);
	calls_drop(options);
	calls_drop(column);
}

/* Where the recording has such: of the others a run is none, and a call an error */
static void runs(struct calls *calls, const char *path)
{
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	struct precis_input_run *run = NEW(precis_input_run);
	uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 };
	const struct precis_item *item;
	struct precis_input *input;
	int code;

	precis_fields_add(wanted, PRECIS_FIELD_IP);
	if (precis_input_open(path, NULL, &input, NULL))
		abort();
	while ((code = precis_input_take_run(input, wanted, 4, UINT64_MAX, run)) == 0 &&
	       precis_input_next(input, &item) > 0) {
		if (item->kind == PRECIS_ITEM_SAMPLE)
			precis_input_sample(input, wanted, NULL, sample);
	}
	RETURNS(precis_input_take_run, code);
	RETURNS(precis_input_take_run, run->count);
	if (run->count && run->ops)
		GIVES(precis_input_take_run, precis_input_run_op(run, run->count - 1)->op_rip);
	code = precis_input_run_sample(input, 1, NULL, sample);
	CALLS_OF(_sample)(calls, "precis_input_run_sample", code, sample);
	precis_input_close(input);
	calls_drop(run);
}

static void symbols(struct calls *calls)
{
	struct precis_symbols_options *options = NEW(precis_symbols_options);
	struct precis_location *location = NEW(precis_location);
	struct precis_symbols *symbols;
	struct precis_bytes id;
	uint64_t start, end;
	uint8_t bytes[4];

	RETURNS(precis_symbols_new, precis_symbols_new(options, &symbols));
	FILLS(precis_location, precis_symbols_locate, ,
	      precis_symbols_locate(symbols, 1, PRECIS_CPUMODE_USER, 0, 0x401000, s));
	FILLS(precis_location, precis_symbols_find, ,
	      precis_symbols_find(symbols, 1, PRECIS_CPUMODE_USER, 0, 0x401000, s));
	precis_symbols_find(symbols, 1, PRECIS_CPUMODE_USER, 0, 0x401000, location);
	RETURNS(precis_symbols_name, precis_symbols_name(symbols, location));
	RETURNS(precis_symbols_build_id, precis_symbols_build_id(symbols, location, &id));
	RETURNS(precis_symbols_file_offset, precis_symbols_file_offset(symbols, location, &start));
	FILLS(precis_line, precis_symbols_line, , precis_symbols_line(symbols, location, s));
	RETURNS(precis_symbols_extent, precis_symbols_extent(symbols, location, &start, &end));
	FILLS(precis_code, precis_symbols_code, ,
	      precis_symbols_code(symbols, location, bytes, sizeof(bytes), s));
	FILLS(precis_memory, precis_symbols_memory, ,
	      precis_symbols_memory(symbols, 1, UINT64_MAX, UINT64_MAX, s));
	precis_symbols_free(symbols);
	calls_drop(options);
	calls_drop(location);
}

static void data_layout(struct calls *calls, struct precis_data_types *types)
{
	struct precis_data_type_row *row = NEW(precis_data_type_row);
	struct precis_data_type_layout *layout;
	const struct precis_data_type *type;

	RETURNS(precis_data_types_find, precis_data_types_find(types, "struct calls", 0, &type));
	if (precis_data_type_layout_new(type, &layout))
		abort();
	while (precis_data_type_layout_next(layout, row) > 0)
		GIVES(precis_data_type_layout_next, row->offset + row->bytes);
	FILLS(precis_data_type_row, precis_data_type_layout_next, ,
	      precis_data_type_layout_next(layout, s));
	precis_data_type_layout_free(layout);
	calls_drop(row);
}

/* Addresses that no function of this program has */
static void data_allocation(struct calls *calls, struct precis_data_types *types)
{
	const uint64_t addresses[] = { 0, UINT64_MAX };

	FILLS(precis_allocation, precis_data_type_of_allocation, ,
	      precis_data_type_of_allocation(types, addresses, 2, 16, s));
}

/* Where this program begins, by the linker */
extern const char __executable_start[];
extern int main(int argc, char **argv);

/* Of main(), wherever the program was loaded */
static void data_locals(struct calls *calls, struct precis_data_types *types)
{
	const uint64_t here = (uintptr_t)&main;
	struct precis_data_locals *locals = NULL;

	if (precis_data_locals_new(types, here - (uintptr_t)__executable_start, &locals) <= 0)
		precis_data_locals_new(types, here, &locals);
	FILLS(precis_local, precis_data_locals_get, , precis_data_locals_get(locals, UINT32_MAX, s));
	precis_data_locals_free(locals);
}

static void data_paths(struct calls *calls)
{
	struct precis_data_type_paths *paths;

	RETURNS(precis_data_type_paths_new, precis_data_type_paths_new(&paths));
	FILLS(precis_data_type_path, precis_data_type_path, , precis_data_type_path(paths, 0, s));
	precis_data_type_paths_free(paths);
}

/* Of this program; there are none where the library reads no ELF files */
static void data_types(struct calls *calls)
{
	struct precis_symbols_options *options = NEW(precis_symbols_options);
	const struct precis_bytes any = { NULL, 0 };
	struct precis_data_types *types;

	RETURNS(precis_data_types_open,
		precis_data_types_open(options, "/proc/self/exe", any, &types, NULL));
	if (types) {
		FILLS(precis_variable, precis_data_types_variable, ,
		      precis_data_types_variable(types, UINT64_MAX, s));
		FILLS(precis_variable, precis_data_types_variable_at, ,
		      precis_data_types_variable_at(types, 0, UINT64_MAX, s));
		FILLS(precis_code_function, precis_data_types_function, ,
		      precis_data_types_function(types, UINT64_MAX, 0, s));
		data_layout(calls, types);
		data_allocation(calls, types);
		data_locals(calls, types);
		data_paths(calls);
	}
	precis_data_types_free(types);
	calls_drop(options);
}

static void rings(struct calls *calls)
{
	static uint8_t mapping[3 * 4096], wrapped[PRECIS_RING_WRAPPED_BYTES];
	const uint64_t sizes[] = { 4096, 4096 }; /* data_offset, data_size of the control page */
	struct precis_record record;
	struct precis_ring ring;
	uint32_t starts[4];

	memset(&ring, 0, sizeof(ring));
	ring.size = sizeof(ring);
	memcpy(mapping + 1040, sizes, sizeof(sizes));
	RETURNS(precis_ring_init, precis_ring_init(&ring, mapping, 2 * 4096, wrapped));
	RETURNS(precis_ring_look, precis_ring_look(&ring));
	RETURNS(precis_ring_next, precis_ring_next(&ring, &record));
	precis_ring_release(&ring);
	RETURNS(precis_ring_release, 0);
	RETURNS(precis_ring_freeze, precis_ring_freeze(&ring, starts, 4));
}

static void tracepoints(struct calls *calls)
{
	struct precis_tracepoints *tracepoints = NULL;

	FILLS(precis_tracepoints_error, precis_tracepoints_new, memset(s, 0, sizeof(*s));
	      s->size = sizeof(*s), -precis_tracepoints_new("none", 4, &tracepoints, s));
}

/* A block of 100 bytes at 0x1000, and when it was which time. */
static int side_file(char *path)
{
	struct objects_header header = { .magic = OBJECTS_MAGIC,
					 .version = OBJECTS_VERSION,
					 .bytes = sizeof(header),
					 .pid = 1,
					 .clock = OBJECTS_CLOCK_TSC };
	struct {
		struct objects_chunk chunk;
		uint8_t event[8];
	} events = { .chunk = { .magic = OBJECTS_CHUNK_MAGIC,
				.kind = OBJECTS_EVENTS,
				.bytes = 5,
				.tid = 1,
				.first_time = 7,
				.last_time = 7,
				.count = 1 },
		     .event = { OBJECTS_ALLOC, 0x80, 0x08, 100, 0 } };
	struct {
		struct objects_chunk chunk;
		struct objects_clock clock;
	} clocks = { .chunk = { .magic = OBJECTS_CHUNK_MAGIC,
				.kind = OBJECTS_CLOCKS,
				.bytes = sizeof(clocks.clock) },
		     .clock = {
			     .kind = OBJECTS_CLOCK_PAIR, .before = 5, .after = 6, .value = 1000 } };
	int fd = mkstemp(path);

	events.chunk.checksum = objects_checksum(&events, sizeof(events));
	clocks.chunk.checksum = objects_checksum(&clocks, sizeof(clocks));
	if (fd < 0 || write(fd, &header, sizeof(header)) != sizeof(header) ||
	    write(fd, &events, sizeof(events)) != sizeof(events) ||
	    write(fd, &clocks, sizeof(clocks)) != sizeof(clocks))
		abort();
	return fd;
}

static void objects(struct calls *calls)
{
	struct precis_object_file_options *options = NEW(precis_object_file_options);
	struct precis_file_error *error = NEW(precis_file_error);
	struct precis_object_file_info *info = NEW(precis_object_file_info);
	struct precis_object_event *event = NEW(precis_object_event);
	struct precis_object_file *file = NULL, *again = NULL;
	char path[] = "/tmp/precis-abi-XXXXXX";
	int fd = side_file(path);

	FILLS(precis_file_error, precis_object_file_open, memset(s, 0, sizeof(*s));
	      s->size = sizeof(*s), -precis_object_file_open("/nowhere", options, &file, s));
	RETURNS(precis_object_file_open_fd, precis_object_file_open_fd(fd, options, &again, error));
	RETURNS(precis_object_file_open, precis_object_file_open(path, options, &file, error));
	close(fd);
	unlink(path);
	/* Has pointers into the file */
	RETURNS(precis_object_file_info, precis_object_file_info(file, info));
	GIVES(precis_object_file_info, info->allocated);
	FILLS(precis_object_thread, precis_object_file_thread, ,
	      precis_object_file_thread(file, 0, s));
	FILLS(precis_object_moment, precis_object_file_moment, ,
	      precis_object_file_moment(file, 0, s));
	RETURNS(precis_object_file_next, precis_object_file_next(file, event) - 1);
	GIVES(precis_object_file_next, event->address);
	FILLS(precis_object_event, precis_object_file_next, ,
	      precis_object_file_next(again, s) - 1);
	precis_object_file_close(file);
	precis_object_file_close(again);
	calls_drop(options);
	calls_drop(error);
	calls_drop(event);
	calls_drop(info);
}

void CALLS_OF(_files)(struct calls *calls)
{
	recording(calls, calls->recording);
	recording(calls, calls->pebs_recording);
	traced_recording(calls, calls->pebs_recording);
	inputs(calls, calls->recording);
	columns(calls, calls->recording);
	runs(calls, calls->recording);
	symbols(calls);
	data_types(calls);
	rings(calls);
	tracepoints(calls);
	objects(calls);
}
