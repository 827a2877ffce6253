/* SPDX-License-Identifier: BSD-3-Clause */
/* precis diff: what differs between recordings. It reads as precis report --by does. */
#include "command.h"

#include "command/report/arguments.h"
#include "command/report/command.h"
#include "command/usage/help.h"
#include "mixes.h"

static const char help[] =
	"Usage: precis diff [OPTION...] BEFORE AFTER [OTHER...]\n"
	"What differs between recordings: of all samples, and with --by of each row that tells\n"
	"them apart, the figures of both, their difference with its interval, and whether it is\n"
	"better or worse (or more, or less, where neither is), or not decided. Each further\n"
	"recording is compared with the first one.\n"
	"\n"
	"What is compared:\n"
	"      --by KEY[,KEY...]   rows, as of precis report: symbol, line, level, tid, ...;\n"
	"                          help lists them, as of --columns\n"
	"      --columns C[,C...]  events, share, cycle_share, mean, median, p95, p99, or shares\n"
	"                          of those that tell: a level (L1, DRAM, ...), remote, tlb_miss, ...\n"
	"                          (default: events,share,cycle_share,median)\n"
	"      --mix DIM[,DIM...]  in place of samples what was executed, as of precis mix --by:\n"
	"                          mnemonic, extension, function,packed, ...; help lists them\n"
	"      --latency FIELD     what the cycles are\n"
	"      --sort COLUMN       what differs most in it comes first (default: events)\n"
	"      --top N             list N rows of each key (default 10)\n"
	"      --runs N            N recordings one behind the other are runs of the same (default 1)\n"
	"      --level PERCENT     that all intervals of a table hold together with (default 95)\n"
	"\n"
	"What is printed:\n"
	"      --format FORMAT     text (default), json, or csv\n"
	"      --colour WHEN       auto (default), always, never\n"
	"      --jobs N            read with N threads (default 1; 0: one for each CPU)\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n" SYMBOL_HELP "\n" SELECTION_HELP "\n" RECORDING_HELP "\n"
	"Examples:\n"
	"  precis diff before.data after.data\n"
	"  precis diff --by symbol --columns events,DRAM,p99 before.data after.data\n"
	"  precis diff --mix extension before.data after.data\n"
	"  precis diff --runs 3 --by symbol b1.data b2.data b3.data a1.data a2.data a3.data\n"
	"\n"
	"Exit codes: 0 all was read; 1 something could not be read, or cannot be compared (other\n"
	"events, filters, CPUs: standard error says which); 2 wrong usage.\n";

int command_diff(int argc, char **argv)
{
	struct report_arguments arguments = {
		.help = help,
		.by = { .runs = 1, .level = 0.95 },
		.mixes = { .compare = diff_mixes },
	};

	return report_with(&arguments, argc, argv);
}
