/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report: what the samples of a recording say, summed up. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "buffer.h"
#include "command.h"
#include "document/print.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/recording/closing.h"
#include "command/recording/losses.h"
#include "command/recording/traces.h"
#include "sections.h"

static void (*const printers[])(struct output *, const struct document *) = {
	[REPORT_TEXT] = document_print_text,
	[REPORT_JSON] = document_print_json,
	[REPORT_CSV] = document_print_csv,
};

static int out_of_memory(const struct report_arguments *arguments)
{
	complain(arguments->command, "out of memory");
	return EXIT_FAILED;
}

/* Those of the AUX area behind the record that came last. */
static void read_traced(struct collection *collection, const uint64_t wanted[PRECIS_FIELD_WORDS],
			const struct selection *selection, struct recording *recording,
			struct precis_sample *sample)
{
	uint64_t traced[PRECIS_FIELD_WORDS], index;

	memcpy(traced, wanted, sizeof(traced));
	collection_want_traced(collection, traced);
	while (!collection->top.starts_over &&
	       recording_next_traced(recording, traced, NULL, sample, NULL)) {
		const struct precis_event *event = precis_get_event(sample, &index) ?
			precis_file_event(recording->file, (uint32_t)index) : NULL;

		if (!selection_has_traced(selection, event, sample))
			continue;
		top_sample(&collection->top, sample);
		collect_traced(collection, sample);
	}
}

/* Up to the end, or to where the top table has to start over. */
static void read_samples(struct collection *collection, const uint64_t wanted[PRECIS_FIELD_WORDS],
			 const struct selection *selection, struct recording *recording)
{
	struct precis_sample sample;
	struct precis_record record;
	int code;

	precis_sample_init(&sample);
	while (!collection->top.starts_over && recording_next(recording, &record)) {
		/* the events of a pipe come while it is read */
		if (record.type == PRECIS_RECORD_HEADER_ATTR)
			collection->has_switches = offcpu_is_recorded(recording->file);
		if (collection->has_switches)
			offcpu_records_add(&collection->switches, recording->file, &record);
		if (record.type != PRECIS_RECORD_SAMPLE) {
			top_record(&collection->top, recording->file, &record);
			read_traced(collection, wanted, selection, recording, &sample);
			continue;
		}
		if (selection->event_wanted &&
		    !selection_has_event(selection, precis_file_event_of(recording->file, &record)))
			continue;
		code = precis_file_sample(recording->file, &record, wanted, NULL, &sample);
		faults_note(&collection->faults, recording->file, &record, &sample, code);
		if (!code && (!selection->checks_fields || selection_has(selection, &sample))) {
			top_sample(&collection->top, &sample);
			collect_sample(collection, &record, &sample);
		}
	}
	read_traced(collection, wanted, selection, recording, &sample);
}

/* Forget all samples and go back to the file's start; the top table knows the processes then. */
static int start_over(struct collection *collection, uint64_t wanted[PRECIS_FIELD_WORDS],
		      struct precis_file *file)
{
	struct top top = collection->top;
	int failed = top_read_tasks(&top, file);

	memset(&collection->top, 0, sizeof(collection->top));
	collection_free(collection);
	failed |= collection_init(collection, file, NULL, wanted);
	collection->top = top;
	return failed;
}

/* EXIT_OK, or EXIT_FAILED if not everything could be read. */
static int collect(struct collection *collection, uint64_t wanted[PRECIS_FIELD_WORDS],
		   const struct selection *selection, struct recording *recording)
{
	int code;

	read_samples(collection, wanted, selection, recording);
	if (collection->top.starts_over) {
		recording_rewound(recording);
		if (start_over(collection, wanted, recording->file) < 0) {
			collection->failed = 1;
			return EXIT_FAILED;
		}
		read_samples(collection, wanted, selection, recording);
	}
	collection_finish(collection);
	code = faults_print(&collection->faults, recording);
	if (unlearnt_print(recording, collection->top.unlearnt))
		code = EXIT_FAILED;
	if (traces_print(recording))
		code = EXIT_FAILED;
	return recording->broken ? EXIT_FAILED : code;
}

/* What is so of all samples because they were selected, or recorded, by it */
static void tell_given(struct document *document, const struct collection *collection,
		       const struct selection *selection)
{
	const struct flag *ops = &collection->op.l3_miss_only;
	const struct flag *fetches = &collection->fetch.l3_miss_only;

	memcpy(document->given, selection->fields, sizeof(document->given));
	if (ops->yes && ops->yes == ops->known)
		precis_fields_add(document->given, PRECIS_FIELD_DCACHE_MISS);
	if (!fetches->yes || fetches->yes != fetches->known)
		return;
	precis_fields_add(document->given, PRECIS_FIELD_ICACHE_MISS);
	precis_fields_add(document->given, PRECIS_FIELD_FETCH_L2_MISS);
	precis_fields_add(document->given, PRECIS_FIELD_FETCH_L3_MISS);
}

static void make_document(struct document *document, struct collection *collection,
			  const struct recording *recording, const struct report_options *options)
{
	if (collection->buffer)
		section_buffer(document, collection, recording, options);
	else
		section_recording(document, collection, recording, options);
	section_summary(document, collection);
	if (!collection->buffer)
		section_losses(document, recording);
	section_ops(document, collection);
	section_data_sources(document, collection);
	section_dtlb(document, collection);
	section_miss_buffers(document, collection);
	section_pipeline(document, collection);
	section_branches(document, collection);
	section_fetch(document, collection);
	section_pebs(document, collection);
	section_offcpu(document, collection, options);
	section_top(document, collection, options);
	section_validity(document, collection);
	document_settle(document);
}

static int print_document(const struct report_arguments *arguments, const struct document *document)
{
	struct output output;

	if (destination_open(&output, arguments->output, arguments->command))
		return EXIT_FAILED;
	if (arguments->colour != COLOUR_AUTO)
		output.colour = arguments->colour == COLOUR_ALWAYS;
	printers[arguments->format](&output, document);
	return destination_close(&output, arguments->command) ? EXIT_FAILED : EXIT_OK;
}

static const struct precis_symbols_options *symbols_of(struct report_arguments *arguments,
						       const struct precis_file *file)
{
	return file ? symbol_options_finish(&arguments->symbols, file) : NULL;
}

/*
 * Everything between opening the recording, or 'buffer' in its place, and closing it; 'buffer'
 * may be NULL.
 */
static int report_collected(struct report_arguments *arguments, struct collection *collection,
			    struct recording *recording, struct report_buffer *buffer)
{
	uint64_t wanted[PRECIS_FIELD_WORDS];
	struct document document = { 0 };
	int code, print_code;

	memcpy(wanted, arguments->selection.fields, sizeof(wanted));
	if (collection_init(collection, recording->file, buffer, wanted) < 0 ||
	    top_init(&collection->top, (enum top_order)arguments->order,
		     symbols_of(arguments, recording->file), recording->file) < 0)
		return out_of_memory(arguments);
	if (arguments->recording.order == PRECIS_ORDER_TIME)
		top_is_sorted(&collection->top);
	code = buffer ? buffer_collect(buffer, collection, wanted, &arguments->selection) :
			collect(collection, wanted, &arguments->selection, recording);
	tell_given(&document, collection, &arguments->selection);
	if (!collection->failed)
		make_document(&document, collection, recording, &arguments->options);
	if (document.failed || collection->failed)
		code = out_of_memory(arguments);
	else if ((print_code = print_document(arguments, &document)))
		code = print_code;
	document_free(&document);
	return code;
}

/*
 * Context switches of several CPUs make sense in the order of their times alone, and what can be
 * read but once has to be in order where otherwise a second pass is needed.
 */
static int needs_order(const char *path)
{
	struct precis_file *file;
	int needs;

	if (recording_is_stream(path))
		return 1;
	if (strcmp(path, "-") == 0 ? precis_file_open_fd(STDIN_FILENO, NULL, &file, NULL)
				   : precis_file_open(path, NULL, &file, NULL))
		return 0;
	needs = offcpu_is_recorded(file);
	precis_file_close(file);
	return needs;
}

static int report_all(struct report_arguments *arguments, struct recording *recording,
		      struct report_buffer *buffer)
{
	struct collection *collection = calloc(1, sizeof(*collection));
	int code;

	if (!collection)
		return out_of_memory(arguments);
	code = report_collected(arguments, collection, recording, buffer);
	collection_free(collection);
	free(collection);
	return code;
}

static int report_recording(struct report_arguments *arguments)
{
	struct recording recording;
	int code;

	if (needs_order(arguments->path))
		arguments->recording.order = PRECIS_ORDER_TIME;
	code = recording_open(&recording, arguments->command, arguments->path,
			      &arguments->recording);
	if (code)
		return code;
	code = selection_open(&arguments->selection, arguments->command, arguments->path,
			      recording.file);
	if (!code && recording_is_output(&recording, arguments->output))
		code = EXIT_FAILED;
	if (!code)
		code = report_all(arguments, &recording, NULL);
	recording_close(&recording);
	return code;
}

static int report_buffer(struct report_arguments *arguments)
{
	struct report_buffer *buffer = calloc(1, sizeof(*buffer));
	struct recording file;
	int code;

	if (!buffer)
		return out_of_memory(arguments);
	recording_name(&file, arguments->command, arguments->path);
	code = selection_open(&arguments->selection, arguments->command, file.path, NULL);
	if (!code)
		code = buffer_open(buffer, &arguments->pebs, &file, arguments->output);
	if (!code) {
		code = report_all(arguments, &file, buffer);
		pebs_walk_close(&buffer->walk);
	}
	free(buffer);
	return code;
}

int command_report(int argc, char **argv)
{
	struct report_arguments arguments = { 0 };
	int code = report_arguments_parse(&arguments, argc, argv);

	if (!code && !arguments.is_help)
		code = arguments.is_pebs ? report_buffer(&arguments) :
					   report_recording(&arguments);
	selection_free(&arguments.selection);
	symbol_options_free(&arguments.symbols);
	return code;
}
