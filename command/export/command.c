/* SPDX-License-Identifier: BSD-3-Clause */
/* precis export: samples in formats that other programs open. */
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/recording/closing.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/nearest.h"
#include "export.h"

static const struct export_format *const formats[] = {
	&export_folded,
	&export_firefox,
	&export_chrome,
	&export_arrow,
	&export_arrow_stream,
	&export_sqlite,
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

static int choose_format(struct export *export, const char *word)
{
	struct nearest nearest = nearest_to(word ? word : "", word ? strlen(word) : 0);
	char hint[NEAREST_ROOM], names[128] = "";

	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		const char *name = formats[i]->dump.name;

		if (word && strcmp(word, name) == 0) {
			export->format = formats[i];
			export->dump.format = &formats[i]->dump;
			return EXIT_OK;
		}
		nearest_offer(&nearest, name);
		if (i)
			strcat(names, i + 1 < FORMAT_COUNT ? ", " : " or ");
		strcat(names, name);
	}
	if (!word)
		return complain_usage(export->arguments->command, "expected --format: %s", names);
	return complain_usage(export->arguments->command, "--format: expected %s, found '%s'%s",
			      names, word, nearest_hint(&nearest, hint));
}

/* Options that mean nothing to the format are not left out in silence. */
static int check_options(const struct export *export)
{
	const struct export_arguments *arguments = export->arguments;
	const struct {
		const char *name;
		unsigned int takes;
		int is_given;
	} options[] = {
		{ "weight", EXPORT_WEIGHT, arguments->weight != NULL },
		{ "fields", EXPORT_FIELDS, arguments->fields != NULL },
		{ "reasons", EXPORT_REASONS, arguments->reasons },
		{ "force", EXPORT_FORCE, arguments->force },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (options[i].is_given && !(export->format->takes & options[i].takes))
			return complain_usage(arguments->command, "--%s means nothing to --format %s",
					      options[i].name, arguments->format);
	}
	return EXIT_OK;
}

/* Lists and bytes have no column type that all of these formats know. */
static int check_columns(const struct export *export)
{
	const struct columns *columns = &export->dump.columns;

	for (uint32_t n = 0; n < columns->count && !(export->format->takes & EXPORT_LISTS); n++) {
		const struct column *column = &columns->column[n];
		enum part_type type;

		if (column->kind != COLUMN_PART)
			continue;
		type = part_info((enum part)column->field)->type;
		if (type != PART_UINT && type != PART_ADDRESS && type != PART_TEXT)
			return complain_usage(export->arguments->command,
					      "--fields: %s is neither a number nor a text: "
					      "'precis dump' prints it",
					      column->name);
	}
	return EXIT_OK;
}

/* What is to be exported, before any file is opened. An exit code */
static int prepare(struct export *export)
{
	const struct export_arguments *arguments = export->arguments;
	int code = choose_format(export, arguments->format);
	const char *fields = arguments->fields;

	if (!code)
		code = check_options(export);
	if (!code && arguments->weight)
		code = weight_parse(&export->weight, arguments->command, arguments->weight);
	if (!code && (export->format->takes & EXPORT_FORCE) &&
	    (!arguments->output || strcmp(arguments->output, "-") == 0))
		code = complain_usage(arguments->command, "--format %s needs a file: -o FILE",
				      arguments->format);
	if (!code && !fields)
		fields = export->format->fields ? export->format->fields : "all";
	if (!code && (export->format->takes & EXPORT_FIELDS))
		code = columns_parse(&export->dump.columns, arguments->command, fields);
	return code ? code : check_columns(export);
}

/* The output, unless the format has its own. 0, or -1 after the error has been printed */
static int open_output(struct export *export)
{
	const struct export_arguments *arguments = export->arguments;
	struct output *output = &export->dump.output;

	if (export->format->takes & EXPORT_FORCE)
		return 0;
	if (destination_open(output, arguments->output, arguments->command))
		return -1;
	if (!(export->format->takes & EXPORT_BINARY) || !isatty(output->fd))
		return 0;
	complain(arguments->command, "%s is nothing for a terminal: name a file with -o",
		 arguments->format);
	output_close(output);
	return -1;
}

/* Is what is wanted columns alone, of samples that a filter at most selects? */
static int can_take_batches(const struct export *export, const struct selection *selection)
{
	const struct dump *dump = &export->dump;

	return export->format->batch && !dump->parts.needs && !dump->reasons &&
	       !dump->names.used && !selection->event_wanted && !selection->time.count &&
	       !selection->cpu.count && !selection->pid.count && !selection->tid.count;
}

/* The next batch to the format, as recording_next() has an item. @return 1; 0 at the end */
static int take_batch(struct export *export, struct precis_columns *columns)
{
	struct recording *recording = export->dump.recording;
	struct precis_batch batch = { .size = sizeof(batch) };
	int found = precis_columns_next(columns, recording->input, &batch);

	if (found > 0) {
		export->format->batch(export, columns, batch.rows);
		if (recording->progress.enabled)
			progress_show(&recording->progress,
				      precis_input_position(recording->input));
	} else if (found == PRECIS_E_NO_MEMORY) {
		recording_out_of_memory(recording);
	} else if (found < 0) {
		recording_complain(recording, precis_input_last_error(recording->input));
		recording->broken = 1;
	}
	return found > 0;
}

/* As dump_read() does, by columns. An exit code */
static int read_batches(struct export *export, const struct selection *selection)
{
	const struct precis_columns_options options = {
		.size = sizeof(options),
		.filter = selection->expression ? &selection->filter : NULL,
	};
	struct dump *dump = &export->dump;
	uint32_t fields[PRECIS_FIELD_COUNT];
	struct precis_columns *columns;
	struct faults faults = { 0 };

	for (uint32_t n = 0; n < dump->columns.count; n++)
		fields[n] = dump->columns.column[n].field;
	if (precis_columns_open(fields, dump->columns.count, &options, &columns))
		return recording_out_of_memory(dump->recording);
	dump->format->begin(dump);
	while (!dump->output.failed && !dump->is_stopped && take_batch(export, columns))
		;
	precis_columns_close(columns);
	dump->format->end(dump);
	progress_end(&dump->recording->progress);
	output_flush(&dump->output);
	return dump_say_what_is_missing(dump, &faults);
}

/* All that is open by now is read. An exit code */
static int read_all(struct export *export, struct export_arguments *arguments)
{
	const struct selection *selection = &arguments->selection;
	int code;

	if (can_take_batches(export, selection))
		code = read_batches(export, selection);
	else
		code = dump_read(&export->dump, selection, UINT64_MAX);

	if (export->format->takes & EXPORT_WEIGHT)
		weight_print(&export->weight, export->dump.recording);
	return code;
}

static int write_all(struct export *export, struct export_arguments *arguments)
{
	struct dump *dump = &export->dump;
	int code = EXIT_FAILED;

	dump->parts.needs = dump->columns.part_needs | export->format->parts;
	if (open_output(export))
		return EXIT_FAILED;
	if (isatty(dump->output.fd) && !(export->format->takes & EXPORT_FORCE))
		dump->recording->progress.enabled = 0;
	if (parts_open(&dump->parts, dump->file, &arguments->symbols))
		recording_out_of_memory(dump->recording);
	else if (!export->format->open(export))
		code = read_all(export, arguments);
	if (export->state)
		export->format->close(export);
	parts_close(&dump->parts);
	if (dump->is_stopped)
		code = EXIT_FAILED;
	if (export->format->takes & EXPORT_FORCE)
		return code;
	return destination_close(&dump->output, arguments->command) ? EXIT_FAILED : code;
}

/* Which samples, once the recording is open; 'names' are those that the filter asks for. An exit code */
static int open_selection(struct export *export, struct export_arguments *arguments, uint64_t names)
{
	struct recording *recording = export->dump.recording;
	struct selection *selection = &arguments->selection;
	int code;

	if (filter_names_open(&export->dump.names, names, recording->file, &arguments->symbols))
		return recording_out_of_memory(recording);
	code = selection_open(selection, arguments->command, arguments->path, recording->file,
			      &export->dump.names.table);
	return code ? code : selection_place_times(selection, recording, &arguments->recording);
}

static int export_recording(struct export *export, struct export_arguments *arguments)
{
	unsigned int needs = export->dump.columns.part_needs | export->format->parts;
	uint64_t names = filter_names_used(arguments->selection.expression);
	struct recording recording;
	int code;

	if ((needs & PART_NEEDS_ORDER) || !(export->format->takes & EXPORT_SORTED) || names)
		arguments->recording.order = PRECIS_ORDER_TIME;
	code = recording_open(&recording, arguments->command, arguments->path,
			      &arguments->recording);
	if (code)
		return code;
	export->dump.recording = &recording;
	export->dump.input = recording.input;
	export->dump.file = recording.file;
	export->dump.reasons = arguments->reasons;
	weight_add_fields(&export->weight, export->dump.columns.fields);
	code = open_selection(export, arguments, names);
	if (!code)
		code = recording_is_output(&recording, arguments->output) ?
			       EXIT_FAILED : write_all(export, arguments);
	filter_names_close(&export->dump.names);
	recording_close(&recording);
	return code;
}

int command_export(int argc, char **argv)
{
	struct export *export = calloc(1, sizeof(*export));
	struct export_arguments arguments = { 0 };
	int code;

	if (!export) {
		complain(argv[0], "out of memory");
		return EXIT_FAILED;
	}
	export->arguments = &arguments;
	record_types_parse(&export->dump.types, argv[0], NULL);
	code = export_arguments_parse(&arguments, argc, argv);
	if (!code && !arguments.is_help)
		code = prepare(export);
	if (!code && !arguments.is_help)
		code = export_recording(export, &arguments);
	weight_free(&export->weight);
	selection_free(&arguments.selection);
	symbol_options_free(&arguments.symbols);
	free(export);
	return code;
}
