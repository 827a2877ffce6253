/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a recording for a subcommand, and reading through it. */
#ifndef RECORDING_H
#define RECORDING_H

#include <getopt.h>

#include <precis/precis.h>

#include "progress.h"

/* What every subcommand that reads a recording takes. */
struct recording_options {
	uint32_t order;        /* enum precis_order: --sorted */
	int sorts_alone; /* there is no process model beside it, which takes memory, too */
	const char *cpuid;
	const char *os_release;
	uint32_t fetch_layout; /* enum precis_fetch_layout */
	uint64_t expansion_limit; /* of compressed data; 0: the library's */
	int no_progress;
	int no_itrace; /* samples in the AUX area are left there */
	int has_perf_capabilities;
	uint64_t perf_capabilities; /* IA32_PERF_CAPABILITIES */
};

/* Their rows in a subcommand's table of long options, and their part of its help. */
enum {
	OPTION_CPUID = 0x1000,
	OPTION_OS_RELEASE,
	OPTION_FETCH_LAYOUT,
	OPTION_PERF_CAPABILITIES,
	OPTION_NO_ITRACE,
	OPTION_MAX_EXPANSION,
	OPTION_NO_PROGRESS,
	OPTION_SORTED
};
#define RECORDING_LONG_OPTIONS                                                                     \
	{ "cpuid", required_argument, NULL, OPTION_CPUID },                                        \
	{ "os-release", required_argument, NULL, OPTION_OS_RELEASE },                              \
	{ "fetch-layout", required_argument, NULL, OPTION_FETCH_LAYOUT },                          \
	{ "perf-capabilities", required_argument, NULL, OPTION_PERF_CAPABILITIES },                \
	{ "max-expansion", required_argument, NULL, OPTION_MAX_EXPANSION },                        \
	{ "no-progress", no_argument, NULL, OPTION_NO_PROGRESS },                                  \
	{ "no-itrace", no_argument, NULL, OPTION_NO_ITRACE }
#define RECORDING_HELP                                                                             \
	"What you know better than the recording:\n"                                               \
	"      --cpuid CPU         the CPU that took the samples, as perf writes it:\n"            \
	"                          AuthenticAMD,25,17,1 (family, model, stepping)\n"               \
	"      --os-release REL    its kernel: 5.4.0-42-generic\n"                                 \
	"      --fetch-layout L    layout of ibs_fetch payloads: auto (by the kernel), new\n"      \
	"                          (Linux 5.10 and later) or old\n"                                \
	"      --perf-capabilities HEX  Intel: its IA32_PERF_CAPABILITIES (MSR 345h), of which\n"   \
	"                          bit 17 says whether retire_latency is measured\n"            \
	"What not to read:\n"                                                                      \
	"      --no-itrace         PEBS records in Intel PT, where perf record put those of\n"     \
	"                          events with the term aux-output\n"                              \
	"      --max-expansion N   of compressed data, beyond 1 GiB, what becomes more than N\n"    \
	"                          times as many bytes (default 1000); none: no limit\n"            \
	"      --no-progress       do not show on the terminal how far reading is\n"

/*
 * Take one of these options as getopt_long() found it.
 * EXIT_OK; EXIT_USAGE after the error has been printed; -1 if it is none of them.
 */
int recording_option(struct recording_options *options, const char *command, int option,
		     const char *value);

struct recording {
	const char *command; /* for messages */
	const char *path; /* likewise */
	struct precis_file *file;
	struct precis_input *input; /* whose the file is */
	struct progress progress;
	int is_stdin;
	int broken; /* 1: reading ended in an error, which has been printed */
	int has_saved_traces; /* it was saved by a report, and had PEBS records in its AUX area … */
	uint64_t saved_traced; /* … so many of which became samples */
};

/* In the options of a subcommand whose output has an order. */
#define SORTED_LONG_OPTION { "sorted", no_argument, NULL, OPTION_SORTED }

/* Of a recording that is not opened what messages need. */
void recording_name(struct recording *recording, const char *command, const char *path);

/*
 * Open a file, a directory, or what "-" is: standard input. EXIT_OK, or an exit code after
 * the error has been printed. Prints the file's warnings. The recording must stay where it is: the
 * library tells its progress how far work is.
 */
int recording_open(struct recording *recording, const char *command, const char *path,
		   const struct recording_options *options);

/* Once more what is open, a file or a directory, in silence: nothing is said, shown or warned of. 0, -1 */
int recording_open_again(struct recording *recording, const struct recording *first,
			 const struct recording_options *options);

/*
 * What a report has saved of a recording, which has no records: its name and the like are the
 * caller's. Nothing is said. 0, or a negative enum precis_error, 'error' filled
 */
int recording_open_saved(struct recording *recording, int fd, const struct recording_options *options,
			 struct precis_file_error *error);

/* Memory is short: a line on stderr, once, and 'broken' set. @return EXIT_FAILED */
int recording_out_of_memory(struct recording *recording);

/* What ended opening or reading it, in a line on stderr. */
void recording_complain(const struct recording *recording, const struct precis_file_error *error);

/* Is what lies there a pipe or the like, which can be read only once? "-" as above */
int recording_is_stream(const char *path);

/* Is that path, to be written to, the recording itself? Then says so on stderr. */
int recording_is_output(const struct recording *recording, const char *path);

/*
 * The next record or sample: 1, or 0 at the end. A broken file is an end as well, with a
 * line on stderr naming file, offset and expectation, and 'broken' set: what was
 * read before it is still to be printed, and the exit code is EXIT_FAILED.
 */
int recording_next(struct recording *recording, const struct precis_item **item);

void recording_close(struct recording *recording);

#endif
