# SPDX-License-Identifier: BSD-3-Clause
# Lookups in a B+-tree, bench/btree, and the recordings of them (make recordings).

PYTHON_TESTS += tests/bench/test_btree.py
TEST_FILES += \
	tests/recordings/btree/sapphire_rapids/btree.data \
	tests/recordings/btree/sapphire_rapids/log.txt \
	tests/recordings/btree/sapphire_rapids/note.txt \
	tests/recordings/btree/sapphire_rapids/precis-95.objects \
	tests/recordings/btree/zen4/btree.data \
	tests/recordings/btree/zen4/log.txt \
	tests/recordings/btree/zen4/note.txt \
	tests/recordings/btree/zen4/precis-95.objects \
	tests/recordings/symfs/usr/bin/btree
