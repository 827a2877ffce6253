/* SPDX-License-Identifier: BSD-3-Clause */
/* --records: every record in a line, samples with the cells that other dumps have. */
#include <stddef.h>
#include <string.h>

#include "analysis/record_id.h"
#include "command/records/bodies.h"
#include "dump.h"

static void open_line(struct dump *dump, enum value_form form, struct record_sink *sink)
{
	value_begin(&sink->value, &dump->output, form, 0);
	sink->file = dump->file;
	if (form == VALUE_JSON)
		value_members(&sink->value);
}

static void close_line(struct dump *dump, struct record_sink *sink)
{
	if (sink->value.form == VALUE_JSON)
		value_members_end(&sink->value);
	output_bytes(&dump->output, "\n", 1);
}

static void put_cpumode(struct record_sink *sink, const struct precis_record *record)
{
	uint32_t mode = record->misc & PRECIS_MISC_CPUMODE_MASK;
	const char *name = precis_type_value_name(PRECIS_TYPE_CPUMODE, mode);

	if (mode == PRECIS_CPUMODE_UNKNOWN)
		return;
	record_member(sink, "cpumode");
	if (name)
		value_text(&sink->value, name);
	else
		value_number(&sink->value, mode);
}

/* Offset, type, and what of the header says something */
static void put_head(struct record_sink *sink, const struct precis_record *record)
{
	const char *name = precis_record_name(record->type);
	struct value_sink *value = &sink->value;

	if (value->form == VALUE_JSON) {
		value_key(value, "offset");
		value_hex(value, record->offset);
		value_key(value, "type");
		value_text(value, name ? name : "unknown");
		value_key(value, "number");
		value_number(value, record->type);
		value_key(value, "size");
		value_number(value, record->size);
		value_key(value, "misc");
		value_hex(value, record->misc);
	} else if (name) {
		value_hex(value, record->offset);
		output_bytes(value->output, " ", 1);
		value_text(value, name);
	} else {
		value_hex(value, record->offset);
		output_format(value->output, " type-%u size=%u", record->type, record->size);
	}
	if (record->data_file) {
		record_member(sink, "file_part");
		value_number(value, record->data_file);
	}
	put_cpumode(sink, record);
}

static const struct sample_id_member {
	uint32_t bit;
	const char *name;
	uint16_t offset; /* in struct precis_sample_id */
	uint8_t width;
} sample_id_members[] = {
#define MEMBER(bit, name)                                                                          \
	{                                                                                          \
		bit, #name, offsetof(struct precis_sample_id, name),                               \
			sizeof(((struct precis_sample_id *)0)->name)                               \
	}
	MEMBER(PRECIS_SAMPLE_CPU, cpu),
	MEMBER(PRECIS_SAMPLE_TID, pid),
	MEMBER(PRECIS_SAMPLE_TID, tid),
	MEMBER(PRECIS_SAMPLE_ID | PRECIS_SAMPLE_IDENTIFIER, id),
	MEMBER(PRECIS_SAMPLE_STREAM_ID, stream_id),
#undef MEMBER
};

static void put_sample_id_member(struct record_sink *sink, const struct precis_sample_id *id,
				 const struct sample_id_member *member)
{
	const uint8_t *at = (const uint8_t *)id + member->offset;
	uint64_t number;
	int32_t word;

	record_member(sink, member->name);
	if (member->width == sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		value_signed(&sink->value, word);
	} else {
		memcpy(&number, at, sizeof(number));
		value_number(&sink->value, number);
	}
}

/* Who wrote the record and when, in text before a bar: a sample has that among its fields */
static void put_sample_id(struct dump *dump, struct record_sink *sink,
			  const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };

	if (record->type == PRECIS_RECORD_SAMPLE || !record_sample_id(dump->file, record, &id))
		return;
	if (sink->value.form == VALUE_JSON) {
		value_key(&sink->value, "sample_id");
		value_members(&sink->value);
	}
	if (id.present & PRECIS_SAMPLE_TIME)
		record_time(sink, "time", id.time);
	for (size_t n = 0; n < sizeof(sample_id_members) / sizeof(sample_id_members[0]); n++) {
		if (id.present & sample_id_members[n].bit)
			put_sample_id_member(sink, &id, &sample_id_members[n]);
	}
	if (sink->value.form == VALUE_JSON)
		value_members_end(&sink->value);
	else
		output_text(sink->value.output, " |");
}

static void put_error(struct record_sink *sink, int error)
{
	record_member(sink, "error");
	value_text(&sink->value, precis_strerror(error));
}

static int put_record(struct dump *dump, const struct precis_record *record, enum value_form form)
{
	struct record_sink sink;
	int error;

	open_line(dump, form, &sink);
	put_head(&sink, record);
	put_sample_id(dump, &sink, record);
	if (form == VALUE_JSON) {
		value_key(&sink.value, "body");
		value_members(&sink.value);
	}
	error = record_put_body(&sink, dump->file, record);
	if (form == VALUE_JSON)
		value_members_end(&sink.value);
	if (error)
		put_error(&sink, error);
	close_line(dump, &sink);
	return error;
}

int dump_record_text(struct dump *dump, const struct precis_record *record)
{
	return put_record(dump, record, VALUE_TEXT);
}

int dump_record_json(struct dump *dump, const struct precis_record *record)
{
	return put_record(dump, record, VALUE_JSON);
}

void dump_record_sample_text(struct dump *dump, const struct precis_sample *sample)
{
	struct record_sink sink;

	open_line(dump, VALUE_TEXT, &sink);
	put_head(&sink, dump->record);
	output_bytes(&dump->output, " ", 1);
	dump_text_cells(dump, sample);
	close_line(dump, &sink);
}

void dump_record_sample_json(struct dump *dump, const struct precis_sample *sample)
{
	struct record_sink sink;

	open_line(dump, VALUE_JSON, &sink);
	put_head(&sink, dump->record);
	value_key(&sink.value, "fields");
	dump_json_cells(dump, sample);
	output_bytes(&dump->output, "}", 1);
	close_line(dump, &sink);
}
