// SPDX-License-Identifier: BSD-3-Clause
/*
 * A plugin of qemu-user that writes which blocks of code ran, one after the other. It goes with no header:
 * Debian packages none, so the functions of qemu's plugin interface of version 1 are declared here.
 *
 *	qemu-x86_64 -plugin plugin.so,trace=TRACE,most=EXECUTIONS PROGRAM
 *
 * A trace is words of 32 bits. 0 introduces a new block: number of instructions, and of each its
 * address (two words), size and bytes (four words); of a program of aarch64 PRECIS_CODE_AARCH64 comes first
 * in the place of a number. n above 0: the nth block was entered. The trace ends after so many executions,
 * or with the first thread beside the first one.
 *
 * TRACE.maps is /proc/self/maps at that time: as long as no memory is reserved for the program, qemu-user
 * maps its files where the program has them. They are not executable there: qemu translates them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AARCH64 0xb70040u /* PRECIS_CODE_AARCH64 */
#define VISIBLE __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_info_t {
	const char *target_name; /* and more */
};
struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void on_execution(unsigned int cpu, void *data);
typedef void on_exit_of(qemu_plugin_id_t id, void *data);

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, on_translation *call);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, on_execution *call, int flags,
						 void *data);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, on_exit_of *call, void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t n);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
extern void qemu_plugin_outs(const char *text);

VISIBLE int qemu_plugin_version = 1;
VISIBLE int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int count, char **texts);

static FILE *trace;
static char maps_path[4096];
static uint64_t executions, most = 1000000;
static uint32_t blocks;

static void word(uint32_t value)
{
	fwrite(&value, sizeof(value), 1, trace);
}

static void end_trace(void)
{
	FILE *from = fopen("/proc/self/maps", "r"), *to = fopen(maps_path, "w");
	char line[8192];

	fclose(trace);
	trace = NULL;
	while (from && to && fgets(line, sizeof(line), from))
		fputs(line, to);
	if (from)
		fclose(from);
	if (to)
		fclose(to);
}

/* Where one is executed is its number, as a pointer. */
static void executed(unsigned int cpu, void *data)
{
	if (!trace)
		return;
	if (cpu > 0 || executions++ == most) {
		end_trace();
		if (cpu > 0)
			qemu_plugin_outs("more than one thread: the trace ends\n");
		return;
	}
	word((uint32_t)(uintptr_t)data);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const size_t count = qemu_plugin_tb_n_insns(tb);

	(void)id;
	if (!trace)
		return;
	word(0);
	word((uint32_t)count);
	for (size_t n = 0; n < count; n++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, n);
		const uint64_t address = qemu_plugin_insn_vaddr(insn);
		const size_t size = qemu_plugin_insn_size(insn);
		uint32_t bytes[4] = { 0 };

		memcpy(bytes, qemu_plugin_insn_data(insn), size < 16 ? size : 16);
		word((uint32_t)address);
		word((uint32_t)(address >> 32));
		word((uint32_t)size);
		fwrite(bytes, sizeof(bytes), 1, trace);
	}
	blocks++;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, 0, (void *)(uintptr_t)blocks);
}

static void ended(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	if (trace)
		end_trace();
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int count, char **texts)
{
	for (int n = 0; n < count; n++) {
		if (strncmp(texts[n], "trace=", 6) == 0) {
			trace = fopen(texts[n] + 6, "wb");
			snprintf(maps_path, sizeof(maps_path), "%s.maps", texts[n] + 6);
		} else if (strncmp(texts[n], "most=", 5) == 0) {
			most = strtoull(texts[n] + 5, NULL, 10);
		}
	}
	if (!trace)
		return -1;
	setvbuf(trace, NULL, _IOFBF, 1 << 20);
	if (strcmp(info->target_name, "aarch64") == 0) {
		word(0);
		word(AARCH64);
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
