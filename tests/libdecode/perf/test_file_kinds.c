/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of which payloads of IBS tell what they are, and payloads that are none. */
#include "changed_file.h"

/* Without PMU mappings the first payload that is no filler decides, once and for all. */
static void kind_by_payload(void)
{
	static const struct {
		uint32_t type, is_op, spoil;
		enum precis_event_kind kind;
	} rows[] = {
		{ OP_TYPE, 1, 0, PRECIS_EVENT_IBS_OP }, { OP_TYPE, 0, 0, PRECIS_EVENT_IBS_FETCH },
		{ OP_TYPE, 1, 1, PRECIS_EVENT_OTHER }, /* caps without the valid bit */
		{ OP_TYPE, 1, 2, PRECIS_EVENT_OTHER }, /* control register without Val and En */
		{ 2, 1, 0, PRECIS_EVENT_OTHER }, /* a tracepoint of that size */
		{ 4, 1, 0, PRECIS_EVENT_OTHER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_writer *writer = create_plain(rows[i].type, SAMPLE_TYPE, 0);
		uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
		struct precis_record record;
		struct precis_sample sample;
		struct precis_file *file;
		uint32_t bytes;

		add_sample(writer, 1, 10, (const uint8_t *)"\0\0\0", 4);
		bytes = rows[i].is_op ? op_payload(payload) : fetch_payload(payload);
		if (rows[i].spoil == 1)
			payload[0] &= 0xfe;
		if (rows[i].spoil == 2)
			memset(payload + 4, 0, 8);
		add_sample(writer, 1, 20, payload, bytes);
		bytes = op_payload(payload);
		add_sample(writer, 1, 30, payload, bytes);
		file = reopen(writer);
		precis_sample_init(&sample);
		for (uint32_t n = 0; n < 3; n++) {
			enum precis_event_kind kind = n ? rows[i].kind : PRECIS_EVENT_OTHER;

			CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
			CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
			CU_ASSERT_EQUAL(sample.event_kind, kind);
			CU_ASSERT_EQUAL(precis_file_event(file, 0)->kind, kind);
		}
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->kind_source,
				rows[i].kind ? PRECIS_KIND_PAYLOAD : PRECIS_KIND_UNKNOWN);
		precis_file_close(file);
	}
}

/* Of which kind a payload is tells its size: a u32 and 3 to 5 registers of a fetch, 7 or more of an op. */
static void payload_sizes(void)
{
	uint8_t payload[4 + 8 * 12];

	memset(payload, 0xff, sizeof(payload));
	for (uint32_t registers = 1; registers <= 12; registers++) {
		struct precis_writer *writer = create_plain(OP_TYPE, SAMPLE_TYPE, 0);
		uint32_t kind = PRECIS_EVENT_OTHER;
		struct precis_record record;
		struct precis_sample sample;
		struct precis_file *file;

		if (registers >= 3 && registers <= 5)
			kind = PRECIS_EVENT_IBS_FETCH;
		if (registers >= 7)
			kind = PRECIS_EVENT_IBS_OP;
		add_sample(writer, 1, 10, payload, 4 + 8 * registers);
		file = reopen(writer);
		precis_sample_init(&sample);
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->kind, kind);
		precis_file_close(file);
	}
}

static void undecodable_payloads(void)
{
	struct precis_writer *writer = create();
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	struct precis_record record;
	struct precis_sample sample;
	struct precis_file *file;
	static const int errors[] = { PRECIS_E_NO_PAYLOAD, PRECIS_E_TRUNCATED, PRECIS_E_BAD_CAPS,
				      PRECIS_E_NOT_A_SAMPLE };

	add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, op_ids, 2, NULL);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, OP_TYPE, "ibs_op"), 0);
	op_payload(payload);
	add_sample(writer, 101, 1, (const uint8_t *)"\0\0\0", 4);
	add_sample(writer, 101, 2, payload, 44);
	payload[0] = 0;
	add_sample(writer, 101, 3, payload, 68);
	op_payload(payload);
	memset(payload + 4, 0, 8);
	add_sample(writer, 101, 4, payload, 68);
	file = reopen(writer);
	precis_sample_init(&sample);
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		for (int twice = 0; twice < 2; twice++)
			CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
		CU_ASSERT_EQUAL(sample.payload_error, errors[i]);
		CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_NONE);
		CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_IBS_OP);
		CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_IP), 0x401234);
		check_absent(&sample, PRECIS_FIELD_TAG_TO_RETIRE);
		CU_ASSERT_EQUAL(event_counts_of(file, 0).undecodable, i + 1);
	}
	CU_ASSERT_EQUAL(counts_of(file).samples_unread, 0);
	CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	CU_ASSERT_EQUAL(event_counts_of(file, 0).undecodable, 0);
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
	}
	CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	for (size_t i = 0; i < 4; i++)
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
	CU_ASSERT_EQUAL(event_counts_of(file, 0).undecodable, 1);
	precis_file_close(file);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "kind by the first payload", kind_by_payload },
		{ "kind by its size", payload_sizes },
		{ "payloads that cannot be decoded", undecodable_payloads },
	};
	int failed;

	build_path(path);
	failed = tap_main("kinds", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	free(slurped);
	return failed;
}
