/* SPDX-License-Identifier: BSD-3-Clause */
/* See chart.h. */
#include "chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <precis/escape.h>

#define LEFT 78.0
#define RIGHT 26.0
#define TOP 66.0
#define BOTTOM 98.0
/* Of an axis as many ticks as there is room for, and room around what it holds, as a share of it */
#define TICKS 6.0
#define MARGIN 0.06
#define TICK 5.0
/* How wide characters are in the mean, by their size, of sans-serif text */
#define CHARACTER 0.5
#define WORDS 256

static const char style[] =
	"<style>\n"
	"text { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; }\n"
	".paper { fill: #ffffff; }\n"
	"text.ink { fill: #222222; } text.muted { fill: #5f5f5f; }\n"
	"line.ink { stroke: #222222; stroke-width: 1.3; } line.muted { stroke: #8a8a8a; stroke-width: 1; }\n"
	"line.grid { stroke: #e3e3e3; stroke-width: 1; }\n"
	".first { fill: #0072b2; } .second { fill: #d55e00; } .band { fill: #d9d9d9; }\n"
	"line.curve { stroke: #0072b2; stroke-width: 1.8; }\n"
	"line.expected { stroke: #d55e00; stroke-width: 1.6; stroke-dasharray: 6 4; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	".paper { fill: #1c1c1c; } text.ink { fill: #ececec; } text.muted { fill: #b0b0b0; }\n"
	"line.ink { stroke: #ececec; } line.muted { stroke: #9a9a9a; } line.grid { stroke: #3a3a3a; }\n"
	".first { fill: #56b4e9; } .second { fill: #e69f00; } .band { fill: #454545; }\n"
	"line.curve { stroke: #56b4e9; } line.expected { stroke: #e69f00; }\n"
	"}\n"
	"</style>\n";

/* --- text --- */

/* XML 1.0 has no control characters, and bytes that are no UTF-8 make it no XML. */
static void put_escaped(struct output *output, const char *text, size_t count)
{
	while (count) {
		const size_t bytes = precis_utf8_bytes(text, count);

		if (*text == '&')
			output_text(output, "&amp;");
		else if (*text == '<')
			output_text(output, "&lt;");
		else if (*text == '>')
			output_text(output, "&gt;");
		else if (*text == '"')
			output_text(output, "&quot;");
		else if (!bytes || (unsigned char)*text < ' ' || *text == 0x7f)
			output_text(output, "\xef\xbf\xbd");
		else
			output_bytes(output, text, bytes);
		text += bytes ? bytes : 1;
		count -= bytes ? bytes : 1;
	}
}

/* Bytes of the first characters that fit, so many at most */
static size_t fitting(const char *text, size_t most)
{
	size_t at = 0;

	for (size_t n = 0; n < most && text[at]; n++) {
		const size_t bytes = precis_utf8_bytes(text + at, strnlen(text + at, 4));

		at += bytes ? bytes : 1;
	}
	return at;
}

void chart_text(struct chart *chart, const char *style_of, double size, enum chart_anchor anchor, double room,
		double x, double y, const char *text)
{
	static const char *const anchors[] = {
		[CHART_START] = "start", [CHART_MIDDLE] = "middle", [CHART_END] = "end",
	};
	const double most = floor(room / (CHARACTER * size));
	const size_t whole = fitting(text, most < 1 ? 1 : (size_t)most);

	output_format(chart->output, "<text class=\"%s\" font-size=\"%g\" text-anchor=\"%s\" x=\"%.2f\" "
		      "y=\"%.2f\">", style_of, size, anchors[anchor], x, y);
	if (text[whole]) {
		put_escaped(chart->output, text, fitting(text, most < 2 ? 0 : (size_t)most - 1));
		output_text(chart->output, "\xe2\x80\xa6");
	} else {
		put_escaped(chart->output, text, whole);
	}
	output_text(chart->output, "</text>\n");
}

/* --- axes --- */

void chart_hold(struct chart_axis *axis, double value)
{
	if (!isfinite(value) || (axis->is_log && value <= 0))
		return;
	axis->low = isnan(axis->low) || value < axis->low ? value : axis->low;
	axis->high = isnan(axis->high) || value > axis->high ? value : axis->high;
}

/* 1, 2 or 5 times a power of 10, not less than that */
static double round_step(double step)
{
	const double power = pow(10, floor(log10(step)));
	const double digit = step / power;

	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static double scaled(const struct chart_axis *axis, double value)
{
	return axis->is_log ? log10(value) : value;
}

static double unscaled(const struct chart_axis *axis, double value)
{
	return axis->is_log ? pow(10, value) : value;
}

void chart_settle(struct chart_axis *axis)
{
	double low, high, margin, before, behind;

	if (isnan(axis->low)) {
		axis->low = axis->is_log ? 1 : 0;
		axis->high = axis->is_log ? 10 : 1;
	}
	low = scaled(axis, axis->low);
	high = scaled(axis, axis->high);
	/* of one value alone there is no range */
	margin = high > low ? MARGIN * (high - low) : axis->is_log ? 0.5 : fabs(high) / 2 + 0.5;
	axis->step = round_step((high - low + 2 * margin) / TICKS);
	if (axis->is_log) {
		axis->low = unscaled(axis, low - margin);
		axis->high = unscaled(axis, high + margin);
		axis->step = round_step((axis->high - axis->low) / TICKS);
		return;
	}
	/* an axis that ends at 0 ends there */
	before = low == 0 && high > low ? 0 : margin;
	behind = high == 0 && high > low ? 0 : margin;
	axis->low = floor((low - before) / axis->step + 1e-9) * axis->step;
	axis->high = ceil((high + behind) / axis->step - 1e-9) * axis->step;
}

static double place(const struct chart_axis *axis, double value, double from, double to)
{
	const double low = scaled(axis, axis->low), high = scaled(axis, axis->high);
	const double part = axis->is_log && value <= 0 ? 0 : (scaled(axis, value) - low) / (high - low);

	return from + (part < 0 ? 0 : part > 1 ? 1 : part) * (to - from);
}

double chart_x(const struct chart *chart, double value)
{
	return place(&chart->x, value, chart->left, chart->right);
}

double chart_y(const struct chart *chart, double value)
{
	return place(&chart->y, value, chart->bottom, chart->top);
}

static void tick_text(double value, double step, char text[32])
{
	/* a tick at 0 that rounding has left beside it */
	if (fabs(value) < step * 1e-6)
		value = 0;
	if (fabs(value) >= 1e6)
		snprintf(text, 32, "%gM", value / 1e6);
	else if (fabs(value) >= 1e4)
		snprintf(text, 32, "%gk", value / 1e3);
	else
		snprintf(text, 32, "%g", value);
}

static void x_tick(struct chart *chart, double value)
{
	const double x = chart_x(chart, value);
	char text[32];

	tick_text(value, chart->x.step, text);
	chart_line(chart, CHART_MUTED, x, chart->bottom, x, chart->bottom + TICK);
	chart_text(chart, CHART_INK, 12, CHART_MIDDLE, 80, x, chart->bottom + 19, text);
}

static void y_tick(struct chart *chart, double value)
{
	const double y = chart_y(chart, value);
	char text[32];

	tick_text(value, chart->y.step, text);
	chart_line(chart, "grid", chart->left, y, chart->right, y);
	chart_line(chart, CHART_MUTED, chart->left - TICK, y, chart->left, y);
	chart_text(chart, CHART_INK, 12, CHART_END, 48, chart->left - 9, y + 4, text);
}

typedef void tick_function(struct chart *chart, double value);

static void even_ticks(struct chart *chart, const struct chart_axis *axis, tick_function *tick)
{
	const double first = ceil(axis->low / axis->step - 1e-9);

	for (double n = first; n * axis->step <= axis->high * (1 + 1e-9) + axis->step * 1e-9; n++)
		tick(chart, n * axis->step);
}

/* 1, or 1, 2 and 5 times powers of 10. How many; with a NULL function they are but counted */
static int decade_ticks(struct chart *chart, const struct chart_axis *axis, int digits, tick_function *tick)
{
	static const double of[] = { 1, 2, 5 };
	int count = 0;

	for (double exponent = floor(log10(axis->low)); exponent <= log10(axis->high); exponent++) {
		for (int n = 0; n < digits; n++) {
			const double value = of[n] * pow(10, exponent);

			if (value < axis->low * (1 - 1e-9) || value > axis->high * (1 + 1e-9))
				continue;
			if (tick)
				tick(chart, value);
			count++;
		}
	}
	return count;
}

static void ticks(struct chart *chart, const struct chart_axis *axis, tick_function *tick)
{
	if (axis->is_log && decade_ticks(chart, axis, 1, NULL) > 3)
		decade_ticks(chart, axis, 1, tick);
	else if (axis->is_log && decade_ticks(chart, axis, 3, NULL) > 2)
		decade_ticks(chart, axis, 3, tick);
	else
		even_ticks(chart, axis, tick);
}

/* --- shapes --- */

void chart_line(struct chart *chart, const char *style_of, double x1, double y1, double x2, double y2)
{
	output_format(chart->output, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
		      style_of, x1, y1, x2, y2);
}

void chart_box(struct chart *chart, const char *style_of, double x1, double y1, double x2, double y2)
{
	output_format(chart->output,
		      "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
		      style_of, x1, y1 < y2 ? y1 : y2, x2 - x1, fabs(y2 - y1));
}

/* Light to dark, evenly so to the eye: Blues of C. Brewer's colour schemes */
void chart_heat(struct chart *chart, double part, double x1, double y1, double x2, double y2)
{
	static const double colours[][3] = { { 239, 243, 255 }, { 107, 174, 214 }, { 8, 48, 107 } };
	const double at = 2 * (part < 0 ? 0 : part > 1 ? 1 : part);
	const int from = at < 1 ? 0 : 1;
	unsigned int is[3];

	for (int n = 0; n < 3; n++)
		is[n] = (unsigned int)(colours[from][n] +
				       (at - from) * (colours[from + 1][n] - colours[from][n]) + 0.5);
	output_format(chart->output, "<rect fill=\"#%02x%02x%02x\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
		      "height=\"%.2f\"/>\n", is[0], is[1], is[2], x1, y1, x2 - x1, y2 - y1);
}

void chart_mark(struct chart *chart, const char *style_of, enum chart_mark mark, double x, double y)
{
	const double by = 5.2;

	if (mark == CHART_DISC)
		output_format(chart->output, "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"4.2\"/>\n",
			      style_of, x, y);
	else if (mark == CHART_DIAMOND)
		output_format(chart->output, "<polygon class=\"%s\" points=\"%.2f,%.2f %.2f,%.2f %.2f,%.2f "
			      "%.2f,%.2f\"/>\n", style_of, x - by, y, x, y - by, x + by, y, x, y + by);
	else
		output_format(chart->output,
			      "<polygon class=\"%s\" points=\"%.2f,%.2f %.2f,%.2f %.2f,%.2f\"/>\n",
			      style_of, x - by, y - 2 * by, x + by, y - 2 * by, x, y);
}

void chart_interval(struct chart *chart, double x, double low, double high)
{
	const double cap = 4, y1 = chart_y(chart, low), y2 = chart_y(chart, high);

	if (isnan(low) || isnan(high))
		return;
	chart_line(chart, CHART_INK, x, y1, x, y2);
	chart_line(chart, CHART_INK, x - cap, y1, x + cap, y1);
	chart_line(chart, CHART_INK, x - cap, y2, x + cap, y2);
}

/* --- the whole --- */

static void axis_labels(struct chart *chart)
{
	const double middle = (chart->top + chart->bottom) / 2;

	chart_text(chart, CHART_INK, 13, CHART_MIDDLE, chart->right - chart->left,
		   (chart->left + chart->right) / 2, chart->bottom + 41, chart->x.label);
	output_format(chart->output, "<g transform=\"rotate(-90 22 %.2f)\">\n", middle);
	chart_text(chart, CHART_INK, 13, CHART_MIDDLE, chart->bottom - chart->top + TOP, 22, middle,
		   chart->y.label);
	output_text(chart->output, "</g>\n");
}

void chart_page(struct chart *chart, const struct chart_words *words, double width, double height)
{
	const double across = width - LEFT - RIGHT;

	output_format(chart->output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
		      "viewBox=\"0 0 %g %g\" role=\"img\">\n<title>", width, height, width, height);
	put_escaped(chart->output, words->title, strlen(words->title));
	output_format(chart->output, "</title>\n%s", style);
	chart_box(chart, "paper", 0, 0, width, height);
	chart_text(chart, CHART_INK, 17, CHART_START, across, LEFT, 28, words->title);
	chart_text(chart, CHART_MUTED, 12.5, CHART_START, across, LEFT, 48, words->subtitle);
	chart_text(chart, CHART_MUTED, 10.5, CHART_START, across + LEFT - 22, 22, height - 26, words->source);
	chart_text(chart, CHART_MUTED, 10.5, CHART_START, across + LEFT - 22, 22, height - 11,
		   words->more_source);
}

void chart_begin(struct chart *chart, const struct chart_words *words, double room, int has_x_ticks)
{
	chart_page(chart, words, CHART_WIDTH, CHART_HEIGHT);
	chart->left = LEFT;
	chart->right = CHART_WIDTH - RIGHT - room;
	chart->top = TOP;
	chart->bottom = CHART_HEIGHT - BOTTOM;
	if (has_x_ticks)
		ticks(chart, &chart->x, x_tick);
	ticks(chart, &chart->y, y_tick);
	chart_line(chart, CHART_MUTED, chart->left, chart->top, chart->left, chart->bottom);
	chart_line(chart, CHART_MUTED, chart->left, chart->bottom, chart->right, chart->bottom);
	axis_labels(chart);
}

void chart_end(struct chart *chart)
{
	output_text(chart->output, "</svg>\n");
}

/* --- data --- */

void chart_datum(struct chart *chart)
{
	output_text(chart->output, "<g");
}

void chart_datum_text(struct chart *chart, const char *name, const char *text)
{
	output_format(chart->output, " data-%s=\"", name);
	put_escaped(chart->output, text, strlen(text));
	output_text(chart->output, "\"");
}

void chart_datum_number(struct chart *chart, const char *name, double value)
{
	if (!isnan(value))
		output_format(chart->output, " data-%s=\"%.12g\"", name, value);
}

void chart_datum_title(struct chart *chart, const char *format, ...)
{
	va_list arguments;
	char text[WORDS];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	output_text(chart->output, ">\n<title>");
	put_escaped(chart->output, text, strlen(text));
	output_text(chart->output, "</title>\n");
}

void chart_datum_end(struct chart *chart)
{
	output_text(chart->output, "</g>\n");
}
