/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump: the samples of a recording, one by one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "command.h"
#include "dump.h"
#include "pebs.h"
#include "command/recording/traces.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"

#define SAMPLE_FIELDS "default"
#define REGISTER_FIELDS_BEFORE "event,cpu,pid,tid,time"
#define PEBS_FIELDS_BEFORE "ip,op,addr"
#define TYPE_TRACEPOINT 2 /* PERF_TYPE_TRACEPOINT */

static int choose_format(const struct arguments *arguments, const struct dump_format **format)
{
	if (arguments->records) {
		*format = dump_record_format(arguments->format);
		return *format ? EXIT_OK :
				 complain_usage(arguments->command,
						"--format: expected text or json with --records, "
						"found '%s'",
						arguments->format);
	}
	if (!arguments->registers)
		*format = dump_sample_format(arguments->format);
	else if (arguments->is_pebs)
		*format = dump_pebs_format(arguments->format);
	else
		*format = dump_register_format(arguments->format);
	if (*format)
		return EXIT_OK;
	return complain_usage(arguments->command,
			      "--format: expected text, csv or json, found '%s'",
			      arguments->format);
}

static int has_tracepoints(const struct precis_file *file)
{
	uint32_t count = precis_file_event_count(file);

	for (uint32_t n = 0; n < count; n++) {
		if (precis_file_event(file, n)->type == TYPE_TRACEPOINT)
			return 1;
	}
	return 0;
}

static int dump_file(struct dump *dump, struct arguments *arguments, struct recording *recording)
{
	struct precis_pebs_pt_counts traces = { .size = sizeof(traces) };
	int has_traces = recording_traces(recording, &traces);
	int code;

	if (filter_names_open(&dump->names, filter_names_used(arguments->selection.expression),
			      recording->file, &arguments->symbols))
		return recording_out_of_memory(recording);
	code = selection_open(&arguments->selection, arguments->command, arguments->path,
			      recording->file, &dump->names.table);
	if (!code)
		code = selection_place_times(&arguments->selection, recording, &arguments->recording);
	if (code)
		return code;
	if (has_traces && arguments->perf_names)
		return complain_usage(arguments->command,
				      "--perf-names: the registers of %s are those of PEBS",
				      recording->path);
	if (recording_is_output(recording, arguments->output))
		return EXIT_FAILED;
	if (destination_open(&dump->output, arguments->output, arguments->command))
		return EXIT_FAILED;
	if (isatty(dump->output.fd)) /* the samples are progress enough */
		recording->progress.enabled = 0;
	dump->recording = recording;
	dump->input = recording->input;
	dump->file = recording->file;
	if (has_traces && arguments->registers)
		dump->format = dump_pebs_format(arguments->format);
	dump->reasons = arguments->reasons;
	/* What a tracepoint says is all that it says: shown unless fields were chosen */
	if (!arguments->fields && !arguments->registers && has_tracepoints(recording->file) &&
	    strcmp(arguments->format, "text") == 0)
		columns_add_part(&dump->columns, PART_TRACE);
	dump->parts.needs = dump->columns.part_needs;
	register_view_init(&dump->registers, precis_file_cpu(recording->file),
			   arguments->perf_names);
	if (parts_open(&dump->parts, recording->file, &arguments->symbols)) {
		complain(arguments->command, "out of memory");
		code = EXIT_FAILED;
	} else {
		code = dump_read(dump, &arguments->selection, arguments->max);
	}
	parts_close(&dump->parts);
	return destination_close(&dump->output, arguments->command) ? EXIT_FAILED : code;
}

/* The records of a PEBS buffer */
static int dump_buffer(struct dump *dump, struct arguments *arguments)
{
	const struct precis_pebs_machine *machine = &arguments->pebs.machine;
	struct pebs_groups groups = { .groups.size = sizeof(groups.groups) };
	struct recording file;
	int code;

	for (uint32_t n = 0; n < dump->columns.count; n++) {
		if (dump->columns.column[n].kind == COLUMN_PART)
			return complain_usage(arguments->command,
					      "--fields: PEBS records have no '%s'",
					      dump->columns.column[n].name);
	}
	recording_name(&file, arguments->command, arguments->path);
	code = selection_open(&arguments->selection, arguments->command, file.path, NULL, NULL);
	if (code)
		return code;
	dump->reasons = arguments->reasons;
	groups.core = precis_intel_core_of(&machine->cpu,
					   (enum precis_core_type)machine->core_type);
	groups.reasons = arguments->reasons;
	dump->pebs_groups = arguments->registers ? &groups : NULL;
	return dump_pebs(dump, &arguments->pebs, &arguments->selection, &file, arguments->output,
			 arguments->max);
}

static const char *fields_of(const struct arguments *arguments)
{
	if (arguments->fields)
		return arguments->fields;
	if (!arguments->registers)
		return SAMPLE_FIELDS;
	return arguments->is_pebs ? PEBS_FIELDS_BEFORE : REGISTER_FIELDS_BEFORE;
}

static int dump(struct dump *dump, struct arguments *arguments)
{
	struct recording recording;
	int code = choose_format(arguments, &dump->format);

	if (!code)
		code = record_types_parse(&dump->types, arguments->command, arguments->types);
	if (!code)
		code = columns_parse(&dump->columns, arguments->command, fields_of(arguments));
	if (!code && arguments->is_pebs)
		return dump_buffer(dump, arguments);
	if (arguments->records) /* what is in the AUX area is no record */
		arguments->recording.no_itrace = 1;
	if (dump->columns.part_needs & PART_NEEDS_ORDER ||
	    filter_names_used(arguments->selection.expression))
		arguments->recording.order = PRECIS_ORDER_TIME;
	else
		arguments->recording.sorts_alone = 1;
	if (!code)
		code = recording_open(&recording, arguments->command, arguments->path,
					    &arguments->recording);
	if (code)
		return code;
	code = dump_file(dump, arguments, &recording);
	filter_names_close(&dump->names);
	recording_close(&recording);
	return code;
}

int command_dump(int argc, char **argv)
{
	struct dump *state = calloc(1, sizeof(*state));
	struct arguments arguments = { 0 };
	int code;

	if (!state) {
		complain(argv[0], "out of memory");
		return EXIT_FAILED;
	}
	code = arguments_parse(&arguments, argc, argv);
	if (!code && !arguments.is_help)
		code = dump(state, &arguments);
	selection_free(&arguments.selection);
	symbol_options_free(&arguments.symbols);
	free(state);
	return code;
}
