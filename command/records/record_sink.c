/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in front of values. */
#include "record_sink.h"

void record_member(struct record_sink *sink, const char *name)
{
	if (sink->value.form == VALUE_JSON) {
		value_key(&sink->value, name);
		return;
	}
	output_bytes(sink->value.output, " ", 1);
	output_text(sink->value.output, name);
	output_bytes(sink->value.output, "=", 1);
}

void record_time(struct record_sink *sink, const char *name, uint64_t time)
{
	record_member(sink, name);
	value_time(&sink->value, time);
}
