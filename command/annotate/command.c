/* SPDX-License-Identifier: BSD-3-Clause */
/* precis annotate: samples beside source and disassembly. It reads as precis report --by does. */
#include "command.h"

#include "command/report/arguments.h"
#include "command/report/command.h"
#include "command/usage/help.h"

static const char help[] =
	"Usage: precis annotate [OPTION...] [SYMBOL|FILE:LINE] [FILE...]\n"
	"A function (default: that with the most samples) of recordings (default: perf.data), its\n"
	"source lines and instructions, with what samples say of each: how many, their share, the\n"
	"latency, levels of the memory and outcomes of branches, with 95% confidence intervals;\n"
	"whether addresses are exact; and, where samples tell, as branch stacks do, how often each\n"
	"was executed, as precis mix estimates it. Of FILE:LINE the instructions of that source line, in\n"
	"whichever functions. A name that several files have is said with the file: SYMBOL@FILE.\n"
	"With --type the members of a type, as they lie, with what samples say of each.\n"
	"\n"
	"What is annotated:\n"
	"      --dso FILE          functions of that file alone, by its path or its name\n"
	"      --type NAME         in place of code the members of that type (struct node, or node):\n"
	"                          precis report --by type lists those that have samples\n"
	"      --top N             without a name: the N functions with the most samples (default 1)\n"
	"      --context N         of instructions without samples only the N before and behind\n"
	"                          those with (default: all; 10 of a function of more than 4096)\n"
	"      --latency FIELD     what the cycles are (default: dcache_miss_latency of ops,\n"
	"                          fetch_latency of fetches, that of the loads of PEBS)\n"
	"      --syntax SYNTAX     of the disassembly: att (default) or intel\n"
	"      --source-path DIR   look for source files below DIR, by their path there and without\n"
	"                          its first directories; can be given more than once\n"
	"Files and sources that are not here are asked for by their build ids where DEBUGINFOD_URLS\n"
	"names servers.\n"
	"\n"
	"What is printed:\n"
	"      --format FORMAT     text (default), json, or csv\n"
	"      --colour WHEN       auto (default), always, never\n"
	"      --jobs N            read with N threads (default 1; 0: one for each CPU)\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n" SYMBOL_HELP "\n" SELECTION_HELP "\n" RECORDING_HELP "\n"
	"Examples:\n"
	"  precis annotate\n"
	"  precis annotate multiply perf.data\n"
	"  precis annotate --source-path ~/src/solver kernel.c:120\n"
	"  precis annotate --type 'struct node' perf.data\n"
	"  precis annotate --filter 'mem_level == DRAM' --syntax intel 'Grid::relax@libgrid.so'\n"
	"\n"
	"Exit codes: 0 all was read; 1 something could not be read, or nothing that was asked for\n"
	"has a sample; 2 wrong usage.\n";

int command_annotate(int argc, char **argv)
{
	struct report_arguments arguments = {
		.help = help,
		.top = 1,
		.by = { .annotated = { .is_asked = 1 } },
	};

	return report_with(&arguments, argc, argv);
}
