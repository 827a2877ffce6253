/* SPDX-License-Identifier: BSD-3-Clause */
/* A dump of a PEBS buffer in place of a recording: all of its records are of one event. */
#include "buffer.h"

#include "collect.h"

#define TYPE_RAW 4u /* PERF_TYPE_RAW: 'config' is the core's own */

int buffer_open(struct report_buffer *buffer, const struct pebs_options *options,
		struct recording *file, const char *written)
{
	const struct precis_pebs_machine *machine = &options->machine;

	buffer->options = options;
	buffer->event = (struct precis_event){
		.kind = PRECIS_EVENT_PEBS,
		.type = TYPE_RAW,
		.config = machine->has_config ? machine->config : 0,
		.core_type = machine->core_type,
		.pebs_facility = machine->facility_is_known ? (int32_t)machine->facility : -1,
	};
	return pebs_walk_open(&buffer->walk, options, file, written);
}

int buffer_collect(struct report_buffer *buffer, struct collection *collection,
		   const uint64_t wanted[PRECIS_FIELD_WORDS], const struct selection *selection)
{
	const struct precis_item *item;
	struct precis_sample sample;
	int code;

	precis_sample_init(&sample);
	while (pebs_walk_next(&buffer->walk, &item)) {
		precis_input_sample(buffer->walk.input, wanted, NULL, &sample);
		if (selection_has(selection, &sample))
			collect_sample(collection, NULL, &sample);
	}
	code = pebs_walk_finish(&buffer->walk);
	collection_finish(collection);
	return code;
}
