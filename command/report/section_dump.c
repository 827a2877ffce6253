/* SPDX-License-Identifier: BSD-3-Clause */
/* What a dump of a PEBS buffer is, how much of it could be read, and what no dump tells. */
#include <inttypes.h>

#include "analysis/samples.h"
#include "sections.h"

/* What perf would add to each sample */
static const uint8_t missing[] = {
	PRECIS_FIELD_TIME,
	PRECIS_FIELD_CPU,
	PRECIS_FIELD_PID,
	PRECIS_FIELD_TID,
};

/* Nobody measured these: not one sample has them, and the decoder says why. */
static void tell_missing(struct document *document, const struct reported *reported,
			 uint64_t samples)
{
	struct precis_pebs_context context;
	struct precis_sample sample;

	if (!samples)
		return;
	precis_sample_init(&sample);
	precis_pebs_context_init(&context, &reported->dump->machine);
	precis_pebs_decode(&context, reported->dumped, NULL, &sample);
	for (size_t i = 0; i < sizeof(missing); i++) {
		enum precis_field field = missing[i];

		table_coverage(document, precis_field_name(field), 0, samples);
		coverage_absence(document, precis_reason_name(precis_why(&sample, field)),
				 precis_why_detail(&sample, field), samples);
	}
}

void section_dump(struct document *document, const struct reported *reported)
{
	const struct samples *samples = analysis_state(reported->run, &analysis_samples);
	const struct pebs_options *pebs = reported->dump;
	const struct pebs_walk *walk = reported->walk;
	char event[PEBS_EVENT_TEXT];

	pebs_event_text(pebs, event);
	list_of_reported(document, reported, "Dump of a PEBS buffer");
	row_file(document, reported->recording);
	row_begin(document, "format");
	cell_text(document, "%s", precis_pebs_format_name(pebs->format));
	row_cpu(document, &pebs->machine.cpu, NULL);
	row_begin(document, "event");
	cell_text(document, "%s", event);
	row_begin(document, "losses");
	cell_text(document, "not known: a dump does not tell what else was sampled");
	member_text(document, "known", "unknown");
	row_count(document, "samples", walk->records + walk->unread.count);
	if (reported->run->about.is_selected)
		row_count(document, "selected", samples->all);
	row_count(document, "pebs", samples->pebs);
	row_count(document, "unreadable", walk->unread.count);
	tell_missing(document, reported, samples->pebs);
}
