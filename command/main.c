/* SPDX-License-Identifier: BSD-3-Clause */
/* precis(1): which subcommand. */
#define _GNU_SOURCE /* O_PATH */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <precis/precis.h>

#include "command/annotate/command.h"
#include "command/bench/command.h"
#include "command/diff/command.h"
#include "command/dump/command.h"
#include "command/export/command.h"
#include "command/info/command.h"
#include "command/listing/command.h"
#include "command/mix/command.h"
#include "command/objects/command.h"
#include "command/plan/command.h"
#include "command/report/command.h"
#include "command/sharing/command.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/interruption.h"
#include "command/usage/nearest.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "info", command_info, "what a recording is, or what this machine can sample" },
	{ "report", command_report, "the summary of a recording" },
	{ "diff", command_diff, "what differs between recordings, and how sure that is" },
	{ "annotate", command_annotate, "samples beside the source and disassembly of a function" },
	{ "sharing", command_sharing, "which threads share cache lines, and where" },
	{ "mix", command_mix, "which instructions were executed how often: mnemonics, FLOPs, bytes" },
	{ "dump", command_dump, "samples as text, CSV or JSON lines; registers" },
	{ "export", command_export, "samples for other programs: flame graphs, traces, Arrow, SQLite" },
	{ "objects", command_objects, "a program's blocks of memory, by who asked for them" },
	{ "bench", command_bench, "whether samples of this machine can be trusted" },
	{ "plan", command_plan, "how to sample for what it may cost; what it costs here" },
	{ "fields", command_fields, "the catalogue of fields" },
	{ "errata", command_errata, "the errata that decoding takes into account" },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static int help(void)
{
	struct output output;

	if (destination_open(&output, NULL, NULL))
		return EXIT_FAILED;
	output_text(&output, "Usage: precis COMMAND [OPTION...] [FILE]\n"
			     "What precise samples (AMD IBS, Intel PEBS) say, from perf.data.\n\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		output_format(&output, "  %-9s %s\n", commands[i].name, commands[i].summary);
	output_text(&output,
		    "\n"
		    "  precis COMMAND --help     each command's options and examples\n"
		    "  precis help COMMAND       the same\n"
		    "  precis --version\n"
		    "\n"
		    "Recording, here or on the machine in question:\n"
		    "  precis info               what this machine can sample and, if not, why\n"
		    "  precis-record -- COMMAND  perf record with the right event and options: on AMD\n"
		    "                            ibs_op with its registers, on Intel loads and stores\n"
		    "\n"
		    "Exit codes: 0 all was done; 1 the input or the system failed (what could be\n"
		    "read is printed); 2 wrong usage.\n");
	return destination_close(&output, NULL) ? EXIT_FAILED : EXIT_OK;
}

static int run(const char *name, int argc, char **argv)
{
	struct nearest nearest = nearest_to(name, strlen(name));
	char hint[NEAREST_ROOM];

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(name, commands[i].name) == 0)
			return commands[i].run(argc, argv);
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		nearest_offer(&nearest, commands[i].name);
	return complain_usage(NULL, "unknown command '%s'%s", name, nearest_hint(&nearest, hint));
}

static int version(void)
{
	struct output output;

	if (destination_open(&output, NULL, NULL))
		return EXIT_FAILED;
	output_format(&output, "precis %s\n", precis_version());
	return destination_close(&output, NULL) ? EXIT_FAILED : EXIT_OK;
}

static int unknown_option(const char *name)
{
	struct nearest nearest = nearest_to(name, strlen(name));
	char hint[NEAREST_ROOM];

	nearest_offer(&nearest, "--help");
	nearest_offer(&nearest, "--version");
	return complain_usage(NULL, "unknown option '%s'%s", name, nearest_hint(&nearest, hint));
}

static int help_for(char *name)
{
	char option[] = "--help";
	char *argv[] = { name, option, NULL };

	return run(name, 2, argv);
}

/*
 * A file that is opened gets the lowest free descriptor. Were one of the first three free, what is
 * meant for standard output or error would land in it. An O_PATH descriptor holds the place and can
 * neither be read nor written: that fails as it does without one.
 */
static int hold_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_PATH);
		if (fd < 0)
			fd = open("/", O_PATH);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;

	if (hold_standard_descriptors())
		return EXIT_FAILED;
	if (!name)
		return complain_usage(NULL, "expected a command");
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return help();
	if (strcmp(name, "help") == 0)
		return argc > 2 ? help_for(argv[2]) : help();
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		return version();
	if (name[0] == '-')
		return unknown_option(name);
	return interruption_end(run(name, argc - 1, argv + 1));
}
