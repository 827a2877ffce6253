/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison of generations as text, CSV and JSON. */
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "document/json.h"
#include "document/quote.h"
#include "document/wrap.h"

#define FIELD_WIDTH 24
#define UNIT_WIDTH 8
#define LEGEND_COLUMN 6

static const char *const verdict_names[] = { [COMPARE_NO] = "no", [COMPARE_YES] = "yes",
					     [COMPARE_UNKNOWN] = "unknown" };
static const char verdict_marks[] = { [COMPARE_NO] = '-', [COMPARE_YES] = 'x',
				      [COMPARE_UNKNOWN] = '?' };

static void field_info(const struct compare_row *row, struct precis_field_info *info)
{
	info->size = sizeof(*info);
	precis_field_info(row->field, info);
}

/* The first of those that are alike stands for all of them. */
static int is_first(const struct compare *compare, uint32_t n)
{
	return compare->generations[n].alike == n;
}

/* "I10" @return its length */
static int label_of(const struct compare *compare, uint32_t n, char label[8])
{
	return snprintf(label, 8, "%c%u", *compare->generations[n].vendor,
			compare->generations[n].label);
}

static void print_heading(const struct compare *compare, struct output *output)
{
	output_format(output, "%-*s%-*s", FIELD_WIDTH, "", UNIT_WIDTH, "unit");
	for (uint32_t n = 0; n < compare->generation_count; n++) {
		char label[8];

		if (!is_first(compare, n))
			continue;
		label_of(compare, n, label);
		output_format(output, " %s", label);
	}
	output_text(output, "\n");
}

static void print_row(const struct compare *compare, uint32_t row, struct output *output)
{
	struct precis_field_info info;
	struct wrap wrap;

	field_info(&compare->rows[row], &info);
	output_format(output, "  %-*s%-*s", FIELD_WIDTH - 2, info.name, UNIT_WIDTH,
		      precis_unit_name(info.unit));
	for (uint32_t n = 0; n < compare->generation_count; n++) {
		char label[8];

		if (is_first(compare, n))
			output_format(output, "%*c", 1 + label_of(compare, n, label),
				      verdict_marks[compare->generations[n].cells[row].verdict]);
	}
	output_text(output, "\n    ");
	wrap = wrap_begin(output, 4);
	wrap_text(&wrap, info.meaning);
	output_text(output, "\n");
}

/* Is there another one that is like it? */
static int has_next(const struct compare *compare, uint32_t n)
{
	for (uint32_t other = n + 1; other < compare->generation_count; other++) {
		if (compare->generations[other].alike == compare->generations[n].alike)
			return 1;
	}
	return 0;
}

static void print_legend(const struct compare *compare, struct output *output)
{
	for (uint32_t n = 0; n < compare->generation_count; n++) {
		struct wrap wrap = wrap_begin(output, LEGEND_COLUMN);
		char text[64];

		if (!is_first(compare, n))
			continue;
		label_of(compare, n, text);
		output_format(output, "%-*s", LEGEND_COLUMN, text);
		for (uint32_t other = n; other < compare->generation_count; other++) {
			if (compare->generations[other].alike != n)
				continue;
			snprintf(text, sizeof(text), "%s%s%s", compare->generations[other].name,
				 *compare->generations[other].uncertain ? "*" : "",
				 has_next(compare, other) ? "," : "");
			wrap_text(&wrap, text);
		}
		output_text(output, "\n");
	}
}

void compare_print_text(const struct compare *compare, struct output *output)
{
	const char *stage = "";

	output_text(output, "What samples have of a memory access, stage by stage: A, AMD's IBS; I, "
			    "Intel's PEBS.\n"
			    "x: some samples have it; -: none has; ?: not known. Generations that are "
			    "alike share a column.\n\n");
	print_heading(compare, output);
	for (uint32_t row = 0; row < compare->row_count; row++) {
		if (strcmp(stage, compare->rows[row].stage) != 0)
			output_format(output, "%s\n", compare->rows[row].stage);
		stage = compare->rows[row].stage;
		print_row(compare, row, output);
	}
	output_text(output, "\n");
	print_legend(compare, output);
	output_text(output, "*: no source settles something about it; csv and json say what.\n");
}

void compare_print_csv(const struct compare *compare, struct output *output)
{
	output_text(output, "stage,field,unit,vendor,technique,generation,models,measured,reason,"
			    "detail,uncertain,meaning\n");
	for (uint32_t row = 0; row < compare->row_count; row++) {
		struct precis_field_info info;

		field_info(&compare->rows[row], &info);
		for (uint32_t n = 0; n < compare->generation_count; n++) {
			const struct compare_generation *generation = &compare->generations[n];
			const struct compare_cell *cell = &generation->cells[row];
			const char *cells[] = {
				compare->rows[row].stage, info.name, precis_unit_name(info.unit),
				generation->vendor, generation->technique, generation->name,
				generation->models, verdict_names[cell->verdict],
				cell->reason ? precis_reason_name(cell->reason) : "", cell->detail,
				generation->uncertain, info.meaning,
			};

			for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
				output_text(output, i ? "," : "");
				output_csv(output, cells[i]);
			}
			output_text(output, "\n");
		}
	}
}

/* Whose cells of that row have the verdict */
static void print_names(const struct compare *compare, uint32_t row, enum compare_verdict verdict,
			struct json *json)
{
	json_array(json, verdict_names[verdict]);
	for (uint32_t n = 0; n < compare->generation_count; n++) {
		if (compare->generations[n].cells[row].verdict == verdict)
			json_text(json, NULL, compare->generations[n].name);
	}
	json_array_end(json);
}

void compare_print_json(const struct compare *compare, struct output *output)
{
	struct json json = { .output = output, .indent = 1 };

	json_object(&json, NULL);
	json_array(&json, "generations");
	for (uint32_t n = 0; n < compare->generation_count; n++) {
		const struct compare_generation *generation = &compare->generations[n];

		json_object(&json, NULL);
		json_text(&json, "vendor", generation->vendor);
		json_text(&json, "technique", generation->technique);
		json_text(&json, "name", generation->name);
		json_text(&json, "models", generation->models);
		json_text(&json, "uncertain", *generation->uncertain ? generation->uncertain : NULL);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_array(&json, "fields");
	for (uint32_t row = 0; row < compare->row_count; row++) {
		struct precis_field_info info;

		field_info(&compare->rows[row], &info);
		json_object(&json, NULL);
		json_text(&json, "stage", compare->rows[row].stage);
		json_text(&json, "field", info.name);
		json_text(&json, "unit", *precis_unit_name(info.unit) ?
						 precis_unit_name(info.unit) : NULL);
		json_text(&json, "meaning", info.meaning);
		print_names(compare, row, COMPARE_YES, &json);
		print_names(compare, row, COMPARE_NO, &json);
		print_names(compare, row, COMPARE_UNKNOWN, &json);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_object_end(&json);
}
