/* SPDX-License-Identifier: BSD-3-Clause */
/* See reading.h. */
#include "reading.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/record_id.h"
#include "command/recording/traces.h"
#include "command/usage/complain.h"
#include "command/usage/option_value.h"
#include "libdecode/symbols/text_file.h"

/* --- opening --- */

/* Binaries that are not to be read are none that are not there: their code has a reason of its own. */
static int open_places(struct mix_reading *reading, struct mix_arguments *arguments)
{
	if (arguments->symbols.is_off) {
		arguments->symbols.is_off = 0;
		arguments->symbols.options.flags |= PRECIS_SYMBOLS_NO_FILES;
	}
	return places_open(&reading->places, reading->recording.file, &arguments->symbols);
}

/* Jitdumps lie where binaries do. */
static int open_jitdump(const void *data, const char *path)
{
	const struct precis_symbols_options *options = data;
	const char *root = options->symfs ? options->symfs : "";
	char full[PATH_MAX];
	struct stat status;

	if ((options->flags & PRECIS_SYMBOLS_NO_FILES) ||
	    snprintf(full, sizeof(full), "%s%s", root, path) >= (int)sizeof(full))
		return -1;
	return precis_regular_open(root, full, &status);
}

/* @return 0, or -1: memory is short */
static int learn_bpf(struct mix_reading *reading)
{
	const struct precis_file *file = reading->recording.file;
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_bytes section;
	const char *arch;

	if (precis_file_feature(file, PRECIS_FEATURE_BPF_PROG_INFO, &section) ||
	    precis_file_info(file, &info))
		return 0;
	arch = info.arch ? info.arch : "";
	if (strcmp(arch, "x86_64") != 0 && strcmp(arch, "aarch64") != 0)
		return 0;
	return mix_sightings_bpf(reading->sightings, section,
				 arch[0] == 'x' ? 64 : PRECIS_CODE_AARCH64);
}

static void want_fields(struct mix_reading *reading)
{
	static const uint8_t fields[] = { PRECIS_FIELD_IP, PRECIS_FIELD_PERIOD, PRECIS_FIELD_BRANCH_TAKEN,
					  PRECIS_FIELD_BRANCH_TARGET };

	memcpy(reading->wanted, reading->selection.fields, sizeof(reading->wanted));
	for (size_t n = 0; n < sizeof(fields); n++)
		precis_fields_add(reading->wanted, fields[n]);
}

#define PLACES_LEAST (UINT32_C(1) << 17)

/* Enough to choose those from of which most was seen */
static uint32_t places_to_keep(uint32_t places)
{
	if (places < PLACES_LEAST / 8)
		return PLACES_LEAST;
	return places < MIX_PLACES_MOST / 8 ? 8 * places : MIX_PLACES_MOST;
}

/* All that is learnt from its first record on */
static int open_seen(struct mix_reading *reading, const char *path)
{
	struct mix_arguments *arguments = reading->arguments;
	const uint64_t names = filter_names_used(arguments->selection.expression);
	int code;

	reading->selection = arguments->selection;
	if (filter_names_open(&reading->names, names, reading->recording.file,
			      &arguments->symbols) ||
	    open_places(reading, arguments) ||
	    mix_sightings_new(reading->places.symbols, &reading->sightings) < 0 ||
	    learn_bpf(reading) < 0)
		return recording_out_of_memory(&reading->recording);
	if (arguments->places)
		mix_sightings_keep(reading->sightings, places_to_keep(arguments->places));
	mix_sightings_open_with(reading->sightings, open_jitdump, &arguments->symbols.options);
	code = selection_open(&reading->selection, arguments->command, path, reading->recording.file,
			      &reading->names.table);
	if (!code)
		code = selection_place_times(&reading->selection, &reading->recording, &reading->options);
	want_fields(reading);
	return code;
}

static void close_seen(struct mix_reading *reading)
{
	mix_sightings_free(reading->sightings);
	mix_totals_free(&reading->totals);
	places_close(&reading->places);
	filter_names_close(&reading->names);
	selection_close(&reading->selection);
	numbering_free(&reading->contexts);
	names_free(&reading->context_names);
	free(reading->named);
	for (uint32_t n = 0; n < reading->event_count; n++)
		free(reading->events[n].streams);
	free(reading->events);
}

int mix_reading_open(struct mix_reading *reading, struct mix_arguments *arguments, const char *path)
{
	int code;

	memset(reading, 0, sizeof(*reading));
	reading->arguments = arguments;
	reading->options = arguments->recording;
	if (strcmp(path, "-") == 0 || recording_is_stream(path))
		reading->options.order = PRECIS_ORDER_TIME;
	code = recording_open(&reading->recording, arguments->command, path, &reading->options);
	if (code)
		return code;
	if (recording_is_output(&reading->recording, arguments->output))
		return EXIT_FAILED;
	return open_seen(reading, path);
}

/* Once more from the first record on: what there was to say of the file has been said. */
static int open_sorted(struct mix_reading *reading)
{
	const struct mix_reading before = *reading;

	close_seen(reading);
	precis_input_close(before.recording.input);
	*reading = (struct mix_reading){ .arguments = before.arguments, .options = before.options };
	reading->options.order = PRECIS_ORDER_TIME;
	if (recording_open_again(&reading->recording, &before.recording, &reading->options) < 0)
		return recording_out_of_memory(&reading->recording);
	reading->recording.progress = before.recording.progress;
	return open_seen(reading, before.recording.path);
}

void mix_reading_close(struct mix_reading *reading)
{
	close_seen(reading);
	recording_close(&reading->recording);
}

/* --- events --- */

/* @return 0, or -1: memory is short */
static int add_event(struct mix_reading *reading, const struct precis_event *event)
{
	struct mix_reading_event *added = &reading->events[reading->event_count];

	*added = (struct mix_reading_event){ .streams = malloc(sizeof(*added->streams)) };
	if (!added->streams)
		return -1;
	code_streams_init(added->streams,
			  code_stacks_type(event->layout->branch_sample_type,
					   event->exclude_kernel != 0, event->exclude_user != 0));
	reading->event_count++;
	return 0;
}

static int learn_events(struct mix_reading *reading, uint32_t count)
{
	const struct precis_cpu *cpu = precis_input_cpu(reading->recording.input);
	struct precis_file_info info = { .size = sizeof(info) };
	struct mix_reading_event *events = realloc(reading->events, (count + 1) * sizeof(*events));
	struct mix_event *how = malloc((count + 1) * sizeof(*how));
	int failed = !events || !how;

	reading->events = events ? events : reading->events;
	precis_file_info(reading->recording.file, &info);
	for (uint32_t n = 0; n < count && !failed; n++) {
		const struct precis_event *event = precis_input_event(reading->recording.input, n);

		how[n] = mix_event_of(event, cpu, &info);
		if (n == reading->event_count)
			failed = add_event(reading, event) < 0;
	}
	if (!failed)
		mix_events_choose(how, count);
	for (uint32_t n = 0; n < count && !failed; n++)
		events[n].how = how[n];
	free(how);
	return failed ? -1 : 0;
}

/* NULL: memory is short */
static struct mix_reading_event *event_of(struct mix_reading *reading, const struct precis_event *event)
{
	if (event->index >= reading->event_count &&
	    learn_events(reading, precis_input_event_count(reading->recording.input)) < 0)
		return NULL;
	return &reading->events[event->index];
}

/* --- processes and threads --- */

static int name_context(struct mix_reading *reading, uint32_t context, uint32_t task, uint64_t time)
{
	const char *name = NULL;
	char text[64];

	if (context >= reading->named_room) {
		const uint32_t room = reading->contexts.room;
		uint32_t *more = realloc(reading->named, room * sizeof(*more));

		if (!more)
			return -1;
		reading->named = more;
		reading->named_room = room;
	}
	mix_sightings_pause(reading->sightings);
	precis_symbols_task(reading->places.symbols, task, time, &name);
	snprintf(text, sizeof(text), "%.40s (%" PRId32 ")", name ? name : "?", (int32_t)task);
	reading->named[context] = names_add(&reading->context_names, text);
	return reading->named[context] ? 0 : -1;
}

static uint32_t context_of(struct mix_reading *reading, const struct precis_perf_sample *perf)
{
	const int is_by_thread = mix_is_by(reading->arguments, MIX_BY_THREAD);
	const int is_by_process = mix_is_by(reading->arguments, MIX_BY_PROCESS);
	const uint32_t known = reading->contexts.count;
	const struct numbering_key key = { { is_by_process || is_by_thread ? perf->pid : 0,
					     is_by_thread ? perf->tid : 0, 0, 0 } };
	/* There is but one where nothing is apart */
	const uint32_t context = known && !is_by_process && !is_by_thread
					 ? 0
					 : numbering_of(&reading->contexts, &key);

	if (context == NUMBERING_NONE ||
	    (context == known &&
	     name_context(reading, context, is_by_thread ? perf->tid : perf->pid, perf->time) < 0))
		reading->failed = 1;
	return context;
}

const char *mix_reading_context(const struct mix_reading *reading, uint32_t context)
{
	if (!mix_is_by(reading->arguments, MIX_BY_PROCESS) && !mix_is_by(reading->arguments, MIX_BY_THREAD))
		return "-";
	return names_get(&reading->context_names, reading->named[context])->text;
}

/* --- order --- */

/*
 * Has nothing been read that the order of time has elsewhere? A file without FINISHED_ROUND is sorted as a
 * whole, and written to a temporary file on the way, most often to find that it was in order: so it is read
 * as it is until that proves wrong. What has no time is handed out at once where others are sorted.
 */
static int is_in_order(struct mix_reading *reading, uint64_t time)
{
	const int has_time = time != 0 && time != UINT64_MAX;

	if (reading->options.order == PRECIS_ORDER_TIME)
		return 1;
	if (time < reading->latest || (!has_time && reading->latest))
		reading->is_out_of_order = 1;
	else if (has_time)
		reading->latest = time;
	return !reading->is_out_of_order;
}

/* --- samples --- */

static uint64_t period_of(const struct precis_sample *sample)
{
	uint64_t period = 1;

	precis_get_period(sample, &period);
	return period;
}

static int see_instruction(struct mix_reading *reading, const struct mix_event *how,
			   const struct mix_witness *who)
{
	uint64_t address, taken, target;

	if (!precis_get_ip(&reading->sample, &address)) {
		reading->addressless++;
		reading->addressless_weight += who->period;
		return 0;
	}
	if (mix_see_sample(reading->sightings, who, address) < 0)
		return -1;
	if (!how->has_branches || !precis_get_branch_taken(&reading->sample, &taken))
		return 0;
	if (!taken)
		return mix_see_branch(reading->sightings, who, address, address);
	return precis_get_branch_target(&reading->sample, &target)
		       ? mix_see_branch(reading->sightings, who, address, target)
		       : 0;
}

static void see(struct mix_reading *reading, struct mix_reading_event *event,
		const struct precis_perf_sample *perf)
{
	const struct mix_witness who = {
		.pid = perf->present & PRECIS_SAMPLE_TID ? perf->pid : UINT32_MAX,
		.context = context_of(reading, perf),
		.cpumode = perf->misc & 7u,
		.time = perf->present & PRECIS_SAMPLE_TIME ? perf->time : UINT64_MAX,
		.period = period_of(&reading->sample),
		.cluster = reading->clusters++,
	};

	if (!event->how.no_sample)
		reading->failed |= see_instruction(reading, &event->how, &who) < 0;
	if (!event->how.no_stack && (perf->present & PRECIS_SAMPLE_BRANCH_STACK)) {
		reading->failed |=
			mix_see_stack(reading->sightings, &who, event->streams, perf) < 0;
		event->stacks++;
		event->user_stacks += who.cpumode == PRECIS_CPUMODE_USER;
		event->not_frozen += (uint64_t)code_stack_is_not_frozen(perf);
	}
}

static void take_sample(struct mix_reading *reading, const struct precis_item *item)
{
	struct precis_perf_sample perf;
	struct mix_reading_event *event;

	/* What the sample has is filled in: all else would be zeroed for nothing */
	perf.size = sizeof(perf);
	perf.misc = 0;
	perf.present = 0;
	perf.pid = perf.tid = 0;
	perf.time = 0;
	if (!item->event || !item->record || !selection_has_event(&reading->selection, item->event) ||
	    precis_input_sample(reading->recording.input, reading->wanted, &perf, &reading->sample) ||
	    (reading->selection.checks_fields && !selection_has(&reading->selection, &reading->sample)))
		return;
	if (!is_in_order(reading, perf.present & PRECIS_SAMPLE_TIME ? perf.time : 0))
		return;
	event = event_of(reading, item->event);
	if (!event) {
		reading->failed = 1;
		return;
	}
	event->samples++;
	reading->failed |= mix_totals_sample(&reading->totals, reading->recording.file, item->event,
					     &perf, period_of(&reading->sample)) < 0;
	if (!event->how.no_sample || !event->how.no_stack)
		see(reading, event, &perf);
}

static void take_record(struct mix_reading *reading, const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	uint64_t time = 0;

	if (record_sample_id(reading->recording.file, record, &id) && (id.present & PRECIS_SAMPLE_TIME))
		time = id.time;
	/* Of what perf record wrote for itself nothing but build ids is learnt. */
	if ((record->type < PRECIS_RECORD_USER_FIRST || record->type == PRECIS_RECORD_HEADER_BUILD_ID) &&
	    !is_in_order(reading, time))
		return;
	filter_names_learn(&reading->names, record);
	reading->failed |= mix_totals_record(&reading->totals, reading->recording.file, record) < 0;
	if (!mix_sightings_learn_from(record->type))
		return;
	mix_sightings_pause(reading->sightings);
	reading->unlearnt += places_learn(&reading->places, record, time) != 0;
	reading->failed |= mix_sightings_record(reading->sightings, record, time) < 0;
}

static void read_items(struct mix_reading *reading)
{
	const struct precis_item *item;

	precis_sample_init(&reading->sample);
	reading->failed |= mix_sightings_begin(reading->sightings,
					       option_threads(reading->arguments->jobs)) < 0;
	while (!reading->failed && !reading->is_out_of_order && recording_next(&reading->recording, &item)) {
		if (item->kind == PRECIS_ITEM_SAMPLE)
			take_sample(reading, item);
		else
			take_record(reading, item->record);
	}
	reading->failed |= mix_sightings_settle(reading->sightings) < 0;
}

/* Code that was said to change, or to be made, and of which that is not known */
static int code_print(const struct mix_reading *reading)
{
	const struct code_texts *texts = mix_sightings_texts(reading->sightings);
	const struct recording *recording = &reading->recording;
	const uint64_t changes = code_texts_not_kept(texts), dumps = code_texts_bad_jitdumps(texts);

	if (changes)
		complain(recording->command,
			 "%s: %" PRIu64 " changes of the kernel's code are too many, or too long: the code "
			 "is believed to be as it was before",
			 recording->path, changes);
	if (dumps)
		complain(recording->command, "%s: %" PRIu64 " jitdumps are damaged: what follows is missing",
			 recording->path, dumps);
	return changes || dumps ? EXIT_FAILED : EXIT_OK;
}

int mix_reading_read(struct mix_reading *reading)
{
	int code;

	read_items(reading);
	if (reading->is_out_of_order && !reading->failed) {
		code = open_sorted(reading);
		if (code) {
			reading->failed = 1;
			return code;
		}
		read_items(reading);
	}
	progress_end(&reading->recording.progress);
	/* Events without a sample, too */
	if (!reading->failed)
		reading->failed =
			learn_events(reading, precis_input_event_count(reading->recording.input)) < 0;
	if (reading->failed)
		return recording_out_of_memory(&reading->recording);
	faults_take(&reading->faults, reading->recording.input);
	code = faults_print(&reading->faults, &reading->recording);
	if (unlearnt_print(&reading->recording, reading->unlearnt) || traces_print(&reading->recording))
		code = EXIT_FAILED;
	if (code_print(reading))
		code = EXIT_FAILED;
	losses_print(&reading->recording);
	return reading->recording.broken ? EXIT_FAILED : code;
}

/* --- what it was --- */

int mix_reading_is_by_op(const struct mix_reading *reading)
{
	for (uint32_t n = 0; n < reading->event_count; n++) {
		if (!reading->events[n].how.no_sample)
			return reading->events[n].how.counts == MIX_COUNTS_OPS;
	}
	return 0;
}

int mix_reading_is_exact(const struct mix_reading *reading)
{
	for (uint32_t n = 0; n < reading->event_count; n++) {
		if (!reading->events[n].how.no_sample && !reading->events[n].how.is_exact)
			return 0;
	}
	return 1;
}

int mix_reading_is_relative(const struct mix_reading *reading)
{
	for (uint32_t n = 0; n < reading->event_count; n++) {
		if (!reading->events[n].how.no_stack && reading->events[n].how.counts != MIX_COUNTS_TAKEN)
			return 1;
	}
	return 0;
}

/* The rings that samples are of: an event that counts in others has another total. */
static int is_of_same_rings(const struct precis_event *a, const struct precis_event *b)
{
	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel;
}

/* The first event whose samples are taken; NULL: there is none */
static const struct precis_event *first_taken(const struct mix_reading *reading)
{
	for (uint32_t n = 0; n < reading->event_count; n++) {
		if (!reading->events[n].how.no_sample || !reading->events[n].how.no_stack)
			return precis_input_event(reading->recording.input, n);
	}
	return NULL;
}

/* Two events that count the same on the same cores have one total */
static int is_counted_before(const struct mix_reading *reading, uint32_t n)
{
	const struct precis_event *event = precis_input_event(reading->recording.input, n);

	for (uint32_t other = 0; other < n; other++) {
		const struct precis_event *before =
			precis_input_event(reading->recording.input, other);

		if (reading->events[other].how.counts == reading->events[n].how.counts &&
		    is_of_same_rings(before, event) &&
		    mix_total_of(&reading->totals, before).source &&
		    (!before->pmu || !event->pmu || strcmp(before->pmu, event->pmu) == 0))
			return 1;
	}
	return 0;
}

struct mix_total mix_reading_total(const struct mix_reading *reading, enum mix_counts_of what)
{
	const struct precis_event *taken = first_taken(reading);
	struct mix_total all = { 0 };

	for (uint32_t n = 0; taken && !reading->selection.checks_fields && n < reading->event_count;
	     n++) {
		const struct precis_event *event = precis_input_event(reading->recording.input, n);
		const struct mix_total total = mix_total_of(&reading->totals, event);

		if (reading->events[n].how.counts != what || !total.source ||
		    !is_of_same_rings(taken, event) || is_counted_before(reading, n))
			continue;
		all.read = (all.read * all.value + total.read * total.value) /
			   (all.value + total.value);
		all.error = (all.error * all.value + total.error * total.value) /
			    (all.value + total.value);
		all.value += total.value;
		all.source = total.source;
	}
	return all;
}

int mix_reading_complain_nothing(const struct mix_reading *reading)
{
	const struct recording *recording = &reading->recording;

	complain(recording->command,
		 "%s: no sample tells what was executed; precis-record --mix records samples that do",
		 recording->path);
	for (uint32_t n = 0; n < reading->event_count; n++) {
		const struct mix_reading_event *event = &reading->events[n];

		if (!event->samples)
			complain(recording->command, "%s: %s: no samples", recording->path,
				 precis_input_event(recording->input, n)->name);
		else
			complain(recording->command, "%s: %s: addresses: %s; branch stacks: %s",
				 recording->path, precis_input_event(recording->input, n)->name,
				 event->how.no_sample ? event->how.no_sample : "taken",
				 event->how.no_stack ? event->how.no_stack : "taken");
	}
	return EXIT_FAILED;
}
