/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration files: what is right is read exactly, what is wrong is told with its line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/plan.h>

#include "tests/property/random.h"
#include "tests/support/tap.h"

#define HEAD "precis-calibration 1\ncpu AuthenticAMD,26,2,1\nkernel 6.18.44\n"

static const char good[] = HEAD
	"governor performance\n"
	"made 2026-11-25T15:00:00Z\n"
	"# a remark\n"
	"\n"
	"event page-faults\n"
	"origin 4 programs, 20 blocks of 84 pairs of runs, this machine\n"
	"ns sample 812.25\n"
	"ns wakeup 1.5e3\n"
	"ns byte 2.5E-1\n"
	"as interrupt sample 1\n"
	"as displaced sample 160.5\n"
	"as displaced wakeup -8\n"
	"covariance sample sample 100\n"
	"covariance sample wakeup -30\n"
	"covariance wakeup wakeup 400\n"
	"between 0.05\n"
	"noise 0.003\n"
	"reach 2.145\n"
	"reader-delay-ns 1000000\n"
	"event cpu-clock\n"
	"ns sample 17000\n"
	"end 2\n";

static int parse(const char *text, uint32_t n, struct precis_plan_cost *cost,
		 struct precis_plan_fault *fault)
{
	/* of exactly that length, so that a sanitizer sees what reads beyond */
	const size_t bytes = strlen(text);
	char *copy = malloc(bytes + !bytes);
	int code;

	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	memcpy(copy, text, bytes);
	cost->size = sizeof(*cost);
	fault->size = sizeof(*fault);
	code = precis_plan_parse(copy, bytes, n, cost, fault);
	free(copy);
	return code;
}

static void read_right(void)
{
	struct precis_plan_cost cost;
	struct precis_plan_fault fault;

	CU_ASSERT_EQUAL_FATAL(parse(good, 0, &cost, &fault), 0);
	CU_ASSERT_PTR_NULL(fault.what);
	CU_ASSERT_EQUAL(cost.source, PRECIS_PLAN_CALIBRATED);
	CU_ASSERT_STRING_EQUAL(cost.event, "page-faults");
	CU_ASSERT_STRING_EQUAL(cost.cpu, "AuthenticAMD,26,2,1");
	CU_ASSERT_STRING_EQUAL(cost.kernel, "6.18.44");
	CU_ASSERT_STRING_EQUAL(cost.governor, "performance");
	CU_ASSERT_STRING_EQUAL(cost.made, "2026-11-25T15:00:00Z");
	CU_ASSERT_STRING_EQUAL(cost.origin, "4 programs, 20 blocks of 84 pairs of runs, this machine");
	CU_ASSERT_EQUAL(cost.ns[PRECIS_PLAN_SAMPLE], 812.25);
	CU_ASSERT_EQUAL(cost.ns[PRECIS_PLAN_WAKEUP], 1500);
	CU_ASSERT_EQUAL(cost.ns[PRECIS_PLAN_BYTE], 0.25);
	CU_ASSERT_EQUAL(cost.knowledge[PRECIS_PLAN_SAMPLE], PRECIS_PLAN_KNOWN);
	CU_ASSERT_EQUAL(cost.knowledge[PRECIS_PLAN_INTERRUPT], PRECIS_PLAN_MERGED);
	CU_ASSERT_EQUAL(cost.knowledge[PRECIS_PLAN_SIGNAL], PRECIS_PLAN_UNKNOWN);
	CU_ASSERT_EQUAL(cost.as[PRECIS_PLAN_INTERRUPT][PRECIS_PLAN_SAMPLE], 1);
	CU_ASSERT_EQUAL(cost.as[PRECIS_PLAN_DISPLACED][PRECIS_PLAN_SAMPLE], 160.5);
	CU_ASSERT_EQUAL(cost.as[PRECIS_PLAN_DISPLACED][PRECIS_PLAN_WAKEUP], -8);
	CU_ASSERT_EQUAL(cost.covariance[PRECIS_PLAN_WAKEUP][PRECIS_PLAN_SAMPLE], -30);
	CU_ASSERT_EQUAL(cost.covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_WAKEUP], -30);
	CU_ASSERT_EQUAL(cost.covariance[PRECIS_PLAN_WAKEUP][PRECIS_PLAN_WAKEUP], 400);
	CU_ASSERT_DOUBLE_EQUAL(cost.between, 0.05, 1e-16);
	CU_ASSERT_DOUBLE_EQUAL(cost.noise, 0.003, 1e-17);
	CU_ASSERT_DOUBLE_EQUAL(cost.reach, 2.145, 1e-15);
	CU_ASSERT_EQUAL(cost.reader_delay_ns, 1e6);
	CU_ASSERT_EQUAL_FATAL(parse(good, 1, &cost, &fault), 0);
	CU_ASSERT_STRING_EQUAL(cost.event, "cpu-clock");
	CU_ASSERT_STRING_EQUAL(cost.cpu, "AuthenticAMD,26,2,1");
	CU_ASSERT_EQUAL(cost.ns[PRECIS_PLAN_SAMPLE], 17000);
	CU_ASSERT_EQUAL(cost.knowledge[PRECIS_PLAN_WAKEUP], PRECIS_PLAN_UNKNOWN);
	CU_ASSERT_EQUAL(cost.noise, 0);
	CU_ASSERT_EQUAL(parse(good, 2, &cost, &fault), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(parse(HEAD "end 0\n", 0, &cost, &fault), PRECIS_E_NO_FIELD);
}

/* One thing wrong: what is said, and of which line */
static void wrong(void)
{
	static const struct {
		const char *text, *what;
		uint32_t line;
		int code;
	} rows[] = {
		{ "", "no calibration file", 1, PRECIS_E_SYNTAX },
		{ "PERFILE2\n", "no calibration file", 1, PRECIS_E_SYNTAX },
		{ "precis-calibration 2\nend 0\n", "another version", 1, PRECIS_E_UNSUPPORTED },
		{ "precis-calibration\n", "another version", 1, PRECIS_E_UNSUPPORTED },
		{ "precis-calibration 1\nevent x\n", "expected 'cpu'", 2, PRECIS_E_SYNTAX },
		{ HEAD "colour red\n", "unknown key", 4, PRECIS_E_SYNTAX },
		{ HEAD "ns sample 1\n", "none has begun", 4, PRECIS_E_SYNTAX },
		{ HEAD "event x\ncpu y\n", "before the first", 5, PRECIS_E_SYNTAX },
		{ HEAD "event\n", "expected a text", 4, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample nan\n", "expected a number", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample inf\n", "expected a number", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 0x10\n", "expected a number", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1,5\n", "expected a number", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample .\n", "expected a number", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1e\n", "expected a number", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1e999999999999\n", "out of all bounds", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1e13\n", "from 0 to", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample -1\n", "from 0 to", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample\n", "words", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1 2\n", "words", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns simple 1\n", "expected sample", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nns sample 1\n", "already", 6, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nas sample sample 1\n", "already", 6, PRECIS_E_SYNTAX },
		{ HEAD "event x\nas byte sample 1\nas byte sample 1\n", "already", 6, PRECIS_E_SYNTAX },
		{ HEAD "event x\nas byte sample 0\n", "no cause", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nend 1\n", "no 'ns sample'", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nevent y\n", "no 'ns sample'", 5, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nas byte wakeup 1\nend 1\n", "merged into one", 7,
		  PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\ncovariance sample sample -4\n", "not negative", 6,
		  PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\ncovariance byte byte 4\nend 1\n", "variance of a cause", 7,
		  PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\ncovariance sample sample 4\ncovariance sample sample 4\n",
		  "already", 7, PRECIS_E_SYNTAX },
		/* a correlation of 1.05, a covariance without variances, and three that exclude each other */
		{ HEAD "event x\nns sample 1\nns byte 1\ncovariance sample sample 4\ncovariance byte byte 4\n"
		       "covariance sample byte 4.2\nend 1\n", "contradict", 10, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nns byte 1\ncovariance sample byte 1\nend 1\n", "contradict", 8,
		  PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nns byte 1\nns wakeup 1\ncovariance sample sample 1\n"
		       "covariance byte byte 1\ncovariance wakeup wakeup 1\ncovariance sample byte -0.9\n"
		       "covariance sample wakeup -0.9\ncovariance byte wakeup -0.9\nend 1\n",
		  "contradict", 14, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nreach 0\n", "its bounds", 6, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nnoise -0.1\n", "its bounds", 6, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nend 2\n", "so many events", 6, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\nend 1\nns", "behind the end", 6, PRECIS_E_SYNTAX },
		{ HEAD "event x\nns sample 1\n", "is cut", 5, PRECIS_E_TRUNCATED },
		{ HEAD "event x\nns sample 1\nend 1", "is cut", 6, PRECIS_E_TRUNCATED },
		{ HEAD "event a\x1b[31m\n", "control character", 4, PRECIS_E_SYNTAX },
		{ HEAD "event 0123456789012345678901234567890123456789012345678901234567890123\n",
		  "too long", 4, PRECIS_E_SYNTAX },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct precis_plan_cost cost;
		struct precis_plan_fault fault;
		const int code = parse(rows[n].text, 0, &cost, &fault);

		if (code != rows[n].code || fault.line != rows[n].line || !fault.what ||
		    !strstr(fault.what, rows[n].what)) {
			printf("# row %zu: %d, line %u: %s\n", n, code, fault.line,
			       fault.what ? fault.what : "nothing");
			CU_FAIL("another fault than expected");
		}
		CU_ASSERT_EQUAL(cost.ns[PRECIS_PLAN_SAMPLE], 0);
	}
}

/* Where the line begins */
static void offsets(void)
{
	struct precis_plan_cost cost;
	struct precis_plan_fault fault;

	CU_ASSERT_EQUAL(parse(HEAD "event x\nns sample 1\nbad\nend 1\n", 0, &cost, &fault), PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(fault.offset, strlen(HEAD "event x\nns sample 1\n"));
}

/* Every prefix is an error, that is told as one of a file that is cut or of its last line */
static void prefixes(void)
{
	char text[sizeof(good)];

	for (size_t bytes = 0; bytes < strlen(good); bytes++) {
		struct precis_plan_cost cost;
		struct precis_plan_fault fault;
		int code;

		memcpy(text, good, bytes);
		text[bytes] = '\0';
		code = parse(text, 0, &cost, &fault);
		CU_ASSERT(code == PRECIS_E_TRUNCATED || (code == PRECIS_E_SYNTAX && !bytes));
		CU_ASSERT_PTR_NOT_NULL(fault.what);
	}
}

/* Bytes that were changed give an error, or a cost whose numbers are numbers */
static void mutations(void)
{
	uint64_t state = random_seed("plan_parse");

	for (unsigned int n = 0; n < random_amount(50000); n++) {
		struct precis_plan_cost cost = { 0 };
		struct precis_plan_fault fault;
		char text[sizeof(good)];
		int code;

		memcpy(text, good, sizeof(text));
		for (uint32_t i = 0; i <= n % 3; i++) {
			const uint64_t word = random_next(&state);

			text[word % strlen(good)] = (char)(1 + (word >> 32) % 255);
		}
		code = parse(text, 0, &cost, &fault);
		CU_ASSERT(code <= 0);
		CU_ASSERT((code == 0 || code == PRECIS_E_NO_FIELD) == !fault.what);
		for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
			CU_ASSERT(isfinite(cost.ns[cause]) && cost.ns[cause] >= 0);
			CU_ASSERT(cost.covariance[cause][cause] >= 0);
		}
	}
}

static void long_lines(void)
{
	char text[2048] = HEAD "event x\norigin ";
	struct precis_plan_cost cost;
	struct precis_plan_fault fault;

	memset(text + strlen(text), 'y', 1000);
	strcat(text, "\nns sample 1\nend 1\n");
	CU_ASSERT_EQUAL(parse(text, 0, &cost, &fault), PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(fault.line, 5);
	CU_ASSERT_PTR_NOT_NULL(strstr(fault.what, "512"));
	CU_ASSERT_EQUAL(precis_plan_parse(NULL, 3, 0, &cost, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_plan_parse(NULL, 0, 0, &cost, NULL), PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(precis_plan_parse(good, strlen(good), 0, NULL, NULL), PRECIS_E_ARGUMENT);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what is right is read", read_right },
		{ "what is wrong is told with its line", wrong },
		{ "and where that begins", offsets },
		{ "every prefix is refused", prefixes },
		{ "changed bytes", mutations },
		{ "long lines, and nothing", long_lines },
	};

	return tap_main("plan_parse", cases, sizeof(cases) / sizeof(cases[0]));
}
