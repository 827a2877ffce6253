/* SPDX-License-Identifier: BSD-3-Clause */
/* See labels.h. */
#include "labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *mix_label_module(const struct code_text *text)
{
	return text ? last_part(code_text_name(text)) : "no file";
}

static const char *without_symbol(struct mix_labels *labels, const char *module, uint64_t offset,
				  int with_offset)
{
	if (with_offset)
		snprintf(labels->text, MIX_LABEL, "0x%" PRIx64 " (%.400s)", offset, module);
	else
		snprintf(labels->text, MIX_LABEL, "no symbol (%.400s)", module);
	return labels->text;
}

static const char *with_symbol(struct mix_labels *labels, const char *symbol, const char *module,
			       uint64_t offset, int with_offset)
{
	if (with_offset && offset)
		snprintf(labels->text, MIX_LABEL, "%.300s+0x%" PRIx64 " (%.150s)", symbol, offset,
			 module);
	else
		snprintf(labels->text, MIX_LABEL, "%.300s (%.150s)", symbol, module);
	return labels->text;
}

const char *mix_label_place(struct mix_labels *labels, const struct code_text *text, uint64_t offset,
			    int with_offset)
{
	struct places *places = &labels->reading->places;
	const char *module = mix_label_module(text),
		   *made = text ? code_text_made_name(text) : NULL;
	struct precis_location location;

	if (made && *made)
		return with_symbol(labels, made, module, offset, with_offset);
	if (!text || !code_text_location(text, offset, &location) ||
	    precis_symbols_name(places->symbols, &location) <= 0)
		return without_symbol(labels, module, offset, with_offset);
	return with_symbol(labels, places_symbol(places, &location), module, location.symbol_offset,
			   with_offset);
}

const char *mix_label_stale(struct mix_labels *labels, uint32_t n)
{
	const struct numbering_key *key = &labels->program->stale_texts.key[n];

	return mix_label_place(labels, (const struct code_text *)(uintptr_t)key->word[0], key->word[1], 0);
}

static const char *line_of(struct mix_labels *labels, const struct code_text *text, uint64_t offset)
{
	struct precis_location location;
	struct precis_line line;

	if (!code_text_location(text, offset, &location))
		return "no line: code made at run time";
	places_find_line(&labels->reading->places, &location, &line);
	if (line.file)
		snprintf(labels->text, MIX_LABEL, "%.400s:%" PRIu32, line.file, line.number);
	else
		snprintf(labels->text, MIX_LABEL, "no line: %.300s",
			 precis_symbol_absent_text(line.absent));
	return labels->text;
}

/* Of code that is not known there is no place inside of its text. */
static const char *unknown(struct mix_labels *labels, const struct mix_node *node)
{
	snprintf(labels->text, MIX_LABEL, "unknown: %.200s (%.200s)", node->why,
		 mix_label_module(node->text));
	return labels->text;
}

const char *mix_label(void *data, enum mix_dimension dimension, uint32_t n, uint64_t offset)
{
	struct mix_labels *labels = data;
	const struct mix_node *node = &labels->program->node[n];

	switch (dimension) {
	case MIX_BY_PROCESS:
	case MIX_BY_THREAD: return mix_reading_context(labels->reading, node->context);
	case MIX_BY_MODE: return node->is_kernel ? "kernel" : "user";
	case MIX_BY_MODULE: return node->text ? code_text_name(node->text) : node->why;
	default: break;
	}
	if (node->why)
		return unknown(labels, node);
	if (dimension == MIX_BY_LINE)
		return line_of(labels, node->text, offset);
	return mix_label_place(labels, node->text, offset, dimension == MIX_BY_BLOCK);
}
