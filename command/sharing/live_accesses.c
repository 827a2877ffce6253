/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_accesses.h. */
#include "live_accesses.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/model/absences.h"
#include "analysis/sharing/access_cells.h"
#include "analysis/sharing/data.h"
#include "analysis/sharing/memory_cells.h"
#include "trapped_place.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define WORD_BYTES 8u

static const struct column columns[] = {
	{ "line", NULL, 0 },
	{ "address", NULL, 0 },
	{ "offset", "offset", 0 },
	{ "bytes", "bytes", 0 },
	{ "access", "access", COLUMN_LEFT },
	{ "samples", "samples", 0 },
	{ "traps", "traps", 0 },
	{ "member", "member", COLUMN_LEFT },
	{ "party", NULL, 0 },
	{ "who", "who", COLUMN_LEFT },
	{ "cpu", "CPU", 0 },
	{ "node", "node", 0 },
	{ "cpus", NULL, 0 },
	{ "ip", NULL, 0 },
	{ "next_ip", NULL, 0 },
	{ "function", "function", COLUMN_LEFT },
	{ "function_offset", NULL, 0 },
	{ "source", "source", COLUMN_LEFT },
	{ "object", "file", COLUMN_LEFT },
};

/* A site, and where its instruction is */
struct located {
	const struct live_site *site;
	uint64_t ip; /* of traps, too; 0: not known */
	uint16_t flags; /* ACCESS_*; 0: not known */
};

/* Sites that are told as one: of one thread and instruction, in one word */
struct access_row {
	const struct live_site *like; /* one of them */
	uint64_t samples, traps;
	uint64_t ip, next_ip; /* 0: not known */
	uint32_t place; /* of the thread, in the page */
	uint32_t cpu, cpus; /* where most are from, from 1; how many: 0: not known */
	uint16_t flags; /* ACCESS_*; 0: not known */
	uint32_t offset,
		end; /* in the line; the same: it is not known how many bytes; end 0: nor where */
};

/* Instructions before traps that were looked for last */
#define FOUND 256u
struct found {
	uint64_t next_ip, ip;
	uint16_t does; /* ACCESS_*, if 'ip' is known */
};

struct telling {
	const struct live_advice *of;
	struct sharing_data data;
	const struct live_site **sites; /* all, by their lines */
	uint32_t site_count;
	struct located *located; /* of one line */
	struct access_row *rows;
	struct found found[FOUND];
};

/* --- sites of a line --- */

static int by_line(const void *a, const void *b)
{
	const struct live_site *left = *(const struct live_site *const *)a;
	const struct live_site *right = *(const struct live_site *const *)b;

	return (left->line > right->line) - (left->line < right->line);
}

/* 0, or -1 if memory is short */
static int sort_sites(struct telling *telling)
{
	const struct live_sites *sites = &telling->of->result->sites;
	const size_t room = sites->count + 1;

	telling->sites = malloc(room * sizeof(struct live_site *));
	telling->located = malloc(room * sizeof(*telling->located));
	telling->rows = malloc(room * sizeof(*telling->rows));
	if (!telling->sites || !telling->located || !telling->rows)
		return -1;
	for (uint32_t n = 0; sites->list && n < LIVE_SITES_MOST; n++) {
		if (sites->list[n].line)
			telling->sites[telling->site_count++] = &sites->list[n];
	}
	qsort(telling->sites, telling->site_count, sizeof(struct live_site *), by_line);
	return 0;
}

static uint32_t first_of(const struct telling *telling, uint64_t line)
{
	uint32_t low = 0, high = telling->site_count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (telling->sites[middle]->line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What a trap was of the instruction tells better, but if it does both. */
static struct located locate(struct telling *telling, const struct live_site *site)
{
	struct found *found = &telling->found[site->ip % FOUND];
	uint16_t flags = site->flags;

	if (!site->is_trap)
		return (struct located){ site, site->ip, flags };
	if (found->next_ip != site->ip) {
		found->next_ip = site->ip;
		found->ip = trapped_place(telling->of->answer->sharing->model.symbols,
					  telling->of->pid, site->ip, &found->does);
	}
	if (found->does == ACCESS_LOADS || found->does == ACCESS_STORES)
		flags = found->does;
	return (struct located){ site, found->ip, flags };
}

/* Whole lines are watched, so that it is not known where in it. */
static int is_anywhere(const struct live_site *site)
{
	return site->is_trap && site->bytes;
}

/* --- what is told as one --- */

#define ORDER_BY(a, b)                                                                             \
	do {                                                                                       \
		if ((a) != (b))                                                                    \
			return (a) < (b) ? -1 : 1;                                                 \
	} while (0)

/* What tells rows apart: traps whose instruction is not known by what comes behind it */
static int by_row(const void *a, const void *b)
{
	const struct located *left = a, *right = b;

	ORDER_BY(left->site->tid, right->site->tid);
	ORDER_BY(left->ip, right->ip);
	ORDER_BY(left->ip ? 0 : left->site->is_trap, right->ip ? 0 : right->site->is_trap);
	ORDER_BY(left->ip ? 0 : left->site->ip, right->ip ? 0 : right->site->ip);
	ORDER_BY(is_anywhere(left->site), is_anywhere(right->site));
	ORDER_BY(left->site->offset / WORD_BYTES, right->site->offset / WORD_BYTES);
	ORDER_BY(left->flags, right->flags);
	return 0;
}

static int by_row_and_cpu(const void *a, const void *b)
{
	const struct located *left = a, *right = b;
	const int order = by_row(a, b);

	return order ? order
		     : (left->site->cpu > right->site->cpu) - (left->site->cpu < right->site->cpu);
}

/* All bytes that samples reach, from the first to the last */
static void reach(struct access_row *row, const struct live_site *site)
{
	const uint32_t end = site->offset + site->bytes;

	if (is_anywhere(site) || (site->is_trap && row->samples))
		return;
	if (!row->samples || site->offset < row->offset)
		row->offset = site->offset;
	if (!row->samples || end > row->end)
		row->end = end;
}

static void add_site(struct access_row *row, const struct located *located)
{
	const struct live_site *site = located->site;

	reach(row, site);
	*(site->is_trap ? &row->traps : &row->samples) += site->count;
	if (site->is_trap)
		row->next_ip = site->ip;
}

/* Those that are told as one, by their CPUs */
static struct access_row row_of(const struct telling *telling, const struct located *located,
				uint32_t count)
{
	struct access_row row = { .like = located->site,
				  .ip = located->ip,
				  .flags = located->flags };
	uint64_t here = 0, most = 0;

	for (uint32_t n = 0; n < count; n++) {
		const uint32_t cpu = located[n].site->cpu;
		const int is_new = !n || cpu != located[n - 1].site->cpu;

		add_site(&row, &located[n]);
		if (!cpu)
			continue;
		here = (is_new ? 0 : here) + located[n].site->count;
		row.cpus += is_new;
		if (here > most) {
			most = here;
			row.cpu = cpu;
		}
	}
	row.place = sharing_answer_place(telling->of->answer,
					 live_party_of(telling->of, located->site->tid));
	return row;
}

/* What is told where it is comes before what was handed over, be that more. */
static int by_count(const void *a, const void *b)
{
	const struct access_row *left = a, *right = b;

	ORDER_BY(!left->ip && !left->next_ip, !right->ip && !right->next_ip);
	ORDER_BY(right->samples + right->traps, left->samples + left->traps);
	ORDER_BY(left->offset, right->offset);
	ORDER_BY(left->place, right->place);
	ORDER_BY(left->flags, right->flags);
	ORDER_BY(left->ip, right->ip);
	ORDER_BY(left->like->tid, right->like->tid);
	ORDER_BY(left->like->ip, right->like->ip);
	return 0;
}

/* How many there are of a line, those with most first */
static uint32_t rows_of(struct telling *telling, uint64_t line)
{
	uint32_t sites = 0, rows = 0, first = 0;

	for (uint32_t n = first_of(telling, line);
	     n < telling->site_count && telling->sites[n]->line == line; n++) {
		const struct live_site *site = telling->sites[n];

		if (live_party_of(telling->of, site->tid) != UINT32_MAX)
			telling->located[sites++] = locate(telling, site);
	}
	qsort(telling->located, sites, sizeof(*telling->located), by_row_and_cpu);
	for (uint32_t n = 1; n <= sites; n++) {
		if (n < sites && !by_row(&telling->located[first], &telling->located[n]))
			continue;
		telling->rows[rows++] = row_of(telling, &telling->located[first], n - first);
		first = n;
	}
	qsort(telling->rows, rows, sizeof(*telling->rows), by_count);
	return rows;
}

/* --- rows --- */

/* Absent where it is 0 */
static void cell_if_any(struct document *document, uint64_t count)
{
	if (count)
		cell_count(document, count);
	else
		cell_absent(document);
}

static void cells_extent(struct document *document, const struct access_row *row)
{
	if (is_anywhere(row->like))
		cell_absent(document);
	else
		cell_count(document, row->offset);
	cell_if_any(document, row->end > row->offset ? row->end - row->offset : 0);
}

/* Of traps whose instruction is not known, but not that it jumped there: what is before */
static void cells_place(struct document *document, struct telling *telling,
			const struct access_row *row)
{
	const struct sharing *sharing = telling->of->answer->sharing;
	const uint64_t ip = row->ip ? row->ip : row->next_ip ? row->next_ip - 1 : 0;
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line source = { .size = sizeof(source) };
	struct sharing_place place;

	if (ip)
		precis_symbols_find(sharing->model.symbols, telling->of->pid, PRECIS_CPUMODE_USER,
				    UINT64_MAX, ip, &location);
	if (location.object)
		precis_symbols_line(sharing->model.symbols, &location, &source);
	place = (struct sharing_place){ location.object, location.symbol, location.symbol_offset,
					source.file, source.number };
	sharing_cell_ip(document, row->ip);
	sharing_cell_ip(document, row->next_ip);
	sharing_cells_place(document, sharing, &place, row->ip != 0);
}

static void add_row(struct document *document, struct telling *telling, uint32_t number,
		    uint64_t line, const struct access_row *row)
{
	const char *word =
		sharing_access_word(row->flags & ACCESS_LOADS, row->flags & ACCESS_STORES, 0);
	char text[SHARING_PARTY_TEXT];
	struct sharing_datum datum = { .is_address = 1 };

	sharing_answer_text(telling->of->answer, row->place, text);
	row_begin(document, "%" PRIu32, number);
	row_in(document, "rows");
	cell_count(document, number);
	cell_address(document, line);
	cells_extent(document, row);
	if (word)
		cell_text(document, "%s", word);
	else
		cell_absent(document);
	cell_count(document, row->samples);
	cell_count(document, row->traps);
	if (!is_anywhere(row->like))
		sharing_datum_now(&telling->data, telling->of->pid, row->ip, line + row->offset,
				  row->end - row->offset, &datum);
	sharing_cell_member(document, &datum);
	cell_count(document, row->place + 1);
	cell_text(document, "%s", text);
	sharing_cells_cpu(document, &telling->of->answer->sharing->nodes,
			  row->cpu ? row->cpu - 1 : 0, row->cpus);
	cells_place(document, telling, row);
}

/* The line's number in the page, from 1. How many there are */
static uint32_t tell_line(struct document *document, struct telling *telling, uint32_t number,
			  uint64_t line)
{
	const uint32_t count = rows_of(telling, line);

	for (uint32_t n = 0; n < count && n < telling->of->top; n++)
		add_row(document, telling, number, line, &telling->rows[n]);
	return count;
}

static void note(struct document *document, const struct live_advice *of, uint64_t left_out)
{
	table_note(
		document,
		"samples: those that were sampled, or handed over; traps: of debug registers, in "
		"experiments. Both by the word that they begin in: offset and bytes in the line");
	if (left_out)
		table_note(document, "and %" PRIu64 " that were seen less often (--top)", left_out);
	if (of->result->sites.beyond)
		table_note(document, "%" PRIu64 " accesses had no room here: they are of no row",
			   of->result->sites.beyond);
}

void live_tell_accesses(struct document *document, const struct live_advice *of)
{
	struct telling *telling = calloc(1, sizeof(*telling));
	uint64_t left_out = 0;

	if (!telling) {
		document->failed = 1;
		return;
	}
	telling->of = of;
	telling->data.sharing = of->answer->sharing;
	document->failed |= sort_sites(telling) < 0;
	table_begin(document, "sharing_accesses", "Accesses to these lines", "line", columns,
		    COUNT_OF(columns));
	for (uint32_t n = 0; n < of->count && !document->failed; n++) {
		const uint32_t count = tell_line(document, telling, n + 1, of->lines[n]->line);

		left_out += count > of->top ? count - of->top : 0;
	}
	table_drop_empty(document);
	if (of->count)
		note(document, of, left_out);
	document->failed |= telling->data.failed;
	sharing_data_free(&telling->data);
	free(telling->sites);
	free(telling->located);
	free(telling->rows);
	free(telling);
}
