/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chart as SVG 1.1: a frame with two axes, their ticks and labels, a title and where the data are from.
 * What is drawn into it is the caller's, in the units of the axes. Colours are those of Okabe and Ito,
 * which readers who are blind to some colours tell apart; where a page is dark they are the lighter ones.
 */
#ifndef DOCUMENT_CHART_H
#define DOCUMENT_CHART_H

#include "output.h"

/* Of the whole, in pixels */
#define CHART_WIDTH 720.0
#define CHART_HEIGHT 450.0

struct chart_axis {
	const char *label; /* with its unit; outlives the chart */
	int is_log;        /* all values are above 0 */
	double low, high;  /* chart_hold() makes them; both NAN at first */
	double step;       /* between ticks; chart_settle() makes it */
};

struct chart {
	struct output *output;
	struct chart_axis x, y;
	double left, right, top, bottom; /* of what is inside the frame, in pixels */
};

/* Words around it; those that do not fit into a line end with an ellipsis. */
struct chart_words {
	const char *title, *subtitle, *source, *more_source;
};

/* The axis holds that value, too; NAN, and what a logarithmic axis has no place for, is passed over. */
void chart_hold(struct chart_axis *axis, double value);

/* Ends of the axis that are a little beyond what it holds, and of one that is not logarithmic at ticks */
void chart_settle(struct chart_axis *axis);

/* Begin with the page alone, of that size: title, subtitle, and below where the data are from */
void chart_page(struct chart *chart, const struct chart_words *words, double width, double height);

/*
 * Begin with settled axes; 'room' pixels on the right are left for a key. An x axis without ticks has
 * words.
 */
void chart_begin(struct chart *chart, const struct chart_words *words, double room, int has_x_ticks);
void chart_end(struct chart *chart);

/* Where a value is, in pixels; beyond the axis its end */
double chart_x(const struct chart *chart, double value);
double chart_y(const struct chart *chart, double value);

/* Styles of lines, shapes and words: classes of the style sheet */
#define CHART_INK "ink"       /* text and intervals */
#define CHART_MUTED "muted"   /* text of less weight */
#define CHART_FIRST "first"   /* the first colour, filled: blue */
#define CHART_SECOND "second" /* the second one: vermilion */
#define CHART_EXPECTED "expected" /* a dashed line of the second colour */
#define CHART_CURVE "curve"   /* a line of the first colour */
#define CHART_BAND "band"     /* a light area behind all */

enum chart_anchor { CHART_START, CHART_MIDDLE, CHART_END };

/* All in pixels. Text is escaped, and cut with an ellipsis where it is wider than 'room'. */
void chart_line(struct chart *chart, const char *style, double x1, double y1, double x2, double y2);
void chart_box(struct chart *chart, const char *style, double x1, double y1, double x2, double y2);
void chart_text(struct chart *chart, const char *style, double size, enum chart_anchor anchor, double room,
		double x, double y, const char *text);
/* A disc; a diamond; a triangle that points down to what is below the axis */
enum chart_mark { CHART_DISC, CHART_DIAMOND, CHART_BELOW };
void chart_mark(struct chart *chart, const char *style, enum chart_mark mark, double x, double y);
/* A box of how much: from 0, light, to 1, dark */
void chart_heat(struct chart *chart, double part, double x1, double y1, double x2, double y2);
/* From low to high, with a cap at each end; nothing if one of them is NAN */
void chart_interval(struct chart *chart, double x, double low, double high);

/*
 * What is drawn of one datum: attributes data-NAME, for programs, then a title, which a browser shows, then
 * what is drawn, up to its end. A number that is NAN has no attribute.
 */
void chart_datum(struct chart *chart);
void chart_datum_text(struct chart *chart, const char *name, const char *text);
void chart_datum_number(struct chart *chart, const char *name, double value);
void chart_datum_title(struct chart *chart, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chart_datum_end(struct chart *chart);

#endif
