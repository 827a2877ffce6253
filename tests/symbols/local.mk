# SPDX-License-Identifier: BSD-3-Clause
# Files, symbols, lines and tasks of samples that perf takes here and now, against perf script.

check_PROGRAMS += tests/symbols/resolve
tests_symbols_resolve_SOURCES = tests/symbols/resolve.c
tests_symbols_resolve_LDADD = libprecis.la

PYTHON_TESTS += tests/symbols/test_perf_agreement.py
