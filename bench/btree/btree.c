/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lookups in a B+-tree whose nodes are named to the recorder of objects, and tagged with their level: what
 * btree.py records. "btree --help" has the options and what is printed.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/objects.h>

#include "tree.h"
#include "zipf.h"

/* Where a program that includes this one has something to do around the lookups */
#ifndef LOOKUPS_BEGIN
#define LOOKUPS_BEGIN() ((void)0)
#define LOOKUPS_END() ((void)0)
#endif

#define WATCHED 4 /* addresses: as many as x86 has breakpoints */

enum member {
	MEMBER_VERSION,
	MEMBER_TYPE,
	MEMBER_COUNT,
	MEMBER_KEYS,
	MEMBER_CHILDREN,
	MEMBER_PAYLOADS,
	MEMBERS
};

static const char *const member_names[MEMBERS] = {
	"header.version", "header.type", "header.count", "keys[]", "children[]", "payloads[]",
};

struct run {
	uint64_t records, lookups, seed;
	double exponent;
	int tells_loads, waits;
	struct tree tree;
	uint64_t *keys; /* of the lookups */
	uint64_t sum;	/* of the payloads that they are to find */
	uint64_t nodes[TREE_MAX_HEIGHT], node_keys[TREE_MAX_HEIGHT];
	uint64_t loads[TREE_MAX_HEIGHT][MEMBERS];
	struct watched {
		const void *address;
		unsigned int level, bytes;
		enum member member;
		uint64_t loads;
	} watched[WATCHED];
};

static void usage(FILE *file)
{
	fputs("Usage: btree [OPTION...]\n"
	      "\n"
	      "Puts records into a B+-tree with optimistic lock coupling, names each node to the\n"
	      "recorder of objects (precis-objects(7)) and tags it with its level, \"level=0\" the\n"
	      "root, and looks records up.\n"
	      "\n"
	      "  -k, --keys N      records [1000000]\n"
	      "  -l, --lookups N   [1000000]\n"
	      "  -z, --zipf X      exponent of the law by which records are asked for, below 1;\n"
	      "                    0: all alike [0.99]\n"
	      "  -s, --seed N      of the lookups [1]\n"
	      "  -c, --count       before, walk the tree once for each lookup, and print what it\n"
	      "                    loads, as lines 'loads LEVEL MEMBER NUMBER', and of four addresses\n"
	      "                    'watch LEVEL MEMBER ADDRESS BYTES NUMBER'\n"
	      "  -w, --wait        then read a line before the lookups\n"
	      "  -h, --help        print this\n"
	      "\n"
	      "Exit status: 0 all records were found; 1 not, or there is no memory; 2 wrong arguments.\n",
	      file);
}

static enum member member_of(const struct header *node, const void *address)
{
	size_t offset = (size_t)((const char *)address - (const char *)node);

	if (offset < offsetof(struct header, type))
		return MEMBER_VERSION;
	if (offset < offsetof(struct header, count))
		return MEMBER_TYPE;
	if (offset < sizeof(struct header))
		return MEMBER_COUNT;
	if (node->type == TREE_INNER)
		return offset < offsetof(struct inner, keys) ? MEMBER_CHILDREN : MEMBER_KEYS;
	return offset < offsetof(struct leaf, payloads) ? MEMBER_KEYS : MEMBER_PAYLOADS;
}

static int build(struct run *run)
{
	precis_objects_phase("build");
	if (tree_create(&run->tree) < 0)
		return -1;
	for (uint64_t n = 0; n < run->records; n++) {
		if (tree_insert(&run->tree, zipf_scatter(n), n) < 0)
			return -1;
	}
	return 0;
}

static int draw_lookups(struct run *run)
{
	struct zipf zipf;

	run->keys = calloc(run->lookups, sizeof(*run->keys));
	if (!run->keys)
		return -1;
	if (run->exponent > 0)
		zipf_init(&zipf, run->records, run->exponent, run->seed);
	for (uint64_t n = 0; n < run->lookups; n++) {
		uint64_t record = run->exponent > 0 ? zipf_next(&zipf) :
						      zipf_scatter(run->seed + n) % run->records;

		run->sum += record;
		run->keys[n] = zipf_scatter(record);
	}
	return 0;
}

/* ---- what the lookups load ---- */

static void watch(struct run *run, unsigned int n, const struct header *node, unsigned int level,
		  const void *address)
{
	static const unsigned int bytes[MEMBERS] = { 8, 1, 2, 8, 8, 8 };
	struct watched *watched = &run->watched[n];

	watched->address = address;
	watched->level = level;
	watched->member = member_of(node, address);
	watched->bytes = bytes[watched->member];
}

/* Of the first lookup: the root's version, the leaf's, the payload */
static void watch_load(void *context, const struct header *node, unsigned int level, const void *address)
{
	struct run *run = context;
	enum member member = member_of(node, address);

	if (level == 0 && node->type == TREE_INNER && member == MEMBER_VERSION)
		watch(run, 0, node, level, address);
	if (node->type == TREE_LEAF && member == MEMBER_VERSION)
		watch(run, 2, node, level, address);
	if (node->type == TREE_LEAF && member == MEMBER_PAYLOADS)
		watch(run, 3, node, level, address);
}

static void count_load(void *context, const struct header *node, unsigned int level, const void *address)
{
	struct run *run = context;

	run->loads[level][member_of(node, address)]++;
	for (unsigned int n = 0; n < WATCHED; n++)
		run->watched[n].loads += run->watched[n].address == address;
}

static void count_loads(struct run *run)
{
	tree_tell_loads(&run->tree, run->keys[0], watch_load, run);
	/* Of the root the key in the middle, which each search loads */
	if (run->tree.height > 1) {
		const struct header *root = atomic_load(&run->tree.root);

		watch(run, 1, root, 0, &((const struct inner *)root)->keys[root->count / 2]);
	}
	for (uint64_t n = 0; n < run->lookups; n++)
		tree_tell_loads(&run->tree, run->keys[n], count_load, run);
	for (unsigned int level = 0; level < run->tree.height; level++) {
		for (int member = 0; member < MEMBERS; member++) {
			if (run->loads[level][member])
				printf("loads %u %s %" PRIu64 "\n", level, member_names[member],
				       run->loads[level][member]);
		}
	}
	for (unsigned int n = 0; n < WATCHED; n++) {
		const struct watched *watched = &run->watched[n];

		if (watched->address)
			printf("watch %u %s 0x%" PRIxPTR " %u %" PRIu64 "\n", watched->level,
			       member_names[watched->member], (uintptr_t)watched->address, watched->bytes,
			       watched->loads);
	}
}

/* ---- names ---- */

static void name_node(void *context, const struct header *node, unsigned int level)
{
	struct run *run = context;
	char tag[32];

	run->nodes[level]++;
	run->node_keys[level] += node->count;
	precis_objects_name(node, sizeof(struct leaf), "tree",
			    node->type == TREE_INNER ? "struct inner" : "struct leaf");
	snprintf(tag, sizeof(tag), "level=%u", level);
	precis_objects_tag(node, tag);
}

static void name_nodes(struct run *run)
{
	tree_visit(&run->tree, name_node, run);
	printf("tree: %" PRIu64 " records, %zu nodes, height %u\n", run->records, run->tree.nodes,
	       run->tree.height);
	for (unsigned int level = 0; level < run->tree.height; level++)
		printf("level %u: %" PRIu64 " %s, %.1f %% full\n", level, run->nodes[level],
		       level + 1 < run->tree.height ? "struct inner" : "struct leaf",
		       100 * (double)run->node_keys[level] / (double)run->nodes[level] /
			       (level + 1 < run->tree.height ? TREE_SLOTS - 1 : TREE_SLOTS));
}

/* ---- lookups ---- */

static int look_up(struct run *run)
{
	uint64_t sum = 0, found = 0, payload = 0;

	precis_objects_phase("lookups");
	LOOKUPS_BEGIN();
	for (uint64_t n = 0; n < run->lookups; n++) {
		if (tree_lookup(&run->tree, run->keys[n], &payload)) {
			found++;
			sum += payload;
		}
	}
	LOOKUPS_END();
	printf("lookups: %" PRIu64 ", found %" PRIu64 "%s\n", run->lookups, found,
	       sum == run->sum ? "" : ", with wrong payloads");
	return found == run->lookups && sum == run->sum ? 0 : 1;
}

static int run_all(struct run *run)
{
	if (build(run) < 0 || draw_lookups(run) < 0) {
		fputs("btree: there is not enough memory\n", stderr);
		return 1;
	}
	if (run->tells_loads)
		count_loads(run);
	name_nodes(run);
	fflush(stdout);
	if (run->waits) {
		for (int c = 0; c != '\n' && c != EOF; c = getchar())
			continue;
	}
	return look_up(run);
}

/* ---- options ---- */

static int number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *value && *value <= UINT64_C(1) << 40;
}

/* @return 1; 0: all was said; -1: wrong */
static int take_options(struct run *run, int argc, char **argv)
{
	static const struct option options[] = {
		{ "keys", required_argument, NULL, 'k' },
		{ "lookups", required_argument, NULL, 'l' },
		{ "zipf", required_argument, NULL, 'z' },
		{ "seed", required_argument, NULL, 's' },
		{ "count", no_argument, NULL, 'c' },
		{ "wait", no_argument, NULL, 'w' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	char *end;
	int option, good = 1;

	while (good && (option = getopt_long(argc, argv, "k:l:z:s:cwh", options, NULL)) != -1) {
		switch (option) {
		case 'k': good = number(optarg, &run->records); break;
		case 'l': good = number(optarg, &run->lookups); break;
		case 's': good = number(optarg, &run->seed); break;
		case 'z':
			run->exponent = strtod(optarg, &end);
			good = end != optarg && !*end && run->exponent >= 0 && run->exponent < 1;
			break;
		case 'c': run->tells_loads = 1; break;
		case 'w': run->waits = 1; break;
		case 'h': usage(stdout); return 0;
		default: return -1;
		}
		if (!good)
			fprintf(stderr, "btree: -%c: '%s' is none that it takes\n", option, optarg);
	}
	if (good && optind < argc)
		fprintf(stderr, "btree: what is '%s'?\n", argv[optind]);
	return good && optind == argc ? 1 : -1;
}

int main(int argc, char **argv)
{
	static struct run run = { .records = 1000000, .lookups = 1000000, .seed = 1, .exponent = 0.99 };
	int taken = take_options(&run, argc, argv), status;

	if (taken < 0)
		usage(stderr);
	if (taken <= 0)
		return taken < 0 ? 2 : 0;
	status = run_all(&run);
	if (atomic_load(&run.tree.root))
		tree_destroy(&run.tree);
	free(run.keys);
	return status;
}
