# SPDX-License-Identifier: BSD-3-Clause
# The case of DaMoN 2025, "Breaking the Cycle": make bench-btree.

EXTRA_DIST += bench/btree/btree.py bench/btree/damon2025.tsv

EXTRA_PROGRAMS += bench/btree/btree
bench_btree_btree_SOURCES = \
	bench/btree/btree.c \
	bench/btree/tree.c \
	bench/btree/tree.h \
	bench/btree/zipf.c \
	bench/btree/zipf.h
bench_btree_btree_LDADD = $(LIBM)

# Records lookups in a B+-tree with what this machine has, and prints level and member (BENCH_FLAGS: --keys N,
# --lookups N, --source pmu, or a recording)
bench-btree: all bench/btree/btree
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/btree/btree.py --precis ./precis \
		--record $(srcdir)/perf_scripts/record/precis-record --recorder .libs/libprecis-objects.so \
		--program bench/btree/btree --perf '$(PERF)' $(BENCH_FLAGS)
CLEANFILES += btree.data precis-*.objects
.PHONY: bench-btree
