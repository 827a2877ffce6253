/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_pebs FORMAT COUNT SEED FILE: random PEBS records, one behind the other, into FILE; what was
 * put into them on standard output, a JSON object for each. "bytes" is what a record takes in the
 * file, with the null records in front of it. Large groups are the bytes that were put in, in
 * hexadecimal, and nothing is made of them.
 */
#include <inttypes.h>

#include "tests/property/pebs_records.h"

static void print_groups(uint32_t groups)
{
	for (uint32_t left = groups; left; left &= left - 1)
		printf("%s\"%s\"", left == groups ? "" : ",", precis_pebs_group_name(left & -left));
}

static void print_values(const char *(*name)(uint32_t), uint32_t mask, const uint64_t *values)
{
	for (uint32_t left = mask; left; left &= left - 1) {
		uint32_t n = (uint32_t)__builtin_ctz(left);

		printf("%s\"%s\":\"0x%016" PRIx64 "\"", left == mask ? "" : ",", name(n), values[n]);
	}
}

static void print_bytes(const char *name, const uint8_t *bytes, size_t count)
{
	if (!bytes)
		return;
	printf(",\"%s\":\"", name);
	while (count--)
		printf("%02x", *bytes++);
	printf("\"");
}

static void print_views(const struct precis_pebs_groups *views)
{
	size_t counters = 2u * (views->metrics != 0);

	for (uint32_t n = 0; n < 32; n++)
		counters += (views->gp_counters >> n & 1) + (views->fixed_counters >> n & 1);
	print_bytes("xmm", views->xmm, 16 * 16);
	print_bytes("ymmh", views->ymmh, 16 * 16);
	print_bytes("opmask", views->opmask, 8 * 8);
	print_bytes("zmmh", views->zmmh, 16 * 32);
	print_bytes("hi16_zmm", views->hi16_zmm, 16 * 64);
	print_bytes("lbr_header", views->lbr_header, 48);
	print_bytes("lbr", views->lbr, 24 * (size_t)views->lbr_count);
	print_bytes("counters", views->counters, 8 * counters);
	printf(",\"gp\":%" PRIu32 ",\"fixed\":%" PRIu32 ",\"metrics\":%" PRIu32
	       ",\"xstate\":\"0x%" PRIx64 "\"", views->gp_counters, views->fixed_counters,
	       views->metrics, views->xstate);
}

static void print_record(const struct made_record *made, int bytes)
{
	const struct precis_pebs *pebs = &made->pebs;

	printf("{\"format\":\"%s\",\"bytes\":%d,\"groups\":[", precis_pebs_format_name(pebs->format),
	       bytes);
	print_groups(pebs->groups);
	printf("],\"words\":{");
	print_values(precis_pebs_word_name, pebs->captured, pebs->word);
	printf("},\"gprs\":{");
	print_values(precis_pebs_gpr_name, pebs->gpr_captured, pebs->gpr);
	printf("}");
	print_views(&made->views);
	printf("}\n");
}

int main(int argc, char **argv)
{
	static struct made_record made;
	static uint8_t bytes[RECORD_MAX];
	int format = argc == 5 ? precis_pebs_format_parse(argv[1]) : -1;
	uint64_t state = argc == 5 ? strtoull(argv[3], NULL, 0) : 0;
	FILE *file = format < 0 ? NULL : fopen(argv[4], "wb");

	if (!file) {
		fprintf(stderr, "usage: make_pebs FORMAT COUNT SEED FILE\n");
		return 2;
	}
	for (unsigned long left = strtoul(argv[2], NULL, 0); left; left--) {
		uint32_t n = (uint32_t)random_next(&state) % made_combinations((uint32_t)format);
		int count;

		make_record(&state, (uint32_t)format, n, &made);
		count = made_encode(&made, bytes, sizeof(bytes));
		if (count < 0 || fwrite(bytes, 1, (size_t)count, file) != (size_t)count) {
			fprintf(stderr, "make_pebs: a record of combination %u: %d\n", n, count);
			return 1;
		}
		print_record(&made, count);
	}
	return fclose(file) ? 1 : 0;
}
