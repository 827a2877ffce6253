/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of formats of precis dump: a new one is a file and a row. */
#include <string.h>

#include "dump.h"

static void nothing(struct dump *dump)
{
	(void)dump;
}

static const struct dump_format sample_formats[] = {
	{ "text", dump_text_begin, dump_text_sample, nothing, NULL },
	{ "csv", dump_csv_begin, dump_csv_sample, nothing, NULL },
	{ "json", dump_json_begin, dump_json_sample, nothing, NULL },
};

static const struct dump_format register_formats[] = {
	{ "text", dump_text_begin, dump_registers_text, nothing, NULL },
	{ "csv", dump_registers_csv_begin, dump_registers_csv, nothing, NULL },
	{ "json", dump_json_begin, dump_registers_json, nothing, NULL },
};

static const struct dump_format record_formats[] = {
	{ "text", dump_text_begin, dump_record_sample_text, nothing, dump_record_text },
	{ "json", dump_json_begin, dump_record_sample_json, nothing, dump_record_json },
};

static const struct dump_format pebs_formats[] = {
	{ "text", dump_text_begin, dump_pebs_text, nothing, NULL },
	{ "csv", dump_pebs_csv_begin, dump_pebs_csv, nothing, NULL },
	{ "json", dump_json_begin, dump_pebs_json, nothing, NULL },
};

static const struct dump_format *find(const struct dump_format *formats, size_t count,
				      const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, formats[i].name) == 0)
			return &formats[i];
	}
	return NULL;
}

const struct dump_format *dump_sample_format(const char *name)
{
	return find(sample_formats, sizeof(sample_formats) / sizeof(sample_formats[0]), name);
}

const struct dump_format *dump_register_format(const char *name)
{
	return find(register_formats, sizeof(register_formats) / sizeof(register_formats[0]), name);
}

const struct dump_format *dump_record_format(const char *name)
{
	return find(record_formats, sizeof(record_formats) / sizeof(record_formats[0]), name);
}

const struct dump_format *dump_pebs_format(const char *name)
{
	return find(pebs_formats, sizeof(pebs_formats) / sizeof(pebs_formats[0]), name);
}
