# SPDX-License-Identifier: BSD-3-Clause
# Files, symbols, lines and tasks of samples that perf takes here and now, against perf script.

check_PROGRAMS += tests/libdecode/symbols/resolve
tests_libdecode_symbols_resolve_SOURCES = tests/libdecode/symbols/resolve.c
tests_libdecode_symbols_resolve_LDADD = libprecis.la

PYTHON_TESTS += tests/libdecode/symbols/test_perf_agreement.py
