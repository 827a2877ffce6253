/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_page.h. */
#include "live_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sharing/cells.h"
#include "analysis/sharing/memory_cells.h"
#include "analysis/sharing/pair_tables.h"
#include "command/symbols/demangle.h"
#include "live_accesses.h"
#include "mappings.h"
#include "sharing/live_estimate.h"
#include "sharing/patience.h"

/* Of the sum of all, what thousands of differences may leave */
#define ROUNDING 1e-9
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* --- from experiments to an estimate --- */

static struct sharing_flow flow_of(struct live_flow live)
{
	return (struct sharing_flow){
		.all = live.all,
		.by_meeting = { [SHARING_MEET] = live.met, [SHARING_APART] = live.apart },
	};
}

static void leave_out_of(struct poisson_sum *sum, const struct poisson_sum *less)
{
	sum->sum = sum->sum > less->sum ? sum->sum - less->sum : 0;
	sum->unsure = sum->unsure > less->unsure ? sum->unsure - less->unsure : 0;
}

static void leave_out(struct sharing_flow *flow, const struct sharing_flow *less)
{
	leave_out_of(&flow->all, &less->all);
	for (int n = 0; n < SHARING_MEETINGS; n++)
		leave_out_of(&flow->by_meeting[n], &less->by_meeting[n]);
}

/* What is left of all by rounding alone is nothing. */
static void drop_rest(struct poisson_sum *sum, const struct poisson_sum *all)
{
	if (sum->sum < all->sum * ROUNDING)
		sum->sum = 0;
}

static void drop_rests(struct sharing_flow *flow, const struct sharing_flow *all)
{
	drop_rest(&flow->all, &all->all);
	for (int n = 0; n < SHARING_MEETINGS; n++)
		drop_rest(&flow->by_meeting[n], &all->by_meeting[n]);
}

/*
 * What stays within a party is no transfer between them: of what a thread sent to all others it is left out.
 * How sure that is was counted by experiments, each of which several threads may have met.
 */
static void fill_estimate(struct sharing_estimate *estimate, const struct live_result *result,
			  struct live_page *page)
{
	const struct sharing_flow all = flow_of(live_estimate_total(result));

	estimate->total = all;
	for (uint32_t from = 0; from < result->thread_count; from++) {
		struct sharing_flow sent = flow_of(live_estimate_sent(result, from));

		for (uint32_t to = 0; to < result->thread_count; to++) {
			const struct sharing_flow flow = flow_of(live_estimate(result, from, to));
			const uint32_t writer = page->party_of[from], reader = page->party_of[to];

			if (writer == LIVE_NOBODY || reader == LIVE_NOBODY || writer == reader) {
				page->within += flow.all.sum;
				leave_out(&sent, &flow);
				leave_out(&estimate->total, &flow);
				continue;
			}
			sharing_flow_add(
				&estimate->flows[(size_t)writer * estimate->parties + reader],
				&flow);
			sharing_flow_add(&estimate->got[reader], &flow);
		}
		drop_rests(&sent, &all);
		if (page->party_of[from] != LIVE_NOBODY)
			sharing_flow_add(&estimate->sent[page->party_of[from]], &sent);
	}
	drop_rests(&estimate->total, &all);
}

/* 0, or -1 if memory is short */
static int open_symbols(struct live_page *page, const struct live_observed *observed)
{
	static const struct precis_symbols_options options = {
		.size = sizeof(options),
		.flags = PRECIS_SYMBOLS_DATA,
	};

	page->about.symbols = &options;
	page->pid = (uint32_t)observed->pid;
	page->about.demangle = demangle;
	if (precis_symbols_new(&options, &page->sharing.model.symbols))
		return -1;
	return observed->maps
		       ? mappings_tell(page->sharing.model.symbols, observed->pid, observed->maps)
		       : 0;
}

int live_page_init(struct live_page *page, const struct live_observed *observed, uint32_t top,
		   unsigned int by)
{
	const struct live_result *result = &observed->result;
	struct sharing *sharing = &page->sharing;
	struct sharing_estimate estimate;
	int failed;

	memset(page, 0, sizeof(*page));
	failed = open_symbols(page, observed);
	page->about.top = top;
	page->about.sharing = &page->request;
	sharing->about = &page->about;
	sharing->request = &page->request;
	sharing->time.last = (uint64_t)(result->seconds * 1e9);
	sharing->accesses[SHARING_LOADS].most = (uint64_t)result->heaviest;
	sharing->told.samples = result->experiments;
	if (!result->experiments && !result->found)
		sharing->why_unknown = "no experiment was made";
	page->request.by = by;
	failed = failed || live_parties_init(sharing, result, page->party_of) < 0;
	if (failed || sharing_estimate_init(&estimate, sharing->parties.count) < 0)
		return -1;
	fill_estimate(&estimate, result, page);
	return sharing_answer_of(&page->answer, sharing, &estimate);
}

void live_page_free(struct live_page *page)
{
	sharing_answer_free(&page->answer);
	sharing_parties_free(&page->sharing.parties);
	sharing_cores_free(&page->sharing.cores);
	nodes_free(&page->sharing.nodes);
	precis_symbols_free(page->sharing.model.symbols);
	memset(page, 0, sizeof(*page));
}

/* --- tables --- */

const char *live_page_title(const struct live_request *request)
{
	return request->method == LIVE_COMDETECTIVE
		       ? "Accesses to lines that others stored to (ComDetective)"
		       : "Lines that threads got from their last writers (transfers)";
}

static void add_sum(struct document *document, const struct live_page *page, const char *name,
		    const struct poisson_sum *sum)
{
	row_begin(document, "%s", name);
	sharing_cell_sum(document, &page->sharing, sum, NULL);
	sharing_cell_percent(document, sum->sum, sharing_transfers_of(&page->answer));
	sharing_cells_rate(document, &page->sharing, sum, NULL);
}

static void note_pmu(struct document *document, const struct live_request *request,
		     const struct live_observed *observed)
{
	const struct live_result *result = &observed->result;
	const struct access_told *source = &observed->source;

	table_note(
		document,
		"stores%s that the PMU sampled (%s), one in some %.0f; the samples took %.2f%% of "
		"the time of the CPU or thread with most, by what one was published to cost "
		"(%" PRIu64 " ns)",
		request->source.loads ? " and loads" : "", source->pmu_event, result->heaviest,
		100 * (double)source->sampling_ns / (result->seconds * 1e9), source->sample_ns);
	if ((double)source->sampling_ns > request->settings.most_overhead * result->seconds * 1e9)
		table_note(document,
			   "sampling alone took more than --max-overhead: a longer --period leaves time "
			   "for experiments");
	if (source->elsewhere)
		table_note(document,
			   "%" PRIu64 " of %" PRIu64 " samples have no address of the program's",
			   source->elsewhere, source->samples);
	if (source->others)
		table_note(document, "%" PRIu64 " samples were of other processes", source->others);
	if (source->cpus_without)
		table_note(
			document,
			"%u CPUs have no such event: stores that were made there are not sampled",
			(unsigned int)source->cpus_without);
	if (source->pmu_refused)
		table_note(document, "%u times a thread could not be sampled: %s",
			   (unsigned int)source->pmu_refused, strerror(source->pmu_error));
	if (source->dropped)
		table_note(document,
			   "%" PRIu64 " samples had no room: there are more of all than is told",
			   source->dropped);
}

static void note_handed(struct document *document, const struct live_observed *observed)
{
	const struct live_result *result = &observed->result;
	const struct access_told *source = &observed->source;

	if (*source->why_no_pmu)
		table_note(document, "the PMU samples no accesses here: %s", source->why_no_pmu);
	if (!result->accesses)
		table_note(document,
			   "the program handed over no access: no experiment could be made "
			   "(PRECIS_ACCESSES)");
	if (source->dropped)
		table_note(document,
			   "%" PRIu64
			   " accesses that were handed over had no room: there are more of all "
			   "than is told",
			   source->dropped);
	if (result->strange)
		table_note(document, "%" PRIu64 " of what was handed over is no access",
			   result->strange);
	if (result->foreign)
		table_note(
			document,
			"%" PRIu64
			" accesses were handed over by other processes, which are not watched: what these "
			"share with the process, or with each other, is not among the transfers",
			result->foreign);
}

/* What comes close behind each other is further apart while it is watched. */
static void note_hurry(struct document *document, const struct live_request *request,
		       const struct live_result *result)
{
	const double hurried = live_estimate_hurried(result);

	if (request->method != LIVE_EXPERIMENTS || !result->stored)
		return;
	table_note(
		document,
		"as of threads that wait for each other, by locks, queues or turns: others are slowed by "
		"being watched, so that more come in between. Of these there may be many times fewer "
		"transfers, whatever the intervals are");
	if (result->absent)
		table_note(
			document,
			"%" PRIu64
			" experiments more were left, as others stored %u times as often as they do "
			"between two of the writer's stores: their threads do not wait for each other, and "
			"have a CPU at different times",
			result->absent, PATIENCE_TIMES);
	if (hurried > 0)
		table_note(
			document,
			"%.0f%% of the transfers are of lines to which somebody stores more often than each "
			"%.1f us, which a trap takes",
			100 * hurried, (double)result->hit_ns / 1e3);
}

/* What they store ends no experiment. */
static void note_unseen(struct document *document, const struct live_request *request,
			const struct live_result *result)
{
	const double share = live_estimate_beside_unseen(result);

	if (request->method != LIVE_EXPERIMENTS || !(share > 0))
		return;
	table_note(
		document,
		"%.0f%% of the transfers are of lines to which threads store that are not watched: such "
		"stores are missed, and what that adds is taken off by how many of a line's stores are "
		"theirs in samples, which intervals do not know of",
		100 * share);
}

static void note_what_is_missed(struct document *document, const struct live_request *request,
				const struct live_observed *observed)
{
	const struct live_result *result = &observed->result;

	if (observed->source.origin == ORIGIN_PMU)
		note_pmu(document, request, observed);
	else
		note_handed(document, observed);
	if (result->no_anchor)
		table_note(document,
			   "in %" PRIu64 " experiments the writer did not store there again within "
			   "%.1f ms: of such stores those transfers count that came when registers "
			   "watched the line, some time after the store",
			   result->no_anchor, (double)request->settings.window_ns / 1e6);
	if (result->overrun)
		table_note(document,
			   "%" PRIu64
			   " times the kernel had no room to tell of accesses to watched "
			   "lines: some "
			   "transfers are not seen, or end too late",
			   result->overrun);
	if (result->used_up)
		table_note(document,
			   "%" PRIu64
			   " times a thread had accessed the line %u times before: what it did "
			   "then is not known, and counts as nothing",
			   result->used_up, WATCH_HITS_MOST);
	if (result->gone)
		table_note(document, "%" PRIu64 " times the writer had ended before it was watched",
			   result->gone);
	if (result->line_bytes < SHARING_LINE_BYTES && request->method == LIVE_EXPERIMENTS)
		table_note(
			document,
			"registers take %u bytes here: two or four words of a line are watched, and "
			"weighted; what is missed of stores to others is taken off as samples tell, which "
			"intervals allow for",
			result->line_bytes);
	note_hurry(document, request, result);
	if (result->refused)
		table_note(
			document,
			"%u times the registers of a thread could not be had: %s; what it got from others "
			"then is not known, and counts as nothing",
			(unsigned int)result->refused, live_refusal_text(result->refused_error));
	if (result->unwatched && request->method == LIVE_EXPERIMENTS)
		table_note(document,
			   "%" PRIu64
			   " experiments were not made, as their writer could not be watched: what "
			   "such threads stored is not among these",
			   result->unwatched);
	if (result->execs)
		table_note(document,
			   "%" PRIu64
			   " times the process executed another program: lines of both are told apart by "
			   "their addresses alone",
			   result->execs);
	if (observed->is_traced)
		table_note(
			document,
			"a debugger or tracer has the program, too: both want its debug registers");
	if (result->threads_beyond || result->watch_beyond)
		table_note(
			document,
			"more than %u threads are not watched: what others got is not among these, nor what "
			"%u of %" PRIu64 " accesses stored, which were theirs",
			WATCH_THREADS_MOST, (unsigned int)result->threads_beyond, result->accesses);
	note_unseen(document, request, result);
	if (result->lines_beyond)
		table_note(document,
			   "%" PRIu64
			   " accesses were to lines of which nothing is kept: experiments with "
			   "these are not made less often where they are in vain",
			   result->lines_beyond);
}

static void note_comdetective(struct document *document)
{
	table_note(document,
		   "by ComDetective's rules: each is a sampled access, or a trap that counts twice, times "
		   "the period. That is no estimate of transfers, and intervals are of the counts alone");
	table_note(document, "ComDetective prints the sum of both directions: add the transposed matrix");
	if (!precis_code_available())
		table_note(document,
			   "this build decodes no instructions: traps of both kinds count, loads and stores");
}

static void note_within(struct document *document, const struct live_page *page)
{
	const char *party = sharing_party_word(&page->request, 0);

	if (page->request.by == SHARING_BY_THREAD)
		return;
	table_note(
		document,
		"a thread is of the %s that most of its accesses were seen on; %.1f%% of the transfers "
		"between threads stayed on one %s, or were of threads that were seen on none, and are not "
		"among these",
		party,
		page->within > 0
			? 100 * page->within / (page->within + page->answer.estimate.total.all.sum)
			: 0,
		party);
}

static void add_summary(struct document *document, const struct live_page *page,
			const struct live_request *request, const struct live_observed *observed)
{
	static const struct column columns[] = {
		SHARING_SUM_COLUMNS("transfers", "transfers [95% CI]"),
		{ "percent", "% of all", 0 },
		SHARING_RATE_COLUMNS,
	};
	const struct sharing_flow *total = &page->answer.estimate.total;

	table_begin(document, "sharing", live_page_title(request), "", columns, COUNT_OF(columns));
	if (observed->result.experiments || observed->result.found) {
		add_sum(document, page, "all", &total->all);
		add_sum(document, page, "true sharing", &total->by_meeting[SHARING_MEET]);
		add_sum(document, page, "false sharing", &total->by_meeting[SHARING_APART]);
	}
	if (request->method == LIVE_COMDETECTIVE)
		note_comdetective(document);
	else
		table_note(document,
			   "loads and stores, each within %.1f ms of the store; true: to the same "
			   "words of 8 bytes",
			   (double)request->settings.window_ns / 1e6);
	note_within(document, page);
	note_what_is_missed(document, request, observed);
}

/* How experiments ended, and how many were made: ComDetective makes none. */
static void cell_experiments(struct document *document, const struct live_request *request, uint64_t count)
{
	if (request->method == LIVE_COMDETECTIVE)
		cell_absent(document);
	else
		cell_count(document, count);
}

/* With registers that were armed, what these add to each, and to all; ComDetective does not look at them. */
static void cells_switches(struct document *document, const struct live_request *request,
			   const struct live_result *result)
{
	if (request->method == LIVE_COMDETECTIVE || result->switch_error) {
		for (int n = 0; n < 3; n++)
			cell_absent(document);
		return;
	}
	cell_count(document, result->switches);
	cell_count(document, result->switch_ns);
	cell_known(document, 100 * (double)result->switches_cost_ns / (result->seconds * 1e9));
}

static void note_switches(struct document *document, const struct live_request *request,
			  const struct live_result *result)
{
	if (request->method == LIVE_COMDETECTIVE)
		table_note(document, "context switches of watched threads are not among its costs");
	else if (result->switch_error)
		table_note(
			document,
			"what registers add to context switches is not known, and not among the costs: %s",
			result->switch_error == ENODATA
				? "this kernel counts no timeslices (/proc/PID/schedstat)"
				: strerror(result->switch_error));
	else
		table_note(
			document,
			"switches: of threads with armed registers, which add so much to each; the "
			"percentage is of all switches since threads had registers the first time");
	if (!result->experiments && !result->unwatched && result->spared_share > 0)
		table_note(
			document,
			"no experiment was made: threads are switched so often that this would cost "
			"%.1f%% of the time from the first one on, to their end (--max-overhead %g)",
			100 * result->spared_share, 100 * request->settings.most_overhead);
}

static void add_experiments(struct document *document, const struct live_request *request,
			    const struct live_result *result)
{
	static const struct column columns[] = {
		{ "samples", "accesses", 0 },
		{ "experiments", "experiments", 0 },
		{ "stored", "stored again", 0 },
		{ "timed_out", "timed out", 0 },
		{ "no_anchor", "no store", 0 },
		{ "seen", "transfers seen", 0 },
		{ "hits", "traps", 0 },
		{ "hit_ns", "ns each", 0 },
		{ "switches", "switches", 0 },
		{ "switch_ns", "ns more", 0 },
		{ "switches_percent", "% by switches", 0 },
		{ "overhead_percent", "% of time", 0 },
	};

	table_begin(document, "sharing_experiments", "Experiments", "", columns, COUNT_OF(columns));
	row_begin(document, "all");
	cell_count(document, result->accesses);
	cell_count(document, result->experiments);
	cell_experiments(document, request, result->stored);
	cell_experiments(document, request, result->timed_out);
	cell_experiments(document, request, result->no_anchor);
	cell_experiments(document, request, result->found);
	cell_count(document, result->hits);
	cell_count(document, result->hit_ns);
	cells_switches(document, request, result);
	cell_known(document, 100 * (double)result->cost_ns / (result->seconds * 1e9));
	note_switches(document, request, result);
}

static int by_transfers(const void *a, const void *b)
{
	const struct live_line *left = *(const struct live_line *const *)a;
	const struct live_line *right = *(const struct live_line *const *)b;
	const double l = left->met + left->apart, r = right->met + right->apart;

	if (l > r || l < r)
		return l > r ? -1 : 1;
	return left->line < right->line ? -1 : left->line > right->line;
}

static void add_what_is_there(struct document *document, const struct live_page *page,
			      const struct live_result *result,
			      const struct live_line *const *lines, uint32_t count,
			      double transfers, int is_advised)
{
	const struct live_advice advice = {
		.result = result,
		.answer = &page->answer,
		.party_of = page->party_of,
		.pid = page->pid,
		.lines = lines,
		.count = count,
		.top = page->about.top,
		.transfers = transfers,
	};

	live_tell_accesses(document, &advice);
	if (is_advised)
		live_advise(document, &advice);
}

static void add_lines(struct document *document, const struct live_page *page,
		      const struct live_request *request, const struct live_result *result)
{
	static const struct column columns[] = {
		{ "percent", "% of all", 0 },
		{ "true_percent", "true %", 0 },
		{ "false_percent", "false %", 0 },
		{ "experiments", "experiments", 0 },
		{ "address", "address", COLUMN_LEFT },
		{ NULL, "what it is", COLUMN_LEFT },
		SHARING_MEMORY_COLUMNS,
	};
	const struct live_line *lines[LIVE_LINES_MOST];
	double all = 0;
	uint32_t count = 0;

	for (uint32_t n = 0; n < LIVE_LINES_MOST; n++) {
		const struct live_line *line = &result->lines[n];

		all += line->met + line->apart;
		if (line->line && line->met + line->apart > 0)
			lines[count++] = line;
	}
	qsort(lines, count, sizeof(lines[0]), by_transfers);
	table_begin(document, "sharing_lines", "Lines with most transfers", "", columns,
		    COUNT_OF(columns));
	for (uint32_t n = 0; n < count && n < page->about.top; n++) {
		const double transfers = lines[n]->met + lines[n]->apart;
		struct precis_memory memory = { .size = sizeof(memory) };

		precis_symbols_memory(page->sharing.model.symbols, page->pid, UINT64_MAX,
				      lines[n]->line, &memory);
		row_begin(document, "%" PRIu32, n + 1);
		sharing_cell_percent(document, transfers, all);
		sharing_cell_percent(document, lines[n]->met, transfers);
		sharing_cell_percent(document, lines[n]->apart, transfers);
		cell_experiments(document, request, lines[n]->experiments);
		cell_address(document, lines[n]->line);
		sharing_cell_what(document, &page->sharing, &memory);
		sharing_cells_memory(document, &page->sharing, &memory);
	}
	table_drop_empty(document);
	add_what_is_there(document, page, result, lines,
			  count < page->about.top ? count : page->about.top, all,
			  request->method == LIVE_EXPERIMENTS);
}

void live_page_tables(struct document *document, const struct live_page *page,
		      const struct live_request *request, const struct live_observed *observed)
{
	const struct live_result *result = &observed->result;

	add_summary(document, page, request, observed);
	add_experiments(document, request, result);
	if (!page->answer.parties)
		return;
	sharing_add_matrix(document, &page->answer);
	sharing_add_pairs(document, &page->answer);
	sharing_add_parties(document, &page->answer);
	add_lines(document, page, request, result);
}
