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
	"       precis sharing [OPTION...] -p PID\n"
	"Who shares cache lines with whom, from recordings of memory accesses with addresses\n"
	"(default: perf.data; ibs_op, mem-loads and mem-stores, perf c2c record): how often each\n"
	"thread's loads got lines that another thread had written (transfers), with 95%\n"
	"confidence intervals, true and false sharing apart; the lines with most of that, what\n"
	"they are, and which bytes of them which instructions of which threads load and store.\n"
	"Where samples do not tell the cache that a line came from, shared lines alone. Of a\n"
	"program that runs the PMU samples stores (ibs_op, PEBS), or it hands over some of its\n"
	"own, on any CPU: debug registers watch who accesses a line behind a store, stores as well.\n"
	"\n"
	"Who, and what is assumed:\n"
	"      --by PARTY          tell apart by thread (default), process, cpu, core or node\n"
	"      --access-bytes N    accesses whose width the CPU does not tell are of N bytes, 1 to 64\n"
	"                          (default: where that decides, true or false is not told)\n"
	"\n"
	"Of a program that runs:\n"
	"      -- COMMAND          run it\n"
	"  -p, --attach PID        a process that runs\n"
	"      --source WHO        where accesses come from: pmu, program, or auto (default): the PMU\n"
	"                          if it samples any, else the program (PRECIS_ACCESSES)\n"
	"      --accesses FILE     of a process: where it hands accesses over\n"
	"      --period N          of the PMU: one in N ops (ibs_op, default 1000000), or one in N\n"
	"                          stores (PEBS, default 250007)\n"
	"      --method METHOD     experiments (default), or comdetective: as that was published, for\n"
	"                          comparison\n"
	"      --max-overhead P    samples and experiments may cost so many percent of the time\n"
	"                          (default 5)\n"
	"      --seconds S         for so long (default: until it ends)\n"
	"      --window MS         wait so long for a store, and then for accesses (default 10)\n"
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
	"  precis sharing --period 100000 --seconds 10 -p 1234\n"
	"\n"
	"Exit codes: 0 all was read; 1 something could not be read (what could is told); 2 wrong\n"
	"usage; that of the command. Interrupted, it ends by that signal when all is printed.\n";

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
