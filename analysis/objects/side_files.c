/* SPDX-License-Identifier: BSD-3-Clause */
/* See side_files.h. */
#include "side_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "analysis/model/absences.h"
#include "analysis/saving/saving.h"
#include "lifetimes.h"
#include "program_types.h"
#include "statistics/table.h"

/* --- which there are --- */

static int is_alike(const struct lifetime_facts *a, const struct lifetime_facts *b)
{
	return a->pid == b->pid && a->absent == b->absent && a->error == b->error &&
	       a->clock_error == b->clock_error && a->interval == b->interval &&
	       a->lost == b->lost && a->flags == b->flags && a->threshold == b->threshold &&
	       strcmp(a->path, b->path) == 0;
}

static int is_known(const struct side_files *files, const struct lifetime_facts *facts)
{
	for (uint32_t n = 0; n < files->count; n++) {
		if (is_alike(&files->list[n], facts))
			return 1;
	}
	return 0;
}

/* 0, or -1 if memory is short */
static int add(struct side_files *files, const struct lifetime_facts *facts)
{
	struct lifetime_facts *more;
	char *path;

	if (is_known(files, facts))
		return 0;
	if (files->count == LIFETIME_FILES_MOST) {
		files->unlisted++;
		return 0;
	}
	if (files->count == files->room) {
		const uint32_t room = files->room ? 2 * files->room : 8;

		more = realloc(files->list, room * sizeof(*more));
		if (!more)
			return -1;
		files->list = more;
		files->room = room;
	}
	path = strdup(facts->path);
	if (!path)
		return -1;
	files->list[files->count] = *facts;
	files->list[files->count++].path = path;
	return 0;
}

int side_files_settle(struct side_files *files, const struct lifetimes *lifetimes)
{
	struct lifetime_facts facts;
	uint32_t n = 0;

	while (lifetimes_facts(lifetimes, &n, &facts)) {
		/* nobody asked for one that is not there */
		if (facts.absent != LIFETIME_NO_FILE && add(files, &facts) < 0)
			return -1;
	}
	files->left_out = lifetimes->left_out;
	return 0;
}

int side_files_merge(struct side_files *files, const struct side_files *others)
{
	for (uint32_t n = 0; n < others->count; n++) {
		if (add(files, &others->list[n]) < 0)
			return -1;
	}
	files->unlisted += others->unlisted;
	if (files->left_out < others->left_out) /* each thread has those of the recording */
		files->left_out = others->left_out;
	for (uint32_t n = 0; n < PROGRAM_EVIDENCE; n++)
		files->evidence[n] += others->evidence[n];
	return 0;
}

void side_files_free(struct side_files *files)
{
	for (uint32_t n = 0; n < files->count; n++)
		free((char *)(uintptr_t)files->list[n].path);
	free(files->list);
	memset(files, 0, sizeof(*files));
}

/* --- saved and loaded --- */

static void file(struct saving *saving, struct side_files *files, uint32_t n)
{
	struct lifetime_facts facts = { .pid = 0 };
	uint32_t absent;

	if (!saving->is_loading)
		facts = files->list[n];
	absent = facts.absent;
	saved_u32(saving, &facts.pid);
	saved_text(saving, &facts.path);
	saved_below(saving, &absent, LIFETIME_NOT_RECORDED + 1, "a reason");
	saved_int(saving, &facts.error);
	saved_u64(saving, &facts.clock_error);
	saved_u64(saving, &facts.interval);
	saved_u64(saving, &facts.lost);
	if (saving->version >= 5) {
		saved_below(saving, &facts.flags, LIFETIME_FLAGS + 1,
			    "blocks that are not recorded");
		saved_u64(saving, &facts.threshold);
	}
	if (!saving->is_loading || saving_failed(saving))
		return;
	facts.absent = (enum lifetime_absent)absent;
	if (!facts.path)
		saving_damaged(saving, "expected the name of a file of objects");
	else if (add(files, &facts) < 0)
		saving_no_memory(saving);
}

void side_files_saved(struct saving *saving, struct side_files *files)
{
	const uint32_t count =
		saved_count(saving, files->count, LIFETIME_FILES_MOST, 40, "files of objects");

	for (uint32_t n = 0; n < PROGRAM_EVIDENCE; n++) {
		if (n != PROGRAM_VOTES || saving->version >= 4)
			saved_u64(saving, &files->evidence[n]);
	}
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		file(saving, files, n);
	saved_u64(saving, &files->unlisted);
	saved_u64(saving, &files->left_out);
}

/* --- notes --- */

static void note_used(struct document *document, const struct lifetime_facts *facts, int is_weighed)
{
	if (facts->clock_error)
		table_note(document,
			   "objects of process %u: %s; its times are known to %" PRIu64 " ns",
			   facts->pid, model_file_of(facts->path), facts->clock_error);
	else
		table_note(document, "objects of process %u: %s", facts->pid,
			   model_file_of(facts->path));
	if (facts->flags & PRECIS_OBJECT_LARGE_SAMPLED)
		table_note(
			document,
			"of its blocks of %" PRIu64
			" bytes and more some are recorded, by chance and size, as all took more than they "
			"may: one for each %" PRIu64
			" bytes at most; from when on is told by 'precis objects'%s",
			facts->threshold, facts->interval,
			is_weighed ? "" : ", and nothing is weighed for them");
	else if (facts->interval)
		table_note(
			document,
			"of its blocks some are recorded, by chance and size, one for each %" PRIu64
			" bytes: the others are told as memory alone%s",
			facts->interval, is_weighed ? "" : ", and nothing is weighed for them");
	if (facts->flags & PRECIS_OBJECT_SMALL_DROPPED)
		table_note(document,
			   "its blocks of less than %" PRIu64
			   " bytes are not recorded: they are told as memory alone",
			   facts->threshold);
	if (facts->flags & PRECIS_OBJECT_OTHER_MALLOC)
		table_note(document,
			   "it has a malloc of its own: no block of its heap is recorded");
	if (facts->flags & PRECIS_OBJECT_OTHER_NEW)
		table_note(document,
			   "its operator new does not call malloc: no block of that is recorded");
	if (facts->lost)
		table_note(document, "%" PRIu64 " of its events are lost", facts->lost);
}

/* By what the types of blocks are known, as often as samples asked for one */
static void note_evidence(struct document *document, const struct side_files *files)
{
	for (uint32_t n = 1; n < PROGRAM_EVIDENCE; n++) {
		if (files->evidence[n])
			table_note(document, "types of blocks are known by %s: %" PRIu64 " samples",
				   program_types_evidence(n), files->evidence[n]);
	}
	if (files->evidence[0])
		table_note(document, "types of blocks are not known: %" PRIu64 " samples",
			   files->evidence[0]);
}

void side_files_notes(struct document *document, const struct side_files *files, int is_weighed)
{
	note_evidence(document, files);
	if (files->left_out)
		table_note(document,
			   "of objects those of the first %u processes are told; of %" PRIu64
			   " more nothing is",
			   LIFETIME_FILES_MOST, files->left_out);
	for (uint32_t n = 0; n < files->count; n++) {
		const struct lifetime_facts *facts = &files->list[n];

		if (facts->absent == LIFETIME_PRESENT)
			note_used(document, facts, is_weighed);
		else
			table_note(document, "no objects of process %u: %s: %s%s%s", facts->pid,
				   facts->path, lifetime_absent_text(facts->absent),
				   facts->error ? ": " : "",
				   facts->error ? precis_strerror(facts->error) : "");
	}
	if (files->unlisted)
		table_note(document, "and %" PRIu64 " more files of objects", files->unlisted);
}
