/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of an area trace as packets of Intel PT: the PEBS records among them, and their samples. */
#include <precis/precis.h>

#include "tests/fuzz/target.h"
#include "tests/hostile/full_pass_parts.h"

/* As a load latency event of an Alder Lake's E core would have written it */
static const struct precis_pebs_machine machine = {
	.size = sizeof(machine),
	.core_type = PRECIS_CORE_TYPE_E,
	.cpu = { sizeof(machine.cpu), PRECIS_VENDOR_INTEL, 6, 0x97, 2 },
	.facility_is_known = 1,
	.facility = PRECIS_PEBS_FACILITY_LOAD_LATENCY,
};

static void check_record(const struct precis_pebs *record, const struct precis_pebs_groups *views)
{
	struct precis_pebs_context context;
	struct precis_sample sample;
	uint64_t value;

	PROMISE(views->lbr_count <= PRECIS_PEBS_PT_BRANCHES);
	PROMISE(!views->lbr == !views->lbr_count);
	precis_sample_init(&sample);
	PROMISE(precis_pebs_context_init(&context, &machine) == 0);
	PROMISE(precis_pebs_decode(&context, record, NULL, &sample) == 0);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		PROMISE(precis_get(&sample, (enum precis_field)field, &value) ==
			(precis_why(&sample, (enum precis_field)field) == PRECIS_PRESENT));
}

struct found {
	struct precis_pebs record;
	struct precis_pebs_groups views;
	struct precis_pebs_pt_about about;
};

static struct found nothing_found(void)
{
	return (struct found){ { .size = sizeof(struct precis_pebs) },
			       { .size = sizeof(struct precis_pebs_groups) },
			       { .size = sizeof(struct precis_pebs_pt_about) } };
}

void full_pass_trace(struct precis_pebs_pt *decoder, const uint8_t *bytes, size_t count)
{
	size_t done = 0, used = 0;
	int got = 1;

	for (; got == 1; done += used) {
		struct found found = nothing_found();

		got = precis_pebs_pt_next(decoder, bytes + done, count - done, &used,
					  &found.record, &found.views, &found.about);
		PROMISE(got >= 0 && used <= count - done);
		if (got == 1)
			check_record(&found.record, &found.views);
	}
	PROMISE(done == count);
}

void full_pass_trace_end(struct precis_pebs_pt *decoder)
{
	struct found found = nothing_found();
	int got = precis_pebs_pt_end(decoder, &found.record, &found.views, &found.about);

	PROMISE(got == 0 || got == 1);
	if (got == 1)
		check_record(&found.record, &found.views);
}
