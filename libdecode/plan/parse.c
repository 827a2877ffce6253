/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration files: lines of a key and what belongs to it. precis-plan(1) has their form. */
#include <string.h>

#include <precis/error.h>
#include <precis/plan.h>

#include "../sample/abi.h"
#include "numbers.h"

#define FORM "1"
#define WORDS_MOST 8u
#define LINE_MOST 512u
#define NS_MOST 1e12
#define EXPONENT_MOST 400

struct word {
	const char *at;
	size_t length;
};

struct reading {
	const char *text;
	size_t bytes, at; /* of the next line */
	size_t line_at;
	uint32_t line;
	struct word word[WORDS_MOST];
	size_t words;
	uint32_t events; /* that have begun */
	const char *fault;
	struct precis_plan_cost head; /* what stands before the first event */
	struct precis_plan_cost cost; /* the event that is read */
};

static int is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static int is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static int fail(struct reading *reading, const char *what)
{
	reading->fault = what;
	return PRECIS_E_SYNTAX;
}

static int is_word(const struct word *word, const char *text)
{
	return word->length == strlen(text) && memcmp(word->at, text, word->length) == 0;
}

/* The next line in words. 1; 0 at the end of the text; or a negative enum precis_error */
static int next_line(struct reading *reading)
{
	const char *line = reading->text + reading->at, *end;
	size_t left = reading->bytes - reading->at;

	if (!left)
		return 0;
	reading->line++;
	reading->line_at = reading->at;
	end = memchr(line, '\n', left);
	if (!end) {
		reading->fault = "the line has no end: the file is cut";
		return PRECIS_E_TRUNCATED;
	}
	if ((size_t)(end - line) > LINE_MOST)
		return fail(reading, "the line is longer than 512 bytes");
	reading->at += (size_t)(end - line) + 1;
	for (reading->words = 0; line < end;) {
		const char *word = line;

		while (line < end && !is_blank(*line)) {
			if ((unsigned char)*line < ' ' || *line == 0x7f)
				return fail(reading, "a control character");
			line++;
		}
		if (line > word) {
			if (reading->words == WORDS_MOST)
				break; /* texts have more: they are taken from the line */
			reading->word[reading->words++] = (struct word){ word, (size_t)(line - word) };
		}
		while (line < end && is_blank(*line))
			line++;
	}
	return 1;
}

/* The rest of the line from word n on, as one text. 0 or -1 */
static int take_text(struct reading *reading, size_t n, char *room, size_t bytes)
{
	const char *end = reading->text + reading->at - 1;
	size_t length;

	if (n >= reading->words)
		return fail(reading, "expected a text");
	while (is_blank(end[-1]))
		end--;
	length = (size_t)(end - reading->word[n].at);
	if (length >= bytes)
		return fail(reading, "the text is too long");
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)reading->word[n].at[i] < ' ' || reading->word[n].at[i] == 0x7f)
			return fail(reading, "a control character");
	}
	memset(room, 0, bytes);
	memcpy(room, reading->word[n].at, length);
	return 0;
}

/* 10 to that power, by squares */
static double power_of_ten(int exponent)
{
	double power = 1, square = 10;

	for (int left = exponent; left; left >>= 1, square *= square) {
		if (left & 1)
			power *= square;
	}
	return power;
}

/* The digits of a number, from 'at' on; 'exponent' has those behind the point */
static const char *take_digits(const char *at, const char *end, double *digits, int *exponent)
{
	const char *first = at;
	int seen_point = 0;

	for (; at < end && (is_digit(*at) || (*at == '.' && !seen_point)); at++) {
		if (*at == '.') {
			seen_point = 1;
			continue;
		}
		*digits = *digits * 10 + (*at - '0');
		*exponent -= seen_point;
	}
	return at - first > seen_point ? at : NULL;
}

static const char *take_exponent(const char *at, const char *end, int *exponent)
{
	int sign = 1, found = 0;
	const char *first;

	if (at == end || (*at != 'e' && *at != 'E'))
		return at;
	at++;
	if (at < end && (*at == '-' || *at == '+'))
		sign = *at++ == '-' ? -1 : 1;
	for (first = at; at < end && is_digit(*at); at++)
		found = found < EXPONENT_MOST ? found * 10 + (*at - '0') : found;
	*exponent += sign * found;
	return at > first ? at : NULL;
}

/* Word n as a decimal number, whatever the locale. 0, or a negative enum precis_error */
static int take_number(struct reading *reading, size_t n, double *number)
{
	const char *at, *end;
	double digits = 0;
	int exponent = 0, is_negative;

	if (n >= reading->words)
		return fail(reading, "expected a number");
	at = reading->word[n].at;
	end = at + reading->word[n].length;
	is_negative = *at == '-';
	at = take_digits(at + is_negative, end, &digits, &exponent);
	if (at)
		at = take_exponent(at, end, &exponent);
	if (!at || at != end)
		return fail(reading, "expected a number");
	if (exponent > EXPONENT_MOST || exponent < -EXPONENT_MOST)
		return fail(reading, "the number is out of all bounds");
	if (exponent < 0)
		digits /= power_of_ten(-exponent);
	else
		digits *= power_of_ten(exponent);
	if (!is_amount(digits))
		return fail(reading, "the number is out of all bounds");
	*number = is_negative ? -digits : digits;
	return 0;
}

static int take_cause(struct reading *reading, size_t n, uint32_t *cause)
{
	for (*cause = 0; n < reading->words && *cause < PRECIS_PLAN_CAUSES; (*cause)++) {
		if (is_word(&reading->word[n], precis_plan_cause_name(*cause)))
			return 0;
	}
	return fail(reading, "expected sample, interrupt, wakeup, signal, byte, "
			     "displaced or event");
}

static int expect_words(struct reading *reading, size_t words)
{
	return reading->words == words ? 0 : fail(reading, "too many words, or too few");
}

/* A key, the names of so many causes, and a number */
static int take_of_causes(struct reading *reading, uint32_t count, uint32_t *causes, double *number)
{
	int code = expect_words(reading, count + 2);

	for (uint32_t n = 0; n < count && !code; n++)
		code = take_cause(reading, n + 1, &causes[n]);
	return code ? code : take_number(reading, count + 1, number);
}

/* --- the keys of an event --- */

static int take_ns(struct reading *reading)
{
	uint32_t cause;
	double number;
	int code = take_of_causes(reading, 1, &cause, &number);

	if (code)
		return code;
	if (reading->cost.knowledge[cause] != PRECIS_PLAN_UNKNOWN)
		return fail(reading, "that cause has been told already");
	if (number < 0 || number > NS_MOST)
		return fail(reading, "a cost is from 0 to 1e12 ns");
	reading->cost.knowledge[cause] = PRECIS_PLAN_KNOWN;
	reading->cost.ns[cause] = number;
	return 0;
}

static int take_as(struct reading *reading)
{
	uint32_t causes[2];
	double number, *as;
	int code = take_of_causes(reading, 2, causes, &number);

	if (code)
		return code;
	as = &reading->cost.as[causes[0]][causes[1]];
	if (reading->cost.knowledge[causes[0]] == PRECIS_PLAN_KNOWN || *as != 0)
		return fail(reading, "that cause has been told already");
	if (number == 0 || number > NS_MOST || number < -NS_MOST)
		return fail(reading, "such a cause is no cause");
	reading->cost.knowledge[causes[0]] = PRECIS_PLAN_MERGED;
	*as = number;
	return 0;
}

static int take_covariance(struct reading *reading)
{
	double(*const covariance)[PRECIS_PLAN_CAPACITY] = reading->cost.covariance;
	uint32_t causes[2];
	double number;
	int code = take_of_causes(reading, 2, causes, &number);

	if (code)
		return code;
	if (causes[0] == causes[1] && number < 0)
		return fail(reading, "a variance is not negative");
	if (covariance[causes[0]][causes[1]] != 0)
		return fail(reading, "that covariance has been told already");
	if (number > NS_MOST * NS_MOST || number < -NS_MOST * NS_MOST)
		return fail(reading, "the number is out of all bounds");
	covariance[causes[0]][causes[1]] = covariance[causes[1]][causes[0]] = number;
	return 0;
}

/* One number from 0, or 'least', to 'most' */
static int take_ratio(struct reading *reading, double least, double most, double *number)
{
	int code = expect_words(reading, 2);

	if (!code)
		code = take_number(reading, 1, number);
	if (!code && (*number < least || *number > most))
		return fail(reading, "the number is out of its bounds");
	return code;
}

static int take_between(struct reading *reading)
{
	return take_ratio(reading, 0, 100, &reading->cost.between);
}

static int take_noise(struct reading *reading)
{
	return take_ratio(reading, 0, 100, &reading->cost.noise);
}

static int take_reach(struct reading *reading)
{
	return take_ratio(reading, 1, 100, &reading->cost.reach);
}

static int take_delay(struct reading *reading)
{
	return take_ratio(reading, 0, NS_MOST, &reading->cost.reader_delay_ns);
}

static int take_origin(struct reading *reading)
{
	return take_text(reading, 1, reading->cost.origin, sizeof(reading->cost.origin));
}

/* --- the keys before the first event --- */

static int take_cpu(struct reading *reading)
{
	return take_text(reading, 1, reading->head.cpu, sizeof(reading->head.cpu));
}

static int take_kernel(struct reading *reading)
{
	return take_text(reading, 1, reading->head.kernel, sizeof(reading->head.kernel));
}

static int take_governor(struct reading *reading)
{
	return take_text(reading, 1, reading->head.governor, sizeof(reading->head.governor));
}

static int take_made(struct reading *reading)
{
	return take_text(reading, 1, reading->head.made, sizeof(reading->head.made));
}

static const struct {
	const char *name;
	int is_of_event;
	int (*take)(struct reading *reading);
} keys[] = {
	{ "cpu", 0, take_cpu },         { "kernel", 0, take_kernel },
	{ "governor", 0, take_governor }, { "made", 0, take_made },
	{ "origin", 1, take_origin },   { "ns", 1, take_ns },
	{ "as", 1, take_as },           { "covariance", 1, take_covariance },
	{ "between", 1, take_between }, { "noise", 1, take_noise },
	{ "reach", 1, take_reach },     { "reader-delay-ns", 1, take_delay },
};

static int take_key(struct reading *reading)
{
	for (size_t n = 0; n < sizeof(keys) / sizeof(keys[0]); n++) {
		if (!is_word(&reading->word[0], keys[n].name))
			continue;
		if (keys[n].is_of_event != (reading->events > 0))
			return fail(reading, keys[n].is_of_event ?
					     "that belongs to an event, and none has begun" :
					     "that belongs before the first event");
		return keys[n].take(reading);
	}
	return fail(reading, "an unknown key");
}

/* --- whole events --- */

/* No combination of costs may have a negative variance: Cholesky's factor of the correlations exists. */
static int is_covariance(const struct precis_plan_cost *cost)
{
	double l[PRECIS_PLAN_CAUSES][PRECIS_PLAN_CAUSES] = { { 0 } };

	for (uint32_t i = 0; i < PRECIS_PLAN_CAUSES; i++) {
		for (uint32_t j = 0; j <= i; j++) {
			const double scale =
				root_of(cost->covariance[i][i] * cost->covariance[j][j]);
			double sum;

			if (scale <= 0) {
				if (cost->covariance[i][j] != 0)
					return 0;
				continue;
			}
			sum = cost->covariance[i][j] / scale;
			for (uint32_t k = 0; k < j; k++)
				sum -= l[i][k] * l[j][k];
			if (i == j && sum < -1e-6) /* so exact are the digits of a file */
				return 0;
			if (i == j)
				l[i][i] = root_of(most_of(sum, 0));
			else if (l[j][j] > 1e-3)
				l[i][j] = sum / l[j][j];
			else if (sum > 1e-3 || sum < -1e-3)
				return 0;
		}
	}
	return 1;
}

static int check_event(struct reading *reading)
{
	const struct precis_plan_cost *cost = &reading->cost;

	if (!reading->events)
		return 0;
	if (cost->knowledge[PRECIS_PLAN_SAMPLE] != PRECIS_PLAN_KNOWN)
		return fail(reading, "the event that ends here has no 'ns sample'");
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		for (uint32_t other = 0; other < PRECIS_PLAN_CAUSES; other++) {
			if (cost->as[cause][other] != 0 &&
			    cost->knowledge[other] != PRECIS_PLAN_KNOWN)
				return fail(reading,
					    "a cause of the event that ends here is merged into "
					    "one whose cost is not told");
		}
		if (cost->covariance[cause][cause] > 0 &&
		    cost->knowledge[cause] != PRECIS_PLAN_KNOWN)
			return fail(reading,
				    "the event that ends here has a variance of a cause whose "
				    "cost is not told");
	}
	if (!is_covariance(cost))
		return fail(reading, "the covariances of the event that ends here contradict each other");
	return 0;
}

static int begin_event(struct reading *reading)
{
	int code = check_event(reading);

	if (code)
		return code;
	if (!reading->head.cpu[0] || !reading->head.kernel[0])
		return fail(reading, "expected 'cpu' and 'kernel' before the first event");
	reading->events++;
	reading->cost = reading->head;
	return take_text(reading, 1, reading->cost.event, sizeof(reading->cost.event));
}

static int end(struct reading *reading)
{
	double number;
	int code = check_event(reading);

	if (!code)
		code = expect_words(reading, 2);
	if (!code)
		code = take_number(reading, 1, &number);
	if (!code && number != reading->events)
		return fail(reading, "there are not so many events");
	if (!code && reading->at != reading->bytes)
		return fail(reading, "something stands behind the end");
	return code;
}

static int begin(struct reading *reading)
{
	int code = next_line(reading);

	if (code < 0)
		return code;
	if (!code || !reading->words || !is_word(&reading->word[0], "precis-calibration"))
		return fail(reading, "expected 'precis-calibration 1': no calibration file");
	if (reading->words != 2 || !is_word(&reading->word[1], FORM)) {
		reading->fault = "written for another version than 1";
		return PRECIS_E_UNSUPPORTED;
	}
	return 0;
}

/* All lines; event n goes to 'wanted'. 0, or a negative enum precis_error */
static int read_all(struct reading *reading, uint32_t n, struct precis_plan_cost *wanted)
{
	int code = begin(reading);

	while (!code && (code = next_line(reading)) > 0) {
		code = 0;
		if (!reading->words || reading->word[0].at[0] == '#')
			continue;
		if (reading->events == n + 1)
			*wanted = reading->cost;
		if (is_word(&reading->word[0], "end"))
			return end(reading);
		code = is_word(&reading->word[0], "event") ? begin_event(reading) : take_key(reading);
	}
	if (!code) {
		reading->fault = "expected the line 'end': the file is cut";
		code = PRECIS_E_TRUNCATED;
	}
	return code;
}

static void set_fault(const struct reading *reading, struct precis_plan_fault *fault)
{
	fault->line = reading->line ? reading->line : 1;
	fault->offset = reading->line_at;
	fault->what = reading->fault;
}

int precis_plan_parse(const char *text, size_t bytes, uint32_t n, struct precis_plan_cost *cost,
		      struct precis_plan_fault *fault)
{
	struct reading reading = { .text = text, .bytes = bytes };
	int code;

	ABI_OUT(struct precis_plan_cost, cost, precis_plan_parse(text, bytes, n, &abi, fault));
	ABI_MAY_OUT(struct precis_plan_fault, fault, precis_plan_parse(text, bytes, n, cost, &abi));
	if (!text && bytes)
		return PRECIS_E_ARGUMENT;
	reading.head.size = sizeof(reading.head);
	reading.head.source = PRECIS_PLAN_CALIBRATED;
	code = read_all(&reading, n, cost);
	if (!code && n >= reading.events)
		code = PRECIS_E_NO_FIELD;
	if (code)
		memset(cost, 0, sizeof(*cost));
	cost->size = sizeof(*cost);
	if (fault)
		set_fault(&reading, fault);
	return code;
}
