/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Damaged recordings of each form through all that the library does with them.
 *
 * test_mutations [--form NAME] [--count N] [--first N] [--only N [--save FILE]]
 *   PRECIS_SEED       which damages; printed
 *   PRECIS_MUTATIONS  how many for each form
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/hostile/full_pass.h"
#include "tests/hostile/mutation.h"
#include "tests/hostile/worker.h"
#include "tests/property/random.h"
#include "tests/support/build.h"

#define MOST_FORMS 32u
/* About a minute of one CPU in all: under AddressSanitizer each takes several times as long. */
#define DEFAULT_MUTATIONS (worker_is_sanitized() ? 500u : 4000u)

enum tally { TALLY_OPENED, TALLY_RECORDS, TALLY_ERRORS, TALLY_CUT_SHORT };

struct arguments {
	const char *form, *save;
	uint64_t first, count, seed;
	int only;
};

struct run {
	struct mutator mutator;
	struct form_place place;
	uint64_t seed;
};

static int one_input(void *data, uint64_t number, uint64_t tally[4])
{
	struct run *run = data;
	struct full_pass result;

	mutator_make(&run->mutator, run->seed, number);
	form_place_write(&run->place, run->mutator.result);
	full_pass(run->place.path, NULL, NULL, &result);
	tally[TALLY_OPENED] = result.opened;
	tally[TALLY_RECORDS] = result.records;
	tally[TALLY_ERRORS] = result.code < 0;
	tally[TALLY_CUT_SHORT] = result.cut_short;
	return 0;
}

static void save(const struct run *run, const char *path)
{
	const struct form *form = run->mutator.form;

	if (!form->is_directory) {
		build_file(path, run->mutator.result[0].bytes, run->mutator.result[0].count);
		return;
	}
	if (mkdir(path, 0777) && errno != EEXIST)
		abort();
	for (uint32_t n = 0; n < form->part_count; n++) {
		char inside[512];

		snprintf(inside, sizeof(inside), "%s/%s", path, form->parts[n].name);
		build_file(inside, run->mutator.result[n].bytes, run->mutator.result[n].count);
	}
}

static int report(const struct form *form, const struct arguments *arguments, uint32_t index,
		  const struct worker_result *result)
{
	int good = !result->failures && result->peak <= WORKER_MEMORY;

	printf("%s %u - %s: %llu damaged recordings, %llu opened, %llu records, %llu errors, "
	       "%llu cut short, %llu MiB\n",
	       good ? "ok" : "not ok", index, form->name, (unsigned long long)arguments->count,
	       (unsigned long long)result->tally[TALLY_OPENED],
	       (unsigned long long)result->tally[TALLY_RECORDS],
	       (unsigned long long)result->tally[TALLY_ERRORS],
	       (unsigned long long)result->tally[TALLY_CUT_SHORT],
	       (unsigned long long)(result->peak >> 20));
	if (result->failures)
		printf("# %u failures, the first: %s. Repeat it with PRECIS_SEED=%llu "
		       "test_mutations --form %s --only %llu --save FILE\n",
		       result->failures, result->reason, (unsigned long long)arguments->seed,
		       form->name, (unsigned long long)result->first_failure);
	return good;
}

static int run_form(const struct form *form, const struct arguments *arguments, uint32_t index)
{
	struct worker_result result = { 0 };
	struct run run = { .seed = arguments->seed };
	uint64_t tally[4] = { 0 };
	int good = 1;

	mutator_init(&run.mutator, form);
	form_place_open(&run.place, form);
	if (arguments->only) {
		mutator_make(&run.mutator, run.seed, arguments->first);
		if (arguments->save)
			save(&run, arguments->save);
		good = !one_input(&run, arguments->first, tally);
		printf("%s %u - %s: number %llu, %llu records\n", good ? "ok" : "not ok", index,
		       form->name, (unsigned long long)arguments->first,
		       (unsigned long long)tally[TALLY_RECORDS]);
	} else {
		worker_run(one_input, &run, arguments->first, arguments->first + arguments->count,
			   &result);
		good = report(form, arguments, index, &result);
	}
	form_place_close(&run.place);
	mutator_free(&run.mutator);
	return good;
}

static int usage(void)
{
	fputs("usage: test_mutations [--form NAME] [--first N] [--count N] "
	      "[--only N [--save FILE]]\n",
	      stderr);
	return 2;
}

static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{ "form", required_argument, NULL, 'f' },
		{ "first", required_argument, NULL, 'b' },
		{ "count", required_argument, NULL, 'c' },
		{ "only", required_argument, NULL, 'o' },
		{ "save", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'f':
			arguments->form = optarg;
			break;
		case 'b':
			arguments->first = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			arguments->count = strtoull(optarg, NULL, 0);
			break;
		case 'o':
			arguments->first = strtoull(optarg, NULL, 0);
			arguments->only = 1;
			break;
		case 's':
			arguments->save = optarg;
			break;
		default:
			return -1;
		}
	}
	return optind == argc ? 0 : -1;
}

int main(int argc, char **argv)
{
	static struct form forms[MOST_FORMS];
	const char *count = getenv("PRECIS_MUTATIONS"), *top = getenv("srcdir");
	struct arguments arguments = {
		.count = count && *count ? strtoull(count, NULL, 0)
					 : random_amount(DEFAULT_MUTATIONS),
	};
	uint32_t form_count, index = 0, wanted = 0;
	char directory[512];
	int good = 1;

	if (parse(argc, argv, &arguments))
		return usage();
	setvbuf(stdout, NULL, _IOLBF, 0);
	arguments.seed = random_seed("mutations");
	snprintf(directory, sizeof(directory), "%s/tests/recordings/forms", top ? top : ".");
	form_count = form_load_all(directory, forms, MOST_FORMS);
	for (uint32_t n = 0; n < form_count; n++)
		wanted += !arguments.form || !strcmp(arguments.form, forms[n].name);
	printf("1..%u\n", wanted);
	for (uint32_t n = 0; n < form_count; n++) {
		if (!arguments.form || !strcmp(arguments.form, forms[n].name))
			good &= run_form(&forms[n], &arguments, ++index);
	}
	form_free_all(forms, form_count);
	return !good || !wanted;
}
