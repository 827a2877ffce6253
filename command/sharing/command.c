/* SPDX-License-Identifier: BSD-3-Clause */
/* precis sharing: who shares cache lines with whom. It reads recordings as precis report does. */
#include "command.h"

#include "command/report/arguments.h"
#include "command/report/command.h"
#include "command/usage/help.h"
#include "heat.h"
#include "live_command.h"

static const char help[] =
	"Usage: precis sharing [OPTION...] [FILE...]\n"
	"       precis sharing [OPTION...] -- COMMAND [ARGUMENT...]\n"
	"       precis sharing [OPTION...] -p PID --accesses FILE\n"
	"Who shares cache lines with whom, from recordings of memory accesses with addresses\n"
	"(default: perf.data; ibs_op, mem-loads and mem-stores, perf c2c record): how often each\n"
	"thread's loads got lines that another thread had written (transfers), with 95%\n"
	"confidence intervals, true and false sharing apart; the lines with most of that, what\n"
	"they are, and which bytes of them which instructions of which threads load and store.\n"
	"Where samples do not tell the cache that a line came from, shared lines alone. Of a\n"
	"program that runs and hands over some of its accesses: debug registers watch who\n"
	"accesses a line behind a store, stores as well, on any CPU.\n"
	"\n"
	"Who, and what is assumed:\n"
	"      --by PARTY          tell apart by thread (default), process, cpu, core or node\n"
	"      --access-bytes N    accesses whose width the CPU does not tell are of N bytes, 1 to 64\n"
	"                          (default: where that decides, true or false is not told)\n"
	"\n"
	"Of a program that runs:\n"
	"      -- COMMAND          run it; it hands accesses over to PRECIS_ACCESSES\n"
	"  -p, --attach PID        a process that runs, and\n"
	"      --accesses FILE     where it hands accesses over\n"
	"      --max-overhead P    experiments may cost so many percent of the time (default 5)\n"
	"      --seconds S         for so long (default: until it ends)\n"
	"      --window MS         a line that nobody accessed for so long is given up (default 10)\n"
	"      --seed N            of the choice of experiments\n"
	"\n"
	"What is printed:\n"
	"      --top N             list N pairs, N lines, and N accesses of each\n"
	"                          (default 10; json and csv 1000)\n"
	"      --format FORMAT     text (default), json, or csv\n"
	"      --save FILE         instead of that what was counted, which precis sharing tells later, of\n"
	"                          several such files together, without recordings and binaries\n"
	"      --svg FILE          draw the matrix of who wrote and who read, and write it there\n"
	"      --colour WHEN       auto (default), always, never\n"
	"      --jobs N            read with N threads (default 1; 0: one for each CPU)\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n" SYMBOL_HELP "\n" SELECTION_HELP "\n" RECORDING_HELP "\n"
	"Examples:\n"
	"  precis sharing\n"
	"  precis sharing --by core --svg matrix.svg perf.data\n"
	"  precis sharing --format json | jq .sharing_pairs.rows\n"
	"  precis sharing --access-bytes 8 --time 10%-90% perf.data\n"
	"  precis sharing --save node7.saved perf.data; precis sharing node*.saved\n"
	"  precis sharing --max-overhead 20 --svg matrix.svg -- ./program\n"
	"\n"
	"Exit codes: 0 all was read; 1 something could not be read (what could is told); 2 wrong\n"
	"usage; that of the command.\n";

int command_sharing(int argc, char **argv)
{
	struct report_arguments arguments = {
		.help = help,
		.sharing = { .is_asked = 1, .draw = sharing_draw },
	};

	if (live_is_meant(argc, argv))
		return live_command(argc, argv, help);
	return report_with(&arguments, argc, argv);
}
