/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of formats of precis dump: a new one is a file and a row. */
#include <string.h>

#include "dump.h"

static void nothing(struct dump *dump)
{
	(void)dump;
}

static const struct dump_format sample_formats[] = {
	{ "text", dump_text_begin, dump_text_sample, nothing },
	{ "csv", dump_csv_begin, dump_csv_sample, nothing },
	{ "json", dump_json_begin, dump_json_sample, nothing },
};

static const struct dump_format register_formats[] = {
	{ "text", dump_text_begin, dump_registers_text, nothing },
	{ "csv", dump_registers_csv_begin, dump_registers_csv, nothing },
	{ "json", dump_json_begin, dump_registers_json, nothing },
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
