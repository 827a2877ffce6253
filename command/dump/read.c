/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump: through the recording, and what of it is printed. */
#include "dump.h"
#include "command/usage/complain.h"
#include "command/recording/closing.h"
#include "command/recording/traces.h"

/* What the record says of tasks, mappings, cgroups, if parts are made from that. */
static void learn(struct dump *dump, const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	uint64_t time = 0;

	if (recording_sample_id(dump->file, record, &id) && (id.present & PRECIS_SAMPLE_TIME))
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

/* @return 1 if it was printed */
static int print_sample(struct dump *dump, const struct selection *selection,
			const struct precis_record *record, struct precis_sample *sample,
			struct faults *faults)
{
	const unsigned int needs = dump->parts.needs;
	int code;

	if (selection->event_wanted &&
	    !selection_has_event(selection, precis_file_event_of(dump->file, record)))
		return 0;
	code = precis_file_sample(dump->file, record, dump->wanted,
				  needs & PART_NEEDS_PERF ? &dump->parts.perf : NULL, sample);
	faults_note(faults, dump->file, record, sample, code);
	if (code || !selection_has(selection, sample) ||
	    !record_types_have(&dump->types, record->type))
		return 0;
	if (needs)
		parts_sample(&dump->parts, record, precis_file_event_of(dump->file, record),
			     sample);
	dump->format->sample(dump, sample);
	return 1;
}

/* Those of the AUX area behind the record that came last. @return how many were printed */
static uint64_t print_traced(struct dump *dump, const struct selection *selection,
			     struct recording *recording, struct precis_sample *sample,
			     uint64_t max)
{
	const unsigned int needs = dump->parts.needs;
	struct precis_pebs_pt_origin origin = { .size = sizeof(origin) };
	struct precis_record record = { .type = PRECIS_RECORD_SAMPLE };
	uint64_t printed = 0, index;

	while (printed < max && !dump->output.failed &&
	       recording_next_traced(recording, dump->wanted,
				     needs & PART_NEEDS_PERF ? &dump->parts.perf : NULL, sample,
				     &origin)) {
		const struct precis_event *event = precis_get_event(sample, &index) ?
			precis_file_event(dump->file, (uint32_t)index) : NULL;

		if (!selection_has_traced(selection, event, sample))
			continue;
		record.offset = origin.offset;
		record.data_file = origin.data_file;
		if (needs)
			parts_traced_sample(&dump->parts, &record, event, sample,
					    origin.regs_intr);
		dump->format->sample(dump, sample);
		printed++;
	}
	return printed;
}

void dump_set_wanted(struct dump *dump, const struct selection *selection)
{
	for (unsigned int i = 0; i < PRECIS_FIELD_WORDS; i++)
		dump->wanted[i] = dump->columns.fields[i] | selection->fields[i];
	parts_add_fields(dump->parts.needs, dump->wanted);
}

static int say_what_is_missing(const struct dump *dump, struct recording *recording,
			       const struct faults *faults)
{
	int code = faults_print(faults, recording);

	if (traces_print(recording))
		code = EXIT_FAILED;
	if (dump->format->record)
		unknown_print(recording);
	losses_print(recording);
	if (unlearnt_print(recording, dump->parts.unlearnt))
		code = EXIT_FAILED;
	return recording->broken ? EXIT_FAILED : code;
}

int dump_read(struct dump *dump, const struct selection *selection, uint64_t max,
	      struct recording *recording)
{
	struct faults faults = { 0 };
	struct precis_sample sample;
	struct precis_record record;
	uint64_t printed = 0;

	dump_set_wanted(dump, selection);
	if (recording->traced) /* which tells a sample's event by this field alone */
		precis_fields_add(dump->wanted, PRECIS_FIELD_EVENT);
	precis_sample_init(&sample);
	dump->record = &record;
	dump->format->begin(dump);
	while (printed < max && !dump->output.failed && recording_next(recording, &record)) {
		if (record.type == PRECIS_RECORD_SAMPLE) {
			printed += (unsigned int)print_sample(dump, selection, &record, &sample,
							      &faults);
			continue;
		}
		if (dump->parts.needs & PART_NEEDS_RECORDS)
			learn(dump, &record);
		printed += (unsigned int)print_record(dump, &record, &faults);
		printed += print_traced(dump, selection, recording, &sample, max - printed);
	}
	printed += print_traced(dump, selection, recording, &sample, max - printed);
	dump->format->end(dump);
	progress_end(&recording->progress);
	output_flush(&dump->output);
	return say_what_is_missing(dump, recording, &faults);
}
