# SPDX-License-Identifier: BSD-3-Clause
# precis sharing: recordings of which it is known who wrote and read what, and perf c2c as an oracle; programs
# that know it themselves, on modeled debug registers and on those of this machine.

PYTHON_TESTS += \
	tests/command/sharing/test_sharing.py \
	tests/command/sharing/test_sharing_advice.py \
	tests/command/sharing/test_sharing_c2c.py \
	tests/command/sharing/test_sharing_edges.py \
	tests/command/sharing/test_sharing_guide.py \
	tests/command/sharing/test_sharing_hostile.py \
	tests/command/sharing/test_sharing_live.py \
	tests/command/sharing/test_sharing_places.py \
	tests/command/sharing/test_sharing_pmu.py \
	tests/command/sharing/test_sharing_saved.py \
	tests/command/sharing/test_sharing_truths.py

TEST_FILES += \
	tests/command/sharing/accesses.py \
	tests/command/sharing/blocks.c \
	tests/command/sharing/crowd.c \
	tests/command/sharing/exchanges.c \
	tests/command/sharing/fake_pmu.c \
	tests/command/sharing/faults.c \
	tests/command/sharing/parallel.c \
	tests/command/sharing/programs.py \
	tests/command/sharing/truths.py \
	tests/command/sharing/turns.c \
	tests/command/sharing/workload.c
