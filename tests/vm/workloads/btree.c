/* SPDX-License-Identifier: BSD-3-Clause */
/* The lookups of bench/btree, traced: btree --keys N --lookups N --count. What it prints is known of them. */
#include "traced.h"

#define LOOKUPS_BEGIN() (traced_open(), traced_begin())
#define LOOKUPS_END() traced_end()

#include "../../../bench/btree/btree.c"
#include "../../../bench/btree/tree.c"
#include "../../../bench/btree/zipf.c"
