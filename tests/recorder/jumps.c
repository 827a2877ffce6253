/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal handler at any instruction of a library: jumps RECORDER WHAT HOW.
 *
 * WHAT the program does under the recorder: map, heap, name, or stack, of which each is new. HOW its
 * handler ends: jumps out, or returns, behind a mapping that it has made itself, or "jumps-first", without.
 * The tracer steps through what the library does once, and then has the signal come at each instruction that
 * it has seen, one after the other. With "returns-jumps" a first one has come midway, and has returned: the
 * second one, which jumps, comes at each instruction from there on. Lines "OPERATION ADDRESS BYTES BEFORE
 * AFTER" say what was done to its end, and when, in ns of CLOCK_MONOTONIC; the last one is "handled NUMBER",
 * of signals.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <precis/objects.h>

#define NOINLINE __attribute__((noinline))
#define SKIPPED 77
#define PLACES_MOST 20000u
/* where mappings are that may be interrupted, and those that are not */
#define HARMED UINT64_C(0x200000000000)
#define HARMED_BYTES 8192
#define WHOLE UINT64_C(0x300000000000)
#define APART (UINT64_C(1) << 26)

/*
 * Where the tracer is told: what comes is the turn of this number, from 1 on; 0: that was it. @return 1:
 * there is no such turn
 */
uint64_t mark(uint64_t turn);

__asm__(".text\n.globl mark\nmark:\n mov %rdi, %rax\n int3\n ret\n");

/* --- the program that is traced --- */

static sigjmp_buf outside;
static int is_jump, has_map, is_second;
static volatile unsigned int handled;
static uint64_t whole; /* so many mappings that are not interrupted have been made */
static char block[64];

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void say(const char *operation, const void *address, size_t bytes, uint64_t before)
{
	const uint64_t after = now();

	printf("%s %" PRIx64 " %zu %" PRIu64 " %" PRIu64 "\n", operation, (uint64_t)address, bytes,
	       before, after);
}

static void *map_at(uint64_t address, size_t bytes)
{
	void *mapped = mmap((void *)address, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (mapped != (void *)address)
		abort();
	return mapped;
}

static NOINLINE void map_and_unmap(uint64_t address, size_t bytes)
{
	uint64_t before = now();
	void *mapped = map_at(address, bytes);

	say("map", mapped, bytes, before);
	before = now();
	munmap(mapped, bytes);
	say("unmap", mapped, bytes, before);
}

static NOINLINE void map_whole(void)
{
	const uint64_t n = whole++;

	map_and_unmap(WHOLE + n * APART, 4096 * (1 + n % 5));
}

static NOINLINE void allocate_whole(uint64_t n)
{
	const size_t bytes = 3000 + n;
	uint64_t before = now();
	void *volatile made = malloc(bytes);

	say("alloc", made, bytes, before);
	before = now();
	free(made);
	say("free", made, 0, before);
}

static NOINLINE void name_whole(uint64_t n)
{
	const void *address = (const void *)(WHOLE + n * 32);
	uint64_t before = now();

	precis_objects_name(address, n, "whole", "type");
	say("name", address, n, before);
	before = now();
	precis_objects_forget(address);
	say("forget", address, 0, before);
}

static NOINLINE void do_whole(const char *what, uint64_t n)
{
	if (!strcmp(what, "heap"))
		allocate_whole(n);
	else if (!strcmp(what, "name"))
		name_whole(n);
	map_whole();
}

static NOINLINE void do_harmed(const char *what, uint64_t n)
{
	/* a stack that is as deep as none before is walked */
	volatile char *deeper = __builtin_alloca(!strcmp(what, "stack") ? 16 * n + 16 : 16);

	deeper[0] = 0;
	if (!strcmp(what, "heap")) {
		void *volatile made = malloc(5000);

		free(made);
	} else if (!strcmp(what, "name")) {
		precis_objects_name(block, sizeof(block), "harmed", NULL);
		precis_objects_forget(block);
	} else {
		munmap(map_at(HARMED + n * APART, HARMED_BYTES), HARMED_BYTES);
	}
}

/* @return 1: there are no more turns */
static NOINLINE int harm(const char *what, uint64_t turn)
{
	const int is_over = (int)mark(turn);

	do_harmed(what, turn);
	mark(0);
	return is_over;
}

static void handle(int number)
{
	handled++;
	if (has_map && number == SIGUSR1)
		map_whole();
	if (is_jump)
		siglongjmp(outside, 1);
}

/* What this one does is interrupted, too. */
static void handle_first(int number)
{
	static uint64_t came;

	(void)number;
	map_and_unmap(HARMED + came++ * APART + APART / 2, HARMED_BYTES);
}

static int run(const char *what, const char *how)
{
	const struct sigaction action = { .sa_handler = handle },
			       first = { .sa_handler = handle_first };
	static char lines[8 << 20];
	volatile uint64_t turn = 0;
	volatile int is_over = 0;

	setvbuf(stdout, lines, _IOFBF, sizeof(lines));
	is_jump = strcmp(how, "returns") != 0;
	has_map = strcmp(how, "jumps-first") != 0;
	is_second = !strcmp(how, "returns-jumps");
	sigaction(SIGUSR1, is_second ? &first : &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	for (; !is_over; turn++) {
		if (!sigsetjmp(outside, 1))
			is_over = harm(what, turn);
		do_whole(what, turn);
	}
	printf("handled %u\n", handled);
	fflush(stdout);
	return 0;
}

/* --- the tracer --- */

static struct {
	uint64_t low, high;
} code;
static uint64_t places[PLACES_MOST]; /* of instructions */
static unsigned int place_count;
static uint64_t mark_place; /* behind its instruction */

/* Where the library's instructions are in the process. @return 0, -1: nowhere */
static int find_code(pid_t pid, const char *library)
{
	char path[64], line[512], flags[8];
	uint64_t low, high;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "r");
	while (maps && !code.high && fgets(line, sizeof(line), maps)) {
		if (strstr(line, library) &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &low, &high, flags) == 3 &&
		    flags[2] == 'x') {
			code.low = low;
			code.high = high;
		}
	}
	if (maps)
		fclose(maps);
	return code.high ? 0 : -1;
}

/* Until it stops again; when it ends, so does this one. @return by which signal */
static int go_on(pid_t pid, int request, long signal_number, struct user_regs_struct *registers)
{
	int status;

	if (ptrace(request, pid, NULL, signal_number) || waitpid(pid, &status, 0) != pid)
		exit(1);
	if (!WIFSTOPPED(status)) {
		if (WIFSIGNALED(status))
			fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	if (ptrace(PTRACE_GETREGS, pid, NULL, registers))
		exit(1);
	return WSTOPSIG(status);
}

static void add_place(uint64_t place)
{
	for (unsigned int n = 0; n < place_count; n++)
		if (places[n] == place)
			return;
	if (place_count < PLACES_MOST)
		places[place_count++] = place;
}

/* From a mark, or where a signal is to come, to the next mark */
static void find_places(pid_t pid, int signal_number, struct user_regs_struct *registers)
{
	place_count = 0;
	do {
		if (go_on(pid, PTRACE_SINGLESTEP, signal_number, registers) != SIGTRAP)
			exit(1);
		signal_number = 0;
		if (registers->rip >= code.low && registers->rip < code.high)
			add_place(registers->rip);
	} while (registers->rip != mark_place);
}

/* @return 1: it is there; 0: it went another way */
static int go_to(pid_t pid, uint64_t place, int signal_number, struct user_regs_struct *registers)
{
	const long word = ptrace(PTRACE_PEEKTEXT, pid, place, NULL);

	ptrace(PTRACE_POKETEXT, pid, place, (word & ~0xffl) | 0xcc);
	if (go_on(pid, PTRACE_CONT, signal_number, registers) != SIGTRAP)
		exit(1);
	ptrace(PTRACE_POKETEXT, pid, place, word);
	if (registers->rip != place + 1)
		return 0;
	registers->rip = place;
	ptrace(PTRACE_SETREGS, pid, NULL, registers);
	return 1;
}

static void answer(pid_t pid, uint64_t answer, struct user_regs_struct *registers)
{
	registers->rax = answer;
	ptrace(PTRACE_SETREGS, pid, NULL, registers);
}

/* @return the signal that is to come now */
static int take_turn(pid_t pid, uint64_t turn, int is_second, struct user_regs_struct *registers)
{
	static uint64_t midway;
	const uint64_t looks = is_second ? 2 : 1; /* turns that find places */

	if (turn <= looks) {
		if (turn == 1 || go_to(pid, midway, 0, registers))
			find_places(pid, turn == 1 ? 0 : SIGUSR1, registers);
		if (turn == 1)
			midway = places[place_count / 2];
		return 0;
	}
	if (!is_second)
		return go_to(pid, places[turn - looks - 1], 0, registers) ? SIGUSR1 : 0;
	return go_to(pid, midway, 0, registers) &&
			       go_to(pid, places[turn - looks - 1], SIGUSR1, registers)
		       ? SIGUSR2
		       : 0;
}

static void trace(pid_t pid, const char *library, int is_second)
{
	const uint64_t looks = is_second ? 2 : 1;
	struct user_regs_struct registers;
	int next = 0;

	for (;;) {
		uint64_t turn;

		next = go_on(pid, PTRACE_CONT, next, &registers);
		if (next != SIGTRAP)
			continue;
		next = 0;
		turn = registers.rax;
		mark_place = registers.rip;
		if (turn == 1 && find_code(pid, library))
			exit(1);
		answer(pid, turn > looks && turn - looks > place_count, &registers);
		if (turn && !registers.rax)
			next = take_turn(pid, turn, is_second, &registers);
	}
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc == 3)
		return run(argv[1], argv[2]);
	if (argc != 4)
		return 2;
	pid = fork();
	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(SKIPPED);
		setenv("LD_PRELOAD", argv[1], 1);
		execl("/proc/self/exe", argv[0], argv[2], argv[3], (char *)NULL);
		_exit(1);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL);
	trace(pid, argv[1], !strcmp(argv[3], "returns-jumps"));
}
