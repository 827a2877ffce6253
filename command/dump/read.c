/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump: through the recording, and what of it is printed. */
#include "analysis/record_id.h"
#include "dump.h"
#include "command/usage/complain.h"
#include "command/pebs/walk.h"
#include "command/recording/closing.h"
#include "command/recording/traces.h"

/* What the record says of tasks, mappings, cgroups, if parts are made from that. */
static void learn(struct dump *dump, const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	uint64_t time = 0;

	if (record_sample_id(dump->file, record, &id) && (id.present & PRECIS_SAMPLE_TIME))
		time = id.time;
	parts_learn(&dump->parts, record, time);
}

/* @return 1 if it was printed */
static int print_record(struct dump *dump, const struct precis_record *record,
			struct faults *faults)
{
	int error;

	if (!dump->format->record || !record_types_have(&dump->types, record->type))
		return 0;
	error = dump->format->record(dump, record);
	if (error)
		faults_note_body(faults, record, error);
	return 1;
}

/* A sample of the AUX area has no record: what is known of it as of one */
static void describe_traced(struct dump *dump, const struct precis_item *item,
			    struct precis_record *record, const struct precis_sample *sample)
{
	struct precis_pebs_pt_origin origin = { .size = sizeof(origin) };

	precis_input_origin(dump->input, &origin);
	record->offset = origin.offset;
	record->data_file = origin.data_file;
	parts_traced_sample(&dump->parts, record, item->event, sample, origin.regs_intr);
}

static int decode(struct dump *dump, struct precis_sample *sample)
{
	int code = precis_input_sample(
		dump->input, dump->wanted,
		dump->parts.needs & PART_NEEDS_PERF ? &dump->parts.perf : NULL, sample);

	if (code == PRECIS_E_NO_MEMORY)
		recording_out_of_memory(dump->recording);
	return code;
}

/* Of a record without a known event: its fault is to be told */
static int has_wanted_event(const struct selection *selection, const struct precis_item *item)
{
	if (!selection->event_wanted || (!item->event && item->record))
		return 1;
	return item->event && selection_has_event(selection, item->event);
}

/* @return 1 if it was printed */
static int print_sample(struct dump *dump, const struct selection *selection,
			const struct precis_item *item, struct precis_sample *sample)
{
	struct precis_record traced = { .type = PRECIS_RECORD_SAMPLE };

	if (!has_wanted_event(selection, item) || decode(dump, sample) ||
	    !selection_has(selection, sample) ||
	    !record_types_have(&dump->types, PRECIS_RECORD_SAMPLE))
		return 0;
	if (dump->parts.needs && item->record)
		parts_sample(&dump->parts, item->record, item->event, sample);
	else if (dump->parts.needs)
		describe_traced(dump, item, &traced, sample);
	if (dump->pebs_groups && item->groups)
		dump->pebs_groups->groups = *item->groups;
	dump->record = item->record;
	dump->format->sample(dump, sample);
	return 1;
}

/* @return 1 if it was printed */
static int take_item(struct dump *dump, const struct selection *selection,
		     const struct precis_item *item, struct precis_sample *sample,
		     struct faults *faults)
{
	if (item->kind == PRECIS_ITEM_SAMPLE)
		return print_sample(dump, selection, item, sample);
	filter_names_learn(&dump->names, item->record);
	if (dump->parts.needs & PART_NEEDS_RECORDS)
		learn(dump, item->record);
	return print_record(dump, item->record, faults);
}

static int next_item(struct dump *dump, const struct precis_item **item)
{
	return dump->walk ? pebs_walk_next(dump->walk, item)
			  : recording_next(dump->recording, item);
}

/* What samples are to be decoded for: what is printed and what is selected by */
static void set_wanted(struct dump *dump, const struct selection *selection)
{
	for (unsigned int i = 0; i < PRECIS_FIELD_WORDS; i++)
		dump->wanted[i] = dump->columns.fields[i] | selection->fields[i];
	parts_add_fields(dump->parts.needs, dump->wanted);
}

void dump_print_items(struct dump *dump, const struct selection *selection, uint64_t max,
		      struct faults *faults)
{
	const struct precis_item *item;
	struct precis_sample sample;
	uint64_t printed = 0;

	set_wanted(dump, selection);
	precis_sample_init(&sample);
	dump->format->begin(dump);
	while (printed < max && !dump->output.failed && !dump->is_stopped && next_item(dump, &item))
		printed += (unsigned int)take_item(dump, selection, item, &sample, faults);
	dump->format->end(dump);
}

int dump_say_what_is_missing(const struct dump *dump, struct faults *faults)
{
	struct recording *recording = dump->recording;
	int code;

	faults_take(faults, recording->input);
	code = faults_print(faults, recording);

	if (traces_print(recording))
		code = EXIT_FAILED;
	if (dump->format->record)
		unknown_print(recording);
	losses_print(recording);
	/* of the same records */
	if (unlearnt_print(recording, dump->parts.unlearnt > dump->names.unlearnt ?
				      dump->parts.unlearnt : dump->names.unlearnt))
		code = EXIT_FAILED;
	return recording->broken || dump->is_stopped ? EXIT_FAILED : code;
}

int dump_read(struct dump *dump, const struct selection *selection, uint64_t max)
{
	struct recording *recording = dump->recording;
	struct faults faults = { 0 };

	dump_print_items(dump, selection, max, &faults);
	progress_end(&recording->progress);
	output_flush(&dump->output);
	return dump_say_what_is_missing(dump, &faults);
}
