/* SPDX-License-Identifier: BSD-3-Clause */
/* See heat.h. */
#include "heat.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/analyses.h"
#include "analysis/run.h"
#include "analysis/sharing/answer.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "document/chart.h"

/* In pixels: room around the cells, and their size. So many have names, however large that gets */
#define LEFT 230.0
#define TOP 96.0
#define RIGHT 120.0
#define BOTTOM 70.0
#define ACROSS 560.0
#define CELL_LEAST 3.0
#define NAMED_MOST 128u
#define CELL_MOST 44.0
/* Cells that are smaller have no name beside them, or no figure in them */
#define CELL_NAMED 11.0
#define CELL_TOLD 30.0

#define WIDTH_LEAST 620.0
#define KEY_STEPS 5

struct heat {
	struct chart chart;
	const struct sharing_answer *answer;
	double cell, most, all; /* the largest flow, and the sum of all */
};

static const struct sharing_flow *flow_of(const struct heat *heat, uint32_t row, uint32_t column)
{
	return sharing_answer_flow(heat->answer, heat->answer->seated[row],
				   heat->answer->seated[column]);
}

static void measure(struct heat *heat)
{
	const uint32_t count = heat->answer->parties;
	const double least = count <= NAMED_MOST ? CELL_NAMED : CELL_LEAST;

	heat->cell = ACROSS / (count ? count : 1);
	heat->cell = heat->cell > CELL_MOST ? CELL_MOST : heat->cell < least ? least : heat->cell;
	heat->all = heat->answer->estimate.total.all.sum + heat->answer->estimate.total_unknown.sum;
	for (uint32_t row = 0; row < count; row++) {
		for (uint32_t column = 0; column < count; column++) {
			const double sum = flow_of(heat, row, column)->all.sum;

			heat->most = sum > heat->most ? sum : heat->most;
		}
	}
}

/* Numbers are those of the table of who they are. */
static void draw_names(struct heat *heat)
{
	const double size = heat->cell < 14 ? heat->cell * 0.8 : 12;
	char text[SHARING_PARTY_TEXT + 16], who[SHARING_PARTY_TEXT];

	chart_text(&heat->chart, CHART_INK, 12.5, CHART_END, LEFT, LEFT - 10, TOP - 22,
		   "from (writer)");
	chart_text(&heat->chart, CHART_INK, 12.5, CHART_START, ACROSS, LEFT, TOP - 22,
		   "to (reader)");
	for (uint32_t n = 0; heat->cell >= CELL_NAMED && n < heat->answer->parties; n++) {
		const uint32_t place = heat->answer->seated[n];
		const double middle = (n + 0.5) * heat->cell;

		sharing_answer_text(heat->answer, place, who);
		snprintf(text, sizeof(text), "%s  %" PRIu32, who, place + 1);
		chart_text(&heat->chart, CHART_INK, size, CHART_END, LEFT - 20, LEFT - 8,
			   TOP + middle + size / 3, text);
		snprintf(text, sizeof(text), "%" PRIu32, place + 1);
		chart_text(&heat->chart, CHART_INK, size, CHART_MIDDLE, 2 * heat->cell,
			   LEFT + middle, TOP - 6, text);
	}
}

static void draw_cell(struct heat *heat, uint32_t row, uint32_t column)
{
	const struct sharing_answer *answer = heat->answer;
	const uint32_t from = answer->seated[row], to = answer->seated[column];
	const double x = LEFT + column * heat->cell, y = TOP + row * heat->cell;
	const double sum = flow_of(heat, row, column)->all.sum, gap = heat->cell > 8 ? 1 : 0;
	const double share = heat->all > 0 ? 100 * sum / heat->all : 0;
	const char *why = sharing_why_unweighed(answer->sharing);
	char writer[SHARING_PARTY_TEXT], reader[SHARING_PARTY_TEXT], text[16];

	if (row == column) {
		chart_box(&heat->chart, CHART_BAND, x, y, x + heat->cell - gap,
			  y + heat->cell - gap);
		return;
	}
	sharing_answer_text(answer, from, writer);
	sharing_answer_text(answer, to, reader);
	chart_datum(&heat->chart);
	chart_datum_text(&heat->chart, "from", writer);
	chart_datum_text(&heat->chart, "to", reader);
	chart_datum_number(&heat->chart, "percent", share);
	if (!why) {
		chart_datum_number(&heat->chart, "transfers", sum);
		chart_datum_number(&heat->chart, "true",
				   flow_of(heat, row, column)->by_meeting[SHARING_MEET].sum);
		chart_datum_number(&heat->chart, "false",
				   flow_of(heat, row, column)->by_meeting[SHARING_APART].sum);
	}
	chart_datum_title(&heat->chart, "%s to %s: %.2f%%", writer, reader, share);
	chart_heat(&heat->chart, heat->most > 0 ? sum / heat->most : 0, x, y, x + heat->cell - gap,
		   y + heat->cell - gap);
	if (heat->cell >= CELL_TOLD && sum > 0) {
		snprintf(text, sizeof(text), "%.1f", share);
		/* on the diagonal's grey, light or dark: of a shade that is read on both */
		output_format(heat->chart.output,
			      "<text font-size=\"11\" text-anchor=\"middle\" fill=\"%s\" "
			      "x=\"%.2f\" y=\"%.2f\">%s</text>\n",
			      sum > heat->most / 2 ? "#ffffff" : "#222222", x + heat->cell / 2,
			      y + heat->cell / 2 + 4, text);
	}
	chart_datum_end(&heat->chart);
}

static void draw_key(struct heat *heat, double right)
{
	const double x = right - RIGHT + 24;
	char text[16];

	chart_text(&heat->chart, CHART_MUTED, 11, CHART_START, RIGHT, x, TOP - 6, "% of all");
	for (int n = 0; n <= KEY_STEPS; n++) {
		const double part = 1 - (double)n / KEY_STEPS;

		chart_heat(&heat->chart, part, x, TOP + 20.0 * n, x + 18, TOP + 20.0 * (n + 1));
		snprintf(text, sizeof(text), "%.2f",
			 heat->all > 0 ? 100 * part * heat->most / heat->all : 0);
		chart_text(&heat->chart, CHART_INK, 11, CHART_START, 60, x + 26,
			   TOP + 20.0 * n + 14, text);
	}
}

static void draw(struct heat *heat, const struct heat_words *told)
{
	const struct sharing_answer *answer = heat->answer;
	const double side = answer->parties * heat->cell, across = LEFT + side + RIGHT;
	const double width = across > WIDTH_LEAST ? across : WIDTH_LEAST;
	const double key = 20.0 * (KEY_STEPS + 1),
		     height = TOP + (side > key ? side : key) + BOTTOM;
	char subtitle[160], source[160];
	const struct chart_words words = {
		.title = told ? told->title : "Lines that loads got from another cache",
		.subtitle = subtitle,
		.source = told ? told->source : source,
		.more_source = answer->has_source ? "" : "no sample tells where its line came from",
	};

	snprintf(subtitle, sizeof(subtitle), "by who wrote and who read them: %s%s",
		 sharing_party_word(answer->sharing->request, 1),
		 told ? "" : ", in the order of nodes and CPUs");
	snprintf(source, sizeof(source),
		 "%" PRIu64 " loads with a source, %" PRIu64 " from another cache; "
		 "of a writer not known: %.1f%%",
		 answer->sharing->told.samples, answer->sharing->transfers.samples,
		 heat->all > 0 ? 100 * answer->estimate.total_unknown.sum / heat->all : 0);
	chart_page(&heat->chart, &words, width, height);
	draw_names(heat);
	for (uint32_t row = 0; row < answer->parties; row++) {
		for (uint32_t column = 0; column < answer->parties; column++)
			draw_cell(heat, row, column);
	}
	draw_key(heat, width);
	chart_end(&heat->chart);
}

int sharing_draw_answer(const struct sharing_answer *answer, const struct heat_words *words,
			const char *path, const char *command)
{
	struct output output;
	struct heat heat = { .chart = { .output = &output }, .answer = answer };

	if (destination_open_whole(&output, path, command))
		return EXIT_FAILED;
	measure(&heat);
	draw(&heat, words);
	return destination_close(&output, command) ? EXIT_FAILED : EXIT_OK;
}

int sharing_draw(const struct report_arguments *arguments, const struct analysis_run *run)
{
	struct sharing_answer answer;
	int code = EXIT_FAILED;

	if (sharing_answer_init(&answer, analysis_state(run, &analysis_sharing)) < 0)
		complain(arguments->command, "out of memory");
	else
		code = sharing_draw_answer(&answer, NULL, arguments->sharing.svg,
					   arguments->command);
	sharing_answer_free(&answer);
	return code;
}
